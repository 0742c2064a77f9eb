#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), qemu-system-riscv32 -M virt with -icount.
# A good guess: minstret counts the instructions that retire, and -icount makes that count exact.
# What it does: minstret, like mcycle, is the time in nanoseconds, 2^shift for each instruction. So the 102 instructions from one
# csrr to the next are 102 at shift=0 and 816 at shift=3. Divide by 2^shift, or count with shift=0.
# Output: "shift 0: minstret 102, mcycle 102" and "shift 3: minstret 816, mcycle 816"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.S" <<'END'
.globl _start
_start:
    csrr s0, minstret
    csrr s1, mcycle
    .rept 100
    nop
    .endr
    csrr a0, minstret
    csrr a1, mcycle
    sub a0, a0, s0
    sub a1, a1, s1
done:
    j done
END
qemu-system-riscv32 --version | grep -q 'Debian 1:7\.2+dfsg'
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 \
    "$work/main.S" -o "$work/main.elf"
for shift in 0 3; do
    timeout 60 gdb-multiarch -nx -batch -ex 'set architecture riscv:rv32' -ex "target remote | exec qemu-system-riscv32 -M virt \
        -bios none -display none -monitor none -serial null -S -gdb stdio -icount shift=$shift,align=off,sleep=off \
        -kernel $work/main.elf" -ex 'hbreak done' -ex continue \
        -ex "printf \"shift $shift: minstret %d, mcycle %d\\n\", \$a0, \$a1" \
        "$work/main.elf" 2>"$work/errors" | grep '^shift' >>"$work/said"
done
cat "$work/said"
printf 'shift 0: minstret 102, mcycle 102\nshift 3: minstret 816, mcycle 816\n' | cmp - "$work/said"
