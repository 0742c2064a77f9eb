#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the library for each core, in several ways, by GCC and by clang, and sees
# that it asks for nothing that it does not bring along. MAKE=.. libraries.sh <cpu>..
passed=0
failed=0

# What no member of these archives defines.
undefined_in() {
    nm "$@" | awk '
        NF < 2 { next }
        $(NF - 1) == "U" { wanted[$NF]; next }
        { defined[$NF] }
        END { for (name in wanted) if (!(name in defined)) print name }'
}

# $1: folder below build/lib; then the arguments of make lib
library() {
    folder=build/lib/$1$suffix
    shift
    mkdir -p "$folder"
    if ! MAKEFLAGS= ${MAKE:-make} --no-print-directory lib CXX=$compiler "$@" >"$folder/log.txt" 2>&1; then
        cat "$folder/log.txt"
        echo "lib CXX=$compiler $*: does not build"
        failed=$((failed + 1))
        return
    fi
    missing=$(undefined_in "$folder/libtickwheel.a" && undefined_in "$folder"/*.a)
    if test -n "$missing"; then
        echo "lib CXX=$compiler $*: undefined:" $missing
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

# $1: a compiler for a CPU that make lib does not know. Without the instruction that counts leading zeros, and where a
# compiler would copy by memcpy(), the library asks for nothing all the same.
other_cpu() {
    for opt in -O0 -Og -O1 -Os -O2 -O3; do
        for options in "-Iport/host" "-Iport/template" "-Iport/host -DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=4"; do
            object=build/lib/other_cpu.o
            if $1 $opt -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -Icore $options -c core/tickwheel.cpp \
                -o "$object" && test -z "$(undefined_in "$object")"; then
                passed=$((passed + 1))
            else
                echo "$1 $opt $options: undefined:" $(undefined_in "$object")
                failed=$((failed + 1))
            fi
        done
    done
}
mkdir -p build/lib
other_cpu "riscv64-unknown-elf-g++ -march=rv32imac -misa-spec=2.2 -mabi=ilp32"
other_cpu "clang++-14 --target=riscv32 -march=rv32imac"
other_cpu "arm-none-eabi-g++ -mcpu=arm7tdmi"

for compiler in g++ clang++-14; do
    case $compiler in clang*) suffix=-clang ;; *) suffix= ;; esac
    library host CPU=host
    for cpu in "$@"; do
        library "$cpu" CPU="$cpu" OPT=-Og
        library "$cpu" CPU="$cpu" OPT=-O1
        library "$cpu" CPU="$cpu" OPT=-O2
        library "$cpu" CPU="$cpu"
    done
    library cortex-m4-hard CPU=cortex-m4 FLOAT=hard
    library cortex-m33-softfp CPU=cortex-m33 FLOAT=softfp
    library cortex-m4-hard-basepri-96 CPU=cortex-m4 FLOAT=hard LOCK=basepri:96
    library cortex-m7-basepri-96 CPU=cortex-m7 LOCK=basepri:96
    library cortex-m3-none CPU=cortex-m3 LOCK=none
    library cortex-m0 CPU=cortex-m0 HZ=250
    library cortex-m0 CPU=cortex-m0
done
echo "$passed passed, $failed failed"
test "$failed" = 0
