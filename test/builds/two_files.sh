#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of `make single`: they lose no line, and each function is as large as that of the folders.
# Programs in every standard of C and C++ compile with them, and a firmware in one flat folder runs, as an Arduino sketch is.
#   MAKE=.. two_files.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$PWD
work=$PWD/build/two_files
. test/support/checks.sh

# They have each line of the files that they are made of, but the includes of one another.
loses_nothing() {
    cat "$work/$1"/* >"$work/all"
    cat $(sed -n 's,^/\* ---- \(.*\) ---- \*/$,\1,p' "$work/all") >"$work/parts"
    test -s "$work/parts" && ! grep -vE 'SPDX|^#include (<tickwheel/|<linux/|")' "$work/parts" | grep -vxFf "$work/all"
}
for port in cortex_m cortex_ar riscv host; do
    tools/single.py $port "$work/$port" || exit 2
    check "$port: no line is lost" loses_nothing $port
done

strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-align -Wcast-qual -Wdouble-promotion -Werror"
flags="-std=c++17 -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables"
# The size of each function and variable of an object. A compiler may write those of the two in another order.
sizes() {
    nm -S --defined-only "$1" | awk 'NF == 4 { print $2, $4 }' | sort
}
# $1: the port; then a compiler with its choices
same_code() {
    port=$1
    shift
    for source in core/tickwheel.cpp $(ls port/${port}_systick/*.cpp 2>/dev/null); do
        "$@" $flags -Icore -Iport/$port -Iport/cortex_m_systick -c $source -o "$work/folders.o" &&
            "$@" $flags $strict -Wold-style-cast -c "$work/$port/$(basename $source)" -o "$work/files.o" &&
            sizes "$work/folders.o" >"$work/folders.txt" && test -s "$work/folders.txt" &&
            sizes "$work/files.o" | diff "$work/folders.txt" - || return 1
    done
}
clang_arm="clang++-$LLVM --target=arm-none-eabi -nostdlibinc -fshort-enums"
choices="-DTICKWHEEL_GEOMETRY=62 -DTICKWHEEL_DEBUG=1 -DTICKWHEEL_HZ=250"
while read -r port compiler; do
    check "$port, $compiler: the code is the same" same_code $port $compiler
done <<END
cortex_m arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb
cortex_m $clang_arm -mcpu=cortex-m3 -DTICKWHEEL_LOCK_BASEPRI=96 $choices
cortex_ar arm-none-eabi-g++ -mcpu=cortex-r5 -mthumb $choices
riscv clang++-$LLVM --target=riscv32-unknown-elf -nostdlibinc -march=rv32imac -mabi=ilp32 -DTICKWHEEL_GEOMETRY=1
host g++ $choices
END

echo '#include "tickwheel.h"
int started(struct timer_list *timer);
int started(struct timer_list *timer) { return mod_timer(timer, jiffies + msecs_to_jiffies(10)); }' >"$work/host/program.c"
cat >"$work/host/program.cpp" <<'END'
#define TICKWHEEL_CHRONO
extern "C" { // as headers of drivers have it
#include "tickwheel.h"
}
#include "tickwheel.h"
static tickwheel::closure_timer once{[] {}};
static tickwheel::periodic_timer often{[] {}};
static tickwheel::long_timer late{[] {}};
static tickwheel::inactivity_timer idle{[] {}};
int main()
{
    once.start_after_ticks(tickwheel::ticks(std::chrono::milliseconds(5)));
    often.start_after_ticks(1, 10);
    late.start_after_ticks(50);
    idle.restart_after_ticks(60);
}
END
# $1: the source; $2: the standard; then a compiler
compiles() {
    "$3" -std=$2 $strict -fsyntax-only "$work/host/$1"
}
for standard in c11 c17 c2x gnu11 gnu2x; do
    for compiler in gcc clang-$LLVM; do
        check "a program in $standard by $compiler" compiles program.c $standard $compiler
    done
done
for standard in c++17 c++20 c++2b gnu++17; do
    for compiler in g++ clang++-$LLVM; do
        check "a program in $standard by $compiler" compiles program.cpp $standard $compiler
    done
done

# With -flto, GCC compares the types of C and of C++.
lto() {
    gcc -std=c11 -O2 -flto -c "$work/host/program.c" -o "$work/program.o" &&
        g++ -std=c++17 -O2 -flto -Werror "$work/program.o" "$work/host/program.cpp" "$work/host/tickwheel.cpp" -o "$work/program"
}
check "C and C++ in one program of -flto" lto

# No folder and no standard is named. The choices are in a file, whose guard is the one that a user would give it.
sketch=$work/sketch
mkdir "$sketch"
cp "$work"/cortex_m/* examples/integration/vendor/*.[ch] "$sketch"
cat >"$sketch/tickwheel_config.h" <<'END'
#ifndef TICKWHEEL_CONFIG_H
#define TICKWHEEL_CONFIG_H
#define TICKWHEEL_GEOMETRY 1
#define TICKWHEEL_DEBUG 1
#define TICKWHEEL_HOOKS 1
#define TICKWHEEL_LOCK_BASEPRI 0x20
#endif
END
cat >"$sketch/tickwheel_hooks.hpp" <<'END'
#include "tickwheel.h"
struct tickwheel_hooks : tickwheel::no_hooks {
    static inline jiffies_t slept;
    static inline int called, woken;
    static void callback_begins(timer_list *) { ++called; }
    static void sleeps(jiffies_t ticks) { slept += ticks; }
    static void wakes() { ++woken; }
};
END
cat >"$sketch/sketch.cpp" <<'END'
#include "tickwheel_systick.h"
extern "C" {
#include "chip.h"
}
static int calls;
static const char *misuse = "";
static tickwheel::periodic_timer often{[] { ++calls; }};
extern "C" void tickwheel_bug(const char *what, const timer_list *) { misuse = what; }
int main()
{
    if (tickwheel_systick_start(SystemCoreClock) != 0) {
        return 1;
    }
    often.start_after_ticks(1, 10);
    while (calls < 10) {
        tickwheel_idle();
    }
    const bool right = jiffies - INITIAL_JIFFIES == 91 && tickwheel_hooks::called == 10 &&
        tickwheel_hooks::slept == 91 && tickwheel_hooks::woken == 10 && *misuse == '\0';
    tickwheel_add_timer(nullptr);
    return right && *misuse != '\0' ? 0 : 1;
}
END
flat_folder() {
    cd "$sketch" && for source in *.c *.cpp; do
        compiler=arm-none-eabi-gcc
        test "${source##*.}" = c || compiler="arm-none-eabi-g++ -fno-exceptions -fno-unwind-tables"
        $compiler -mcpu=cortex-m3 -mthumb -Os -Wall -Wextra -Werror -ffreestanding -c $source || return 1
    done
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -T "$tree/examples/integration/vendor/chip.ld" *.o -lgcc -o sketch.elf &&
        arm-none-eabi-nm sketch.elf | grep -q 'tickwheel_built_for_geometry_1$' &&
        "$tree/examples/integration/run.sh" mps2-an385 "$sketch/sketch.elf"
}
check "a firmware in one flat folder" flat_folder
sum_up
