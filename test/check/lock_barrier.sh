#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the lock of a port is a compiler barrier, in each of its variants, by GCC and by clang. Without a barrier it
# would still mask, but the wheel's accesses would move out of the masked section.
#   lock_barrier.sh PORT..; a PORT is a folder with tickwheel/port.hpp
# requirement: TW-28
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. test/support/checks.sh

# A compiler and its flags.
compiles() {
    for level in -O1 -O2 -Os; do
        check "the lock is a compiler barrier: $* $level, $port" \
            "$@" $level -std=c++17 -ffreestanding -Icore -I"$port" -c test/check/lock_barrier.cpp -o "$work/object.o"
    done
}

arm() {
    compiles arm-none-eabi-g++ -mthumb "$@"
    compiles clang++-$LLVM --target=arm-none-eabi -nostdlibinc -mthumb "$@"
}

for port in "$@"; do
    case $port in
    */cortex_m)
        for cpu in cortex-m0 cortex-m3 cortex-m33; do
            arm -mcpu=$cpu
            arm -mcpu=$cpu -DTICKWHEEL_LOCK_NONE
        done
        arm -mcpu=cortex-m3 -DTICKWHEEL_LOCK_BASEPRI=96
        arm -mcpu=cortex-m7 -DTICKWHEEL_LOCK_BASEPRI=96 -DTICKWHEEL_ERRATUM_837070
        ;;
    */cortex_ar)
        arm -mcpu=cortex-r5
        arm -mcpu=cortex-a9 -marm
        ;;
    */riscv)
        compiles riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32
        compiles clang++-$LLVM --target=riscv32 -nostdlibinc -march=rv32imac
        ;;
    *)
        compiles g++
        compiles clang++-$LLVM
        ;;
    esac
done
sum_up
