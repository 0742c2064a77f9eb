# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN521 image: two Cortex-M33 at 20 MHz in the Secure state. QEMU emulates it.
include boards/parts/emulated.mk
# Core 0 has no DSP instructions.
BOARD_CPU  := cortex-m33+nodsp
BOARD_QEMU := $(qemu) -M mps2-an521 -serial stdio
