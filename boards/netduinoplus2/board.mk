# SPDX-License-Identifier: MIT
# Netduino Plus 2 (STM32F405): Cortex-M4F at 168 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU   := cortex-m4
BOARD_FLOAT := hard
BOARD_QEMU  := $(qemu) -M netduinoplus2 -serial stdio
