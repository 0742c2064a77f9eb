#!/bin/sh
# SPDX-License-Identifier: MIT
# Says which packages are missing for the named sets of tools, and what each is for. Then
# it installs them; on a terminal apt-get asks first. It prints nothing when none is
# missing. With --check or NO_SETUP=1 it only says what is missing.
#   [GOALS=run] test/install_packages.sh [--check] SET..
# The sets are those of purpose_of(). Packages of npm have the versions of their
# package-lock.json.
set -eu

check=
if test "${1-}" = --check; then
    check=1
    shift
fi

purpose_of() { # set
    case $1 in
    arm) echo "compiles for Arm" ;;
    qemu) echo "emulates the Arm boards" ;;
    host) echo "compiles for this PC" ;;
    doctest) echo "runs the unit tests on this PC" ;;
    python) echo "runs and counts the tests" ;;
    coverage) echo "finds what no test reaches" ;;
    clang) echo "compiles as the second compiler, and for the page" ;;
    tidy) echo "checks the format and the code" ;;
    cindex) echo "finds the places of the mutants" ;;
    cmake) echo "builds as projects with CMake do" ;;
    riscv) echo "compiles for RISC-V" ;;
    qemu-riscv) echo "emulates the RISC-V boards" ;;
    rp2040js) echo "emulates the Raspberry Pi Pico" ;;
    doxygen) echo "makes the documentation" ;;
    models) echo "searches the models of two cores" ;;
    solver) echo "proves the mapping from ticks to slots" ;;
    gdb) echo "lists the timers in a debugger" ;;
    browser) echo "tests the page" ;;
    *)
        echo "$0: no set of tools is called '$1'" >&2
        exit 2
        ;;
    esac
}

missing=
missing_npm=
missing_sets=
table=
note() { # what is missing, for $set
    table="$table$(printf '  %-28s %s' "$1" "$(purpose_of "$set")")
"
    case "$missing_sets " in *" $set "*) ;; *) missing_sets="$missing_sets $set" ;; esac
}
need() { # package, then a command that succeeds when it is there
    package=$1
    shift
    case "$missing " in *" $package "*) return ;; esac
    "$@" >/dev/null 2>&1 && return
    missing="$missing $package"
    note "$package"
}
tool() {
    command -v "$1"
}
arm_headers() {
    test -e /usr/include/newlib/c++ || echo '#include <cstdint>' | arm-none-eabi-g++ -ffreestanding -fsyntax-only -x c++ -
}
profile_runtime() {
    ls /usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.profile*.a
}
from=boards/rpi-pico/emulator # its package.json
to=build/npm # gets its node_modules
need_npm() {
    need nodejs tool node
    need npm tool npm
    # npm writes the file in node_modules last.
    if ! cmp -s "$from/package-lock.json" "$to/package-lock.json" || ! test -e "$to/node_modules/.package-lock.json"; then
        missing_npm="$missing_npm $set"
        note "$set (npm)"
    fi
}
install_npm() {
    test -z "$missing_npm" || {
        mkdir -p "$to" && cp "$from"/package*.json "$to" &&
            npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
    }
}

for set in "$@"; do
    purpose_of "$set" >/dev/null
    case $set in
    arm)
        case ${ARM_CXX:=arm-none-eabi-g++} in
        arm-none-eabi-g++)
            need gcc-arm-none-eabi tool arm-none-eabi-g++
            need libstdc++-arm-none-eabi-dev arm_headers
            ;;
        *)
            # Somebody's own: no package has it.
            # shellcheck disable=SC2086
            tool $ARM_CXX >/dev/null || { echo "there is no compiler '$ARM_CXX'" >&2; exit 1; }
            ;;
        esac
        ;;
    qemu) need qemu-system-arm tool qemu-system-arm ;;
    host)
        case ${CXX:-g++} in
        *clang*) need "$(basename "$CXX" | tr -d +)" tool "$CXX" ;;
        *) need g++ tool "${CXX:-g++}" ;;
        esac
        ;;
    doctest) need doctest-dev test -e /usr/include/doctest/doctest.h ;;
    python) need python3 tool python3 ;;
    coverage)
        need clang-19 tool clang++-19
        need libclang-rt-19-dev profile_runtime
        need llvm-19 tool llvm-cov-19
        ;;
    clang)
        need clang-14 tool clang++-14
        need lld-14 tool ld.lld-14
        ;;
    tidy)
        need clang-format-14 tool clang-format-14
        need clang-tidy-14 tool clang-tidy-14
        ;;
    cindex) need python3-clang-14 /usr/bin/python3 -c 'import clang.cindex' ;;
    cmake) need cmake tool cmake ;;
    riscv) need gcc-riscv64-unknown-elf tool riscv64-unknown-elf-g++ ;;
    qemu-riscv) need qemu-system-misc tool qemu-system-riscv32 ;;
    doxygen)
        need doxygen tool doxygen
        need doxygen-awesome-css test -e /usr/share/doxygen-awesome-css/doxygen-awesome.css
        ;;
    models) need spin tool spin ;;
    solver) need python3-z3 /usr/bin/python3 -c 'import z3' ;;
    gdb) need gdb-multiarch tool gdb-multiarch ;;
    browser) need chromium tool chromium ;;
    rp2040js) need_npm ;;
    esac
done
test -n "$missing_sets" || exit 0

exec >&2
echo "${GOALS:+make $GOALS needs }packages that are not installed:"
printf '%s' "$table"
if test "${NO_SETUP:-0}" != 0; then
    echo "NO_SETUP is set, so nothing is installed"
    exit 1
fi
if test -n "$check"; then
    command="test/install_packages.sh$missing_sets"
    test "${CXX:-g++}" = g++ || command="CXX=$CXX $command"
    echo "install them by: $command"
    exit 1
fi

if test -n "$missing"; then
    if ! command -v apt-get >/dev/null; then
        echo "these are names of Debian packages; install them with your system's package manager"
        exit 1
    fi
    as_root=
    if test "$(id -u)" != 0; then
        if ! command -v sudo >/dev/null; then
            echo "as root: apt-get install --no-install-recommends$missing"
            exit 1
        fi
        as_root=sudo
    fi
    # On a terminal apt-get says how much it will install, and asks.
    answer=
    test -t 0 || answer="-y -q"
    install_missing() {
        # Each word of these is an argument.
        # shellcheck disable=SC2086
        $as_root env ${answer:+DEBIAN_FRONTEND=noninteractive} apt-get install $answer --no-install-recommends $missing
    }
    # It ends with 100 when its lists do not know a package, or name a file that is gone.
    install_missing || { test $? = 100 && $as_root apt-get update && install_missing; } || exit 1
fi
install_npm
