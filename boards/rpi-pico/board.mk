# SPDX-License-Identifier: MIT
# Raspberry Pi Pico (RP2040): Cortex-M0+ at 12 MHz. rp2040js emulates it, which has no code of QEMU's. NOT RUN ON HARDWARE.
BOARD_CPU := cortex-m0plus
BOARD_EMULATOR := rp2040js
BOARD_QEMU := node boards/rpi-pico/emulator/run.mjs
# An instruction takes 8 ns, as in boards/parts/emulated.mk. The real core would print too slowly for the demo.
BOARD_QEMU_EXACT := -icount shift=3
BOARD_TEST_SECONDS := 1200
# The boot ROM runs a second stage only if its checksum is correct.
BOARD_AFTER_LINK := python3 -B boards/rpi-pico/checksum.py $(CROSS)
BOARD_SYSTICK_RESTART_COST := 531
