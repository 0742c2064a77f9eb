#!/bin/sh
# SPDX-License-Identifier: MIT
# riscv64-unknown-elf-gcc 12.2.0 (Debian 12.2.0-14+deb12u1+11+b2) beside gcc-arm-none-eabi 12.2 (15:12.2.rel1-1).
# A good guess: volatile uint32_t bit-fields, as headers for a chip's registers have them, are read and written as 32-bit words on
# each 32-bit core. Many peripherals take nothing else.
# What it does: for Arm, whose ABI says so, GCC loads and stores words. For RISC-V a field of 16 bits at bit 16 is a half-word:
# lhu, sh, at the address + 2. Some buses fault on that, others copy the half-word into both halves of the register.
# -fstrict-volatile-bitfields makes it a word.
# Output: "arm: ldr ldr str", "riscv: lhu sh", "riscv, strict: lw lw sw"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-riscv64-unknown-elf=12.2.0-14+deb12u1+11+b2 gcc-arm-none-eabi=15:12.2.rel1-1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
arm=$PWD/root/usr/bin/arm-none-eabi-gcc
riscv=$PWD/root/usr/bin/riscv64-unknown-elf-gcc
$arm -dumpfullversion | grep -qx 12.2.1
$riscv -dumpfullversion | grep -qx 12.2.0
cat >field.c <<'END'
struct control {
    volatile unsigned enable : 1, mode : 7, : 8, reload : 16;
};
unsigned read(struct control *timer)
{
    return timer->reload;
}
void write(struct control *timer)
{
    timer->reload = 5;
}
END
# $1: what to call it; then the compiler
accesses() {
    name=$1
    shift
    "$@" -Os -ffreestanding -S field.c -o field.s
    echo "$name: $(awk '$1 ~ /^(ldr|str|l[bhw]|s[bhw])/ { said = said " " $1 } END { print substr(said, 2) }' field.s)"
}
{
    accesses arm $arm -mcpu=cortex-m3 -mthumb
    accesses riscv $riscv -march=rv32imac -mabi=ilp32
    accesses 'riscv, strict' $riscv -march=rv32imac -mabi=ilp32 -fstrict-volatile-bitfields
} >said
cat said
printf 'arm: ldr ldr str\nriscv: lhu sh\nriscv, strict: lw lw sw\n' | cmp - said
