#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds as other people do: with CMake, in C alone, with another compiler for make lib, with tickwheel.mk. Then what
# run_tests.py must see. arguments.sh has what make and CMake refuse.
#   MAKE=.. builds.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$PWD
work=$PWD/build/builds
export LC_ALL=C
. test/support/checks.sh

# CMake. $1: folder below build/builds; $2: the languages; $3: how tickwheel comes in; then cmake's options.
project() {
    folder=$work/$1
    mkdir -p "$folder"
    cat >"$folder/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(program LANGUAGES $2)
$3
add_executable(program main.c)
set_target_properties(program PROPERTIES SUFFIX .elf)
target_link_libraries(program PRIVATE tickwheel::tickwheel)
if(CMAKE_CROSSCOMPILING)
    target_compile_options(program PRIVATE -ffreestanding -Wall -Wextra -Werror)
    target_link_options(program PRIVATE -nostdlib -Wl,-e,main)
endif()
END
    echo '#include <tickwheel/tickwheel.h>
        int main(void) { return tickwheel_interrupt(); }' >"$folder/main.c"
    shift 3
    cmake -S "$folder" -B "$folder/built" "$@" && MAKEFLAGS= cmake --build "$folder/built"
}
runs() {
    project "$@" && "$folder/built/program.elf"
}
installs_with() {
    cmake -S . -B "$work/tickwheel" "$@" -DCMAKE_INSTALL_PREFIX="$work/installed" &&
        MAKEFLAGS= cmake --build "$work/tickwheel" --target install
}
# The toolchain file of the example, whose system is "Generic", with another name: it may name the system as it likes.
cat >"$work/toolchain.cmake" <<END
include($tree/examples/integration/cmake/toolchain.cmake)
set(CMAKE_SYSTEM_NAME PICO)
set(CMAKE_C_FLAGS_INIT "\${CMAKE_CXX_FLAGS_INIT}")
END
arm=-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake
installed=-DCMAKE_PREFIX_PATH=$work/installed
subdirectory="add_subdirectory($tree tickwheel)"
found="find_package(tickwheel REQUIRED)"
# The port of a PC does not compile for a Cortex-M.
check "a toolchain file: the port of Cortex-M" project arm "C CXX" "$subdirectory" "$arm"
check "none: the port of a PC" runs host "C CXX" "$subdirectory"
check "a CMake project in C alone takes the archive" project c-alone C "$subdirectory" "$arm"
check "CMake installs tickwheel" installs_with "$arm"
check "a project in C alone finds it" project c-found C "$found" "$arm" "$installed"

# tickwheel.mk. $1: before the include; $2: after it; then make's arguments. A program with both choices.
fragment() {
    printf 'all:\n%s\ninclude %s/tickwheel.mk\n%s\nall:\n\t$(CXX) $(TICKWHEEL_CPPFLAGS) -fsyntax-only main.cpp\n' \
        "$1" "$tree" "$2" >"$work/fragment/Makefile"
    shift 2
    MAKEFLAGS= ${MAKE:-make} --no-print-directory -C "$work/fragment" CXX="arm-none-eabi-g++ -std=c++17 -mcpu=cortex-m3" "$@"
}
mkdir -p "$work/fragment"
echo '#include <tickwheel/counter_tick.hpp>
    static_assert(TICKWHEEL_HZ == 250, "TICKWHEEL_CPPFLAGS are lost");' >"$work/fragment/main.cpp"
hz=-DTICKWHEEL_HZ=250
check "tickwheel.mk: flags after it" fragment "" "TICKWHEEL_CPPFLAGS += $hz"
check "flags before it" fragment "TICKWHEEL_CPPFLAGS := $hz" ""
check "flags on the command line" fragment "" "" TICKWHEEL_CPPFLAGS=$hz
check "the driver and its header" fragment "TICKWHEEL_SYSTICK := yes" "TICKWHEEL_CPPFLAGS += $hz -include tickwheel/systick.h
    \$(if \$(filter %/tickwheel_systick.cpp,\$(TICKWHEEL_SOURCES)),,\$(error no driver))"

