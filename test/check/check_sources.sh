#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the sources and the library without running them.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/check
. test/support/checks.sh

# $1: what is checked; then a command that prints nothing and succeeds when it holds
quietly() {
    what=$1
    shift
    check "$what" prints_nothing "$@"
}
prints_nothing() {
    "$@" && ! test -s "$work/said"
}

strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-align -Wcast-qual -Wdouble-promotion -Werror"
strict_cpp="$strict -Wold-style-cast"
arm="arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -ffreestanding -fno-exceptions -fno-rtti"

sources() {
    git ls-files '*.cpp' '*.hpp' '*.h' '*.c'
}

formatted() {
    sources | xargs clang-format-$LLVM --dry-run -Werror
}

tidy() {
    on_arm="--target=arm-none-eabi -mcpu=cortex-m3 -nostdlibinc -ffreestanding -Icore -Iport/cortex_m -Iport/cortex_m_systick"
    freertos="-Iport/freertos -isystem test/support/freertos -DSTAND_IN_KERNEL=11"
    firmware="-Iexamples/integration/vendor -Iexamples/integration/freertos -isystem test/support/pico_sdk $freertos"
    # For boards and examples, which would follow each long path into the core again.
    shallow="-Xclang -analyzer-config -Xclang mode=shallow"
    clang-tidy-$LLVM --quiet core/tickwheel.cpp -- -std=c++17 -Icore -Iport/host &&
        clang-tidy-$LLVM --quiet port/cortex_m_systick/*.cpp -- -std=c++17 $on_arm &&
        clang-tidy-$LLVM --quiet boards/*/*.cpp examples/*/*.cpp -- -std=c++17 $shallow $on_arm -I. -Iport/smp &&
        clang-tidy-$LLVM --quiet boards/startup/riscv/riscv.cpp -- \
            -std=c++17 --target=riscv32 -march=rv32imac -nostdlibinc -ffreestanding -I. &&
        clang-tidy-$LLVM --quiet port/freertos/*.cpp -- -std=c++17 $on_arm $freertos -isystem test/freertos &&
        clang-tidy-$LLVM --quiet examples/integration/*/*.cpp -- -std=c++17 $shallow $on_arm $firmware &&
        clang-tidy-$LLVM --quiet examples/integration/*/*.c -- -std=c11 $on_arm $firmware
} 2>/dev/null

# Each spin lock compiles for its cores, needs nothing of libgcc, and a core without LDREX refuses the ticket.
spin_locks() {
    for pair in "cortex-m0plus sio_lock" "cortex-m4 ticket_lock" "cortex-m33 ticket_lock"; do
        set -- $pair
        for debug in 0 1; do
            for compiler in "$arm" "clang++-$LLVM --target=arm-none-eabi -nostdlibinc -fshort-enums -ffreestanding"; do
                $compiler -std=c++17 -Os -mcpu=$1 -mthumb $strict_cpp -DTICKWHEEL_DEBUG=$debug -DSPIN=$2 "-DSPIN_HEADER=<tickwheel/$2.hpp>" \
                    -Icore -Iport/cortex_m -Iport/smp -c test/check/spin_locks.cpp -o "$work/spin_lock.o" || return 1
                arm-none-eabi-nm -u "$work/spin_lock.o" | grep -E '__(atomic|sync)_'
            done
        done
    done
    $arm -std=c++17 -mcpu=cortex-m0plus -DSPIN=ticket_lock '-DSPIN_HEADER=<tickwheel/ticket_lock.hpp>' -Icore -Iport/cortex_m -Iport/smp \
        -fsyntax-only test/check/spin_locks.cpp 2>&1 | grep -q 'this core has no LDREX' || echo "a Cortex-M0+ takes a ticket_lock"
}

# Linux's names in C, at several tick rates, give no warning and need nothing of libgcc but the division of 32 bits, which a
# Cortex-M0 lacks. newlib's HZ does not replace ours, even from a header of the system, where the compiler does not warn.
linux_names() {
    mkdir -p "$work/newlib/machine" "$work/newlib/sys"
    : >"$work/newlib/newlib.h"
    printf '#ifndef ONCE\n#define ONCE\n#define HZ (100)\n#endif\n' >"$work/newlib/machine/param.h"
    echo '#include <machine/param.h>' >"$work/newlib/sys/param.h"
    for compiler in "arm-none-eabi-gcc -mthumb -mcpu=cortex-m0" "arm-none-eabi-gcc -mthumb -mcpu=cortex-m3" \
        "clang-$LLVM --target=arm-none-eabi -nostdlibinc -mcpu=cortex-m0" "clang-$LLVM --target=arm-none-eabi -nostdlibinc -mcpu=cortex-m3" \
        "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -misa-spec=2.2" "clang-$LLVM --target=riscv32 -march=rv32imac -nostdlibinc"; do
        for hz in 1 3 128 250 1000 1024 100000; do
            $compiler -std=c11 -Os -ffreestanding $strict -DTICKWHEEL_HZ=$hz -Icore -isystem "$work/newlib" -c test/check/linux_names.c \
                -o "$work/linux_names.o" || return 1
            nm -u "$work/linux_names.o" | grep -vE ' (tickwheel_[a-z0-9_]*|jiffies|__aeabi_u?idiv(mod)?)$'
        done
    done
    return 0
}

# Each WFI of a Cortex-M has a DSB before it and an ISB after it: <tickwheel/cortex_m_counter_base.hpp> says why.
barriers_of_sleep() {
    for source in port/cortex_m_systick/tickwheel_systick.cpp boards/startup/cortex_m.cpp; do
        $arm -std=c++17 -Os -Icore -Iport/cortex_m -Iport/cortex_m_systick -c $source -o "$work/sleeps.o" || return 1
        arm-none-eabi-objdump -d --no-show-raw-insn "$work/sleeps.o" | awk -v source=$source '
            $2 == "wfi" { ++sleeps; good += before == "dsb" && getline && $2 == "isb" }
            NF > 1 { before = $2 }
            END { if (sleeps == 0 || good != sleeps) print source ": " good + 0 " of " sleeps + 0 " are" }'
    done
}

# A load comes between the last store of a handler and its return: port/cortex_m_systick/DESIGN.md says for which erratum.
handlers_return_by_a_load() {
    for compiler in arm-none-eabi-g++ "clang++-$LLVM --target=arm-none-eabi -nostdlibinc"; do
        for level in -Os -O2; do
            for source in core/tickwheel port/cortex_m_systick/tickwheel_systick; do
                $compiler -mcpu=cortex-m4 -mthumb -ffreestanding -fno-exceptions -fno-rtti -std=c++17 $level -Icore -Iport/cortex_m \
                    -Iport/cortex_m_systick -c $source.cpp -o "$work/handlers.o" || return 1
                arm-none-eabi-objdump -d --no-show-raw-insn "$work/handlers.o"
            done | awk -v how="$compiler $level" '
                / <.*>:$/ { inside = /<(SysTick_Handler|PendSV_Handler|tickwheel_run|tickwheel_run_budget)>:$/; found += inside }
                inside && $2 == "bx" { print how ": " $0 }
                END { if (found != 4) print how ": " found " of 4 functions" }'
        done
    done
}

core_includes() {
    grep -nE '^ *# *include' core/*.cpp core/*/*.h core/*/*.hpp |
        grep -vE '<(stdint|stddef)\.h>|<tickwheel/[a-z_0-9]+\.(h|hpp)>' |
        grep -vE '^core/tickwheel/wheel\.hpp:[0-9]*:#include "\.\./(wheel|list)/[a-z_]+\.hpp"$' |
        grep -vE '^core/wheel/[a-z_]+\.hpp:[0-9]*:#include "[a-z_]+\.hpp"$' |
        grep -vE '^core/list/[a-z_]+\.hpp:[0-9]*:#include "(\.\./wheel/)?[a-z_]+\.hpp"$' |
        grep -v '^core/tickwheel/config.h:[0-9]*:#include "tickwheel needs C++17' |
        grep -v '^core/tickwheel/hooks.hpp:[0-9]*:#include "tickwheel_hooks.hpp"$' |
        grep -v '^core/tickwheel.cpp:[0-9]*:#include "tickwheel_counter.hpp"$' |
        grep -v '^core/tickwheel/timer.h:[0-9]*:#include <time.h>$' |
        grep -v '^core/tickwheel/linux_jiffies.h:[0-9]*:#include <machine/param.h>$' |
        grep -v '^core/tickwheel/chrono.hpp:[0-9]*:#include <\(chrono\|ratio\)>$'
    grep -n 'tickwheel/port.hpp' core/*/* | grep include
    # The inside of the wheel includes no header that is built on it.
    grep -nE 'include <tickwheel/' core/wheel/* core/list/* | grep -vE '<tickwheel/(tickwheel|timer_state|jiffies|lock|bits)\.h(pp)?>'
    grep -nE 'include.*(boards|examples|test)/' -r core port
    grep -rniE 'include.*tickwheel' boards --include='*.[ch]pp'
    # A port includes core, itself and port.hpp. The driver of SysTick also needs the sleep of port/cortex_m.
    for port in port/*/; do
        others=$port
        case $port in port/cortex_m_systick/) others="$port port/cortex_m" ;; port/zephyr/) continue ;; esac
        grep -rnoE 'include <tickwheel/[a-z_0-9]+\.h(pp)?>' "$port" | grep -v '/port.hpp>' | while IFS=: read -r file line include; do
            header=${include#*<} header=${header%>}
            find core $others -path "*/$header" | grep -q . || echo "$file:$line: $header is in another port"
        done
    done
    return 0
}

