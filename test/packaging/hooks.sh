#!/bin/sh
# SPDX-License-Identifier: MIT
# Hooks that nobody uses cost nothing: the library has the same bytes with and without their calls.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/hooks
rm -rf "$work"
mkdir -p "$work/with" "$work/without"
. test/support/checks.sh

cp -r core port "$work/with"
cp -r core port "$work/without"
# The parts of a wheel call them by their object.
names=$(sed -nE 's/^    \[\[gnu::always_inline\]\] static void ([a-z_]+)\(.*/\1/p' core/tickwheel/hooks.hpp)
calls="(Hooks::|program_hooks::|wheel\.)($(echo $names | tr ' ' '|'))\([^()]*\)"
headers="tickwheel/wheel.hpp wheel/arm.hpp wheel/runner.hpp tickwheel/sleep_loop.hpp"
in_folder() {
    for header in $headers; do find "$work/$1" -path "*/$header"; done
}
# Each hook of hooks.hpp is called in one place.
each_is_called() {
    test "$names" && test "$(in_folder with | xargs cat | grep -oE "$calls" | wc -l)" -ge "$(echo $names | wc -w)"
}
check "each hook is called" each_is_called
in_folder without | xargs sed -i -E "s/$calls/void()/g"

# $1: folder; then a compiler and its flags. The instructions and data of every source of the library.
contents() {
    folder=$work/$1
    shift
    for source in core/tickwheel.cpp port/cortex_m_systick/*.cpp; do
        (cd "$folder" && "$@" -ffreestanding -std=c++17 -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections \
            -w -Icore -Iport/cortex_m -Iport/cortex_m_systick -c "$source" -o object.o &&
            arm-none-eabi-objdump -s -r object.o) || return 1
    done
}

# A compiler and its flags
same_bytes() {
    contents with "$@" >"$work/with.txt" && contents without "$@" >"$work/without.txt" && test -s "$work/with.txt" &&
        cmp "$work/with.txt" "$work/without.txt"
}
for cpu in cortex-m0 cortex-m3; do
    for compiler in arm-none-eabi-g++ "clang++-14 --target=arm-none-eabi -nostdlibinc"; do
        for opt in -O2 -Os; do
            flags="-mcpu=$cpu -mthumb $opt"
            check "$compiler $flags: the same bytes without the calls of the hooks" same_bytes $compiler $flags
        done
    done
done
check "the same in a debug build" same_bytes arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -Os -DTICKWHEEL_DEBUG=1
sum_up
