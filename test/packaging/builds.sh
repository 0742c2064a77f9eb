#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds as other people do: with other names of a system for CMake, in C alone, with
# another compiler for make lib, with tickwheel.mk. Then the commands of the Makefile.
#   MAKE=.. builds.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$PWD
work=$PWD/build/builds
rm -rf "$work"
mkdir -p "$work"
export LC_ALL=C
. test/support/checks.sh

# CMake. $1: folder below build/builds; $2: the languages; $3: how tickwheel comes in; $4: c, a program that
# calls the wheel, or cpp, one with a tick of a counter; $5: the target that it links; then cmake's options.
project() {
    folder=$work/$1
    mkdir -p "$folder"
    cat >"$folder/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(program LANGUAGES $2)
$3
add_executable(program main.$4)
set_target_properties(program PROPERTIES SUFFIX .elf)
target_link_libraries(program PRIVATE $5)
if(CMAKE_CROSSCOMPILING)
    target_compile_options(program PRIVATE -ffreestanding -Wall -Wextra -Werror)
    target_link_options(program PRIVATE -nostdlib -Wl,-e,main)
endif()
END
    echo '#include <tickwheel/tickwheel.h>
        int main(void) { return tickwheel_interrupt(); }' >"$folder/main.c"
    echo '#include <tickwheel/counter_tick.hpp>' >"$folder/main.cpp"
    shift 5
    cmake -S "$folder" -B "$folder/built" "$@" && MAKEFLAGS= cmake --build "$folder/built"
}
# The lock of Cortex-M masks by CPSID.
masks() {
    arm-none-eabi-objdump -d "$1" | grep -q 'cpsid'
}
has_lock_of_cortex_m() {
    project "$@" && masks "$folder/built/program.elf"
}
runs() {
    project "$@" && "$folder/built/program.elf"
}
installs_with() {
    cmake -S . -B "$work/tickwheel" "$@" -DCMAKE_INSTALL_PREFIX="$work/installed" &&
        MAKEFLAGS= cmake --build "$work/tickwheel" --target install
}
arm=-DCMAKE_TOOLCHAIN_FILE=$work/Generic.cmake
installed=-DCMAKE_PREFIX_PATH=$work/installed
wheel=tickwheel::tickwheel
subdirectory="add_subdirectory($tree tickwheel)"
found="find_package(tickwheel REQUIRED)"
for system in Generic Generic-ELF PICO BareMetal; do
    cat >"$work/$system.cmake" <<END
set(CMAKE_SYSTEM_NAME $system)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m0plus -mthumb -Os")
set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-m0plus -mthumb -Os")
END
    check "CMAKE_SYSTEM_NAME $system: the lock of Cortex-M" has_lock_of_cortex_m \
        system-$system "C CXX" "$subdirectory" c $wheel -DCMAKE_TOOLCHAIN_FILE="$work/$system.cmake"
done
check "no toolchain file: the lock of a PC" runs host "C CXX" "$subdirectory" c $wheel
check "a CMake project in C alone takes the archive" has_lock_of_cortex_m c-alone C "$subdirectory" c $wheel "$arm"
check "CMake installs tickwheel" installs_with "$arm"
check "a project in C alone finds it" has_lock_of_cortex_m c-found C "$found" c $wheel "$arm" "$installed"
check "but not the sources" fails_with 'No known features for CXX compiler' project c-sources C "$subdirectory" c tickwheel::sources "$arm"
check "the counter's header of a subdirectory" project counter CXX "$subdirectory" cpp "$wheel tickwheel::counter" "$arm"
check "and of what is installed" project counter-found CXX "$found" cpp "$wheel tickwheel::counter" "$arm" "$installed"

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
counter="TICKWHEEL_COUNTER := yes"
check "tickwheel.mk: flags after it" fragment "$counter" "TICKWHEEL_CPPFLAGS += $hz"
check "flags before it" fragment "$counter
TICKWHEEL_CPPFLAGS := $hz" ""
check "flags on the command line" fragment "$counter" "" TICKWHEEL_CPPFLAGS=$hz
check "flags in the environment" env TICKWHEEL_CPPFLAGS=$hz ${MAKE:-make} -C "$work/fragment" CXX="arm-none-eabi-g++ -std=c++17"

