# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN505 image: Cortex-M33 at 20 MHz in the Secure state. QEMU emulates it.
BOARD_CPU  := cortex-m33
BOARD_QEMU := qemu-system-arm -M mps2-an505 -display none -monitor none -serial stdio \
	-semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
