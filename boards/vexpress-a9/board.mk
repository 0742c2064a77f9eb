# SPDX-License-Identifier: MIT
# Arm Versatile Express with a Cortex-A9, in Arm state. QEMU emulates it.
include boards/parts/cortex_ar.mk
BOARD_CPU  := cortex-a9
BOARD_ISA  := arm
BOARD_QEMU := $(qemu) -M vexpress-a9