# A GCC for Arm of another name, for a PC that has none of the usual one.
mkdir -p "$work/opt" "$work/path"
for tool in g++ ar; do
    printf '#!/bin/sh\necho "$0" >>%s/used\nexec %s "$@"\n' "$work" "$(command -v arm-none-eabi-$tool)" >"$work/opt/other-arm-$tool"
    chmod +x "$work/opt/other-arm-$tool"
done
ln -s /usr/bin/* "$work/path"
rm -f "$work/path"/arm-none-eabi-*

# The arguments of make lib, which must say where the archive is
library() {
    rm -rf "$work/used" "$work/lib"
    MAKEFLAGS= NO_SETUP=1 PATH="$work/path" ${MAKE:-make} --no-print-directory lib "$@" LIB="$work/lib" &&
        test "$(grep -c "^$work/opt" "$work/used")" = 4 && masks "$work/lib/libtickwheel.a" &&
        grep -qxF "$work/lib/libtickwheel.a" "$work/said"
}
check "make lib by what CROSS names" library CROSS="$work/opt/other-arm-"
check "make lib by what CXX names" library CXX="$work/opt/other-arm-g++"
check "make lib with a BOARD and an EXAMPLE of somebody else's" env BOARD=theirs EXAMPLE=theirs MAKEFLAGS= \
    ${MAKE:-make} --no-print-directory lib LIB="$work/lib"
no_compiler() {
    ! NO_SETUP=1 ${MAKE:-make} lib CROSS=/nowhere/arm- && grep -qF "there is no compiler '/nowhere/arm-g++'" "$work/said"
}
check "a compiler that is not there" no_compiler

# As a user calls make.
plain_make() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory "$@"
}
# $1: an archive; $2: the choices whose symbols must be in it
has() {
    for symbol in $2; do
        arm-none-eabi-nm "$1" | grep -q " tickwheel_built_for_$symbol\$" || { echo "$1: no $symbol"; return 1; }
    done
}
# The choices of make lib. $1: the folder that it must name below build/lib; $2: as above; then the arguments.
chosen() {
    archive=build/lib/$1/libtickwheel.a
    symbols=$2
    shift 2
    rm -f "$archive"
    plain_make lib "$@" && grep -qxF "$archive" "$work/said" && has "$archive" "$symbols"
}
check "make lib DEBUG=1" chosen cortex-m0-debug "debug_1 geometry_8_6" CPU=cortex-m0 DEBUG=1
check "make lib GEOMETRY=6,4" chosen cortex-m0-6-4 "debug_0 geometry_6_4" CPU=cortex-m0 GEOMETRY=6,4
check "make lib, all of its choices" chosen cortex-m4-O2-hard-basepri-96-hz250-6-2-debug-clang "debug_1 geometry_6_2 hz_250" \
    CPU=cortex-m4 OPT=-O2 FLOAT=hard LOCK=basepri:96 HZ=250 GEOMETRY=6,2 DEBUG=1 CXX=clang++-14
check "make lib, none of them" chosen cortex-m3 "debug_0 geometry_8_6 hz_1000" DEBUG=0 GEOMETRY=8,6 HZ=1000
changes() {
    for choice in "OPT=-Os:debug_0 geometry_8_6" "DEBUG=1:debug_1 geometry_8_6" "GEOMETRY=6,4:debug_0 geometry_6_4" \
        "HZ=250:debug_0 geometry_8_6 hz_250"; do
        plain_make lib LIB="$work/changes" "${choice%%:*}" && has "$work/changes/libtickwheel.a" "${choice#*:}" || return 1
    done
}
check "a change of them builds the same folder again" changes
line_numbers() {
    for archive in build/lib/cortex-m3/libtickwheel.a build/lib/cortex-m3/libtickwheel_systick.a; do
        arm-none-eabi-objdump -h "$archive" | grep -q '\.debug_line' || return 1
    done
}
check "the archives have line numbers for a debugger" line_numbers
refused() { # the message; make's arguments
    message=$1
    shift
    ! plain_make "$@" && grep -qF -- "$message" "$work/said"
}
for wrong in 9,6 5,6 8,7 8,1 8 8,6,6 8-6; do
    check "make lib GEOMETRY=$wrong is refused" refused "GEOMETRY=$wrong: one of " lib GEOMETRY=$wrong
done
each_geometry_compiles() {
    ! plain_make lib GEOMETRY=no || return 1
    for geometry in $(sed -n 's/.*GEOMETRY=no: one of \([0-9, ]*[0-9]\).*/\1/p' "$work/said"); do
        echo "compiled: $geometry"
        arm-none-eabi-g++ -std=c++17 -mcpu=cortex-m3 -mthumb -Icore -Iport/cortex_m -DTICKWHEEL_TVR_BITS=${geometry%,*} \
            -DTICKWHEEL_TVN_BITS=${geometry#*,} -fsyntax-only core/tickwheel.cpp || return 1
    done
    grep -q '^compiled: 6,4' "$work/said"
}
check "each geometry that make names compiles" each_geometry_compiles
check "make lib DEBUG=yes is refused" refused "DEBUG=yes: " lib DEBUG=yes
for wrong in CPUS DEBG GEOMETRIES WARNINGS; do
    check "make lib $wrong= is refused" refused "$wrong=: no such variable" lib $wrong=cortex-m0
