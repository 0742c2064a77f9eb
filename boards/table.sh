#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the demo for every board. Prints each board's core and the demo's size in
# bytes.
#   MAKE=.. SIZE=.. table.sh
set -eu
printf '%-16s %-15s %-10s %6s %5s %5s\n' board core 'runs in' text data bss
for file in boards/*/board.mk; do
    board=$(basename "$(dirname "$file")")
    core=$(sed -n 's/^BOARD_CPU *:= *//p' "$file")
    ! grep -q '^BOARD_FLOAT *:= *hard' "$file" || core="$core, hard"
    runs=QEMU
    grep -q '^BOARD_QEMU *:=' "$file" || runs='build-only'
    ! grep -q '^BOARD_EMULATOR *:=' "$file" || runs=$(sed -n 's/^BOARD_EMULATOR *:= *//p' "$file")
    said=$(MAKEFLAGS= ${MAKE:-make} --no-print-directory elf BOARD="$board" EXAMPLE=demo 2>&1) || {
        echo "$said"
        echo "$board: does not build"
        exit 1
    }
    set -- $(${SIZE:-arm-none-eabi-size} "build/$board/8-6/demo.elf" | tail -n 1)
    printf '%-16s %-15s %-10s %6d %5d %5d\n' "$board" "$core" "$runs" "$1" "$2" "$3"
done
