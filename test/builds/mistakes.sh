#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program gets wrong with tickwheel must fail and say why: with an exit code, and with the message that
# docs/troubleshooting.md maps to its remedy. The same program without the mistake must work.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/failures
export LC_ALL=C
. test/support/checks.sh

# Reads rows of a message and a command, which must fail with this message. Without a message it must work.
rows() {
    while IFS='|' read -r says command; do
        test -z "$command" || eval "check \"\$command\" ${says:+fails_with \"\$says\"} $command"
    done
}

soft="-mcpu=cortex-m3 -mthumb"
compile="arm-none-eabi-g++ -std=c++17 -Os -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-unwind-tables -fno-rtti
    -fno-threadsafe-statics -ffunction-sections -fdata-sections -I. -Icore -Iport/cortex_m -Iport/cortex_m_systick"
board=mps2-an385
firmware=examples/integration/cmake
own="$firmware/main.cpp $firmware/own_handler.cpp"
ready_made="$firmware/main.cpp $firmware/ready_made_handlers.cpp"
library="core/tickwheel.cpp port/cortex_m_systick/tickwheel_systick.cpp"

# $1: folder; $2: options. libtickwheel.a and libtickwheel_systick.a, as make lib makes them. The options that link them
# are in of_FOLDER.
archives() {
    mkdir -p "$work/$1"
    for source in $library; do
        name=$(basename $source .cpp)
        $compile $2 -c $source -o "$work/$1/$name.o" && arm-none-eabi-gcc-ar rcsD "$work/$1/lib$name.a" "$work/$1/$name.o" || exit 2
    done
    eval "of_$1='-L$work/$1 -ltickwheel_systick -ltickwheel'"
}
# $1: a compiler with its options; $2: the source
compiles() {
    echo "$2" >"$work/source.cpp"
    $1 -c "$work/source.cpp" -o "$work/source.o"
}
# Compiles and links: options, sources, archives.
link() {
    $compile -nostdlib -nostartfiles -Wl,--gc-sections "$@" -lgcc -o "$work/program.elf"
}
# The same with the start-up code of a board, whose handlers are weak; and runs it there.
run() {
    link $soft "$work/board.o" -T linker/$board.ld "$@" && examples/integration/run.sh $board "$work/program.elf"
}

