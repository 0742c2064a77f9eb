#!/bin/sh
# SPDX-License-Identifier: MIT
# CMake 3.25.1 (Debian 3.25.1-1).
# A good guess: if(a EQUAL b) and if(a LESS b) compare the integers that math(EXPR) calculates with, and are false for what is no
# number, as the manual says. So they can check a tick rate, or a time in nanoseconds.
# What they do: they compare doubles, so two numbers above 2^53 that math() tells apart are equal. They read as far as a number
# goes, so 1_000 is 1, and 16MHz is less than 20. And math() reads 010 as ten, where C reads eight.
# Output: "difference 1, but EQUAL", "1_000 is 1", "16MHz is less than 20", "010 is 10"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.cmake <<'END'
math(EXPR difference "9007199254740993 - 9007199254740992")
if(9007199254740993 EQUAL 9007199254740992)
    message("difference ${difference}, but EQUAL")
endif()
if(1_000 EQUAL 1)
    message("1_000 is 1")
endif()
if(16MHz LESS 20)
    message("16MHz is less than 20")
endif()
math(EXPR ten "010")
message("010 is ${ten}")
END
apt-get download -q cmake=3.25.1-1 cmake-data=3.25.1-1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
root/usr/bin/cmake --version | grep -q ' 3\.25\.1$'
root/usr/bin/cmake -P main.cmake 2>said
cat said
printf 'difference 1, but EQUAL\n1_000 is 1\n16MHz is less than 20\n010 is 10\n' | cmp - said
