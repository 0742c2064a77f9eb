#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs each project of examples/integration/ as its user does. A project is
# a folder with a Makefile and expected.txt. The output must equal expected.txt, and
# the exit code must be 0.
#   MAKE=.. integrations.sh [<project>..]
set -u
cd "$(dirname "$0")/../.." || exit 2
out=$PWD/build/integration
passed=0
failed=0

project() { # goal, variables
    MAKEFLAGS= timeout 120 ${MAKE:-make} --no-print-directory -C "examples/integration/$name" BUILD="$out/$name" "$@"
}

# $1: what is checked; then the command that checks it
check() {
    what=$1
    shift
    if "$@" >"$out/said" 2>&1; then
        passed=$((passed + 1))
        echo "ok $what"
    else
        failed=$((failed + 1))
        echo "FAILED $what"
        sed 's/^/    /' "$out/said"
    fi
}

prints_what_is_expected() {
    rm -rf "${out:?}/$name"
    project all || return 1
    project run >"$out/$name.txt"
    code=$?
    test $code = 0 || echo "exit code $code"
    diff -u "examples/integration/$name/expected.txt" "$out/$name.txt" && test $code = 0
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
    files | diff "$out/files" -
}

mkdir -p "$out"
files >"$out/files"
test $# != 0 || set -- $(cd examples/integration && ls -d */Makefile | sed 's,/.*,,')
for name in "$@"; do
    check "$name" prints_what_is_expected
done
check "vendor_hal: no interrupt makes a sleep too short or too long" sleeps_in_time
check "no file was left outside of build/" same_files
echo "$passed passed, $failed failed"
test "$failed" = 0
