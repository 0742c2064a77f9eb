#!/bin/sh
# SPDX-License-Identifier: MIT
# gdb-multiarch 13.1 (Debian 13.1-3), on a program by gcc-arm-none-eabi 12.2 (15:12.2.rel1-1).
# A good guess: jiffies - 1 in a Python script for GDB is what `print jiffies - 1` says, because a gdb.Value has the type of its
# variable, and its arithmetic is the program's. For a uint32_t of 0 that is 4294967295.
# What it does: a number of Python becomes a long long of 64 bits beside the value, so the result is -1, and a doubled time grows
# beyond 32 bits. Two gdb.Values are subtracted as in the program. So `value - other` wraps and `value - 1` does not.
# Output: "print: 4294967295, Python: -1 long long, two values: 4294967295"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.py <<'END'
jiffies, one = gdb.parse_and_eval("jiffies"), gdb.parse_and_eval("one")
printed = gdb.execute("output jiffies - 1", to_string=True)
print(f"print: {printed}, Python: {jiffies - 1} {(jiffies - 1).type}, two values: {jiffies - one}")
END
echo 'unsigned long jiffies = 0, one = 1; void start(void) {}' >main.c
apt-get download -q gdb-multiarch=13.1-3 gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
PATH=$PWD/root/usr/bin:$PATH
gdb-multiarch --version | grep -qF '(Debian 13.1-3) 13.1'
arm-none-eabi-gcc -dumpfullversion | grep -qx 12.2.1
arm-none-eabi-gcc -g -Os -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -Wl,-e,start main.c -o main.elf
gdb-multiarch -nx -batch -x main.py main.elf >said
cat said
grep -qx 'print: 4294967295, Python: -1 long long, two values: 4294967295' said