# What PlatformIO 6.1.18 does, which Debian does not have: a library gets the flags of its framework, of the project and of
# library.json, and the program those of the framework, the folders of library.json, and the project's. $1: the port; then a compiler
platformio() {
    port=$1
    shift
    mkdir -p "$work/platformio/lib" && ln -sfn "$tree" "$work/platformio/lib/tickwheel"
    project=$(sed -n 's/^build_flags = //p' docs/getting-started.md | sed "s/cortex_m/$port/")
    library=$(python3 -c 'import json; print(*json.load(open("library.json"))["build"]["flags"])')
    folders=$(python3 -c 'import json; build = json.load(open("library.json"))["build"]
for name in ["-I" + build["includeDir"], *build["flags"]]:
    if name.startswith("-I"): print("-Ilib/tickwheel/" + name[2:])')
    echo '#include <tickwheel/wheel.hpp>
        #include <tickwheel/port.hpp>
        int main() { return tickwheel::port_lock::irq_save() + tickwheel_interrupt(); }' >"$work/platformio/main.cpp"
    framework="-Os -ffreestanding -ffunction-sections"
    (cd "$work/platformio" && "$@" $framework -std=gnu++11 -Ilib/tickwheel/core $project $library -c lib/tickwheel/core/tickwheel.cpp \
        -o wheel.o && "$@" $framework -fno-exceptions $folders $project -c main.cpp -o main.o && "$@" -nostdlib -Wl,-e,main main.o wheel.o -o program.elf)
}
check "PlatformIO, Cortex-M" platformio cortex_m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb
check "PlatformIO, RISC-V" platformio riscv riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32

# Runs make as a user does.
plain_make() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory "$@"
}
cross_tools() {
    plain_make -n lib CROSS=other-arm- V=1 && grep -q 'other-arm-g++' "$work/said" && grep -q 'other-arm-ar' "$work/said" &&
        ! grep -q 'arm-none-eabi-' "$work/said"
}
# $1: an archive; $2: the choices whose symbols must be in it
has() {
    for symbol in $2; do
        arm-none-eabi-nm "$1" | grep -q " tickwheel_built_for_$symbol\$" || { echo "$1: no $symbol"; return 1; }
    done
}
# $1: the folder below build/lib that make lib must name; $2: as above; then the choices
chosen() {
    archive=build/lib/$1/libtickwheel.a
    symbols=$2
    shift 2
    rm -f "$archive"
    plain_make lib "$@" && grep -qxF "$archive" "$work/said" && has "$archive" "$symbols"
}
check "make lib, all of its choices" chosen cortex-m4-O2-hard-basepri-96-hz250-62-debug-clang "debug_1 geometry_62 hz_250" \
    CPU=cortex-m4 OPT=-O2 FLOAT=hard LOCK=basepri:96 HZ=250 GEOMETRY=62 DEBUG=1 CXX=clang++-$LLVM
check "make lib, by what CROSS names" cross_tools
check "make lib, none of them" chosen cortex-m3 "debug_0 geometry_86 hz_1000" DEBUG=0 GEOMETRY=86 HZ=1000
changes() {
    for choice in "OPT=-Os:debug_0 geometry_86" "DEBUG=1:debug_1 geometry_86" "GEOMETRY=64:debug_0 geometry_64" \
        "HZ=250:debug_0 geometry_86 hz_250"; do
        plain_make lib LIB="$work/changes" "${choice%%:*}" && has "$work/changes/libtickwheel.a" "${choice#*:}" || return 1
    done
}
check "a change of them builds the same folder again" changes

check "make lib takes variables of somebody else's make" env MAKELEVEL=1 MAKEFLAGS= BOARD=theirs EXAMPLE=theirs \
    V=theirs JOBS= OPS=all ${MAKE:-make} --no-print-directory lib BUILD=theirs LIB="$work/theirs"
debug_firmware() {
    program=build/mps2-an385/64-debug/blink.elf
    rm -f $program
    plain_make elf BOARD=mps2-an385 EXAMPLE=blink DEBUG=1 GEOMETRY=64 &&
        arm-none-eabi-nm $program | grep -q ' tickwheel_bug$'
}
check "make elf DEBUG=1 GEOMETRY=64 builds that variant" debug_firmware
# No emulator has this board, so nothing else builds for it.
for example in demo lowpower_rtc; do
    check "make elf builds $example for a board without an emulator" plain_make elf BOARD=nrf52840dk EXAMPLE=$example
done
names_firmware() {
    plain_make silicon BOARD=nrf52840dk && grep -q 'silicon.elf: flash it with openocd' "$work/said"
}
check "make silicon does too, and says how to flash it" names_firmware