done
check "make lib below somebody else's make, with a variable of theirs" env MAKELEVEL=1 MAKEFLAGS= \
    ${MAKE:-make} --no-print-directory lib BUILD=theirs

# Set-up: the commands that README.md begins with, and make setup, install what is missing. The others say how. Each
# stand-in writes down how it was called. The PC has no arm-none-eabi-g++ and no clang. A fresh tree has no packages of npm.
mkdir -p "$work/apt" "$work/fresh"
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$work/fresh"
for tool in apt-get sudo npm; do
    printf '#!/bin/sh\necho "%s $*" >>%s/asked\n' "$tool" "$work" >"$work/apt/$tool"
done
cat >>"$work/apt/apt-get" <<'END'
test "$2" = -s || exit 1
echo "Inst gcc-arm-none-eabi (12)"
echo "Inst libnewlib-dev (3)"
END
echo 'printf "[sudo] password: " && exec "$@"' >>"$work/apt/sudo"
printf '#!/bin/sh\necho "Installed-Size: 2000"\necho "Installed-Size: 500"\n' >"$work/apt/apt-cache"
printf '#!/bin/sh\necho 1000\n' >"$work/apt/id"
chmod +x "$work/apt"/*
rm -f "$work/path"/clang* "$work/path"/ld.lld*
# $1: CI; $2: the goal. As an ordinary user calls make.
missing() {
    rm -f "$work/asked"
    ! env -u NO_SETUP CI="$1" MAKEFLAGS= MAKELEVEL=0 PATH="$work/apt:$work/path" \
        ${MAKE:-make} --no-print-directory -C "$work/fresh" "$2" CXX=g++ </dev/null
}
says() { # goal, package
    grep -q "^make $1 needs packages" "$work/said" && grep -q "^  $2 .*[a-z]" "$work/said"
}
only_says() { # goal, package, its set
    missing "" "$1" && ! test -e "$work/asked" && says "$1" "$2" &&
        grep -q "^install them by: test/install_packages.sh .*\<$3\>" "$work/said"
}
installs() { # CI, goal
    missing "$@" && says "$2" gcc-arm-none-eabi && grep -q "^sudo .*install -y .*gcc-arm-none-eabi" "$work/asked"
}
for goal in lib elf check bench test-all; do
    check "make $goal says what is missing and how to install it" only_says $goal gcc-arm-none-eabi arm
done
check "make trace fetches nothing by npm" only_says trace 'speedscope (npm)' speedscope
check "make test-page fetches nothing by npm" only_says test-page 'playwright (npm)' playwright
llvm_of_the_page() {
    only_says page clang-14 clang && only_says page lld-14 clang && ! grep -E 'clang-(tidy|format)|python3-clang' "$work/said"
}
check "make page needs only clang-14 and lld-14 of LLVM" llvm_of_the_page
for goal in run test setup; do
    check "make $goal installs what is missing" installs "" $goal
done
check "make lib installs what is missing on a CI server" installs true lib
# $1: the goal; $2: the answer. script(1) is a terminal.
asked() {
    rm -f "$work/asked"
    echo "$2" | env -u NO_SETUP -u CI MAKEFLAGS= MAKELEVEL=0 PATH="$work/apt:$work/path" \
        script -qec "${MAKE:-make} --no-print-directory -C $work/fresh $1 CXX=g++" /dev/null | tr -d '\r'
}
question='Install them with sudo? \[Y/n\] '
on_a_terminal() { # goal
    asked "$1" n && says "$1" gcc-arm-none-eabi && grep -q ': 2 Debian packages, 3 MB' "$work/said" &&
        grep -q "^${question}nothing is installed" "$work/said" && ! grep -E '^(sudo|npm)' "$work/asked" || return 1
    asked "$1" y && grep -q "^$question\[sudo\] password" "$work/said"
}
for goal in run setup; do
    check "make $goal says what is missing before it asks, and asks before sudo does" on_a_terminal $goal
done
# Or the Makefile would look for dependencies among them.
rm -rf "$work/path"

# An example for one board.
for goal in run elf; do
    check "make $goal EXAMPLE=lowpower_rtc names its board" refused 'EXAMPLE=lowpower_rtc: needs BOARD=nrf52840dk' \
        $goal EXAMPLE=lowpower_rtc
done

# What make does with a choice, and without tools.
debug_firmware() {
    program=build/mps2-an385/6-4-debug/blink.elf
    rm -f $program
    plain_make elf BOARD=mps2-an385 EXAMPLE=blink DEBUG=1 GEOMETRY=6,4 &&
        arm-none-eabi-nm $program | grep -q ' tickwheel_bug$'
}
check "make elf DEBUG=1 GEOMETRY=6,4 builds that variant" debug_firmware
check "make elf DEBUG=yes is refused" refused "DEBUG=yes: " elf DEBUG=yes
for choice in DEBUG=1 GEOMETRY=6,4; do
    check "make test $choice is refused" refused "${choice%%=*}=: is for make lib run elf" test $choice
done
help_without_tools() { # the goal; another that it lists
    mkdir -p "$work/few"
    for tool in sh awk cat expr find grep; do ln -sf "$(command -v $tool)" "$work/few/$tool"; done
    MAKEFLAGS= PATH="$work/few" "$(command -v ${MAKE:-make})" $1
    for command in '== run' 'make run' '== test' "make $2" '== measure' 'make bench' '== look' '== setup'; do
        grep -q "^$command" "$work/said" || { echo "no line begins with: $command"; return 1; }
    done
    for example in examples/*/main.cpp; do
        example=${example#*/}
        grep -q " EXAMPLE: .*\<${example%/*}\>" "$work/said" || { echo "not named: ${example%/*}"; return 1; }
    done
}
check "make help without tools has each group" help_without_tools help fuzz
check "make help-all without tools has each group" help_without_tools help-all sweep
only_printed() { # the goal; its script; what that prints
    plain_make -n "$1" && grep -q "$2" "$work/said" && ! grep -q "$3" "$work/said"
}
check "make -n boards runs nothing" only_printed boards boards/table.sh '^netduinoplus2'
check "make -n size-features runs nothing" only_printed size-features features.py ' passed, '

