#!/bin/sh
# SPDX-License-Identifier: MIT
# `make run` without a terminal. The shell runs its scripts, one for each geometry.
# The examples end by themselves and print the same in every run. Blink never ends:
# this script stops it after three seconds.
#   QEMU=.. EXACT=.. run_unattended.sh <folder of the firmwares> <example> [<variant>..]
set -eu
folder=$1
example=$2
shift 2

run() { # variant, input
    status=0
    timeout 60 $QEMU $EXACT -kernel "$folder/$1/$example.elf" <"$2" || status=$?
    test "$status" != 124 || echo "$example: not finished after 60 seconds"
    return "$status"
}

case $example in
blink)
    status=0
    timeout 3 $QEMU -kernel "$folder/${1:-8-6}/blink.elf" </dev/null || status=$?
    test "$status" = 124 || exit "$status"
    echo "(blink never ends; it was stopped after three seconds)"
    ;;
shell)
    test $# != 0 || set -- 8-6 6-4
    for variant in "$@"; do
        case $variant in
        8-6*)
            echo '== The wheel of 256 + 4 x 64 slots: `skip` jumps close to the far ticks, SysTick makes the rest.'
            run "$variant" examples/shell/script.txt
            ;;
        *)
            echo
            echo "== A small wheel, $variant: SysTick alone goes through all levels and the wrap of jiffies."
            run "$variant" examples/shell/script_small.txt
            ;;
        esac
    done
    ;;
*) run "${1:-8-6}" /dev/null ;;
esac
