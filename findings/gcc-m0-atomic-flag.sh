#!/bin/sh
# SPDX-License-Identifier: MIT
# gcc-arm-none-eabi 12.2 (Debian 15:12.2.rel1-1), -mcpu=cortex-m0.
# A good guess: atomic_flag is the one type that the C standard promises to be lock-free, so atomic_flag_test_and_set() is atomic
# wherever it compiles, and a core without LDREX gets a call of libatomic, as it does for atomic_fetch_add().
# What it does: a plain load and a plain store, without a warning. An interrupt between the two takes the same lock. The
# addition becomes a call that does not link, so only the lock is wrong in silence. A Cortex-M3 gets LDREXB and STREXB.
# Output: "cortex-m0: flag: ldrb strb, addition: bl __atomic_fetch_add_4" and
#   "cortex-m3: flag: ldrexb strexb, addition: ldrex strex"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-arm-none-eabi=15:12.2.rel1-1 >log 2>&1
dpkg-deb -x gcc-arm-none-eabi*.deb root
gcc=$PWD/root/usr/bin/arm-none-eabi-gcc
$gcc -dumpfullversion | grep -qx 12.2.1
cat >lock.c <<'END'
#include <stdatomic.h>
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int count;
int flag(void)
{
    return atomic_flag_test_and_set(&taken);
}
int addition(void)
{
    return atomic_fetch_add(&count, 1);
}
END
# $1: a function. Prints its accesses to memory, without the literals, and its calls.
accesses() {
    sed -n "/^$1:/,/\.size/p" lock.s | awk '$1 ~ /^(ldr|str)/ && !/\.L/ { said = said " " $1 } $1 == "bl" { said = said " bl " $2 }
        END { print substr(said, 2) }'
}
for core in cortex-m0 cortex-m3; do
    $gcc -Wall -Wextra -Os -mthumb -mcpu=$core -S lock.c -o lock.s 2>warnings
    test ! -s warnings
    echo "$core: flag: $(accesses flag), addition: $(accesses addition)"
done >said
cat said
printf '%s\n' "cortex-m0: flag: ldrb strb, addition: bl __atomic_fetch_add_4" \
    "cortex-m3: flag: ldrexb strexb, addition: ldrex strex" | cmp - said
