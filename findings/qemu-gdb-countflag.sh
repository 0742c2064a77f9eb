#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M mps2-an385, with gdb-multiarch 13.1.
# A good guess: a debugger that reads a register changes nothing, as on a chip, where COUNTFLAG of SysTick stays as it is when a
# probe with MasterType 1 reads SYST_CSR.
# What it does: GDB's read is like the program's. It clears COUNTFLAG (bit 16), so a program that polls the flag, or adds a turn
# of the counter when it is set, loses a tick because somebody has looked, or has a `display` of the register.
# Output: "0x10005, then 0x5"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
void __attribute__((noinline)) stop_here(void)
{
    __asm__ volatile("");
}
void start(void)
{
    AT(0xE000E014) = 100;
    AT(0xE000E018) = 0;
    AT(0xE000E010) = 5;
    for (volatile int i = 0; i < 1000; ++i) {
    }
    stop_here();
    for (;;) {
    }
}
__attribute__((section(".vectors"), used)) void *const table[16] = {(void *)0x20002000, start};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
gdb-multiarch --version | grep -q ' 13\.1'
arm-none-eabi-gcc -g -Os -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 \
    -Wl,-e,start "$work/main.c" -o "$work/main.elf"
timeout 60 gdb-multiarch -nx -batch -ex "target remote | exec qemu-system-arm -M mps2-an385 -display none -monitor none \
    -serial null -S -gdb stdio -icount shift=3,align=off,sleep=off -kernel $work/main.elf" -ex 'hbreak stop_here' -ex continue \
    -ex 'printf "%#x, ", *(int *)0xe000e010' -ex 'printf "then %#x\n", *(int *)0xe000e010' "$work/main.elf" 2>"$work/errors" |
    grep ', then ' | tee "$work/said"
grep -qx '0x10005, then 0x5' "$work/said"
