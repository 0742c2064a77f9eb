# SPDX-License-Identifier: MIT
# The machine `virt` of QEMU with an RV32IMAC core. mtime counts at 10 MHz.
include boards/parts/emulated.mk
qemu := $(subst qemu-system-arm,qemu-system-riscv32,$(qemu)) -bios none -serial stdio
BOARD_CPU  := rv32imac
BOARD_QEMU := $(qemu) -M virt
BOARD_CROSS := riscv64-unknown-elf-
# These need SysTick, or the C++ library that this compiler's package does not have.
BOARD_LEAVES_OUT := examples/lowpower test/unit/chrono.cpp
