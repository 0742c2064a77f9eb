# SPDX-License-Identifier: MIT
# The machine `virt` with the code of an RV32EC core, which has 16 registers. QEMU's core has 32.
include boards/riscv-virt/board.mk
BOARD_CPU := rv32ec
