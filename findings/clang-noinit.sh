#!/bin/sh
# SPDX-License-Identifier: MIT
# clang 19.1.7 (Debian 1:19.1.7-3~deb12u1) beside gcc-arm-none-eabi 12.2 (15:12.2.rel1-1), with GNU ld 2.40 (2.40-2+18+b1).
# A good guess: a variable in section .noinit, with which firmware keeps its uptime over a reset, takes no room in the image: it
# has no initialiser, and the name says the rest.
# What they do: GCC knows the name and makes the section NOBITS. clang fills it with zeros. In a script without NOLOAD these
# are part of the image: the loader overwrites what was to stay, and a binary reaches from flash to RAM, here 384 MiB.
# Output: "gcc: NOBITS, binary of 4 bytes" and "clang: PROGBITS, binary of 402653312 bytes"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 clang-19=1:19.1.7-3~deb12u1 \
    libclang-cpp19=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu:$PWD/root/usr/lib/llvm-19/lib"
PATH=$PWD/root/usr/bin:$PATH
clang=$PWD/root/usr/lib/llvm-19/bin/clang
$clang --version | grep -q ' 19\.1\.7 '
arm-none-eabi-gcc -dumpfullversion | grep -qx 12.2.1
cat >kept.c <<'END'
__attribute__((section(".noinit"))) unsigned uptime[32];
__attribute__((section(".vectors"))) unsigned *const first = uptime;
END
cat >script.ld <<'END'
ENTRY(first)
SECTIONS
{
    .text 0x08000000 : { *(.vectors) }
    .noinit 0x20000000 : { *(.noinit) }
}
END
# $1: what to call it; then the compiler
image() {
    name=$1
    shift
    "$@" -mcpu=cortex-m3 -Os -c kept.c
    arm-none-eabi-ld -T script.ld kept.o -o kept.elf
    arm-none-eabi-objcopy -O binary kept.elf kept.bin
    echo "$name: $(arm-none-eabi-readelf -SW kept.o | grep -o '\.noinit.*BITS' | awk '{ print $2 }')," \
        "binary of $(stat -c %s kept.bin) bytes"
}
{ image gcc arm-none-eabi-gcc -mthumb && image clang $clang --target=arm-none-eabi; } >said
cat said
printf 'gcc: NOBITS, binary of 4 bytes\nclang: PROGBITS, binary of 402653312 bytes\n' | cmp - said
