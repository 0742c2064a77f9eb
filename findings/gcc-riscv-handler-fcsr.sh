#!/bin/sh
# SPDX-License-Identifier: MIT
# riscv64-unknown-elf-gcc 12.2.0 (Debian 12.2.0-14+deb12u1+11+b2), -march=rv32imafc.
# A good guess: __attribute__((interrupt)) saves all that a call may change, so the flags of the floating-point unit too.
# What it does: the handler saves the 20 floating-point registers that a callee may change, but not fcsr. What a callback does to
# the flags or to the rounding stays, and the code that was interrupted finds it there. Save fcsr in the handler by hand.
# Output: "20 floating-point registers saved, 0 accesses to fcsr"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-riscv64-unknown-elf=12.2.0-14+deb12u1+11+b2 >log 2>&1
dpkg-deb -x gcc-riscv64-unknown-elf*.deb root
gcc=$PWD/root/usr/bin/riscv64-unknown-elf-gcc
$gcc -dumpfullversion | grep -qx 12.2.0
cat >handler.c <<'END'
void callback(void);
__attribute__((interrupt)) void handler(void)
{
    callback();
}
END
$gcc -Os -march=rv32imafc -mabi=ilp32f -S handler.c -o handler.s
grep -q mret handler.s
saved=$(grep -cE '^\s*fsw' handler.s)
accesses=$(grep -cE '^\s*(frcsr|fscsr|frflags|fsflags|csr[a-z]+)' handler.s || true)
echo "$saved floating-point registers saved, $accesses accesses to fcsr" >said
cat said
echo "20 floating-point registers saved, 0 accesses to fcsr" | cmp - said
