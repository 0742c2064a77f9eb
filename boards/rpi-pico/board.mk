# SPDX-License-Identifier: MIT
# Raspberry Pi Pico (RP2040): Cortex-M0+ at 12 MHz. Builds only: no emulator has it, and it was NOT RUN ON HARDWARE.
BOARD_CPU := cortex-m0plus
# The boot ROM takes a second stage with its checksum only.
BOARD_AFTER_LINK := python3 -B boards/rpi-pico/checksum.py $(CROSS)
BOARD_TOOLS := python
