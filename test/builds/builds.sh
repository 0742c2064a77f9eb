#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds as other people do: with CMake, in C alone, with PlatformIO, by make lib. The options of make, CMake and tickwheel.mk
# must reach the compiler; arguments.sh has what they refuse. Then what run_tests.py must see.
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
check "none: the port of a PC" runs host "C CXX" "$subdirectory" -DTICKWHEEL_GEOMETRY=1
check "a CMake project in C alone takes the archive" project c-alone C "$subdirectory" "$arm"
check "CMake installs tickwheel" installs_with "$arm"
has_headers() {
    headers=$(for folder in core port/cortex_m port/cortex_m_systick port/smp; do (cd $folder && find . -name '*.h*'); done)
    (cd "$work/installed/include" && ls $headers)
}
check "with each header" has_headers
check "a project in C alone finds it" project c-found C "$found" "$arm" "$installed"

# An option reaches each command that compiles. $1: words that these then have; then a function that prints the commands.
reaches() {
    words=$1
    shift
    "$@" >"$work/printed" && sed "/ -c /!d; s,$tree/,,g; s/.*/ & /" "$work/printed" >"$work/commands"
    test -s "$work/commands" && for word in $words; do
        ! grep -vF -e " $word " "$work/commands" || { echo "without $word"; return 1; }
    done
}
# Nothing is built in these folders, so make prints each command.
of_make() {
    MAKEFLAGS= MAKELEVEL=1 ${MAKE:-make} -n V=1 EXAMPLE=blink LIB="$work/none" FIRMWARE="$work/none" "$@"
}
of_cmake() {
    cmake -S "$work/arm" -B "$work/arm/built" -U 'TICKWHEEL_*' -DCMAKE_EXPORT_COMPILE_COMMANDS=ON $(printf -- '-D%s ' "$@") &&
        sed 's/.*"command": "[^ ]*//' "$work/arm/built/compile_commands.json"
}
# $1: a line before the include of tickwheel.mk; $2: a line after it; $3: an argument of make
of_fragment() {
    printf 'all:\n%s\ninclude %s/tickwheel.mk\n%s\nall:; @echo c++ $(TICKWHEEL_CPPFLAGS) -c $(TICKWHEEL_SOURCES)\n' \
        "$1" "$tree" "$2" >"$work/Makefile"
    MAKEFLAGS= ${MAKE:-make} -f "$work/Makefile" ${3:+"$3"}
}
while IFS='|' read -r make cmake words; do
    test -z "$make" || check "make lib $make: $words" reaches "$words" of_make lib $make
    case $make in
    '' | *CPU=* | *LOCK=* | *COUNTER=*) ;;
    *) check "make elf $make: $words" reaches "$words" of_make elf $make ;;
    esac
    words=$(printf '%s\n' $words | grep '^-[DI]')
    test -z "$cmake" || check "CMake $cmake: $words" reaches "$words" of_cmake $cmake
