#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the boards that no emulator has: they build, and `make run` and `make test` report that no emulator has them.
#   MAKE=.. build_only.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. test/support/checks.sh

build() {
    MAKEFLAGS= ${MAKE:-make} --no-print-directory "$@"
}
names_its_file() {
    build "$@" && grep -q silicon.elf "$work/said"
}
refuses() {
    ! build "$@" && grep -q 'no emulator has this board' "$work/said"
}

boards=$(grep -L '^BOARD_QEMU ' boards/*/board.mk | cut -d/ -f2)
check "there is one such board" test "$boards" = nrf52840dk
for board in $boards; do
    check "$board: the shell builds" build elf BOARD="$board"
    check "$board: blink builds" build elf BOARD="$board" EXAMPLE=blink
    check "$board: silicon builds and names its file" names_its_file silicon BOARD="$board"
    check "$board: make run reports that there is no emulator" refuses run BOARD="$board"
    check "$board: make test reports that there is no emulator" refuses test BOARD="$board"
done
check "sleep by RTC1 builds" build elf BOARD=nrf52840dk EXAMPLE=lowpower_rtc
sum_up
