#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what the commands of make need and this PC does not have: packages of Debian 12, and those of npm in the
# versions of their package-lock.json. On a terminal apt-get asks first. `basic` installs what `make run` and `make test` need.
# `missing PACKAGE..` only prints which of these are missing; `all` means those of Debian.
set -eu
cd "$(dirname "$0")/.."
wanted=" $* "
LLVM=${LLVM-19}

# npm writes the file in node_modules last.
from=boards/rpi-pico/emulator
to=${PACKAGES_ROOT-build}/npm
has_emulator() {
    cmp -s $from/package-lock.json $to/package-lock.json && test -e $to/node_modules/.package-lock.json
}
# $1: a program or a file. In a test, PACKAGES_ROOT is a folder that stands for / and for build/.
is_there() {
    case $1 in
    /*) test -e "${PACKAGES_ROOT-}$1" ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# A package, a program or a file that it brings, and its purpose. The first six are the basic ones.
missing=
while read -r package brings purpose; do
    case ${1-} in
    basic) test "$package" = gcc-riscv64-unknown-elf && break ;;
    missing) case $wanted in *" all "* | *" $package "*) ;; *) continue ;; esac ;;
    esac
    is_there "$brings" && continue
    missing="$missing $package"
    test "${1-}" = missing || printf '  %-28s %s\n' "$package" "$purpose"
done <<END
gcc-arm-none-eabi arm-none-eabi-g++ compiles for Arm
libstdc++-arm-none-eabi-dev /usr/include/newlib/c++ has the headers for it
qemu-system-arm qemu-system-arm emulates the Arm boards
g++ g++ compiles for this PC
doctest-dev /usr/include/doctest/doctest.h runs the unit tests on this PC
python3 python3 runs and counts the tests
gcc-riscv64-unknown-elf riscv64-unknown-elf-g++ compiles for RISC-V
qemu-system-misc qemu-system-riscv32 emulates the RISC-V boards
clang-$LLVM clang++-$LLVM compiles as the second compiler, and for the page
lld-$LLVM ld.lld-$LLVM links for it
clang-format-$LLVM clang-format-$LLVM checks the format
clang-tidy-$LLVM clang-tidy-$LLVM checks the code
python3-clang-$LLVM /var/lib/dpkg/info/python3-clang-$LLVM.list finds the places of the mutants
libclang-rt-$LLVM-dev /usr/lib/llvm-$LLVM/lib/clang/$LLVM/lib/linux counts what the tests reach
llvm-$LLVM llvm-cov-$LLVM reads what it counts
cmake cmake builds as projects with CMake do
doxygen doxygen makes the documentation
doxygen-awesome-css /usr/share/doxygen-awesome-css is its style
spin spin searches the models of two cores
python3-z3 /usr/lib/python3/dist-packages/z3 proves the mapping from ticks to slots
gdb-multiarch gdb-multiarch lists the timers in a debugger
chromium chromium tests the page
nodejs node emulates the Raspberry Pi Pico
npm npm installs the emulator
END

if test "${1-}" = missing; then
    said=
    test -z "$missing" || said="$(echo $missing | sed 's/ /, /g') (Debian)"
    test "${wanted#* rp2040js }" = "$wanted" || has_emulator || said="$said${said:+, }rp2040js (npm)"
    echo "$said"
    exit
fi
as_root=
test "$(id -u)" = 0 || as_root=sudo
answer=
test -t 0 || answer="-y -q"
if test -n "$missing"; then
    command -v apt-get >/dev/null || {
        echo "this PC has no apt-get: install the programs of these packages of Debian by other means" >&2
        exit 2
    }
    $as_root apt-get update
    # Each word of these is an argument.
    # shellcheck disable=SC2086
    $as_root env ${answer:+DEBIAN_FRONTEND=noninteractive} apt-get install $answer --no-install-recommends $missing
fi

test "${1-}" = basic && exit
has_emulator && exit
mkdir -p $to
cp $from/package*.json $to
npm ci --prefix $to --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
