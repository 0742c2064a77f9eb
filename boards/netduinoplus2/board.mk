# SPDX-License-Identifier: MIT
# Netduino Plus 2 (STM32F405): Cortex-M4F at 168 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU   := cortex-m4
BOARD_FLOAT := hard
# Holds input back until the USART is enabled.
BOARD_QEMU  := boards/parts/hold_input.sh $(qemu) -M netduinoplus2 -serial stdio
