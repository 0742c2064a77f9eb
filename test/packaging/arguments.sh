#!/bin/sh
# SPDX-License-Identifier: MIT
# What make, CMake, tickwheel.mk and the test programs accept and refuse. Each row is a goal or a command, an argument, and the
# beginning of what must be said of it, or `good`. They build nothing: make has built the programs.
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
# As a user calls make.
plain_make() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory -n "$@"
}

while IFS='|' read -r goal argument message; do
    check "make $goal $argument: $message" answers "$message" plain_make $goal ${argument:+"$argument"}
done <<END
lib|CPU=cortex-m4|good
lib|CPU=cortex-m9|CPU=cortex-m9: one of host cortex-m0
lib|CPU=cortex-m3 cortex-m4|CPU=cortex-m3 cortex-m4: one of
lib|CPU=cortex-m3 |CPU=cortex-m3 : one of
lib|CPU=|CPU=: one of
lib|CPU=%|CPU=%: one of
lib CPU=rv32ec|good
lib CPU=rv32ec|CXX=clang++-14|CPU=rv32ec: clang++-14 does not know its ABI
lib|ISA=arm thumb|ISA=arm thumb: one of thumb arm
lib|ISA=arm|ISA=arm: CPU=cortex-m3 does not have it; these do: cortex-r5
lib CPU=cortex-r5|ISA=arm|good
lib|OPT=-O2|good
lib|OPT=-O2 -Os|OPT=-O2 -Os: one of -O0
lib|OPT=-O4|OPT=-O4: one of -O0
lib CPU=cortex-m4|FLOAT=hard|good
lib CPU=cortex-m4|FLOAT=hard soft|FLOAT=hard soft: one of soft softfp hard
lib|FLOAT=hard|FLOAT=hard: CPU=cortex-m3 does not have it
lib|LOCK=none|good
lib|LOCK=basepri:32|good
lib|LOCK=basepri:31|LOCK=basepri:31: masks nothing on a chip with PRIORITY_BITS=3
lib|LOCK=basepri:0x1F|LOCK=basepri:0x1F: masks nothing
lib PRIORITY_BITS=4|LOCK=basepri:0x10|good
lib PRIORITY_BITS=4|LOCK=basepri:15|LOCK=basepri:15: masks nothing on a chip with PRIORITY_BITS=4
lib PRIORITY_BITS=8|LOCK=basepri:1|good
lib|PRIORITY_BITS=2|PRIORITY_BITS=2: a decimal number from 3 to 8
lib|PRIORITY_BITS=|PRIORITY_BITS=: a decimal number from 3 to 8
lib|LOCK=basepri:255|good
lib|LOCK=basepri:0x1|LOCK=basepri:0x1: masks nothing
lib|LOCK=basepri:0x60|good
lib|LOCK=basepri:0XfF|good
lib|LOCK=primask none|LOCK=primask none: one of primask none basepri:<priority>, and a priority is 1 to 255 or 0x1 to 0xff
lib|LOCK=none basepri:96|LOCK=none basepri:96: one of
lib|LOCK=basepri|LOCK=basepri: one of
lib|LOCK=basepri:|LOCK=basepri:: one of
lib|LOCK=basepri:0|LOCK=basepri:0: one of
lib|LOCK=basepri:0x00|LOCK=basepri:0x00: one of
lib|LOCK=basepri:0x|LOCK=basepri:0x: one of
lib|LOCK=basepri:060|LOCK=basepri:060: one of
lib|LOCK=basepri:256|LOCK=basepri:256: one of
lib|LOCK=basepri:0x100|LOCK=basepri:0x100: one of
lib|LOCK=basepri:6O|LOCK=basepri:6O: one of
lib CPU=rv32imac|LOCK=none|LOCK=none: CPU=rv32imac does not have it
lib|HZ=1|good
lib|HZ=100000|good
lib|HZ=0|HZ=0: a decimal number from 1 to 100000, without a zero in front
lib|HZ=100001|HZ=100001: a decimal number from 1
lib|HZ=99999999999999999999999|HZ=99999999999999999999999: a decimal number from 1
lib|HZ=01000|HZ=01000: a decimal number from 1
lib|HZ=0x3E8|HZ=0x3E8: a decimal number from 1
lib|HZ=1000u|HZ=1000u: a decimal number from 1
lib|HZ=500+500|HZ=500+500: a decimal number from 1
lib|HZ=-1|HZ=-1: a decimal number from 1
lib|HZ=1e3|HZ=1e3: a decimal number from 1
lib|HZ=100 250|HZ=100 250: a decimal number from 1
lib|HZ=250 |HZ=250 : a decimal number from 1
lib|HZ=|HZ=: a decimal number from 1
elf|HZ=01000|HZ=01000: a decimal number from 1
test|HZ=abc|HZ=abc: a decimal number from 1
lib|GEOMETRY=6,2|good
lib|GEOMETRY=8,5|GEOMETRY=8,5: one of 8,6 6,4 6,2
elf|GEOMETRY=7,6|GEOMETRY=7,6: one of
lib|GEOMETRY=62|GEOMETRY=62: one of
lib|GEOMETRY=8,6 6,4|GEOMETRY=8,6 6,4: one of
lib|GEOMETRY=8, 6|GEOMETRY=8, 6: one of
lib|GEOMETRY=8-6|GEOMETRY=8-6: one of
elf|DEBUG=1|good
elf|DEBUG=yes|DEBUG=yes: one of 0 1
elf|DEBUG=0 1|DEBUG=0 1: one of 0 1
elf|DEBUG=01|DEBUG=01: one of 0 1
run|TRACE=1|good
run|TRACE=yes|TRACE=yes: one of 0 1
lib CPU=host|TRACE=1|TRACE=1: CPU=host does not have it; these do: cortex-m0
lib CPU=rv32imac|TRACE=1|TRACE=1: CPU=rv32imac does not have it
lib CPU=cortex-r5|TRACE=1|TRACE=1: CPU=cortex-r5 does not have it
elf BOARD=riscv-virt|TRACE=1|BOARD=riscv-virt: the recorder of TRACE=1 needs a Cortex-M; this board has rv32imac
elf BOARD=vexpress-a9|TRACE=1|BOARD=vexpress-a9: the recorder of TRACE=1 needs a Cortex-M
test-trace|BOARD=riscv-virt|BOARD=riscv-virt: the recorder of TRACE=1 needs a Cortex-M
lib|LIB=build/lib/mine|good
lib|LIB=|LIB=: the name of a folder
lib|LIB=my folder|LIB=my folder: the name of a folder
lib CPU=host|CXX=|CXX=: the name of a program
lib|ARM_AR=|ARM_AR=: the name of a program
single|PORT=riscv|good
single|PORT=zephyr|PORT=zephyr: one of cortex_m cortex_ar riscv host
lib|PORT=riscv|PORT=: is for make single
run|BOARD=microbit|good
run|BOARD=microbit rpi-pico|BOARD=microbit rpi-pico: one of
run|BOARD=micro|BOARD=micro: one of
run|EXAMPLE=blink|good
run|EXAMPLE=blink demo|EXAMPLE=blink demo: one of
run|EXAMPLE=|EXAMPLE=: one of
run|EXAMPLE=tiny|EXAMPLE=tiny: needs BOARD=microbit: \`make run EXAMPLE=tiny BOARD=microbit\`
elf|EXAMPLE=tiny|EXAMPLE=tiny: needs BOARD=microbit: \`make elf EXAMPLE=tiny BOARD=microbit\`
run|EXAMPLE=lowpower_rtc|EXAMPLE=lowpower_rtc: needs BOARD=nrf52840dk: \`make elf EXAMPLE=lowpower_rtc BOARD=nrf52840dk\`
fuzz|OPS=1|good
fuzz|OPS=1000000000000|good
fuzz|OPS=abc|OPS=abc: a decimal number from 1 to 1000000000000
fuzz|OPS=0|OPS=0: a decimal number from 1
fuzz|OPS=1000000000001|OPS=1000000000001: a decimal number from 1
fuzz|OPS=10 20|OPS=10 20: a decimal number from 1
fuzz-long|OPS=1e9|OPS=1e9: a decimal number from 1
fuzz|SEED=0|good
fuzz|SEED=18446744073709551615|good
fuzz|SEED=18446744073709551616|SEED=18446744073709551616: a decimal number from 0
fuzz|SEED=0x1|SEED=0x1: a decimal number from 0
soak-sleep|HOURS=24|good
soak-sleep|HOURS=0|HOURS=0: a decimal number from 1 to 596
soak-sleep|HOURS=597|HOURS=597: a decimal number from 1 to 596
soak-sleep|HOURS=1.5|HOURS=1.5: a decimal number from 1 to 596
fuzz|JOBS=4|good
test|JOBS=0|JOBS=0: a decimal number from 1 to 1000
test|JOBS=two|JOBS=two: a decimal number from 1 to 1000
test|JOBS=|JOBS=: a decimal number from 1 to 1000
lib|V=1|good
lib|V=0|good
lib|V=yes|V=yes: one of 0 1
sweep|sweep_tenth=10|good
sweep|sweep_tenth=11|sweep_tenth=11: a decimal number from 0 to 10
sweep|sweep_tenth=one|sweep_tenth=one: a decimal number from 0 to 10
sweep|sweep_stride=0|sweep_stride=0: a decimal number from 1
stress-cores|stress_cores_operations=10000000|good
stress-cores|stress_cores_operations=1e7|stress_cores_operations=1e7: a decimal number from 1
sleep|sleep_cycles=400000000|good
sleep|sleep_cycles=999|sleep_cycles=999: a decimal number from 1000
sleep|sleep_cycles=0|sleep_cycles=0: a decimal number from 1000
sleep|sleep_cycles=010|sleep_cycles=010: a decimal number from 1000
soak|sleep_soak_cycles=many|sleep_soak_cycles=many: a decimal number from 1
interleavings|interleavings_depth=3|good
interleavings|interleavings_depth=0|interleavings_depth=0: a decimal number from 1 to 9
interleavings|interleavings_depth=2 3|interleavings_depth=2 3: a decimal number from 1 to 9
interleavings|interleavings_depth_small=x|interleavings_depth_small=x: a decimal number from 1 to 9
check|masked_tenth=10|good
masked-check|masked_tenth=0|masked_tenth=0: a decimal number from 1 to 10
masked-check|masked_tenth=0x1|masked_tenth=0x1: a decimal number from 1 to 10
test-freertos|freertos_ways=freertos|good
test-freertos|freertos_ways=zephyr|freertos_ways=zephyr: some of freertos
lib|DEBG=1|DEBG=: no such variable
interleavings|interleavings_depht=3|interleavings_depht=: no such variable
bench|bench_cxx=g++|bench_cxx=: no such variable
test|DEBUG=1|DEBUG=: is for make lib run elf; make test does not read it
fuzz|GEOMETRY=6,4|GEOMETRY=: is for make lib run elf; make fuzz does not read it
test-trace|TRACE=1|TRACE=: is for make lib run elf; make test-trace does not read it
run|CPU=cortex-m0|CPU=: is for make lib; make run does not read it
elf|LOCK=none|LOCK=: is for make lib; make elf does not read it
test|EXAMPLE=blink|EXAMPLE=: is for make run elf; make test does not read it
quick|EXAMPLE=blink|EXAMPLE=: is for make run elf; make quick does not read it
run test|EXAMPLE=blink|good
prove|OPS=7|OPS=: is for make fuzz fuzz-long; make prove does not read it
test|WITH=HEAD|WITH=: is for make compare; make test does not read it
test|HOURS=7|HOURS=: is for make soak-sleep; make test does not read it
END

# For CMake, one argument or more.
configured() {
    cmake -S . -B "$work/configured" -U 'TICKWHEEL_*' "$@"
}
while IFS='|' read -r argument more message; do
    check "CMake $argument $more: $message" answers "$message" configured "-D$argument" ${more:+"-D$more"}
done <<END
TICKWHEEL_HZ=250||good
TICKWHEEL_HZ=100000||good
TICKWHEEL_HZ=0||TICKWHEEL_HZ=0: a decimal number from 1 to 100000
TICKWHEEL_HZ=100001||TICKWHEEL_HZ=100001: a decimal number
TICKWHEEL_HZ=01000||TICKWHEEL_HZ=01000: a decimal number
TICKWHEEL_HZ=0x3E8||TICKWHEEL_HZ=0x3E8: a decimal number
TICKWHEEL_HZ=1000u||TICKWHEEL_HZ=1000u: a decimal number
TICKWHEEL_HZ=500+500||TICKWHEEL_HZ=500+500: a decimal number
TICKWHEEL_HZ=250;300||TICKWHEEL_HZ=250;300: a decimal number
TICKWHEEL_HZ=||TICKWHEEL_HZ=: a decimal number
TICKWHEEL_GEOMETRY=62||good
TICKWHEEL_GEOMETRY=76||TICKWHEEL_GEOMETRY=76: one of 86 64 62
TICKWHEEL_GEOMETRY=8,6||TICKWHEEL_GEOMETRY=8,6: one of
TICKWHEEL_GEOMETRY=86;64||TICKWHEEL_GEOMETRY=86;64: one of
TICKWHEEL_GEOMETRY=||TICKWHEEL_GEOMETRY=: one of
TICKWHEEL_TVR_BITS=6|TICKWHEEL_TVN_BITS=2|good
TICKWHEEL_DEBUG=ON||good
TICKWHEEL_DEBUG=no||good
TICKWHEEL_DEBUG=1||good
TICKWHEEL_DEBUG=maybe||TICKWHEEL_DEBUG=maybe: ON or OFF
TICKWHEEL_DEBUG=2||TICKWHEEL_DEBUG=2: ON or OFF
TICKWHEEL_DEBUG=ON;OFF||TICKWHEEL_DEBUG=ON;OFF: ON or OFF
TICKWHEEL_ERRATUM_837070=ON|TICKWHEEL_LOCK=basepri:96|good
TICKWHEEL_ERRATUM_837070=r0p1||TICKWHEEL_ERRATUM_837070=r0p1: ON or OFF
TICKWHEEL_LOCK=none||good
TICKWHEEL_LOCK=basepri:255||good
TICKWHEEL_LOCK=basepri:0x0f||TICKWHEEL_LOCK=basepri:0x0f: masks nothing
TICKWHEEL_LOCK=basepri:31||TICKWHEEL_LOCK=basepri:31: masks nothing
TICKWHEEL_LOCK=basepri:32||good
TICKWHEEL_LOCK=basepri:0X0F|TICKWHEEL_PRIORITY_BITS=5|good
TICKWHEEL_PRIORITY_BITS=8|TICKWHEEL_LOCK=basepri:1|good
TICKWHEEL_PRIORITY_BITS=2||TICKWHEEL_PRIORITY_BITS=2: one of 3 4 5 6 7 8
TICKWHEEL_LOCK=basepri:0X60||good
TICKWHEEL_LOCK=basepri:||TICKWHEEL_LOCK=basepri:: one of primask none basepri:<priority>
TICKWHEEL_LOCK=basepri:0||TICKWHEEL_LOCK=basepri:0: one of
TICKWHEEL_LOCK=basepri:0x00||TICKWHEEL_LOCK=basepri:0x00: one of
TICKWHEEL_LOCK=basepri:060||TICKWHEEL_LOCK=basepri:060: one of
TICKWHEEL_LOCK=basepri:256||TICKWHEEL_LOCK=basepri:256: one of
TICKWHEEL_LOCK=basepri:0x100||TICKWHEEL_LOCK=basepri:0x100: one of
TICKWHEEL_LOCK=primask;none||TICKWHEEL_LOCK=primask;none: one of
TICKWHEEL_PORT=riscv||good
TICKWHEEL_PORT=avr||TICKWHEEL_PORT=avr: no
TICKWHEEL_PORT=cortex_m;riscv||TICKWHEEL_PORT=cortex_m;riscv: no
END

# For tickwheel.mk, a line before the include. The program prints its sources.
included() {
    printf 'all:\n%s\ninclude tickwheel.mk\nall:\n\t@echo $(TICKWHEEL_SOURCES) $(TICKWHEEL_INCLUDES)\n' "$1" >"$work/Makefile"
    MAKEFLAGS= ${MAKE:-make} --no-print-directory -f "$work/Makefile" && grep -qF -- "$2" "$work/said"
}
while IFS='|' read -r line chosen message; do
    check "tickwheel.mk $line: $message" answers "$message" included "$line" "$chosen"
done <<END
|port/cortex_m|good
TICKWHEEL_SYSTICK := yes|tickwheel_systick.cpp|good
TICKWHEEL_SYSTICK := yes # with the handlers|tickwheel_systick.cpp|good
TICKWHEEL_SYSTICK := no||good
TICKWHEEL_SYSTICK := 1||TICKWHEEL_SYSTICK=1: one of yes no
TICKWHEEL_SYSTICK := yes yes||TICKWHEEL_SYSTICK=yes yes: one of yes no
TICKWHEEL_PORT := riscv|port/riscv|good
TICKWHEEL_PORT := avr||TICKWHEEL_PORT=avr: no
TICKWHEEL_PORT := cortex_m host||TICKWHEEL_PORT=cortex_m host: no
TICKWHEEL_PORT :=||TICKWHEEL_PORT=: no
END
# Programs. None of them may end by a stack trace.
called() {
    sh -c "$1 $2"
    code=$?
    ! grep -q Traceback "$work/said" && return $code
}
qemu="qemu-system-arm -display none -monitor none -serial stdio"
stress="$qemu -M mps2-an521 -kernel build/races/stress-cores.elf -semihosting-config"
sweep="$qemu -M netduinoplus2 -kernel build/races/sweep-short.elf -semihosting-config"
: >"$work/ram"
while IFS='|' read -r command argument message; do
    check "$command $argument: $message" answers "$message" called "$command" "$argument"
done <<END
build/host/8-6/fuzz|100 18446744073709551615|good
build/host/8-6/fuzz|0 1|usage: fuzz
build/host/8-6/fuzz|abc 1|usage: fuzz
build/host/8-6/fuzz|010 1|usage: fuzz
build/host/8-6/fuzz|1e3 1|usage: fuzz
build/host/8-6/fuzz|-1 1|usage: fuzz
build/host/8-6/fuzz|100 18446744073709551616|usage: fuzz
build/host/8-6/fuzz|100 ''|usage: fuzz
build/host/8-6/fuzz|100|usage: fuzz
build/sleep/random-1000|1000 1|good
build/sleep/random-1000|1000|usage: random
build/sleep/random-1000|0 1|usage: random
build/sleep/random-1000|0x1000 1|usage: random
build/sleep/random-1000|1000 4294967296|usage: random
build/interleavings/8-6||usage: interleavings
build/interleavings/8-6|0|usage: interleavings
build/interleavings/8-6|2x|usage: interleavings
build/interleavings/8-6|10|usage: interleavings
$stress|enable=on,target=native,arg=stress,arg=0|needs a number of operations
$stress|enable=on,target=native,arg=stress,arg=1e7|needs a number of operations
$stress|enable=on,target=native,arg=stress|needs a number of operations
$sweep|enable=on,target=native,arg=sweep,arg=11|needs a tenth
$sweep|enable=on,target=native,arg=sweep,arg=one|needs a tenth
test/masked/prove_masked.py|--check|1 to 10
test/masked/prove_masked.py|--check 0|1 to 10
test/masked/prove_masked.py|--check 1x|1 to 10
JOBS=1 test/run_tests.py --out $work/results|'one 9 echo 1 passed, 0 failed'|good
JOBS=0 test/run_tests.py --out $work/results|'one 9 echo 1 passed, 0 failed'|JOBS=0: a decimal number from 1
JOBS=all test/run_tests.py --out $work/results|'one 9 echo 1 passed, 0 failed'|JOBS=all: a decimal number from 1
test/run_tests.py --out $work/results|'one 9s echo 1 passed, 0 failed'|9s is no number of seconds
tools/gdb/ram_to_core.py build/races/sweep-short.elf $work/core|$work/ram@0x20000000 pc=0x8000|good
tools/gdb/ram_to_core.py build/races/sweep-short.elf $work/core|$work/ram@20k|invalid literal
tools/gdb/ram_to_core.py build/races/sweep-short.elf $work/core|$work/ram@0x123456789|ram_to_core.py:
tools/gdb/ram_to_core.py build/races/sweep-short.elf $work/core|$work/none@0x20000000|No such file
tools/gdb/ram_to_core.py build/races/sweep-short.elf $work/core|$work/ram@0x20000000 pc:0x8000|pc:0x8000: no such register
END
sum_up
