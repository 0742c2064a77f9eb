#!/bin/sh
# SPDX-License-Identifier: MIT
# A goal that lacks a package says so in one line, and does nothing else.
#   MAKE=.. packages.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/packages
export LC_ALL=C
. test/support/checks.sh

# The programs of this PC in one folder, from which some can be taken. The other files of packages lie below `files`.
mkdir -p "$work/programs" "$work/files/npm/node_modules" "$work/nothing"
IFS=:
for folder in $PATH; do
    ln -s "$folder"/* "$work/programs/" 2>/dev/null
done
unset IFS
cp boards/rpi-pico/emulator/package-lock.json "$work/files/npm/"
touch "$work/files/npm/node_modules/.package-lock.json"
sed -n "/^done <<END/,/^END/{ s/[$]LLVM/$LLVM/g; p; }" test/install_packages.sh | grep -v END | while read -r package brings _; do
    case $brings in
    /*) brings=$work/files$brings && mkdir -p "$brings" ;;
    *) brings=$work/programs/$brings ;;
    esac
    echo "$package $brings"
done >"$work/table"
cp -a "$work/programs" "$work/no_programs"
while read -r _ brings; do
    rm -f "$work/no_programs/${brings##*/}"
done <"$work/table"

# $1: the folder of programs; $2: that of other files; $3: the packages that the first goal must lack; then make's arguments
lacks() {
    path=$1 files=$2 lacking=$3
    shift 3
    MAKEFLAGS= MAKELEVEL=0 PATH=$path PACKAGES_ROOT=$files ${MAKE:-make} --no-print-directory -n "$@" </dev/null
    code=$?
    test -z "$lacking" && return $code
    said=$(sed 's/^[^*]*//' "$work/said")
    test $code = 2 && test "$said" = "*** make $1 needs $lacking: run \`make setup\`.  Stop."
}
while IFS='|' read -r goal lacking; do
    check "make $goal without any package" lacks "$work/no_programs" "$work/nothing" "$lacking" $goal
done <<END
help|
run|
test|
run BOARD=riscv-virt|gcc-riscv64-unknown-elf, qemu-system-misc (Debian)
test BOARD=rpi-pico|nodejs (Debian), rp2040js (npm)
elf|gcc-arm-none-eabi (Debian)
elf BOARD=rpi-pico|gcc-arm-none-eabi, python3 (Debian)
elf BOARD=riscv-virt|gcc-riscv64-unknown-elf (Debian)
lib|gcc-arm-none-eabi (Debian)
lib CPU=host|g++ (Debian)
lib CPU=rv32imac|gcc-riscv64-unknown-elf (Debian)
lib CXX=clang++-$LLVM|gcc-arm-none-eabi, clang-$LLVM (Debian)
lib CROSS=/opt/arm-|
single|python3 (Debian)
fuzz|g++ (Debian)
quick|gcc-arm-none-eabi, libstdc++-arm-none-eabi-dev, qemu-system-arm, g++, doctest-dev, python3, gcc-riscv64-unknown-elf (Debian)
END
rm "$work/files/npm/node_modules/.package-lock.json"
check "make test-all without what npm installs" lacks "$work/programs" "$work/files" "rp2040js (npm)" test-all
check "make bench runs none of it" lacks "$work/programs" "$work/files" "" bench
sum_up
