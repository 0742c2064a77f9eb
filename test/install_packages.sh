#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are missing for the named sets of tools. It asks
# for nothing and looks nothing up when none is missing.
#   test/install_packages.sh [--check] [arm] [qemu] [host] [doctest] [python] [coverage] [clang] [cmake]
#   [doxygen] [riscv] [qemu-riscv] [gdb] [rp2040js] [trace] [browser] [models]
# rp2040js is from npm, in the version that boards/rpi-pico/emulator/package-lock.json has.
# On a terminal it asks once. With --check or NO_SETUP=1 it only says what is missing.
set -eu

check=
if test "${1-}" = --check; then
    check=1
    shift
fi

missing=
missing_npm=
missing_sets=
need() { # package, then a command that succeeds when it is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 && return
    missing="$missing $package"
    case "$missing_sets " in *" $set "*) ;; *) missing_sets="$missing_sets $set" ;; esac
}
tool() {
    command -v "$1"
}
arm_headers() {
    test -e /usr/include/newlib/c++ || echo '#include <cstdint>' | arm-none-eabi-g++ -ffreestanding -fsyntax-only -x c++ -
}
has_rp2040js() {
    cmp -s boards/rpi-pico/emulator/package-lock.json build/npm/package-lock.json && test -d build/npm/node_modules/rp2040js
}
install_rp2040js() {
    mkdir -p build/npm && cp boards/rpi-pico/emulator/package*.json build/npm &&
        npm ci --prefix build/npm --ignore-scripts --no-audit --no-fund </dev/null
}

for set in "$@"; do
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
    coverage) need gcovr tool gcovr ;;
    clang)
        need clang-14 tool clang++-14
        need lld-14 tool ld.lld-14
        need clang-format-14 tool clang-format-14
        need clang-tidy-14 tool clang-tidy-14
        need python3-clang-14 /usr/bin/python3 -c 'import clang.cindex'
        ;;
    cmake) need cmake tool cmake ;;
    riscv) need gcc-riscv64-unknown-elf tool riscv64-unknown-elf-g++ ;;
    qemu-riscv) need qemu-system-misc tool qemu-system-riscv32 ;;
    rp2040js)
        need nodejs tool node
        need npm tool npm
        if ! has_rp2040js; then
            missing_npm=" rp2040js(npm)"
            missing_sets="$missing_sets $set"
        fi
        ;;
    doxygen) need doxygen tool doxygen ;;
    models) need spin tool spin ;;
    gdb) need gdb-multiarch tool gdb-multiarch ;;
    trace)
        need babeltrace2 tool babeltrace2
        need gtkwave tool vcd2fst
        ;;
    browser)
        need chromium tool chromium
        need nodejs tool node
        need npm tool npm
        ;;
    *)
        echo "$0: no set of tools is called '$set'" >&2
        exit 2
        ;;
    esac
done
test -n "$missing$missing_npm" || exit 0

if test "${NO_SETUP:-0}" != 0; then
    echo "missing:$missing$missing_npm (Debian packages); NO_SETUP is set, so nothing is installed" >&2
    exit 1
fi
if test -n "$check"; then
    command="test/install_packages.sh$missing_sets"
    test "${CXX:-g++}" = g++ || command="CXX=$CXX $command"
    echo "missing:$missing$missing_npm (Debian packages); install them by: $command" >&2
    exit 1
fi
if test -z "$missing"; then
    install_rp2040js
    exit
fi
if ! command -v apt-get >/dev/null; then
    echo "missing:$missing (names of Debian packages); install them with your system's package manager" >&2
    exit 1
fi
as_root=
if test "$(id -u)" != 0; then
    if ! command -v sudo >/dev/null; then
        echo "missing:$missing; as root: apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

# Each word of $missing is a package.
# shellcheck disable=SC2086
apt-cache show $missing >/dev/null 2>&1 || $as_root apt-get update
if test -t 0 && test -t 1; then
    # shellcheck disable=SC2086
    apt-get install --no-install-recommends --assume-no $missing 2>/dev/null | sed '/^Do you want/d; /^Abort/d' || true
    printf 'Install these? [Y/n] '
    read -r answer
    case $answer in
    '' | [Yy]*) ;;
    *)
        echo "not installed; missing:$missing" >&2
        exit 1
        ;;
    esac
else
    echo "installing:$missing"
fi
install_missing() {
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing </dev/null
}
# Lists that are out of date name files that are gone.
install_missing || { $as_root apt-get update && install_missing; } || exit 1
test -z "$missing_npm" || install_rp2040js
