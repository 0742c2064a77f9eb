#!/bin/sh
# SPDX-License-Identifier: MIT
# lld 14.0.6 (Debian 1:14.0.6-12), as GNU ld 2.40 (binutils-arm-none-eabi 2.40-2+18+b1) does not.
# A good guess: an ASSERT of a linker script only looks, so ASSERT(DEFINED(malloc) ? malloc == 0 : 1, ..) finds out whether the
# program has a heap, and changes nothing.
# What it does: lld links each function that an expression names, out of an archive that the program needs for nothing, and
# --gc-sections keeps it. So the assertion creates the heap that it complains of. DEFINED() alone does not.
# Output: "ld: links, without malloc", "lld: no heap, please", and without the expression "lld: links, without malloc"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q lld-14=1:14.0.6-12 libllvm14=1:14.0.6-12 binutils-arm-none-eabi=2.40-2+18+b1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x $package root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu"
gnu=$PWD/root/usr/bin/arm-none-eabi-ld
lld=$PWD/root/usr/bin/ld.lld-14
cat >main.c <<'END'
void start(void)
{
}
END
cat >heap.c <<'END'
static char pool[64];
void *malloc(unsigned size)
{
    return size < 64 ? pool : 0;
}
END
for source in main heap; do
    arm-none-eabi-gcc -Os -mcpu=cortex-m3 -mthumb -ffreestanding -ffunction-sections -c $source.c -o $source.o
done
arm-none-eabi-ar rc libheap.a heap.o
cat >plain.ld <<'END'
ENTRY(start)
SECTIONS
{
    .text 0 : { *(.text .text.*) }
    .bss 0x20000000 : { *(.bss .bss.*) }
}
END
{ cat plain.ld && echo 'ASSERT(DEFINED(malloc) ? malloc == 0 : 1, "no heap, please")'; } >asserts.ld
# $1: what to call it; $2: the linker; $3: the script
links() {
    if $2 --gc-sections -T $3 main.o libheap.a -o program.elf >errors 2>&1; then
        arm-none-eabi-nm program.elf | grep -q malloc && echo "$1: links, with malloc" || echo "$1: links, without malloc"
    else
        grep -q 'no heap, please' errors && echo "$1: no heap, please"
    fi
}
$gnu --version | grep -q ' 2\.40'
$lld --version | grep -q '^Debian LLD 14\.0\.6'
{ links ld $gnu asserts.ld && links lld $lld asserts.ld && links lld $lld plain.ld; } >said
cat said
printf 'ld: links, without malloc\nlld: no heap, please\nlld: links, without malloc\n' | cmp - said