# Every form of a static C++ timer is a constant: no constructor and no destructor runs for it.
static_timers() {
    cat >"$work/static.cpp" <<'END'
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
using namespace tickwheel;
void fired(timer_list *);
constinit timer plain(fired);
constinit timer deferrable{fired, TICKWHEEL_TIMER_DEFERRABLE};
constinit timer lambda_timer{[](timer_list *) {}};
constinit closure_timer closure([] {});
constinit periodic_timer periodic{[](auto &self) { (void)self.stop(); }};
constinit periodic_timer within{[] {}, slack{50}};
constinit inactivity_timer watchdog{[](auto &self) { self.restart_after_ticks(1); }};
constinit long_timer far{[](auto &self) { (void)self.start_after_ticks(1); }};
struct lamp {
    void toggle() const noexcept;
    timer once{fired};
    closure_timer<member<&lamp::toggle>> blink{this};
    periodic_timer<member<&lamp::toggle>> often{this};
    long_timer<member<&lamp::toggle>> yearly{this};
};
constinit lamp with_braces{};
constinit lamp without;
constinit periodic_timer bound{member<&lamp::toggle>{&without}};
END
    for compiler in "$arm" "clang++-$LLVM --target=arm-none-eabi -mcpu=cortex-m3 -nostdlibinc -ffreestanding -fno-exceptions"; do
        $compiler -std=c++20 -Icore -c "$work/static.cpp" -o "$work/static.o" || return 1
        arm-none-eabi-nm -u "$work/static.o" | grep -E 'atexit|guard'
    done
    return 0
}

