#!/bin/sh
# SPDX-License-Identifier: MIT
# GNU ld 2.40 (Debian's binutils-arm-none-eabi 2.40-2+18+b1) and lld 14.0.6 (Debian 1:14.0.6-12).
# A good guess: ASSERT(stack_limit - bss_end >= 0, "RAM is full") in a linker script stops a link whose .bss goes beyond the
# limit.
# What they do: they compare without a sign, in 64 bits, so no difference is ever below 0, and the assertion never fails. GNU
# ld divides with a sign all the same: there -8 / 4 == -2 is true, and in lld it is false. Compare the two addresses instead.
# Output, of each of the two: "room 0xffffffffffffffe0: links, as a comparison: RAM is full", then "-8 / 4 == -2: links" of GNU
#   ld and "-8 / 4 == -2: an error" of lld
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q lld-14=1:14.0.6-12 libllvm14=1:14.0.6-12 binutils-arm-none-eabi=2.40-2+18+b1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu"
gnu=$PWD/root/usr/bin/arm-none-eabi-ld
lld=$PWD/root/usr/bin/ld.lld-14
printf '.text\n.globl start\nstart: bx lr\n.bss\n.space 64\n' | arm-none-eabi-as -mcpu=cortex-m3 -mthumb - -o main.o
cat >plain.ld <<'END'
ENTRY(start)
SECTIONS
{
    .text 0 : { *(.text) }
    .bss 0x20000000 : { *(.bss) }
}
bss_end = ADDR(.bss) + SIZEOF(.bss);
stack_limit = 0x20000020;
END
# $1: the linker; $2: an assertion
links() {
    { cat plain.ld && echo "ASSERT($2, \"RAM is full\")"; } >script.ld
    if $1 -T script.ld main.o -o program.elf >errors 2>&1; then
        echo links
    else
        grep -o -m 1 'RAM is full' errors
    fi
}
# $1: the linker
shows() {
    echo "room $(printf '%#x' $((0x20000020 - 0x20000040))): $(links "$1" 'stack_limit - bss_end >= 0'), as a comparison:" \
        "$(links "$1" 'bss_end <= stack_limit')"
    echo "-8 / 4 == -2: $(links "$1" '-8 / 4 == -2' | sed 's/RAM is full/an error/')"
}
$gnu --version | grep -q ' 2\.40'
$lld --version | grep -q '^Debian LLD 14\.0\.6'
{ shows $gnu && shows $lld; } >said
cat said
room='room 0xffffffffffffffe0: links, as a comparison: RAM is full'
printf '%s\n' "$room" '-8 / 4 == -2: links' "$room" '-8 / 4 == -2: an error' | cmp - said