archives soft "$soft"
archives slow "$soft -DTICKWHEEL_HZ=1"
archives small "$soft -DTICKWHEEL_GEOMETRY=62"
for flto in "" -flto; do
    archives checked${flto#-f} "$soft -DTICKWHEEL_DEBUG=1 $flto"
done
$compile $soft -r -nostdlib boards/startup/*.cpp boards/$board/*.cpp -o "$work/board.o" || exit 2

# The programs.
echo '#include <tickwheel/tickwheel.h>
    extern "C" void _start() { (void)tickwheel_tick(); }' >"$work/user.cpp"
for header in jiffies systick; do
    echo "#include <tickwheel/$header.h>
        extern \"C\" volatile jiffies_t jiffies;
        extern \"C\" void _start() { jiffies = tickwheel_msecs_to_jiffies(jiffies); }" >"$work/only_$header.cpp"
done
echo '#include <tickwheel/tickwheel.h>
    extern "C" void SysTick_Handler() { (void)tickwheel_interrupt(); }' >"$work/handler.cpp"
sed 's/extern "C" //' "$work/handler.cpp" >"$work/mangled.cpp"
echo '#include "boards/board.hpp"
    #include "examples/integration/cmake/firmware.hpp"
    void firmware::start_ticks(uint32_t) { board::tick_start(1000); }' >"$work/no_handler.cpp"
echo '#include <tickwheel/systick.h>
    extern "C" void _start() { while (tickwheel_systick_start(16000000) != 0) {} }' >"$work/start.cpp"
echo '#include <tickwheel/tickwheel.h>
    int main() { return tickwheel_tick(); }' >"$work/main.cpp"
# Who answers a report: the wheel itself, or the program.
echo '#include <tickwheel/tickwheel.h>
    #include "boards/board.hpp"
    static timer_list never_set_up;
    int reports;
    int main() {
        (void)board::init();
        (void)tickwheel_mod_timer(&never_set_up, 5);
        return reports != 1;
    }' >"$work/misuse.cpp"
echo '#include <tickwheel/tickwheel.h>
    extern int reports;
    extern "C" void tickwheel_bug(const char *, const timer_list *) { ++reports; }' >"$work/answer.cpp"
# A sleep of one's own, for a part that needs more around the WFI.
echo '#include <tickwheel/systick.h>
    #include "boards/board.hpp"
    static volatile unsigned sleeps;
    extern "C" void own_sleep() {
        sleeps = sleeps + 1;
        __asm__ volatile("dsb; wfi; nop; nop; nop; nop; isb" ::: "memory");
    }
    int main() {
        if (tickwheel_systick_start(board::init()) != 0) { return 2; }
        tickwheel_sleep(10);
        return sleeps == 0 || sleeps != tickwheel_sleep_counts().sleeps;
    }' >"$work/own_sleep.cpp"
# Hooks in one source only.
echo '#include <tickwheel/hooks.hpp>
    struct tickwheel_hooks : tickwheel::no_hooks {};' >"$work/tickwheel_hooks.hpp"
hooked="$soft -DTICKWHEEL_HOOKS=1 -I$work"
$compile $hooked -c core/tickwheel.cpp -o "$work/hooked.o" || exit 2
half_hooked="$work/start.cpp $work/hooked.o port/cortex_m_systick/tickwheel_systick.cpp"
no_driver="$firmware/main.cpp $work/no_handler.cpp"
# The clock of mps2-an385.
constant='#include <tickwheel/systick.h>
    static_assert(TICKWHEEL_SYSTICK_FITS(25000000), "a tick of 25 MHz does not fit in SysTick");'
# Both bounds, as the driver finds them. At 7 Hz they are within 32 bits.
bounds='#include <tickwheel/tickless.hpp>
    constexpr bool says(bool fits, uint32_t clock_hz) {
        return TICKWHEEL_SYSTICK_FITS(clock_hz) == fits && tickwheel::systick_grid(clock_hz).fits() == fits;
    }
    constexpr uint32_t shortest = 7 * TICKWHEEL_SYSTICK_MIN_COUNTS;
    constexpr uint32_t longest = 7u << 24;
    static_assert(says(false, 0) && says(false, shortest - 1) && says(true, shortest) && says(true, shortest + 1));
    static_assert(says(true, longest - 1) && says(true, longest) && says(false, longest + 1) && says(false, ~0u));'
zephyr="arm-none-eabi-g++ $soft -std=c++17 -Icore -Iport/zephyr -Itest/support/zephyr -fsyntax-only core/tickwheel.cpp"
freertos="$compile $soft -Iport/freertos -Itest/support/freertos -Itest/freertos -DSTAND_IN_KERNEL=11 -fsyntax-only
    port/freertos/tickwheel_freertos.cpp"
ticks='#include <tickwheel/tickwheel.h>
    void tick() { (void)tickwheel_tick(); }'
unused='#include <tickwheel/systick.h>
    void ignored(uint32_t clock_hz) { tickwheel_systick_start(clock_hz); }'

# $1: what the linker names; $2: option of the program alone; $3: its source; then options of the linker, one a link
disagrees() {
    names=$1 option=$2 source=$3
    shift 3
    for linked in ${*:--Wl,--gc-sections}; do
        fails_with 'undefined reference to `tickwheel_built_for_' link $soft "$option" $linked "$work/$source.cpp" $of_soft &&
            grep -qF -- "$names" "$work/said" && continue
        echo "linked with $linked"
        return 1
    done
}
# Other people's linker scripts: no section that they do not place. The linker's own orphans are not ours.
no_orphan() {
    link $soft -Wl,--orphan-handling=warn "$work/board.o" -T linker/$board.ld "$work/main.cpp" $of_soft &&
        ! grep 'orphan section.*tickwheel' "$work/said"
}
starts_at_seven() {
    $compile $soft -DTICKWHEEL_INITIAL_JIFFIES=7u -c core/tickwheel.cpp -o "$work/seven.o" &&
        arm-none-eabi-objdump -s -j .data.tickwheel_clock "$work/seven.o" | grep ' 0000 07000000 '
}
one_source_without_hooks() {
    fails_with 'undefined reference to `tickwheel_built_for_' link $soft $half_hooked &&
        grep -qF "tickwheel_built_for_hooks_0'" "$work/said"
}

rows <<'END'
|run $own $of_soft
|run $ready_made $of_soft
|link $soft "$work/start.cpp" "-L$work/soft" -ltickwheel -ltickwheel_systick
multiple definition of `SysTick_Handler'|run $ready_made "$work/handler.cpp" $of_soft
fault: exception 0x0000000f|run $no_driver $of_soft
fault: exception 0x0000000f|run $no_driver "$work/mangled.cpp" $of_soft
the clock cannot make TICKWHEEL_HZ ticks a second|run -DTICKWHEEL_HZ=1 $ready_made $of_slow
a tick does not fit in SysTick's 24 bits|run -DTICKWHEEL_HZ=1 $own $of_slow
TICKWHEEL_SYSTICK_FITS|compiles "$compile $soft -DTICKWHEEL_HZ=1" "$constant"
|compiles "$compile $soft -DTICKWHEEL_HZ=2" "$constant"
|compiles "$compile $soft -DTICKWHEEL_HZ=7" "$bounds"
use tickwheel_interrupt()|compiles "$compile $soft -DTICKWHEEL_ONE_SHOT=1" "$ticks"
ignoring return value of 'int tickwheel_systick_start|compiles "$compile $soft" "$unused"
TICKWHEEL_GEOMETRY replaces TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS|compiles "$compile $soft -DTICKWHEEL_TVN_BITS=2" "#include <tickwheel/timer.h>"
TICKWHEEL_GEOMETRY must be 86, 64 or 62: a list|$zephyr -DTICKWHEEL_GEOMETRY=1
|$zephyr
TICKWHEEL_ONE_SHOT must be 0: the kernel's tick counts|$freertos -DTICKWHEEL_ONE_SHOT=1
|$freertos
port/host masks no interrupt|arm-none-eabi-g++ $soft -std=c++17 -Icore -Iport/host -fsyntax-only core/tickwheel.cpp
|link $soft "$work/user.cpp" $of_soft
|disagrees "tickwheel_built_for_hz_250'" -DTICKWHEEL_HZ=250 user -Wl,--no-gc-sections -Wl,--gc-sections -s -Wl,--strip-debug -flto
|disagrees "tickwheel_built_for_geometry_64'" -DTICKWHEEL_GEOMETRY=64 user
|disagrees "tickwheel_built_for_debug_1'" -DTICKWHEEL_DEBUG=1 user
|disagrees "tickwheel_built_for_initial_jiffies_7u'" -DTICKWHEEL_INITIAL_JIFFIES=7u user
|disagrees "tickwheel_built_for_one_shot_1'" -DTICKWHEEL_ONE_SHOT=1 only_jiffies
|disagrees "tickwheel_built_for_hz_250'" -DTICKWHEEL_HZ=250 only_jiffies
|disagrees "tickwheel_built_for_hz_250'" -DTICKWHEEL_HZ=250 only_systick
|link $soft -s "$work/only_jiffies.cpp" $of_soft
|link $soft -s "$work/only_systick.cpp" $of_soft
|link $soft -DTICKWHEEL_GEOMETRY=62 "$work/user.cpp" $of_small
|link $soft -DTICKWHEEL_HZ=250 -DTICKWHEEL_LINK_CHECK=0 "$work/user.cpp" $of_soft
|no_orphan
|starts_at_seven
|one_source_without_hooks
|link $hooked $half_hooked
fault: exception 0x00000003|run -DTICKWHEEL_DEBUG=1 "$work/misuse.cpp" $of_checked
fault: exception 0x00000003|run -DTICKWHEEL_DEBUG=1 -flto "$work/misuse.cpp" $of_checkedlto
|run -DTICKWHEEL_DEBUG=1 "$work/misuse.cpp" "$work/answer.cpp" $of_checked
|run -DTICKWHEEL_DEBUG=1 -flto "$work/misuse.cpp" "$work/answer.cpp" $of_checkedlto
|run -DTICKWHEEL_WAIT_FOR_INTERRUPT=own_sleep "$work/own_sleep.cpp" $library
END

# The standard. $1: which; $2: the header
standard() {
    compiles "arm-none-eabi-g++ $soft -std=$1 -Icore -Iport/cortex_m_systick" "#include <tickwheel/$2>"
}
refused_once() {
    fails_with 'tickwheel needs C++17' standard "$@" && test "$(grep -c error: "$work/said")" = 1
}
for header in jiffies.h tickwheel.h timer.hpp wheel.hpp systick.h; do
    check "$header in C++11" refused_once c++11 $header
    check "$header in C++14" refused_once c++14 $header
done
check "timer.hpp in C++17" standard c++17 timer.hpp

copied='#include <tickwheel/timer.hpp>
    tickwheel::timer copied(const tickwheel::timer &timer) { return timer; }'
check "a copied timer" fails_with "use of deleted function" compiles "$compile $soft" "$copied"

# Reads rows of a choice, what the compiler must say, the values that it takes, and those that it refuses.
choices() {
    while IFS='|' read -r choice message good bad; do
        for value in $good; do
            check "$choice=$value, $parse" $parse -DTICKWHEEL_$choice=$value
        done
        for value in $bad; do
            check "$choice=$value, $parse" fails_with "$message" $parse -DTICKWHEEL_$choice=$value
        done
    done
}
parse="$compile $soft -fsyntax-only core/tickwheel.cpp"
choices <<'END'
LOCK_NONE|TICKWHEEL_LOCK_NONE is chosen by any value|1|0
LOCK_BASEPRI=96 -DTICKWHEEL_ERRATUM_837070|TICKWHEEL_ERRATUM_837070 is chosen by any value|1|no
LOCK_BASEPRI|TICKWHEEL_LOCK_BASEPRI must be 1 to 255|0x60 (3<<5)|0 256 060 abc
LOCK_BASEPRI|TICKWHEEL_LOCK_BASEPRI masks nothing: its upper TICKWHEEL_PRIORITY_BITS bits are 0|0x20|0x1f
PRIORITY_BITS=5 -DTICKWHEEL_LOCK_BASEPRI|TICKWHEEL_LOCK_BASEPRI masks nothing: its upper TICKWHEEL_PRIORITY_BITS bits are 0|8|7
LOCK_BASEPRI=0x60 -DTICKWHEEL_PRIORITY_BITS|TICKWHEEL_PRIORITY_BITS must be 3 to 8|3|2
LOCK_BASEPRI=1 -DTICKWHEEL_PRIORITY_BITS|TICKWHEEL_PRIORITY_BITS must be 3 to 8|8|9
END
rows <<'END'
TICKWHEEL_LOCK_BASEPRI must be 1 to 255|$parse -DTICKWHEEL_LOCK_BASEPRI=
TICKWHEEL_PRIORITY_BITS must be 3 to 8|$parse -DTICKWHEEL_LOCK_BASEPRI=0x60 -DTICKWHEEL_PRIORITY_BITS=
END

# The boards' linker script, by both linkers. Its options and files.
links() {
    $linker "$@" --gc-sections -T linker/$board.ld "$work/board.o" -o "$work/program.elf"
}
runs_with_build_id() {
    links --build-id "$work/main.o" && arm-none-eabi-readelf -n "$work/program.elf" | grep 'Build ID' &&
        examples/integration/run.sh $board "$work/program.elf"
}
echo 'int main() { return 0; }' >"$work/main.cpp"
$compile $soft -c "$work/main.cpp" -o "$work/main.o" || exit 2
for linker in arm-none-eabi-ld ld.lld-$LLVM; do
    rows <<'END'
|runs_with_build_id
RAM is too small for .data, .bss and the stack|links --defsym=board_ram_size=1K "$work/main.o"
|links --defsym=board_ram_size=1K --defsym=board_stack_size=512 "$work/main.o"
.data does not fit in FLASH|links --defsym=board_flash_size=64 "$work/main.o"
|links "$work/main.o"
END
done

# The choices of the headers, in C by GCC and in C++ by clang.
for parse in "arm-none-eabi-gcc $soft -x c -std=c11" "clang-$LLVM --target=arm-none-eabi $soft -nostdlibinc -x c++ -std=c++17"; do
    parse="$parse -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wundef -Werror -Icore -fsyntax-only
        -include tickwheel/timer.h /dev/null"
    choices <<'END'
HZ|TICKWHEEL_HZ must be a plain number|4000000|0 4000001 01000 007 0x3E8 1000u 500+500 1000.0 1e3 (1000) abc
GEOMETRY|TICKWHEEL_GEOMETRY must be 86, 64, 62 or 1|64 1|76 85 01 1u true 62u 0126 0x3E 60+4 (64) 8,6 6-4 864 abc
DEBUG|TICKWHEEL_DEBUG must be 0 or 1|1|true 2 01 1u 1+0 ON y
HOOKS|TICKWHEEL_HOOKS must be 0 or 1|0|true 2 01 1u 1+0
ONE_SHOT|TICKWHEEL_ONE_SHOT must be 0 or 1|1|true 2 01 1u 1+0
ONE_SHOT=1 -DTICKWHEEL_INITIAL_JIFFIES|leave TICKWHEEL_INITIAL_JIFFIES out||0u
ARM_RUNNING_TICK|TICKWHEEL_ARM_RUNNING_TICK must be 0 or 1|1|true 2 01 1u 1+0
LINK_CHECK|TICKWHEEL_LINK_CHECK must be 0 or 1|0|false 2 off
INITIAL_JIFFIES|TICKWHEEL_INITIAL_JIFFIES must be a plain number|4294967295u|4294967296u 7 010u 0x7u 3u+4u 7ul 7.0
END
done

# The vector table, and the priorities of its handlers. Another SDK has other names there, as libopencm3 does. A report is
# printed, and the program goes on.
libopencm3="--redefine-sym SysTick_Handler=sys_tick_handler --redefine-sym PendSV_Handler=pend_sv_handler"
named="-DTICKWHEEL_SYSTICK_HANDLER=sys_tick_handler -DTICKWHEEL_PENDSV_HANDLER=pend_sv_handler"
echo '#include <tickwheel/tickwheel.h>
    #include "boards/print.hpp"
    extern "C" void tickwheel_bug(const char *what, const timer_list *) { print(what); board::console_put(10); }' >"$work/says.cpp"
# A table in RAM, and a HAL that sets SysTick up again.
echo '#include <tickwheel/systick.h>
    #include "boards/board.hpp"
    #include "examples/integration/cmake/firmware.hpp"
    extern "C" void SysTick_Handler();
    extern "C" void PendSV_Handler();
    static volatile uint32_t &at(uintptr_t address) { return *reinterpret_cast<volatile uint32_t *>(address); }
    extern "C" void other_handler() { board::exit(3); }
    alignas(1024) static volatile uint32_t table[256];
    void firmware::start_ticks(uint32_t clock_hz) {
    #ifdef TABLE_SYSTICK
        for (unsigned i = 0; i < 256; ++i) { table[i] = at(4 * i); }
        table[14] = reinterpret_cast<uintptr_t>(TABLE_PENDSV);
        table[15] = reinterpret_cast<uintptr_t>(TABLE_SYSTICK);
        at(0xE000ED08) = reinterpret_cast<uintptr_t>(table);
    #endif
        if (tickwheel_systick_start(clock_hz) != 0) { board::exit(1); }
    #ifdef PRIORITIES
        at(0xE000ED20) = PRIORITIES;
    #endif
    }' >"$work/hal.cpp"
# $1: options of objcopy for the start-up code; then flags of the others, and the file that starts the ticks. Runs on `board`.
start_up() {
    $compile $cpu -r -nostdlib boards/startup/*.cpp boards/$board/*.cpp -o "$work/start_up.o" &&
        arm-none-eabi-objcopy $1 "$work/start_up.o" || return 2
    shift
    $compile $cpu -DTICKWHEEL_DEBUG=1 -nostdlib -nostartfiles -Wl,--gc-sections "$work/start_up.o" -T linker/$board.ld "$@" \
        $firmware/main.cpp $library "$work/says.cpp" -lgcc -o "$work/program.elf" &&
        examples/integration/run.sh $board "$work/program.elf"
}
# The same, without a report.
no_report() {
    start_up "$@" && ! grep -qE 'vector table|PendSV' "$work/said"
}
# $1: a report, in docs/troubleshooting.md; then as above. The program works all the same.
works_but_reports() {
    report=$1
    shift
    start_up "$@" && grep -qF -- "$report" "$work/said" && grep -qF -- "$report" docs/troubleshooting.md
}
handlers=$firmware/ready_made_handlers.cpp
for board in microbit mps2-an385; do
    cpu=$soft
    test $board = mps2-an385 || cpu="-mcpu=cortex-m0 -mthumb"
    rows <<'END'
|no_report "" $handlers
the vector table does not lead to SysTick_Handler|start_up "$libopencm3" $handlers
the vector table does not lead to PendSV_Handler|start_up "$libopencm3" -DTICKWHEEL_SYSTICK_HANDLER=sys_tick_handler $handlers
|no_report "$libopencm3" $named $handlers
|works_but_reports "PendSV is not below the tick's interrupt" "" -DPRIORITIES=0xC0C00000 "$work/hal.cpp"
|no_report "" -DPRIORITIES=0x80C00000 "$work/hal.cpp"
END
done
rows <<'END'
|no_report "$libopencm3" -DTABLE_PENDSV=PendSV_Handler -DTABLE_SYSTICK=SysTick_Handler "$work/hal.cpp"
the vector table does not lead to SysTick_Handler|start_up "" -DTABLE_PENDSV=PendSV_Handler -DTABLE_SYSTICK=other_handler "$work/hal.cpp"
the vector table does not lead to PendSV_Handler|start_up "" -DTABLE_PENDSV=other_handler -DTABLE_SYSTICK=SysTick_Handler "$work/hal.cpp"
END
# The same for the alarm of a Pico, whose count is `jiffies`. An MPS2 ignores what is written where a Pico has its timer.
echo '#include "boards/print.hpp"
    #include "tickwheel_counter.hpp"
    extern "C" void tickwheel_bug(const char *what, const timer_list *) { print(what); board::exit(1); }
    extern "C" void IRQ0_Handler() {}
    void other_handler() {}
    int main() { board::init(); tickwheel_counter::enable(HANDLER);
        return &jiffies != (volatile jiffies_t *)0x40054028; }' >"$work/alarm.cpp"
alarm="-DTICKWHEEL_DEBUG=1 -DTICKWHEEL_ONE_SHOT=1 -DTICKWHEEL_HZ=1000000 -Iport/one_shot/pico -include tickwheel/tickwheel.h
    core/tickwheel.cpp $work/alarm.cpp"
rows <<'END'
|run $alarm -DHANDLER=IRQ0_Handler
|run $alarm -DHANDLER=IRQ0_Handler -flto
the vector table does not lead to the alarm|run $alarm -DHANDLER=other_handler
END

# A geometry of one's own. $1: the two choices
geometry() {
    compiles "$compile $soft" "#include <tickwheel/wheel.hpp>
        unsigned slots() { return tickwheel::geometry<$1>::slot_count; }"
}
# Durations, on the PC: they need a standard library. $1: type and name of the result; $2: the duration
duration() {
    compiles "g++ -std=c++17 -Os -Wall -Wextra -Werror -Icore" "#include <tickwheel/chrono.hpp>
        using namespace std::chrono_literals;
        using fine = std::chrono::duration<int64_t, std::ratio<999999999999, 1000000000000007>>;
        void wait() { $1 = tickwheel::ticks($2); (void)delay; }"
}
constant="constexpr jiffies_t delay"
rows <<'END'
|geometry "6, 2"
|geometry "8, 6"
tv1 has 64 to 256 slots|geometry "9, 6"
tv3..tv5 have 4 to 64 slots|geometry "5, 7"
tv3..tv5 have 4 to 64 slots|geometry "8, 1"
tv5 must not reach beyond the 32 bits|geometry "9, 6"
|duration "$constant" '2147483646ms'
duration_longer_than_2_to_the_31_ticks|duration "$constant" '2147483647ms'
|duration "const jiffies_t delay" '2147483647ms'
a duration in a floating-point number|duration "$constant" '1.5s'
units so fine that|duration "$constant" 'fine(1)'
END

# A variable may be too long, or negative, on one path, which a compiler knows.
# Milliseconds in C. $1: how many; $2: options
milliseconds() {
    compiles "$compiler -xc -std=c11 -Os $2 -Wall -Wextra -Wpedantic -Werror -Icore" "#include <tickwheel/tickwheel.h>
        void note(void);
        int start(struct timer_list *timer, unsigned count);
        int start(struct timer_list *timer, unsigned count) { if (count == 0xFFFFFFFF) { note(); }
            return tickwheel_start_after_ms(timer, $1); }"
}
# Ticks in C++. $1: how many; $2: options
ticks() {
    compiles "$compiler -std=c++17 -Os $2 -Wall -Wextra -Wpedantic -Wconversion -Werror -Icore" "
        #include <tickwheel/long_timer.hpp>
        #include <tickwheel/periodic_timer.hpp>
        void note();
        void start(tickwheel::timer &timer, int count) { if (count == -1) { note(); } (void)timer.start_after_ticks($1); }
        void start_if_negative(tickwheel::timer &timer, int count) { if (count < 0) { (void)timer.start_after_ticks($1); } }
        static tickwheel::periodic_timer often{[] {}};
        static tickwheel::long_timer far{[] {}};
        void others(int count) { (void)count; often.start_after_ticks($1, 7); (void)far.start_after_at_least($1); }"
}
for compiler in gcc clang-$LLVM; do
    for options in -O0 -Os -O2 -O3 -fno-inline "-O1 -fno-inline" -finstrument-functions; do
        for count in 2147483646 count; do
            check "$count milliseconds, $compiler $options" milliseconds $count "$options"
        done
        check "a variable for ticks, $compiler $options" ticks count "$options"
    done
    for number in 5 5u 5ull "(short)5"; do
        check "$number ticks, $compiler" ticks "$number" ""
    done
    check "half a tick, $compiler" fails_with 'a number of ticks is whole' ticks 0.5 ""
done
compiler=gcc
check "more milliseconds" fails_with 'tickwheel_delay_too_long_' milliseconds 2147483647 ""
check "for ever" fails_with 'tickwheel_delay_too_long_' milliseconds '(unsigned)-1' ""
check "-1 ticks" fails_with 'negative_number_of_ticks' ticks -1 ""

sum_up
