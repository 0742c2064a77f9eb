# SPDX-License-Identifier: MIT
# Stellaris LM3S6965 evaluation board: Cortex-M3 at 12.5 MHz. QEMU emulates it.
BOARD_CPU  := cortex-m3
BOARD_QEMU := qemu-system-arm -M lm3s6965evb -display none -monitor none -serial stdio \
	-semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