# A foreign firmware adds one source and two include paths, and keeps its own handlers. With README.md's flags it is no larger
# than one that links an archive of make lib.
readme_flags() {
    flags=$(grep -oE -e '-fno-(exceptions|unwind-tables)|-f(function|data)-sections|-Wl,[^`]*' README.md)
    test -n "$flags" || echo "README.md names no flags"
    echo '#include <tickwheel/timer.h>
        extern "C" void SysTick_Handler() { (void)tickwheel_interrupt(); }
        extern "C" void PendSV_Handler() {}
        static void fired(timer_list *) {}
        static DEFINE_TIMER(once, fired);
        extern "C" void _start() { SysTick_Handler(), (void)mod_timer(&once, jiffies + HZ); }' >"$work/own.cpp"
    own="$arm -std=c++17 -Os -nostdlib -Icore -Iport/cortex_m $work/own.cpp"
    ${MAKE:-make} --no-print-directory lib CPU=cortex-m3 CXX=g++ >"$work/lib.log" 2>&1 || { cat "$work/lib.log"; return 1; }
    $own $flags core/tickwheel.cpp -o "$work/own.elf" || return 1
    $own -ffunction-sections -fdata-sections -fno-unwind-tables -Wl,--gc-sections build/lib/cortex-m3/libtickwheel.a \
        -o "$work/archive.elf" || return 1
    for program in own archive; do arm-none-eabi-size "$work/$program.elf" | awk 'NR == 2 { print $1 }'; done |
        awk '{ bytes[NR] = $1 } END { if (NR != 2 || bytes[1] > bytes[2]) print bytes[1] " bytes, not " bytes[2] }'
}

