# SPDX-License-Identifier: MIT
# The boards that QEMU emulates: the command, to which a board adds its machine and its serial lines. Semihosting ends it.
qemu := qemu-system-arm -display none -monitor none -semihosting-config enable=on,target=native
# Makes every run the same: an instruction takes 8 ns, and time jumps while the core sleeps.
BOARD_QEMU_EXACT := -icount shift=3,align=off,sleep=off
