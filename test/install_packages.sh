#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what the commands of make need and this PC does not have: packages of Debian, and those of npm in the versions of
# their package-lock.json. On a terminal apt-get asks first. `install PACKAGE..` installs only these, and nothing from npm.
# `missing PACKAGE..` only prints which of these are missing; `all` means those of Debian.
set -eu
cd "$(dirname "$0")/.."
LLVM=${LLVM-19}
mode=${1-setup}
wanted=" $* "

# npm writes the file in node_modules last.
from=boards/rpi-pico/emulator
to=${PACKAGES_ROOT-build}/npm
has_emulator() {
    cmp -s $from/package-lock.json $to/package-lock.json && test -e $to/node_modules/.package-lock.json
}
# $1: a program, a file, or a compiler and a header that it finds. A compiler that is not there yet may bring its own
# <stdint.h>. In a test, PACKAGES_ROOT is a folder that stands for / and for build/.
is_there() {
    case $1 in
    /*) test -e "${PACKAGES_ROOT-}$1" ;;
    *:*)
        command -v "${1%:*}" >/dev/null || { test "${1#*:}" = stdint.h; return; }
        printf '#if !__has_include(<%s>)\n#error\n#endif\n' "${1#*:}" | "${1%:*}" -E -x c++ - >/dev/null 2>&1
        ;;
    *) command -v "$1" >/dev/null ;;
    esac
}
# Of each line's names, the first that apt knows.
names_here() {
    lines=$(cat)
    here=" $(apt-cache show $(echo "$lines" | sed 's/ .*//; s/,/ /g') 2>/dev/null | sed -n 's/^Package: //p' | paste -sd' ') "
    echo "$lines" | while read -r names purpose; do
        for name in $(echo "$names" | tr , ' '); do
            test "${here#* "$name" }" != "$here" && echo "$name" && continue 2
        done
        test $mode = missing && echo "${names%%,*}" || echo "apt does not know ${names%%,*}, which $purpose" >&2
    done
}
# A package, or its names in several releases with a comma between; a program, a file or a header that it brings; its purpose.
table() {
    cat <<END
gcc-arm-none-eabi arm-none-eabi-g++ compiles for Arm
picolibc-arm-none-eabi,libnewlib-arm-none-eabi arm-none-eabi-g++:stdint.h has the headers of C for it
libstdc++-arm-none-eabi-dev,libstdc++-arm-none-eabi arm-none-eabi-g++:chrono has the headers of C++ for it: test, size, check
qemu-system-arm qemu-system-arm emulates the Arm boards
g++ g++ compiles for this PC
doctest-dev g++:doctest/doctest.h runs the unit tests on this PC: test, quick, coverage
python3 python3 runs and counts the tests
gcc-riscv64-unknown-elf riscv64-unknown-elf-g++ compiles for RISC-V
picolibc-riscv64-unknown-elf riscv64-unknown-elf-g++:stdint.h has the headers of C for it
qemu-system-riscv,qemu-system-misc qemu-system-riscv32 emulates the RISC-V boards
clang-$LLVM clang++-$LLVM is the second compiler: test-all, check, page, masked, prove, test-gdb, test-zephyr
lld-$LLVM ld.lld-$LLVM links: test-all, page, mutants
clang-format-$LLVM clang-format-$LLVM checks the format: check
clang-tidy-$LLVM clang-tidy-$LLVM checks the code: check
python3-clang-$LLVM /var/lib/dpkg/info/python3-clang-$LLVM.list finds the places of the mutants: check, mutants
libclang-rt-$LLVM-dev /usr/lib/llvm-$LLVM/lib/clang/$LLVM/lib/linux counts what the tests reach: coverage
llvm-$LLVM llvm-cov-$LLVM reads what it counts: coverage
arduino-builder arduino-builder builds a sketch as the Arduino IDE does: test-all
cmake cmake builds as projects with CMake do: test-all, test-zephyr
doxygen doxygen makes the documentation: site, check
doxygen-awesome-css /usr/share/doxygen-awesome-css is its style: site, check
debootstrap /usr/sbin/debootstrap makes a bare Debian: test-debian
spin spin searches the model of two cores: test-models
python3-z3 /usr/lib/python3/dist-packages/z3 proves the mapping from ticks to slots: prove
gdb-multiarch gdb-multiarch lists the timers in a debugger: test-gdb
chromium chromium tests the page: test-page
nodejs node emulates the Raspberry Pi Pico: BOARD=rpi-pico, test-all
npm npm installs the emulator: setup
END
}
# The lines of what is wanted and missing.
missing() {
    table | while read -r names brings purpose; do
        case $mode in
        setup) ;;
        *) case $wanted in *" all "* | *" ${names%%,*} "*) ;; *) continue ;; esac ;;
        esac
        is_there "$brings" || echo "$names $purpose"
    done
}

if test $mode = missing; then
    lines=$(missing)
    said=
    test -z "$lines" || said="$(echo "$lines" | names_here | paste -sd, | sed 's/,/, /g') (Debian)"
    test "${wanted#* rp2040js }" = "$wanted" || has_emulator || said="$said${said:+, }rp2040js (npm)"
    echo "$said"
    exit
fi

tried=
while lines=$(missing) && test -n "$lines" && test "$lines" != "$tried"; do
    echo "missing here:"
    echo "$lines" | sed 's/^/  /'
    command -v apt-get >/dev/null || {
        cat >&2 <<'END'
this PC has no apt-get: install these programs by other means. `make run` and `make test` need (not tried):
  Fedora    dnf install arm-none-eabi-gcc-cs-c++ arm-none-eabi-newlib qemu-system-arm gcc-c++ libasan libubsan doctest-devel python3
  Arch      pacman -S arm-none-eabi-gcc arm-none-eabi-newlib qemu-system-arm gcc doctest python
  Homebrew  brew install --cask gcc-arm-embedded; brew install qemu gcc doctest python
END
        exit 2
    }
    as_root=
    test "$(id -u)" = 0 || as_root=sudo
    command -v ${as_root:-true} >/dev/null || {
        echo "only root may install, and this PC has no sudo: let root run \`make setup\`" >&2
        exit 2
    }
    answer=
    test -t 0 || answer="-y -q"
    $as_root apt-get update
    found=$(echo "$lines" | names_here)
    # Each word of these is an argument.
    # shellcheck disable=SC2086
    test -z "$found" ||
        $as_root env ${answer:+DEBIAN_FRONTEND=noninteractive} apt-get install $answer --no-install-recommends $found
    # A compiler that came without <stdint.h> needs one more package.
    tried=$lines
done

test $mode = install && exit
has_emulator && exit
command -v npm >/dev/null || exit 0
mkdir -p $to
cp $from/package*.json $to
npm ci --prefix $to --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
