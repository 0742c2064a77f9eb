#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs each project of examples/integration/ as its user does. A project is
# a folder with a Makefile and expected.txt. The output must equal expected.txt, and
# the exit code must be 0.
#   MAKE=.. integrations.sh [<project>..]
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/integration
. test/support/checks.sh

prints_what_is_expected() { # project; then arguments of make
    name=$1
    shift
    for goal in all run; do
        MAKEFLAGS= ${MAKE:-make} --no-print-directory -C "examples/integration/$name" BUILD="$work/$name" "$@" $goal >"$work/$name.txt" || return 1
    done
    diff -u "examples/integration/$name/expected.txt" "$work/$name.txt"
}

# $1: a choice of the kernel; $2: what the compiler says of it
is_refused() {
    ! echo '#include <tickwheel/freertos.h>' | arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding -fsyntax-only -xc - \
        -Itest/support/freertos -DSTAND_IN_KERNEL=11 -Iexamples/integration/freertos -Icore -Iport/cortex_m -Iport/freertos "$1" &&
        grep -qF -- "$2" "$work/said"
}
# The sketch in the C++ of the stand-in's core: one error, and nothing else.
arduino_is_refused() {
    ! MAKEFLAGS= ${MAKE:-make} --no-print-directory -C examples/integration/arduino BUILD="$work/cxx11" ARDUINO_LOCAL= all &&
        grep -qF 'tickwheel needs C++17' "$work/said" && test "$(grep -c error: "$work/said")" = 1
}

test $# != 0 || set -- $(cd examples/integration && ls -d */Makefile | sed 's,/.*,,')
for name in "$@"; do
    check "$name" prints_what_is_expected "$name"
done
check "vendor_hal on a list" prints_what_is_expected vendor_hal BUILD="$work/list" TICKWHEEL_CPPFLAGS=-DTICKWHEEL_GEOMETRY=1
check "FreeRTOS with the MPU is refused" is_refused -DportUSING_MPU_WRAPPERS=1 "does not support MPU wrappers"
check "FreeRTOS on two cores is refused" is_refused -DconfigNUMBER_OF_CORES=2 "runs on one core"
check "an Arduino core with C++11 is refused in one line" arduino_is_refused
sum_up
