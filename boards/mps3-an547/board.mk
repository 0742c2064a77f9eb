# SPDX-License-Identifier: MIT
# Arm MPS3 with the AN547 image: Cortex-M55 at 32 MHz in the Secure state. QEMU emulates it.
BOARD_CPU  := cortex-m55
BOARD_QEMU := qemu-system-arm -M mps3-an547 -display none -monitor none -serial stdio \
	-semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
