# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN500 image: Cortex-M7 at 25 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m7
BOARD_QEMU := $(qemu) -M mps2-an500 -serial stdio
