# SPDX-License-Identifier: MIT
# Raspberry Pi Pico (RP2040): Cortex-M0+ at 12 MHz. No emulator has it; it builds only. NOT RUN ON HARDWARE.
BOARD_CPU := cortex-m0plus
# The boot ROM runs a second stage only if its checksum is correct.
BOARD_AFTER_LINK := python3 -B boards/rpi-pico/checksum.py $(CROSS)
BOARD_TOOLS := python