# The runner, with a test that passes twice and with another. $1: what it must print of that; $2: the limit and command
sums() {
    test/run_tests.py --out "$work/results" 'good 9 echo 2 passed, 0 failed' "it $2"
    code=$?
    with_failed=${1#*, }
    test $code = "$(test "${with_failed%% *}" = 0; echo $?)" &&
        sed 's/, [0-9]* s$//' "$work/said" | grep -qxF "it: $1" &&
        test "$(tail -n 1 "$work/said")" = "$((2 + ${1%% *})) passed, ${with_failed%% *} failed"
}
none="0 passed, 1 failed (it ran no test)"
check "run_tests.py adds up the last counts of each" sums '1 passed, 0 failed' '9 echo 7 passed, 1 failed; echo 1 passed, 0 failed'
check "a test that fails" sums '1 passed, 2 failed' '9 echo 1 passed, 2 failed'
check "a test without counts" sums "$none" '9 echo all is well'
check "a test that counts nothing" sums "$none" '9 echo 0 passed, 0 failed'
check "an exit code" sums '1 passed, 1 failed (exit code 3)' '9 echo 1 passed, 0 failed; exit 3'
check "a crash" sums '0 passed, 1 failed (exit code -11)' '9 kill -11 $$'
check "a test that spins" sums '1 passed, 1 failed (more than 1 seconds of the processor)' \
    '1 echo 1 passed, 0 failed; while :; do :; done'
check "a test on a busy machine" sums '1 passed, 0 failed' '1 (sleep 3; kill -CONT $$) & kill -STOP $$; echo 1 passed, 0 failed'
check "a test that sleeps for ever" sums '1 passed, 1 failed (asleep)' '1 echo 1 passed, 0 failed; sleep 60; true'

# A goal has each row of its limits. $1: what limits.py says; then the rows that were measured.
complete() {
    said=$1
    shift
    printf '%s\n' 'compiler g++ 1' 'one 1' 'two 2' >"$work/limits"
    printf '%s 1\n' "$@" >"$work/figures"
    ! python3 -B bench/report/limits.py "$work/limits" "$work/figures" && grep -qx "limits.py: $said" "$work/said"
}
check "limits.py names a limit that nobody measured" complete "not measured: two" one
check "limits.py names a row without a limit" complete "without a limit: three" one two three
files_of_limits() {
    for limits in bench/*/limits bench/*/limits_*; do
        grep -q "limits.py $limits " bench/*/*.mk || { echo "$limits: no goal of make measures it"; return 1; }
    done
}
check "a goal of make measures each file of limits" files_of_limits

# Exact figures belong to a compiler. $1: the version of the one at hand, where the limits are those of 12.2.1; $2: what is over
# its limit, if anything; then the figure that is not at its limit: an average of 10.0, a maximum of 100, and an average that is
# excepted in version 14.
limited() {
    printf '#!/bin/sh\necho %s\n' "$1" >"$work/planted-g++"
    chmod +x "$work/planted-g++"
    printf '%s\n' 'compiler planted-g++ 12.2.1' 'average 10.0' 'maximum 100' 'other 10.0' 'except 14 other  # why' >"$work/limits"
    printf '%s\n' 'average 10.0' 'maximum 100' 'other 10.0' | sed "s/^$3 .*/$3 $4/" >"$work/figures"
    PATH=$work:$PATH python3 -B bench/report/limits.py "$work/limits" "$work/figures"
    test $? = "$(test -z "$2"; echo $?)" && test "$2" = "$(sed -n '/over the limit/{n;p}' "$work/said")" &&
        { test "$1" = 12.2.1 || grep -qF "(these are of planted-g++ $1; the limits are of planted-g++ 12.2.1:" "$work/said"; }
}
check "limits.py: a figure at its limit" limited 12.2.1 "" average 10.0
check "limits.py: an average over its limit" limited 12.2.1 "average 10.1 > 10.0" average 10.1
check "limits.py: a maximum over its limit" limited 12.2.1 "maximum 101 > 100" maximum 101
check "limits.py: an exception does not hold for its compiler" limited 12.2.1 "other 10.1 > 10.0" other 10.1
check "limits.py: 15 % with another compiler" limited 14.2.1 "" average 11.5
check "limits.py: more with another compiler" limited 14.2.1 "average 11.6 > 11.500" average 11.6
check "limits.py: a maximum with another compiler" limited 14.2.1 "" maximum 200
check "limits.py: an exception" limited 14.2.1 "" other 20.0
check "limits.py: an exception of another version" limited 15.1.0 "other 20.0 > 11.500" other 20.0

# A page is neither compared nor written with another compiler. figures.py would fail, because nothing is measured there.
pages_are_left() {
    printf '#!/bin/sh\necho 14.2.1\n' >"$work/arm-none-eabi-g++"
    chmod +x "$work/arm-none-eabi-g++"
    PATH=$work:$PATH python3 -B bench/report/figures.py $1 "$work/nothing" &&
        grep -q '^(docs/figures.md has the figures of .*; those of arm-none-eabi-g++ 14.2.1 are neither compared nor written)$' "$work/said"
}
check "figures.py --check with another compiler" pages_are_left --check
check "figures.py with another compiler" pages_are_left ""
rm -f "$work/arm-none-eabi-g++"

# QEMU's plugin interface. $1: a version of QEMU; $2: what plugin_api.sh says of it
plugin_api() {
    printf '#!/bin/sh\necho "QEMU emulator version %s"\n' "$1" >"$work/qemu-system-arm"
    chmod +x "$work/qemu-system-arm"
    PATH=$work:$PATH bench/wheel/plugin_api.sh
    grep -qxF "$2" "$work/said"
}
for row in "7.2.22 (Debian)|1" "8.2.2|1" "9.0.4|2" "9.2.0|3" "10.0.13|3" "11.0.0|3" "11.1.3|7"; do
    check "plugin_api.sh: QEMU ${row%|*}" plugin_api "${row%|*}" "${row#*|}"
done
check "plugin_api.sh: a QEMU to come" plugin_api 12.0.1 \
    "bench/wheel/qemu_plugin.h has the plugin interface of QEMU 7.2 to 11, and this is 12.0.1"

sum_up