# The runner, with a test that passes twice and with another. $1: what it must print of that; $2: the limit and command
sums() {
    test/run.py --out "$work/results" 'good 9 echo 2 passed, 0 failed' "it $2"
    code=$?
    with_failed=${1#*, }
    test $code = "$(test "${with_failed%% *}" = 0; echo $?)" &&
        sed 's/, [0-9]* s$//' "$work/said" | grep -qxF "it: $1" &&
        test "$(tail -n 1 "$work/said")" = "$((2 + ${1%% *})) passed, ${with_failed%% *} failed"
}
none="0 passed, 1 failed (it ran no test)"
check "run.py adds up the last counts of each" sums '1 passed, 0 failed' '9 echo 7 passed, 1 failed; echo 1 passed, 0 failed'
check "a test that fails" sums '1 passed, 2 failed' '9 echo 1 passed, 2 failed'
check "a test without counts" sums "$none" '9 echo all is well'
check "a test that counts nothing" sums "$none" '9 echo 0 passed, 0 failed'
check "an exit code" sums '1 passed, 1 failed (exit code 3)' '9 echo 1 passed, 0 failed; exit 3'
check "a crash" sums '0 passed, 1 failed (exit code -11)' '9 kill -11 $$'
check "a test that spins" sums '1 passed, 1 failed (more than 1 seconds of the processor)' \
    '1 echo 1 passed, 0 failed; while :; do :; done'
check "a test on a busy machine" sums '1 passed, 0 failed' '1 (sleep 3; kill -CONT $$) & kill -STOP $$; echo 1 passed, 0 failed'
check "a test that sleeps for ever" sums '1 passed, 1 failed (asleep for 20 seconds)' '1 echo 1 passed, 0 failed; sleep 60; true'

sum_up
