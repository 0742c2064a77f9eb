# SPDX-License-Identifier: MIT
# The machine `virt` of QEMU with an RV32IMAC core. mtime counts at 10 MHz.
include boards/parts/riscv.mk
BOARD_CPU  := rv32imac
BOARD_QEMU := $(qemu) -M virt
