#!/bin/sh
# SPDX-License-Identifier: MIT
# A goal that lacks a package says so in one line, and does nothing else. Which packages a goal needs is looked up here in the
# commands that make prints for it, and in the scripts that these name.
#   MAKE=.. packages.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/packages
export LC_ALL=C
. test/support/checks.sh

# A package, the program or the file that install_packages.sh looks for, and what shows that a command needs it. build/npm
# is /npm here.
while read -r package brings words; do
    echo "$package $brings ${words:-$brings}"
done >"$work/table" <<'END'
gcc-arm-none-eabi arm-none-eabi-g++ (^|[^='])arm-none-eabi-
libstdc++-arm-none-eabi-dev /usr/include/newlib/c++ arm-none-eabi-g[+][+].* test/unit/chrono.cpp|build/unit-mps2-an385-8-6/
qemu-system-arm qemu-system-arm qemu-system-arm|sweep[.]py .* (netduinoplus2|microbit) |run[.]sh 
g++ g++ (^|[^-=_a-z/}"]|[[(]")(g[+][+]|gcc|ar)(['"]|$| )
doctest-dev /usr/include/doctest/doctest.h g[+][+].* -DTICKWHEEL_TEST_HOST .*-c test/unit/|self[.]doctest
python3 python3 python3|test/run_tests.py
gcc-riscv64-unknown-elf riscv64-unknown-elf-g++ riscv64-unknown-elf-
qemu-system-misc qemu-system-riscv32 qemu-system-riscv32|sweep[.]py .* virt 
clang-14 clang++-14 clang([+][+])?-14
lld-14 ld.lld-14 wasm-ld-14|ld[.]lld-14|-fuse-ld=lld
clang-format-14 clang-format-14
clang-tidy-14 clang-tidy-14
python3-clang-14 /usr/lib/python3/dist-packages/clang clang[.]cindex
clang-19 clang++-19
libclang-rt-19-dev /usr/lib/llvm-19/lib/clang/19/lib/linux clang[+][+]-19 -fprofile
llvm-19 llvm-cov-19
cmake cmake (^|[^./a-z])cmake (-|")
doxygen doxygen (^|[^-./a-z])doxygen tools
doxygen-awesome-css /usr/share/doxygen-awesome-css doxygen tools
spin spin spin "[$]
python3-z3 /usr/lib/python3/dist-packages/z3 from z3 import
gdb-multiarch gdb-multiarch
chromium chromium chromium --
nodejs node node boards
rp2040js /npm/node_modules node boards
END
# `make run` and `make test` install these by themselves.
few=" gcc-arm-none-eabi libstdc++-arm-none-eabi-dev qemu-system-arm g++ doctest-dev python3 "

# The packages: in a folder for the programs, and in one for the files. Then what is left when all are missing.
mkdir -p "$work/programs" "$work/files/npm" "$work/nothing/npm"
IFS=:
for folder in $PATH; do
    ln -s "$folder"/* "$work/programs/" 2>/dev/null
done
unset IFS
cp -a "$work/programs" "$work/no_programs"
while read -r _ brings _; do
    case $brings in
    /*) mkdir -p "$work/files$brings" ;;
    *) rm "$work/no_programs/$brings" ;;
    esac
done <"$work/table"
cp boards/rpi-pico/emulator/package-lock.json "$work/files/npm/"
touch "$work/files/npm/node_modules/.package-lock.json"

# $1: the folder of the files; then make's arguments. It prints the commands.
dry_make() {
    files=$1
    shift
    MAKEFLAGS= MAKELEVEL=0 PACKAGES_ROOT=$files ${MAKE:-make} --no-print-directory -n "$@" </dev/null
}
# $1: a script. Prints it, and those that it imports or names.
text_of() {
    case $read in *" $1 "*) return ;; esac
    read="$read$1 "
    grep -vE '^ *#' "$1"
    for module in $(sed -nE 's/^ *(import|from) ([a-z_]+).*/\2/p' "$1"); do
        for folder in "${1%/*}" bench/report test/masked test/mutants; do
            test -f "$folder/$module.py" && text_of "$folder/$module.py" && break
        done
    done
    scripts_of "$1"
}
scripts_of() {
    path='(test|bench|tools|boards|examples)/[-a-zA-Z_0-9/]+([.](py|sh))?'
    for script in $(grep -vE '^ *#' "$1" | grep -oE "$path" | sort -u); do
        test -f "$script" && head -n 1 "$script" | grep -qE '^#( SPDX|!)' && text_of "$script"
    done
}
# $1: a goal with its arguments; $2: goals and files of make that its scripts call
names_its_packages() {
    for called in "$1" $2; do
        case $called in
        examples/*) echo $called ;;
        *) dry_make "$work/files" -B $called || return 1 ;;
        esac
    done >"$work/make"
    # These name programs that they do not call, and sweep.py takes the emulator of its image.
    read=" test/install_packages.sh test/packaging/packages.sh tools/gdb/ram_to_core.py test/races/sweep/sweep.py "
    read="${read}bench/wheel/limits bench/wheel/limits_riscv "
    { cat "$work/make" && scripts_of "$work/make"; } >"$work/commands"
    while read -r package _ words; do
        case "${1%% *},$few" in
        run,*" $package "* | test,*" $package "*) ;;
        *) grep -qE -- "$words" "$work/commands" && echo "$package" ;;
        esac
    done <"$work/table" | sort >"$work/needed"
    PATH=$work/no_programs dry_make "$work/nothing" $1 >"$work/line" 2>&1
    stopped=$?
    sed -nE "s~^.*[*][*][*] make ${1%% *} needs (.*): run \`make setup\`[.]  Stop[.]$~\1~p" "$work/line" |
        sed 's/ ([Dn][a-z]*)//g; s/, /\n/g' | sort >"$work/named"
    diff -u --label needed --label named "$work/needed" "$work/named" || return 1
    ! test -s "$work/needed" || { test $stopped = 2 && test "$(wc -l <"$work/line")" = 1; }
}
# The goals, but for those that need nothing or are a part of another one, and two results that name what they do not call.
none='always|help.*|setup|few-packages|clean|silicon|mutants.*|check|compare|.*-programs|test-else|.*-table|.*/arguments'
goals=$(dry_make "$work/files" -p help | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' | sort -r |
    awk '{ of = $0; sub("^build/results/", "", of) } !seen[of]++' |
    grep -vE -- "^($none|.*/integrations|.*/packages|.*[$].*|)$")
while IFS='|' read -r goal called; do
    check "make $goal names the packages that it needs" names_its_packages "$goal" "$called"
done <<END
$goals
check|site lib
compare|bench-table size-table
build/results/integrations|examples/integration/cmake/Makefile examples/integration/vendor/vendor.mk
mutants|sweep-short build/results/unit-host-8-6
mutants-short|sweep-short build/results/unit-host-8-6
run BOARD=riscv-virt
run BOARD=rpi-pico
elf BOARD=rpi-pico
elf BOARD=riscv-virt
lib CPU=host
lib CPU=rv32imac
lib CPU=rv32imac CXX=clang++-14
lib CPU=cortex-m3 CXX=clang++-14
lib CROSS=/opt/arm-
test BOARD=riscv-virt
test BOARD=rpi-pico
silicon BOARD=rpi-pico
silicon BOARD=nrf52840dk
silicon BOARD=stm32vldiscovery
soak-sleep BOARD=microbit
END

# One package alone, and a goal that needs it. $1: the package; $2: where it is; $3: the kind; then make's arguments
names_it_alone() {
    hidden=$2
    said=" *** make $4 needs $1 ($3): run \`make setup\`.  Stop."
    mv "$hidden" "$work/hidden" || return 1
    shift 3
    ! PATH=$work/programs dry_make "$work/files" "$@"
    refused=$?
    mv "$work/hidden" "$hidden"
    grep -qF -- "$said" "$work/said" && test "$(wc -l <"$work/said")" = 1 && return $refused
}
while read -r package brings _; do
    case $package in
    spin) goal=test-models ;;
    python3-z3) goal=prove ;;
    gdb-multiarch) goal=test-gdb ;;
    chromium) goal=test-page ;;
    nodejs | rp2040js) goal="silicon BOARD=rpi-pico" ;;
    *19*) goal=coverage ;;
    doctest-dev | libstdc++* | qemu* | cmake) goal=test-all ;;
    python3-clang-14) goal=mutants ;;
    *) goal=check ;;
    esac
    case $brings in
    /npm/*) check "without $package" names_it_alone "$package" "$work/files$brings" npm $goal ;;
    /*) check "without $package" names_it_alone "$package" "$work/files$brings" Debian $goal ;;
    *) check "without $package" names_it_alone "$package" "$work/programs/$brings" Debian $goal ;;
    esac
done <"$work/table"
sum_up
