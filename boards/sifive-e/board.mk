# SPDX-License-Identifier: MIT
# SiFive FE310: RV32IMAC, 16 KiB of RAM. QEMU emulates it; mtime then counts at 10 MHz.
include boards/parts/riscv.mk
BOARD_CPU  := rv32imac
BOARD_QEMU := $(qemu) -M sifive_e
