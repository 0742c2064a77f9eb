#!/bin/sh
# SPDX-License-Identifier: MIT
# The projects of examples/integration/: every folder there with a Makefile and
# expected.txt is built into a folder of its own and run, as its user does, and must
# print what expected.txt says, to the byte, and end with 0.
#   MAKE=.. integrations.sh [<project>..]
set -u
cd "$(dirname "$0")/.." || exit 2
out=$PWD/build/integration
passed=0
failed=0

project() { # goal
    MAKEFLAGS= timeout 120 ${MAKE:-make} --no-print-directory -C "examples/integration/$name" "$1" BUILD="$out/$name"
}

# $1: what is checked; then the command that says whether it is so
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
check "no file was left outside of build/" same_files
echo "$passed passed, $failed failed"
test "$failed" = 0