done <<END
HZ=250|TICKWHEEL_HZ=250|-DTICKWHEEL_HZ=250
GEOMETRY=86|TICKWHEEL_GEOMETRY=86|-DTICKWHEEL_GEOMETRY=86
GEOMETRY=1|TICKWHEEL_GEOMETRY=1|-DTICKWHEEL_GEOMETRY=1
COUNTER=pico HZ=1000000|TICKWHEEL_COUNTER=pico TICKWHEEL_HZ=1000000|-DTICKWHEEL_ONE_SHOT=1 -Iport/one_shot/pico -DTICKWHEEL_HZ=1000000
DEBUG=0|TICKWHEEL_DEBUG=OFF|-DTICKWHEEL_DEBUG=0
DEBUG=1|TICKWHEEL_DEBUG=ON|-DTICKWHEEL_DEBUG=1
OPT=-O2||-O2
CROSS=other-||other-g++
CPU=cortex-m3 CXX=clang++||clang++
CPU=cortex-m4 FLOAT=hard|TICKWHEEL_PORT=cortex_m|-Iport/cortex_m -mcpu=cortex-m4 -mfloat-abi=hard
CPU=cortex-a9 ISA=arm|TICKWHEEL_PORT=cortex_ar|-Iport/cortex_ar -mcpu=cortex-a9 -marm
CPU=rv32imac|TICKWHEEL_PORT=riscv|-Iport/riscv -march=rv32imac -mabi=ilp32
CPU=host|TICKWHEEL_PORT=host|-Iport/host g++
LOCK=none|TICKWHEEL_LOCK=none|-DTICKWHEEL_LOCK_NONE
LOCK=basepri:0x60|TICKWHEEL_LOCK=basepri:0x60|-DTICKWHEEL_LOCK_BASEPRI=0x60 -DTICKWHEEL_PRIORITY_BITS=3
LOCK=basepri:9 PRIORITY_BITS=5|TICKWHEEL_LOCK=basepri:9 TICKWHEEL_PRIORITY_BITS=5|-DTICKWHEEL_LOCK_BASEPRI=9 -DTICKWHEEL_PRIORITY_BITS=5
CPU=cortex-m7 LOCK=basepri:96|TICKWHEEL_LOCK=basepri:96 TICKWHEEL_ERRATUM_837070=ON|-DTICKWHEEL_LOCK_BASEPRI=96 -DTICKWHEEL_ERRATUM_837070
END
while IFS='|' read -r before after argument words; do
    check "tickwheel.mk $before$after$argument: $words" reaches "$words" of_fragment "$before" "$after" "$argument"
done <<END
|||-Icore -Iport/cortex_m
TICKWHEEL_CPPFLAGS := -DONE|||-DONE -Icore
|TICKWHEEL_CPPFLAGS += -DONE||-DONE -Icore
||TICKWHEEL_CPPFLAGS=-DONE|-DONE -Icore
TICKWHEEL_PORT := riscv|||-Iport/riscv
TICKWHEEL_COUNTER := pico|||-DTICKWHEEL_ONE_SHOT=1 -Iport/one_shot/pico
TICKWHEEL_SYSTICK := yes # with the handlers|||-Iport/cortex_m_systick port/cortex_m_systick/tickwheel_systick.cpp
END

# What PlatformIO 6.1.18 does, which Debian does not have: a library gets the flags of its framework, of the project and of
# library.json, and the program those of the framework, the folder of library.json, and the project's. $1: the port; then a compiler
library_json() {
    python3 -c "import json; library = json.load(open('library.json')); print(*$1)"
}
platformio() {
    port=$1
    shift
    mkdir -p "$work/platformio/lib/tickwheel"
    cp -r $(library_json 'library["export"]["include"]') "$work/platformio/lib/tickwheel"
    project=$(sed -n 's/^build_flags = //p' docs/getting-started.md | sed "s/cortex_m/$port/")
    library=$(library_json 'library["build"]["flags"]')
    ! echo "$library" | grep -e '-[ID]' || return 1
    folder=-Ilib/tickwheel/$(library_json '[library["build"]["includeDir"]]')
    printf '#include <%s>\n' $(library_json 'library["headers"]') tickwheel/wheel.hpp tickwheel/port.hpp >"$work/platformio/main.cpp"
    echo 'int main() { return tickwheel::port_lock::irq_save() + tickwheel_interrupt(); }' >>"$work/platformio/main.cpp"
    framework="-Os -ffreestanding -ffunction-sections"
    (cd "$work/platformio" && "$@" $framework -std=gnu++11 -Ilib/tickwheel/core $project $library -c lib/tickwheel/core/tickwheel.cpp \
        -o wheel.o && "$@" $framework -fno-exceptions $folder $project -c main.cpp -o main.o && "$@" -nostdlib -Wl,-e,main main.o wheel.o -o program.elf)
}
check "PlatformIO, Cortex-M" platformio cortex_m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb
check "PlatformIO, one-shot mode" platformio cortex_m arm-none-eabi-g++ -mcpu=cortex-m0plus -mthumb -DTICKWHEEL_ONE_SHOT=1 \
    -DTICKWHEEL_HZ=1000000 -Ilib/tickwheel/port/one_shot/pico
