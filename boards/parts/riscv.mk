# SPDX-License-Identifier: MIT
# The RISC-V boards, which QEMU emulates. `qemu` is the command, to which a board adds its machine.
include boards/parts/emulated.mk
qemu := $(subst qemu-system-arm,qemu-system-riscv32,$(qemu)) -bios none -serial stdio
BOARD_CROSS := riscv64-unknown-elf-
BOARD_TOOLCHAIN := riscv
BOARD_EMULATOR := qemu-riscv
# These need SysTick, or the C++ library that this compiler's package does not have.
BOARD_LEAVES_OUT := examples/lowpower test/unit/chrono.cpp
