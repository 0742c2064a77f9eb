# SPDX-License-Identifier: MIT
# Arm MPS2 with the AN500 image: Cortex-M7 at 25 MHz. QEMU emulates it.
BOARD_CPU  := cortex-m7
BOARD_QEMU := qemu-system-arm -M mps2-an500 -display none -monitor none -serial stdio \
	-semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
