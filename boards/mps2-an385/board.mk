# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN385 image: Cortex-M3 at 25 MHz. QEMU emulates it.
BOARD_CPU  := cortex-m3
BOARD_QEMU := qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio \
	-semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
# What a restart of SysTick takes there, in 1/256 count: the mean of thousands (`make soak-sleep`).
BOARD_SYSTICK_LOST := 722
