#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of `make single`: for each port their code is that of the folders, byte for byte.
# Programs in every standard of C and C++ compile with them, and a firmware in one flat folder runs, as an Arduino sketch is.
#   MAKE=.. two_files.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$PWD
work=$PWD/build/two_files
. test/support/checks.sh

for port in cortex_m cortex_ar riscv host; do
    tools/single.py $port "$work/$port" || exit 2
done

strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-align -Wcast-qual -Wdouble-promotion -Werror"
flags="-std=c++17 -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables
    -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections"

# $1: the objects' name; $2: flags; $3: tickwheel.cpp; $4: tickwheel_systick.cpp or nothing; then a compiler. A compiler may write
# the functions of the two in another order, so the linker sorts them by name.
linked() {
    name=$1 choices=$2 sources="$3 $4"
    shift 4
    objects=
    for source in $sources; do
        "$@" $flags $choices -c "$source" -o "$work/$name-$(basename "$source").o" || return 1
        objects="$objects $work/$name-$(basename "$source").o"
    done
    ${binutils}ld $emulation --sort-section=name -e 0 $objects -o "$work/$name.elf" &&
        ${binutils}objcopy -O binary "$work/$name.elf" "$work/$name.bin" && test -s "$work/$name.bin"
}
# $1: the port; then a compiler with its choices
same_code() {
    port=$1 emulation= systick= driver=
    shift
    case $port in
    cortex_m) binutils=arm-none-eabi- systick=port/cortex_m_systick/tickwheel_systick.cpp driver=$work/$port/tickwheel_systick.cpp ;;
    cortex_ar) binutils=arm-none-eabi- ;;
    riscv) binutils=riscv64-unknown-elf- emulation="-m elf32lriscv" ;;
    host) binutils= ;;
    esac
    linked folders "-Icore -Iport/$port -Iport/cortex_m_systick" core/tickwheel.cpp "$systick" "$@" &&
        linked files "$strict -Wold-style-cast" "$work/$port/tickwheel.cpp" "$driver" "$@" &&
        cmp "$work/folders.bin" "$work/files.bin"
}
clang_arm="clang++-$LLVM --target=arm-none-eabi -nostdlibinc -fshort-enums"
while read -r port compiler; do
    for choices in "" "-DTICKWHEEL_GEOMETRY=62 -DTICKWHEEL_DEBUG=1 -DTICKWHEEL_HZ=250"; do
        check "$port, $compiler $choices: the code is the same" same_code $port $compiler $choices
    done
done <<END
cortex_m arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb
cortex_m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb
cortex_m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -DTICKWHEEL_LOCK_BASEPRI=96
cortex_m $clang_arm -mcpu=cortex-m3
cortex_ar arm-none-eabi-g++ -mcpu=cortex-r5 -mthumb
cortex_ar $clang_arm -mcpu=cortex-a9 -marm
riscv riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32
riscv clang++-$LLVM --target=riscv32-unknown-elf -nostdlibinc -march=rv32imac -mabi=ilp32
host g++
host clang++-$LLVM
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
#define TICKWHEEL_GEOMETRY 62
#define TICKWHEEL_DEBUG 1
#define TICKWHEEL_HOOKS 1
#define TICKWHEEL_LOCK_BASEPRI 0x20
#endif
END
cat >"$sketch/tickwheel_hooks.hpp" <<'END'
#include "tickwheel.h"
struct tickwheel_hooks : tickwheel::no_hooks {
    static inline int traced;
    static void callback_begins(timer_list *) { ++traced; }
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
    const bool right = jiffies - INITIAL_JIFFIES == 91 && tickwheel_hooks::traced == 10 && *misuse == '\0';
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
        arm-none-eabi-nm sketch.elf | grep -q 'tickwheel_built_for_geometry_62$' &&
        "$tree/examples/integration/run.sh" mps2-an385 "$sketch/sketch.elf"
}
check "a firmware in one flat folder" flat_folder
sum_up
