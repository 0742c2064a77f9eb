#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program gets wrong with tickwheel must fail and say why: with an exit code,
# and with the message that docs/troubleshooting.md maps to its remedy. The same program without
# the mistake must work.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/failures
export LC_ALL=C
. test/support/checks.sh

soft="-mcpu=cortex-m3 -mthumb"
hard="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard"
compile="arm-none-eabi-g++ -std=c++17 -Os -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-unwind-tables -fno-rtti
    -fno-threadsafe-statics -ffunction-sections -fdata-sections -I. -Icore -Iport/cortex_m -Iport/cortex_m_systick"
board=mps2-an385
firmware=examples/integration/cmake

# $1: folder; $2: options. libtickwheel.a and libtickwheel_systick.a, as make lib makes them.
archives() {
    mkdir -p "$work/$1"
    for source in core/tickwheel port/cortex_m_systick/tickwheel_systick; do
        $compile $2 -c $source.cpp -o "$work/$1/${source##*/}.o" || exit 2
    done
    (cd "$work/$1" && arm-none-eabi-gcc-ar rcsD libtickwheel.a tickwheel.o &&
        arm-none-eabi-gcc-ar rcsD libtickwheel_systick.a tickwheel_systick.o)
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

# $1: what the linker names; $2: option of the program alone; $3: its source
disagrees() {
    for linked in -Wl,--no-gc-sections -Wl,--gc-sections -s -Wl,--strip-debug -flto; do
        fails_with 'undefined reference to `tickwheel_built_for_' \
            link $soft "$2" $linked "$work/$3.cpp" "$work/soft/libtickwheel.a" && grep -qF -- "$1" "$work/said" && continue
        echo "linked with $linked"
        return 1
    done
}

archives soft "$soft"
archives hard "$hard"
archives slow "$soft -DTICKWHEEL_HZ=1"
archives seven "$soft -DTICKWHEEL_HZ=7"
archives small "$soft -DTICKWHEEL_GEOMETRY=62"
archives small_by_bits "$soft -DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=2"
$compile $soft -r -nostdlib boards/startup/*.cpp boards/$board/*.cpp -o "$work/board.o" || exit 2

echo '#include <tickwheel/tickwheel.h>
    extern "C" void _start() { (void)tickwheel_tick(); }' >"$work/user.cpp"
for header in jiffies systick; do
    echo "#include <tickwheel/$header.h>
        extern \"C\" volatile jiffies_t jiffies;
        extern \"C\" void _start() { jiffies = tickwheel_msecs_to_jiffies(jiffies); }" >"$work/only_$header.cpp"
done
echo '#include <tickwheel/tickwheel.h>
    extern "C" void SysTick_Handler() { (void)tickwheel_interrupt(); }' >"$work/handler.cpp"
echo '#include "boards/board.hpp"
    #include "examples/integration/cmake/firmware.hpp"
    void firmware::start_ticks(uint32_t) { board::tick_start(1000); }' >"$work/no_handler.cpp"
# The clock of mps2-an385.
constant='#include <tickwheel/systick.h>
    static_assert(TICKWHEEL_SYSTICK_FITS(25000000), "a tick of 25 MHz does not fit in SysTick");'

own="$firmware/main.cpp $firmware/own_handler.cpp"
ready_made="$firmware/main.cpp $firmware/ready_made_handlers.cpp"

# The handlers.
check "an own handler works" run $own "$work/soft/libtickwheel.a"
check "the ready-made handlers take the place of weak ones" \
    run $ready_made "$work/soft/libtickwheel_systick.a" "$work/soft/libtickwheel.a"
echo '#include <tickwheel/systick.h>
    extern "C" void _start() { while (tickwheel_systick_start(16000000) != 0) {} }' >"$work/start.cpp"
check "the archives may be named in either order" \
    link $soft "$work/start.cpp" "$work/soft/libtickwheel.a" "$work/soft/libtickwheel_systick.a"
check "two SysTick handlers" fails_with 'multiple definition of `SysTick_Handler'"'" \
    run $ready_made "$work/handler.cpp" "$work/soft/libtickwheel_systick.a" "$work/soft/libtickwheel.a"
check "no handler: the archive's was not asked for" fails_with 'fault: exception 0x0000000f' \
    run $firmware/main.cpp "$work/no_handler.cpp" "$work/soft/libtickwheel_systick.a" "$work/soft/libtickwheel.a"
sed 's/extern "C" //' "$work/handler.cpp" >"$work/mangled.cpp"
check "a handler in C++ without extern \"C\"" fails_with 'fault: exception 0x0000000f' \
    run $firmware/main.cpp "$work/no_handler.cpp" "$work/mangled.cpp" "$work/soft/libtickwheel.a"

# The reload.
check "the ready-made handlers' start refuses a tick that SysTick cannot make" \
    fails_with 'the clock cannot make TICKWHEEL_HZ ticks a second' \
    run -DTICKWHEEL_HZ=1 $ready_made "$work/slow/libtickwheel_systick.a" "$work/slow/libtickwheel.a"
check "the boards' own start refuses it too" fails_with "a tick does not fit in SysTick's 24 bits" \
    run -DTICKWHEEL_HZ=1 $own "$work/slow/libtickwheel.a"
check "the compiler refuses a constant clock" fails_with 'TICKWHEEL_SYSTICK_FITS' \
    compiles "$compile $soft -DTICKWHEEL_HZ=1" "$constant"
check "and takes one that fits" compiles "$compile $soft -DTICKWHEEL_HZ=2" "$constant"
check "the compiler and the start have the same bounds" run -DTICKWHEEL_HZ=7 test/failures/reload.cpp \
    "$work/seven/libtickwheel_systick.a" "$work/seven/libtickwheel.a"
check "the start's answer must be used" fails_with "ignoring return value of 'int tickwheel_systick_start" \
    compiles "$compile $soft" '#include <tickwheel/systick.h>
        void ignored(uint32_t clock_hz) { tickwheel_systick_start(clock_hz); }'

# The standard. $1: which; $2: the header
standard() {
    compiles "arm-none-eabi-g++ $soft -std=$1 -Icore -Iport/cortex_m_systick" "#include <tickwheel/$2>"
}
for header in jiffies.h tickwheel.h timer.hpp wheel.hpp systick.h; do
    check "$header in C++14" fails_with 'tickwheel needs C++17' standard c++14 $header
done
check "timer.hpp in C++17" standard c++17 timer.hpp

# Members of a class. $1: the compiler; $2: what is declared in it; $3: what is done to an object
clang_arm="clang++-14 --target=arm-none-eabi -mcpu=cortex-m3 -nostdlibinc -ffreestanding"
member() {
    compiles "$1 -std=c++17 -Icore" "#include <tickwheel/long_timer.hpp>
        #include <tickwheel/periodic_timer.hpp>
        using namespace tickwheel;
        class door { $2 };
        static door front{};
        void open_and_close() { ${3:-(void)front;} }"
}
for cxx in "arm-none-eabi-g++ $soft" "$clang_arm"; do
    for kind in closure periodic long; do
        case $cxx in
        clang*)
            deduced="argument deduction not allowed in non-static"
            above="no member named 'close' in 'door'"
            copied="implicitly-deleted copy constructor"
            ;;
        *)
            deduced="invalid use of template-name 'tickwheel::"
            above="incomplete type 'door' used in nested name specifier"
            copied="use of deleted function"
            ;;
        esac
        check "a ${kind}_timer as a member, a lambda in it" fails_with "$deduced" \
            member "$cxx" "void close(); ${kind}_timer timer{[this] { close(); }};"
        check "a ${kind}_timer as a member, above its function" fails_with "$above" \
            member "$cxx" "${kind}_timer<member<&door::close>> timer{this}; void close();"
        check "a ${kind}_timer that is copied" fails_with "$copied" \
            member "$cxx" "void close(); ${kind}_timer<member<&door::close>> timer{this};" "door other = front; (void)other;"
    done
done

# The lock.
for value in 0 no; do
    check "TICKWHEEL_LOCK_NONE=$value" fails_with 'TICKWHEEL_LOCK_NONE is chosen by any value' \
        $compile $soft -DTICKWHEEL_LOCK_NONE=$value -fsyntax-only core/tickwheel.cpp
    check "TICKWHEEL_ERRATUM_837070=$value" fails_with 'TICKWHEEL_ERRATUM_837070 is chosen by any value' \
        $compile $soft -DTICKWHEEL_LOCK_BASEPRI=96 -DTICKWHEEL_ERRATUM_837070=$value -fsyntax-only core/tickwheel.cpp
done
for lock in LOCK_NONE LOCK_NONE= LOCK_NONE=1 LOCK_BASEPRI=96 LOCK_BASEPRI=0x60 "LOCK_BASEPRI=(3<<5)"; do
    check "TICKWHEEL_$lock" $compile $soft "-DTICKWHEEL_$lock" -fsyntax-only core/tickwheel.cpp
done
for priority in 0 060 256 0x100 '' abc; do
    check "TICKWHEEL_LOCK_BASEPRI=$priority" fails_with 'TICKWHEEL_LOCK_BASEPRI must be 1 to 255' \
        $compile $soft -DTICKWHEEL_LOCK_BASEPRI=$priority -fsyntax-only core/tickwheel.cpp
done
# $1: the bits of a priority, $2: the value
priority_of_bits() {
    $compile $soft -DTICKWHEEL_PRIORITY_BITS=$1 -DTICKWHEEL_LOCK_BASEPRI=$2 -fsyntax-only core/tickwheel.cpp
}
masks_nothing='TICKWHEEL_LOCK_BASEPRI masks nothing: its upper TICKWHEEL_PRIORITY_BITS bits are 0'
for priority in 0x1f 16 1; do
    check "TICKWHEEL_LOCK_BASEPRI=$priority" fails_with "$masks_nothing" \
        $compile $soft -DTICKWHEEL_LOCK_BASEPRI=$priority -fsyntax-only core/tickwheel.cpp
done
for bits in 3 4 5 8; do
    check "the least priority of $bits bits" priority_of_bits $bits "(1<<(8-$bits))"
    check "one below" fails_with "$(test $bits = 8 && echo 'must be 1 to 255' || echo "$masks_nothing")" \
        priority_of_bits $bits "((1<<(8-$bits))-1)"
done
for bits in 2 9 '' abc; do
    check "TICKWHEEL_PRIORITY_BITS=$bits" fails_with 'TICKWHEEL_PRIORITY_BITS must be 3 to 8' priority_of_bits "$bits" 0x60
done
check "a PC's lock on a Cortex-M" fails_with 'port/host masks no interrupt' \
    arm-none-eabi-g++ $soft -std=c++17 -Icore -Iport/host -fsyntax-only core/tickwheel.cpp

# The floating-point ABI.
check "hard with hard links" link $hard "$work/user.cpp" "$work/hard/libtickwheel.a"
check "a hard program, a soft archive" fails_with 'uses VFP register arguments' \
    link $hard "$work/user.cpp" "$work/soft/libtickwheel.a"
check "a soft program, a hard archive" fails_with 'uses VFP register arguments' \
    link $soft "$work/user.cpp" "$work/hard/libtickwheel.a"

# What config.h leaves to choose.
check "headers and archive that agree link" link $soft "$work/user.cpp" "$work/soft/libtickwheel.a"
for option in HZ=250:hz_250 GEOMETRY=64:geometry_64 TVR_BITS=7:geometry_76 TVN_BITS=5:geometry_85 DEBUG=1:debug_1 \
    INITIAL_JIFFIES=7u:initial_jiffies_7u; do
    check "headers of $option and archive disagree" \
        disagrees "tickwheel_built_for_${option#*:}'" -DTICKWHEEL_${option%:*} user
done
for shape in -DTICKWHEEL_GEOMETRY=62 "-DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=2" \
    "-DTICKWHEEL_GEOMETRY=62 -DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=2"; do
    for archive in small small_by_bits; do
        check "headers of $shape and the archive $archive agree" link $soft $shape "$work/user.cpp" "$work/$archive/libtickwheel.a"
    done
done
for header in jiffies systick; do
    check "$header.h alone agrees" link $soft -s "$work/only_$header.cpp" "$work/soft/libtickwheel.a"
    check "$header.h alone disagrees" disagrees "tickwheel_built_for_hz_250'" -DTICKWHEEL_HZ=250 only_$header
done
check "a program without the check links" link $soft -DTICKWHEEL_HZ=250 -DTICKWHEEL_LINK_CHECK=0 "$work/user.cpp" \
    "$work/soft/libtickwheel.a"
# Other people's linker scripts: no section that they do not place. The linker's own orphans are not ours.
no_orphan() {
    link $soft -Wl,--orphan-handling=warn "$work/board.o" -T linker/$board.ld "$work/main.cpp" "$work/soft/libtickwheel.a" \
        >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    ! grep 'orphan section.*tickwheel' "$work/said"
}
echo '#include <tickwheel/tickwheel.h>
    int main() { return tickwheel_tick(); }' >"$work/main.cpp"
check "no orphan section" no_orphan
# The boards' linker script, by both linkers. $1: the linker; then its options and files.
links_by() {
    "$@" --gc-sections -T linker/$board.ld "$work/board.o" -o "$work/program.elf"
}
runs_with_build_id() {
    links_by $1 --build-id "$work/discarded.o" "$work/heap.a" && arm-none-eabi-readelf -n "$work/program.elf" | grep 'Build ID' &&
        examples/integration/run.sh $board "$work/program.elf"
}
echo 'extern "C" void *malloc(unsigned) { static char pool[8]; return pool; }
    extern "C" void *_sbrk(int) { static char end; return &end; }' >"$work/heap.cpp"
echo 'extern "C" void *malloc(unsigned);
    extern "C" void *_sbrk(int);
    void *discarded() { return malloc(1); }
    void *discarded_too() { return _sbrk(1); }
    int main() { return CALL; }' >"$work/calls.cpp"
# Debian's newlib has all functions of a file in one section.
$compile $soft -c "$work/heap.cpp" -o "$work/heap.o" &&
    $compile $soft -fno-function-sections -c "$work/heap.cpp" -o "$work/lib_a-malloc.o" || exit 2
for object in heap lib_a-malloc; do
    arm-none-eabi-ar rcs "$work/$object.a" "$work/$object.o" || exit 2
done
for call in "discarded 0" "malloc malloc(1)==nullptr" "_sbrk _sbrk(1)==nullptr"; do
    $compile $soft "-DCALL=${call#* }" -c "$work/calls.cpp" -o "$work/${call% *}.o" || exit 2
done
for linker in arm-none-eabi-ld ld.lld-14; do
    check "a build-id stands behind the vector table, $linker" runs_with_build_id $linker
    check "RAM without room for the stack, $linker" fails_with 'RAM is too small for .data, .bss and the stack' \
        links_by $linker --defsym=board_ram_size=1K "$work/discarded.o" "$work/heap.a"
    check "RAM with room for the stack, $linker" \
        links_by $linker --defsym=board_ram_size=1K --defsym=board_stack_size=512 "$work/discarded.o" "$work/heap.a"
    check "flash that is too small, $linker" fails_with '.data does not fit in FLASH' \
        links_by $linker --defsym=board_flash_size=64 "$work/discarded.o" "$work/heap.a"
    for library in heap lib_a-malloc; do
        check "only discarded functions need $library, $linker" links_by $linker "$work/discarded.o" "$work/$library.a"
        for call in malloc _sbrk; do
            check "a call of $call in $library, $linker" fails_with 'the program links a heap; there is none' \
                links_by $linker "$work/$call.o" "$work/$library.a"
        done
    done
done
starts_at_seven() {
    $compile $soft -DTICKWHEEL_INITIAL_JIFFIES=7u -c core/tickwheel.cpp -o "$work/seven.o" &&
        arm-none-eabi-objdump -s -j .data.tickwheel_clock "$work/seven.o" | grep ' 0000 07000000 '
}
check "jiffies begins at TICKWHEEL_INITIAL_JIFFIES" starts_at_seven
# A choice, what the compiler must say, a value that it takes, and those that it refuses: in C and in C++, by both compilers.
strict_header="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wundef -Werror -Icore -fsyntax-only -include tickwheel/timer.h /dev/null"
while IFS='|' read -r choice message good bad; do
    for parse in "arm-none-eabi-gcc $soft -x c -std=c11" "arm-none-eabi-gcc $soft -x c++ -std=c++17" \
        "clang-14 --target=arm-none-eabi $soft -nostdlibinc -x c -std=c11" \
        "clang-14 --target=arm-none-eabi $soft -nostdlibinc -x c++ -std=c++17"; do
        check "$choice=$good, $parse" $parse -DTICKWHEEL_$choice=$good $strict_header
        for value in $bad; do
            check "$choice=$value, $parse" fails_with "$message" $parse -DTICKWHEEL_$choice=$value $strict_header
        done
    done
done <<'END'
HZ|TICKWHEEL_HZ must be a plain number|100000|0 100001 01000 007 0x3E8 1000u 500+500 1000.0 1e3 (1000) abc
GEOMETRY|TICKWHEEL_GEOMETRY must be 86, 64 or 62|64|76 85 1 62u 0126 0x3E 60+4 (64) 8,6 6-4 864 abc
TVR_BITS=6 -DTICKWHEEL_TVN_BITS=2 -DTICKWHEEL_GEOMETRY|TICKWHEEL_GEOMETRY differs from TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS|62|86 64
GEOMETRY=64 -DTICKWHEEL_TVN_BITS=4 -DTICKWHEEL_TVR_BITS|TICKWHEEL_GEOMETRY differs from TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS|6|7 8
GEOMETRY=86 -DTICKWHEEL_TVN_BITS|TICKWHEEL_GEOMETRY differs from TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS|6|4
TVR_BITS|TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS must be one digit each|6|08 8u 4+4 0x8 10
TVN_BITS|TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS must be one digit each|2|06 6u 3+3 0x6
DEBUG|TICKWHEEL_DEBUG must be 0 or 1|1|true 2 01 1u 1+0 ON y
HOOKS|TICKWHEEL_HOOKS must be 0 or 1|0|true 2 01 1u 1+0
ARM_RUNNING_TICK|TICKWHEEL_ARM_RUNNING_TICK must be 0 or 1|1|true 2 01 1u 1+0
LINK_CHECK|TICKWHEEL_LINK_CHECK must be 0 or 1|0|false 2 off
INITIAL_JIFFIES|TICKWHEEL_INITIAL_JIFFIES must be a plain number|4294967295u|4294967296u 7 010u 0x7u 3u+4u 7ul 7.0
END
# Half a trace.
echo '#include <tickwheel/hooks.hpp>
    struct tickwheel_hooks : tickwheel::no_hooks {};' >"$work/tickwheel_hooks.hpp"
$compile $soft -DTICKWHEEL_HOOKS=1 -I"$work" -c core/tickwheel.cpp -o "$work/hooked.o" || exit 2
two_sources="$work/hooked.o port/cortex_m_systick/tickwheel_systick.cpp"
one_source_without_hooks() {
    fails_with 'undefined reference to `tickwheel_built_for_' link $soft "$work/start.cpp" $two_sources &&
        grep -qF "tickwheel_built_for_hooks_0'" "$work/said"
}
check "one source without hooks" one_source_without_hooks
check "both with hooks" link $soft -DTICKWHEEL_HOOKS=1 -I"$work" "$work/start.cpp" $two_sources

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
for flto in "" -flto; do
    checked="-DTICKWHEEL_DEBUG=1 $flto"
    archives "checked$flto" "$soft $checked"
    check "without another tickwheel_bug() the wheel stops the CPU $flto" fails_with 'fault: exception 0x00000003' \
        run $checked "$work/misuse.cpp" "$work/checked$flto/libtickwheel.a"
    check "that of the program takes its place $flto" \
        run $checked "$work/misuse.cpp" "$work/answer.cpp" "$work/checked$flto/libtickwheel.a"
done

# The vector table, and the priorities of its handlers. Another SDK has other names there, as libopencm3 does. A report is
# printed, and the program goes on.
libopencm3="-DSysTick_Handler=sys_tick_handler -DPendSV_Handler=pend_sv_handler"
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

# $1: flags of the start-up code; then those of the others, and the file that starts the ticks. Runs on `board`.
start_up() {
    $compile $cpu $1 -r -nostdlib boards/startup/*.cpp boards/$board/*.cpp -o "$work/start_up.o" || return 2
    shift
    $compile $cpu -DTICKWHEEL_DEBUG=1 -nostdlib -nostartfiles -Wl,--gc-sections "$work/start_up.o" -T linker/$board.ld "$@" \
        $firmware/main.cpp core/tickwheel.cpp port/cortex_m_systick/tickwheel_systick.cpp "$work/says.cpp" -lgcc \
        -o "$work/program.elf" && examples/integration/run.sh $board "$work/program.elf"
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
no_systick="the vector table does not lead to SysTick_Handler"
no_pendsv="the vector table does not lead to PendSV_Handler"
not_below="PendSV is not below the tick's interrupt"
for board in mps2-an385 microbit; do
    case $board in microbit) cpu="-mcpu=cortex-m0 -mthumb" ;; *) cpu=$soft ;; esac
    check "the boards' vector table leads to the driver, $board" no_report "" $firmware/ready_made_handlers.cpp
    check "SysTick has another name in the table, $board" \
        fails_with "$no_systick" start_up "$libopencm3" $firmware/ready_made_handlers.cpp
    check "so has PendSV, $board" fails_with "$no_pendsv" start_up "$libopencm3" $firmware/ready_made_handlers.cpp
    check "and the driver has these names too, $board" no_report "$libopencm3" $named $firmware/ready_made_handlers.cpp
    check "SysTick gets the priority of PendSV after the start, $board" \
        works_but_reports "$not_below" "" -DPRIORITIES=0xC0C00000 "$work/hal.cpp"
    check "SysTick is above PendSV after the start, $board" no_report "" -DPRIORITIES=0x80C00000 "$work/hal.cpp"
done
board=mps2-an385
cpu=$soft
check "a table in RAM leads to the driver" no_report "$libopencm3" \
    -DTABLE_PENDSV=PendSV_Handler -DTABLE_SYSTICK=SysTick_Handler "$work/hal.cpp"
check "a table in RAM has another handler of SysTick" \
    fails_with "$no_systick" start_up "" -DTABLE_PENDSV=PendSV_Handler -DTABLE_SYSTICK=other_handler "$work/hal.cpp"
check "a table in RAM has another handler of PendSV" \
    fails_with "$no_pendsv" start_up "" -DTABLE_PENDSV=other_handler -DTABLE_SYSTICK=SysTick_Handler "$work/hal.cpp"

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
check "a function of the program is the sleep" run -DTICKWHEEL_WAIT_FOR_INTERRUPT=own_sleep "$work/own_sleep.cpp" \
    core/tickwheel.cpp port/cortex_m_systick/tickwheel_systick.cpp

# README's program in C++, without a libc.
{ awk '/^```cpp/ { on = 1; next } /^```/ { on = 0 } on' README.md; echo 'void lamp_toggle() {}'; } >"$work/readme.cpp"
readme_on_m0() {
    arm-none-eabi-g++ -std=c++17 -mcpu=cortex-m0 -mthumb -Os -fno-exceptions -fno-unwind-tables -ffunction-sections \
        -fdata-sections -Icore -Iport/cortex_m -Iport/cortex_m_systick -nostdlib -Wl,--gc-sections,-e,main \
        -Wl,-u,SysTick_Handler,-u,PendSV_Handler core/tickwheel.cpp \
        port/cortex_m_systick/tickwheel_systick.cpp "$work/readme.cpp" "$@" -o "$work/program.elf"
}
check "README's program with -flto asks for no memcpy" readme_on_m0 -flto -lgcc
check "a period on a core without a divider needs libgcc" fails_with 'undefined reference to `__aeabi_uidiv' readme_on_m0

# A geometry of one's own. $1: the two choices
geometry() {
    compiles "$compile $soft" "#include <tickwheel/wheel.hpp>
        unsigned slots() { return tickwheel::geometry<$1>::slot_count; }"
}
check "a small geometry" geometry "6, 2"
check "the largest geometry" geometry "8, 6"
check "a tv1 that is too large" fails_with 'tv1 has 64 to 256 slots' geometry "9, 6"
check "and its numbers" fails_with 'legal_geometry<9, 6, 33, 3432>' geometry "9, 6"
check "a tv1 that is too small" fails_with 'tv1 has 64 to 256 slots' geometry "5, 6"
check "tv2..tv5 that are too large" fails_with 'tv3..tv5 have 4 to 64 slots' geometry "5, 7"
check "tv2..tv5 that are too small" fails_with 'tv3..tv5 have 4 to 64 slots' geometry "8, 1"
check "a tv5 beyond 2^32" fails_with 'tv5 must not reach beyond the 32 bits' geometry "9, 6"

# Durations, on the PC: they need a standard library. $1: type and name of the result; $2: the duration
duration() {
    compiles "g++ -std=c++17 -Os -Wall -Wextra -Werror -Icore" "#include <tickwheel/chrono.hpp>
        using namespace std::chrono_literals;
        using fine = std::chrono::duration<int64_t, std::ratio<999999999999, 1000000000000007>>;
        void wait() { $1 = tickwheel::ticks($2); (void)delay; }"
}
constant="constexpr jiffies_t delay"
check "the longest constant duration" duration "$constant" '2147483646ms'
check "a constant duration that is too long" fails_with 'duration_longer_than_2_to_the_31_ticks' \
    duration "$constant" '2147483647ms'
check "the same as no constant" duration "const jiffies_t delay" '2147483647ms'
check "a floating-point duration" fails_with 'a duration in a floating-point number' duration "$constant" '1.5s'
check "units that are too fine" fails_with 'units so fine that' duration "$constant" 'fine(1)'

# Milliseconds in C. $1: how many
milliseconds() {
    compiles "$compiler -xc -std=c11 -Os -Wall -Wextra -Wpedantic -Werror -Icore" "#include <tickwheel/tickwheel.h>
        int start(struct timer_list *timer, unsigned count);
        int start(struct timer_list *timer, unsigned count) { (void)count; return tickwheel_start_after_ms(timer, $1); }"
}
for compiler in gcc clang-14; do
    check "the most constant milliseconds, $compiler" milliseconds 2147483646
    check "as many as a variable says, $compiler" milliseconds count
    # A variable may be too long on one path, which a compiler knows.
    for level in -Os -O2 -O3; do
        check "milliseconds that are too many on one path, $compiler $level" \
            compiles "$compiler -xc -std=c11 $level -Wall -Wextra -Werror -Icore" "#include <tickwheel/tickwheel.h>
            void note(int number);
            int start(struct timer_list *timer, unsigned count);
            int start(struct timer_list *timer, unsigned count) { if (count == 0xFFFFFFFF) { note(1); }
                return tickwheel_start_after_ms(timer, count); }"
    done
done
compiler=gcc
check "more milliseconds" fails_with 'tickwheel_delay_too_long_' milliseconds 2147483647
check "for ever" fails_with 'tickwheel_delay_too_long_' milliseconds '(unsigned)-1'

# $1: options with which a compiler does not inline tickwheel_msecs_to_jiffies()
inlines_less() {
    compiles "$compile $soft $1" '#include <tickwheel/tickwheel.h>
        int start(timer_list *timer) { return tickwheel_start_after_ms(timer, 100); }'
}
for options in -fno-inline "-O1 -fno-inline" -finstrument-functions; do
    check "constant milliseconds with $options" inlines_less "$options"
done

# Ticks in C++. $1: how many
ticks() {
    strict="-std=c++17 -Os -Wall -Wextra -Wpedantic -Wconversion -Wno-missing-declarations -Werror -Icore"
    compiles "$compiler $strict" "#include <tickwheel/long_timer.hpp>
        #include <tickwheel/periodic_timer.hpp>
        bool start(tickwheel::timer &timer, int count);
        bool start(tickwheel::timer &timer, int count) { (void)count; return timer.start_after_ticks($1); }
        bool least(tickwheel::timer &timer) { const int count = 5; (void)count; return timer.start_after_at_least($1); }
        static tickwheel::periodic_timer often{[] {}};
        static tickwheel::long_timer far{[] {}};
        void others() { const int count = 5; (void)count; often.start_after_ticks($1, 7); (void)far.start_after_at_least($1); }"
}
for compiler in g++ clang++-14; do
    for number in 5 5u 5ull "(short)5" count; do
        check "$number ticks, $compiler" ticks "$number"
    done
    check "half a tick, $compiler" fails_with 'a number of ticks is whole' ticks 0.5
    # A variable may be negative on one path, which a compiler knows.
    for level in -O0 -Os -O2 -O3; do
        check "a variable that is negative on one path, $compiler $level" \
            compiles "$compiler -std=c++17 $level -Wall -Wextra -Werror -Icore" "#include <tickwheel/timer.hpp>
            void note(int number);
            bool known(tickwheel::timer &timer, int n) { if (n == -1) { note(1); } return timer.start_after_ticks(n); }
            bool sign(tickwheel::timer &timer, int n)
            {
                if (n < 0) { note(n); return timer.start_after_ticks(n); }
                return false;
            }"
    done
done
compiler=g++
check "-1 ticks" fails_with 'negative_number_of_ticks' ticks -1

sum_up
