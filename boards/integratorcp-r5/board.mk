# SPDX-License-Identifier: MIT
# Arm Integrator/CP with a Cortex-R5, in Thumb state. QEMU emulates it.
include boards/parts/cortex_ar.mk
BOARD_CPU  := cortex-r5
BOARD_QEMU := $(qemu) -M integratorcp -cpu cortex-r5
