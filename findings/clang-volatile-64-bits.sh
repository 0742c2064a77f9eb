#!/bin/sh
# SPDX-License-Identifier: MIT
# clang 19.1.7 (Debian 1:19.1.7-3~deb12u1) beside gcc-arm-none-eabi 12.2 (15:12.2.rel1-1), for a Cortex-M0.
# A good guess: a volatile uint64_t of two hardware words, whose low word latches the high one, is read low word first, because
# that is the order in memory and the one that the compiler at hand takes.
# What it does: clang reads the high word first, GCC the low one. The counter's latch is then a read old, and the time jumps by
# 2^32. The standard names no order within one access, so read two words of 32 bits.
# Output: "gcc: low, high" and "clang: high, low"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-arm-none-eabi=15:12.2.rel1-1 clang-19=1:19.1.7-3~deb12u1 libclang-cpp19=1:19.1.7-3~deb12u1 \
    libllvm19=1:19.1.7-3~deb12u1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x $package root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu:$PWD/root/usr/lib/llvm-19/lib"
clang=$PWD/root/usr/lib/llvm-19/bin/clang
gcc=$PWD/root/usr/bin/arm-none-eabi-gcc
$clang --version | grep -q ' 19\.1\.7 '
$gcc -dumpfullversion | grep -qx 12.2.1
cat >now.c <<'END'
extern volatile unsigned long long counter;
unsigned long long now(void)
{
    return counter;
}
END
# $1: what to call it; then the compiler
order() {
    name=$1
    shift
    "$@" -mcpu=cortex-m0 -O2 -S now.c -o now.s
    echo "$name: $(awk '/ldr/ && /\[r[0-9], #4\]/ { said = said ", high" } /ldr/ && /\[r[0-9]\]/ { said = said ", low" }
        END { print substr(said, 3) }' now.s)"
}
{ order gcc $gcc -mthumb && order clang $clang --target=arm-none-eabi; } >said
cat said
printf 'gcc: low, high\nclang: high, low\n' | cmp - said
