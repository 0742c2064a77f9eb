# SPDX-License-Identifier: MIT
# Netduino Plus 2 (STM32F405): Cortex-M4F at 168 MHz. QEMU emulates it.
BOARD_CPU   := cortex-m4
BOARD_FLOAT := hard
# Holds input back until the USART is enabled.
BOARD_QEMU  := boards/parts/hold_input.sh qemu-system-arm -M netduinoplus2 -display none -monitor none \
	-serial stdio -semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
# What a restart of SysTick takes there, in 1/256 count: the mean of thousands (`make soak-sleep`).
BOARD_SYSTICK_LOST := 2384