check "PlatformIO, RISC-V" platformio riscv riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32 -DTICKWHEEL_GEOMETRY=1

# Runs make as a user does.
plain_make() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory "$@"
}
# The folder has each choice in its name.
names_folder() {
    plain_make -n lib CPU=cortex-m4 OPT=-O2 FLOAT=hard LOCK=basepri:96 HZ=250 GEOMETRY=62 DEBUG=1 CXX=clang++ CROSS=other- &&
        grep -q ' build/lib/cortex-m4-O2-hard-basepri-96-hz250-62-debug-clang/libtickwheel.a$' "$work/said" &&
        grep -q 'other-ar rcsD' "$work/said"
}
changes() {
    for choice in 1:DEBUG=0 62:DEBUG=1; do
        plain_make lib LIB="$work/changes" GEOMETRY="${choice%:*}" "${choice#*:}" &&
            arm-none-eabi-nm "$work/changes/libtickwheel.a" | grep -q " tickwheel_built_for_geometry_${choice%:*}\$" || return 1
    done
}
check "make lib, all of its choices" names_folder
check "a change of them builds the same folder again" changes
# Another version of the compiler does too.
other_version() {
    printf '#!/bin/sh\ntest "$1" = --version && echo 99 || exec %s "$@"\n' "$(command -v arm-none-eabi-g++)" >"$work/arm-none-eabi-g++"
    chmod +x "$work/arm-none-eabi-g++"
    (PATH=$work:$PATH && plain_make lib LIB="$work/changes" GEOMETRY=62 DEBUG=1 && grep -q 'build .*/tickwheel.o' "$work/said")
}
check "another version of the compiler builds it again" other_version
rm -f "$work/arm-none-eabi-g++"

check "make lib takes variables of somebody else's make" env MAKELEVEL=1 MAKEFLAGS= BOARD=theirs EXAMPLE=theirs \
    V=theirs JOBS= OPS=all ${MAKE:-make} --no-print-directory lib BUILD=theirs LIB="$work/theirs"
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
# its limit, if anything; then the figure that is not at its limit: an average of 10.0, or a maximum of 100.
limited() {
    printf '#!/bin/sh\necho %s\n' "$1" >"$work/planted-g++"
    chmod +x "$work/planted-g++"
    printf '%s\n' 'compiler planted-g++ 12.2.1' 'average 10.0' 'maximum 100' >"$work/limits"
    printf '%s\n' 'average 10.0' 'maximum 100' | sed "s/^$3 .*/$3 $4/" >"$work/figures"
    PATH=$work:$PATH python3 -B bench/report/limits.py "$work/limits" "$work/figures"
    test $? = "$(test -z "$2"; echo $?)" && test "$2" = "$(sed -n '/over the limit/{n;p}' "$work/said")" &&
        { test "$1" = 12.2.1 || grep -qF "(these are of planted-g++ $1; the limits are of planted-g++ 12.2.1:" "$work/said"; }
}
check "limits.py: a figure at its limit" limited 12.2.1 "" average 10.0
check "limits.py: an average over its limit" limited 12.2.1 "average 10.1 > 10.0" average 10.1
check "limits.py: a maximum over its limit" limited 12.2.1 "maximum 101 > 100" maximum 101
check "limits.py: a quarter with another compiler" limited 14.2.1 "" average 12.5
check "limits.py: more with another compiler" limited 14.2.1 "average 12.6 > 12.500" average 12.6
check "limits.py: a maximum with another compiler" limited 14.2.1 "" maximum 200

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
for row in "7.2.22 (Debian)|1" "8.2.2|1" "9.1.2|3" "9.2.0|3" "10.0.13|3" "11.0.0|3" "11.1.3|7"; do
    check "plugin_api.sh: QEMU ${row%|*}" plugin_api "${row%|*}" "${row#*|}"
done
check "plugin_api.sh: a QEMU to come" plugin_api 12.0.1 \
    "bench/wheel/qemu_plugin.h has the plugin interface of QEMU 7.2 to 8.2 and 9.1 to 11, and this is 12.0.1"

sum_up
