# SPDX-License-Identifier: MIT
# Arm MPS3 with the AN547 image: Cortex-M55 at 32 MHz in the Secure state. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m55
BOARD_QEMU := $(qemu) -M mps3-an547 -serial stdio
