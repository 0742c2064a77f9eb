#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the lock of a port is a compiler barrier, in each of its variants, by GCC and by clang. Without a barrier it
# would still mask, but the wheel's accesses would move out of the masked section. On a Cortex-M also that DSB and ISB are in order.
#   lock_barrier.sh PORT..; a PORT is a folder with tickwheel/port.hpp
# requirement: TW-28
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
. test/support/checks.sh

# A compiler and its flags.
compiles() {
    for level in -O1 -O2 -Os; do
        check "the lock is a barrier: $* $level, $port" is_a_barrier "$@" $level
    done
}
is_a_barrier() {
    "$@" -std=c++17 -ffreestanding -Icore -I"$port" -c test/check/lock_barrier.cpp -o "$work/object.o" && orders_masks
}

# A raised BASEPRI works only after the DSB and ISB that follow it. An unmasking and the next masking have an ISB between them, or
# a pending interrupt may not be taken there.
orders_masks() {
    test "${port##*/}" != cortex_m || arm-none-eabi-objdump -d --no-show-raw-insn "$work/object.o" | tr 'A-Z\t' 'a-z ' | awk '
        / (cpsid +i|msr +basepri_max,)/ { bad += open }
        / msr +basepri_max,/ { bad += !(getline && /dsb/ && getline && /isb/) }
        / (msr +(primask|basepri),|cpsie +i)/ { open = 1 }
        / (isb|b|bx|bl|pop) / { open = 0 }
        END { exit bad != 0 }'
}

# The lock that -DTICKWHEEL_ERRATUM_837070 makes raises BASEPRI with PRIMASK set, and gives PRIMASK back behind the barriers.
masks_around_basepri() {
    arm-none-eabi-objdump -d --no-show-raw-insn "$work/object.o" | tr 'A-Z\t' 'a-z ' | awk '
        / msr +basepri_max,/ { ++raised; good += before ~ /^cpsid +i$/ && getline && /dsb/ && getline && /isb/ && getline && /msr +primask,/ }
        { before = $0; sub(/^ *[0-9a-f]+: */, "", before); sub(/ +$/, "", before) }
        END { exit raised == 0 || good != raised }'
}

# A PC orders both anyway, so no test that runs sees them.
ticket_orders() {
    "$@" -std=c++17 -mcpu=cortex-m33 -mthumb -ffreestanding -fno-exceptions -fno-rtti -DSPIN=ticket_lock '-DSPIN_HEADER=<tickwheel/ticket_lock.hpp>' \
        -Icore -Iport/cortex_m -Iport/smp -c test/check/spin_locks.cpp -o "$work/object.o" || return 1
    for order in lda stl; do
        arm-none-eabi-objdump -d "$work/object.o" | grep -qw $order || return 1
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
        check "BASEPRI is raised with PRIMASK set, for erratum 837070" masks_around_basepri
        ;;
    */cortex_ar)
        arm -mcpu=cortex-r5
        arm -mcpu=cortex-a9 -marm
        ;;
    */riscv)
        compiles riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32
        compiles clang++-$LLVM --target=riscv32 -nostdlibinc -march=rv32imac
        ;;
    */smp)
        for level in -Os -O2; do
            check "a ticket is taken by a load-acquire and released by a store-release: $level" ticket_orders arm-none-eabi-g++ $level
            check "the same by clang: $level" ticket_orders clang++-$LLVM --target=arm-none-eabi -nostdlibinc -fshort-enums $level
        done
        ;;
    *)
        compiles g++
        compiles clang++-$LLVM
        ;;
    esac
done
sum_up
