# SPDX-License-Identifier: MIT
# STM32VLDISCOVERY (STM32F100): Cortex-M3 at 24 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m3
BOARD_QEMU := $(qemu) -M stm32vldiscovery -serial stdio
