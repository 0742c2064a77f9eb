#!/bin/sh
# SPDX-License-Identifier: MIT
# What make, CMake, tickwheel.mk and the test programs refuse. builds.sh sees what the first three accept. Each row is a goal or
# a command, an argument, and the beginning of what must be said of it, or `good`. They build nothing: make has built the programs.
#   MAKE=.. arguments.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$PWD
work=$PWD/build/arguments
export LC_ALL=C
. test/support/checks.sh

# $1: the message, or `good`; then the command. An emulator would read the rows that follow.
answers() {
    message=$1
    shift
    if test "$message" = good; then
        "$@" </dev/null
    else
        ! "$@" </dev/null && grep -qF -- "$message" "$work/said"
    fi
}
# Runs make as a user does.
plain_make() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory -n "$@"
}

while IFS='|' read -r goal argument message; do
    check "make $goal $argument: $message" answers "$message" plain_make $goal ${argument:+"$argument"}
done <<END
lib|CPU=cortex-m9|CPU=cortex-m9: one of host cortex-m0
lib|CPU=cortex-m3 cortex-m4|CPU=cortex-m3 cortex-m4: one of
lib|LOCK=none|good
lib|LOCK=basepri:|LOCK=basepri:: one of primask none basepri:<priority>
lib CPU=rv32imac|LOCK=none|LOCK=none: one of primask
elf|GEOMETRY=76|GEOMETRY=76: one of 86 64 62 1
elf|COUNTER=pico|COUNTER=pico: is for \`make lib\`
elf|DEBUG=yes|DEBUG=yes: one of 0 1
single|PORT=zephyr|PORT=zephyr: one of cortex_m cortex_ar riscv host
run|BOARD=micro|BOARD=micro: one of
run|EXAMPLE=tiny|EXAMPLE=tiny: needs BOARD=microbit: \`make run EXAMPLE=tiny BOARD=microbit\`
run|EXAMPLE=lowpower_rtc|EXAMPLE=lowpower_rtc: needs BOARD=nrf52840dk: \`make elf EXAMPLE=lowpower_rtc BOARD=nrf52840dk\`
lib|HZ=|HZ=: one word
lib|HZ=250 100|HZ=250 100: one word
lib|LIB=|LIB=: one word
lib|LIB=my lib.a|LIB=my lib.a: one word
soak-sleep|HOURS=|HOURS=: one word
lib|DEBG=1|DEBG=: no such variable
END

configured() {
    cmake -S . -B "$work/configured" -U 'TICKWHEEL_*' "$1"
}
while IFS='|' read -r argument message; do
    check "CMake $argument: $message" answers "$message" configured "-D$argument"
done <<END
TICKWHEEL_DEBUG=no|good
TICKWHEEL_DEBUG=2|TICKWHEEL_DEBUG=2: ON or OFF
TICKWHEEL_LOCK=basepri:|TICKWHEEL_LOCK=basepri:: one of primask none basepri:<priority>
TICKWHEEL_PORT=avr|TICKWHEEL_PORT=avr: no
END

# Each row is a line before the include of tickwheel.mk.
included() {
    printf 'all:\n%s\ninclude tickwheel.mk\n' "$1" >"$work/Makefile"
    MAKEFLAGS= ${MAKE:-make} -f "$work/Makefile"
}
while IFS='|' read -r line message; do
    check "tickwheel.mk $line: $message" answers "$message" included "$line"
done <<END
TICKWHEEL_SYSTICK := 1|TICKWHEEL_SYSTICK=1: one of yes no
TICKWHEEL_PORT := avr|TICKWHEEL_PORT=avr: no
END
# These are programs. None of them may end by a stack trace.
called() {
    sh -c "$1 $2"
    code=$?
    ! grep -q Traceback "$work/said" && return $code
}
qemu="qemu-system-arm -display none -monitor none -serial stdio"
stress="$qemu -M mps2-an521 -kernel build/races/stress-cores.elf -semihosting-config"
sweep="$qemu -M netduinoplus2 -kernel build/races/sweep-m4-O2.elf -semihosting-config"
: >"$work/ram"
while IFS='|' read -r command argument message; do
    check "$command $argument: $message" answers "$message" called "$command" "$argument"
done <<END
build/host/86/fuzz|100 18446744073709551615|good
build/host/86/fuzz|abc 1|usage: fuzz
build/host/86/fuzz|100|usage: fuzz
build/sleep/random-1000|1000|usage: random
build/interleavings/86|2x|usage: interleavings
$stress|enable=on,target=native,arg=stress,arg=1e7|needs a number of operations
$sweep|enable=on,target=native,arg=sweep,arg=11|needs a tenth
test/proof/masked/prove_masked.py|--check 1x|1 to 10
JOBS=1 test/run_tests.py --out $work/results|'one 9 echo 1 passed, 0 failed'|good
JOBS=0 test/run_tests.py --out $work/results|'one 9 echo 1 passed, 0 failed'|JOBS=0: a decimal number from 1
test/run_tests.py --out $work/results|'one 9s echo 1 passed, 0 failed'|9s is no number of seconds
tools/gdb/ram_to_core.py build/races/sweep-m4-O2.elf $work/core|$work/ram@0x20000000 pc=0x8000|good
tools/gdb/ram_to_core.py build/races/sweep-m4-O2.elf $work/core|$work/ram@20k|invalid literal
tools/gdb/ram_to_core.py build/races/sweep-m4-O2.elf $work/core|$work/ram@0x20000000 pc:0x8000|pc:0x8000: no such register
END
sum_up