# README.md has a map of the folders. boards/README.md and test/README.md have tables of their own.
folders_on_pages() {
    for folder in $(git ls-files | sed -n 's,/.*,,p' | sort -u | grep -v '^\.'); do
        grep -qE "^\|.*\<$folder/" README.md || echo "$folder/ is not on the map"
    done
    for folder in $(git ls-files test | sed -n 's,^test/\([^/]*/\).*,\1,p' | sort -u); do
        grep -q "^| \`$folder" test/README.md || echo "test/README.md has no row of $folder"
    done
    for board in boards/*/board.mk; do
        board=$(basename "$(dirname $board)")
        grep -q "^| \`$board/\` |" boards/README.md || echo "boards/README.md has no row of $board"
    done
}

versions() {
    version=$(sed -n 's/^#define TICKWHEEL_VERSION_[A-Z]* //p' core/tickwheel/config.h | paste -sd.)
    grep -q "^## $version " CHANGELOG.md || echo "CHANGELOG.md does not name $version"
    python3 -c 'import json; print(json.load(open("library.json"))["version"])' | grep -qx "$version" || echo "library.json has another version"
}

licences() {
    git ls-files | grep -vE '^(LICENSE|\.clang-format|\.clang-tidy|\.gitignore)$|\.(md|json|txt|expected|csv|svg|png)$' |
        xargs grep -L 'SPDX-License-Identifier: MIT'
    return 0
}

# make takes a name that nothing defines as empty. Only an argument of a macro, and a variable of some boards, may be so.
names_of_make() {
    goals=$(${MAKE:-make} -s help-all | sed -n 's/^make \([a-z-]*\)\( .*\)*$/\1/p' | grep -v silicon)
    ${MAKE:-make} -n --warn-undefined-variables $goals 2>&1 | grep -e 'undefined variable' -e '\*\*\*' | grep -v "'[0-9]'\|'BOARD_" | sort -u
    return 0
}

quietly "format" formatted
quietly "clang-tidy" tidy
quietly "each header compiles alone as C++17 and 23 and as C11, by GCC and clang, for the PC and for Cortex-M" test/check/headers
check "the lock of each port is a compiler barrier" test/check/lock_barrier.sh $(dirname $(dirname port/*/tickwheel/port.hpp)) port/smp
quietly "each spin lock compiles for its cores, and no other" spin_locks
quietly "every name of Linux compiles in C, at seven tick rates and for three cores, and needs no 64-bit division" linux_names
quietly "each WFI is between DSB and ISB" barriers_of_sleep
quietly "the handlers of SysTick's driver return by a load" handlers_return_by_a_load
quietly "core includes only stdint.h, stddef.h and itself; the walls hold" core_includes
quietly "static C++ timers are constants" static_timers
quietly "README.md, boards/README.md and test/README.md have each folder" folders_on_pages
quietly "a foreign firmware adds one source, two paths and README's flags, which leave out what it does not use" readme_flags
quietly "every block of code on the pages compiles, every whole program runs, every link leads somewhere" python3 -B test/check/blocks.py
quietly "the version of config.h is that of library.json and CHANGELOG.md" versions
quietly "make site: a page for each public header, no dead link; docs/api.md has each call of the headers, and no other" \
    python3 -B test/check/documentation.py
quietly "every file names its licence" licences
quietly "the numbers of counts.txt, which test/check/counts.sh --write writes" test/check/counts.sh
quietly "no variable or macro of make is misspelt" names_of_make
# Debian's python3 has clang's bindings.
quietly "docs/assurance.md: each requirement has a test and a mutant" /usr/bin/python3 -B test/check/requirements.py
sum_up
