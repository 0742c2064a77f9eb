# SPDX-License-Identifier: MIT
# BBC micro:bit (nRF51822): Cortex-M0 at 16 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m0
BOARD_QEMU := $(qemu) -M microbit -serial stdio
BOARD_SYSTICK_RESTART_COST := 582
