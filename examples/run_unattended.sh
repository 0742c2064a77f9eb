#!/bin/sh
# SPDX-License-Identifier: MIT
# `make run` without a terminal. The shell runs its demonstration. The other examples end by
# themselves and print the same in every run, except blink, which never ends: this
# script stops it after three seconds.
#   QEMU=.. EXACT=.. run_unattended.sh <folder of the firmwares> <example> [<variant>]
set -eu
folder=$1
example=$2
variant=${3:-8-6}

run() {
    status=0
    # Of the processor, because the machine may be busy. A core that sleeps for ever takes nothing of it.
    (ulimit -S -t 300 2>/dev/null; exec timeout 3600 $QEMU $EXACT -kernel "$folder/$variant/$example.elf") || status=$?
    case $status in
    124) echo "$example: asleep for an hour" ;;
    152) echo "$example: not finished after 300 seconds of the processor" ;;
    esac
    return "$status"
}

case $example in
blink)
    status=0
    timeout 3 $QEMU -kernel "$folder/$variant/blink.elf" </dev/null || status=$?
    test "$status" = 124 || exit "$status"
    echo "(blink never ends; it was stopped after three seconds)"
    ;;
shell) printf 'demo\nquit\n' | run ;;
*) run </dev/null ;;
esac
