# SPDX-License-Identifier: MIT
# STM32VLDISCOVERY (STM32F100): Cortex-M3 at 24 MHz. QEMU emulates it.
BOARD_CPU  := cortex-m3
# Holds input back until the USART is enabled.
BOARD_QEMU := boards/parts/hold_input.sh qemu-system-arm -M stm32vldiscovery -display none -monitor none \
	-serial stdio -semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
