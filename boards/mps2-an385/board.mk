# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN385 image: Cortex-M3 at 25 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m3
BOARD_QEMU := $(qemu) -M mps2-an385 -serial stdio
BOARD_SYSTICK_RESTART_COST := 722
