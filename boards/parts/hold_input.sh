#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs an emulator, and holds its input back until it has printed a line. QEMU's STM32 USART drops the characters that
# arrive before the firmware enables it, and its PL011 drops them when the firmware enables the FIFOs.
#   hold_input.sh <emulator and its arguments>
test ! -t 0 || exec "$@"
fifo=$(mktemp -u)
mkfifo -m 600 "$fifo" || exit 2
# Open it for reading and writing, or each end would wait for the other. Then nobody needs its name.
exec 3<&0 4<>"$fifo" 6>&1
rm "$fifo"
code=$({
    {
        "$@" <&4 4<&- 3<&-
        echo $? >&5
    } | {
        IFS= read -r line && printf '%s\n' "$line"
        cat <&3 >&4 &
        cat
    } >&6
} 5>&1)
exit "$code"
