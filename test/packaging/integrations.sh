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

project() { # goal, variables
    MAKEFLAGS= ${MAKE:-make} --no-print-directory -C "examples/integration/$name" BUILD="$work/$name" "$@"
}

prints_what_is_expected() {
    rm -rf "${work:?}/$name"
    project all || return 1
    project run >"$work/$name.txt"
    code=$?
    test $code = 0 || echo "exit code $code"
    diff -u "examples/integration/$name/expected.txt" "$work/$name.txt" && test $code = 0
}

# The sleep of vendor_hal, interrupted at each phase.
sleeps_in_time() {
    name=vendor_hal
    project run PROGRAMS=sleep_phases SOURCES_sleep_phases="$PWD/test/examples/sleep_phases.c" DEFINES=-I.
}

# The warning is about every function that uses the stack.
warnings_are_errors_outside_the_kernel() {
    name=freertos
    kernel=$work/kernel
    port=$kernel/portable/GCC/ARM_CM3
    mkdir -p "$port"
    echo 'int f(int n); int f(int n) { volatile int on_stack = n; return on_stack; }' |
        tee "$kernel/tasks.c" "$kernel/list.c" >"$port/port.c"
    rm -rf "$work/warnings"
    warns() {
        MAKEFLAGS= ${MAKE:-make} -C examples/integration/freertos BUILD="$work/warnings" FREERTOS="$kernel" \
            DEFINES="-Wstack-usage=1 $stand_in" "$work/warnings/$1.c.o"
    }
    warns tasks && warns list && warns port && ! warns main && grep -q 'main.c.*error: stack usage' "$work/said"
}

# $1: a choice of the kernel; $2: what the compiler says of it
is_refused() {
    ! echo '#include <tickwheel/freertos.h>' | arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding -fsyntax-only -xc - \
        $stand_in -Iexamples/integration/freertos -Icore -Iport/cortex_m -Iport/freertos "$1" && grep -qF -- "$2" "$work/said"
}

files() {
    find examples/integration core port -type f | sort
}
same_files() {
    files | diff "$work/files" -
}

mkdir -p "$work"
files >"$work/files"
test $# != 0 || set -- $(cd examples/integration && ls -d */Makefile | sed 's,/.*,,')
for name in "$@"; do
    check "$name" prints_what_is_expected
done
check "vendor_hal: no interrupt makes a sleep too short or too long" sleeps_in_time
stand_in="-I$PWD/test/support/freertos -DSTAND_IN_KERNEL=11"
check "freertos: warnings are errors, but not in the kernel's files" warnings_are_errors_outside_the_kernel
check "FreeRTOS with the MPU is refused" is_refused -DportUSING_MPU_WRAPPERS=1 "does not support MPU wrappers"
check "FreeRTOS on two cores is refused" is_refused -DconfigNUMBER_OF_CORES=2 "runs on one core"
check "no file was left outside of build/" same_files
sum_up
