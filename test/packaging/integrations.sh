#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs each project of examples/integration/ as its user does. A project is
# a folder with a Makefile and expected.txt. The output must equal expected.txt, and
# the exit code must be 0.
#   MAKE=.. integrations.sh [<project>..]
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/integration
. test/support/checks.sh

project() { # goal, variables
    MAKEFLAGS= timeout 120 ${MAKE:-make} --no-print-directory -C "examples/integration/$name" BUILD="$work/$name" "$@"
}

prints_what_is_expected() {
    rm -rf "${work:?}/$name"
    project all || return 1
    project run >"$work/$name.txt"
    code=$?
    test $code = 0 || echo "exit code $code"
    diff -u "examples/integration/$name/expected.txt" "$work/$name.txt" && test $code = 0
}

# The sleep of vendor_hal, interrupted at each phase.
sleeps_in_time() {
    name=vendor_hal
    project run PROGRAMS=sleep_phases SOURCES_sleep_phases="$PWD/test/examples/sleep_phases.c" DEFINES=-I.
}

files() {
    find examples/integration core port -type f | sort
}
same_files() {
    files | diff "$work/files" -
}

mkdir -p "$work"
files >"$work/files"
test $# != 0 || set -- $(cd examples/integration && ls -d */Makefile | sed 's,/.*,,')
for name in "$@"; do
    check "$name" prints_what_is_expected
done
check "vendor_hal: no interrupt makes a sleep too short or too long" sleeps_in_time
check "no file was left outside of build/" same_files
sum_up
