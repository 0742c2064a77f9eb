#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), qemu-system-riscv32 -M virt -smp 2.
# A good guess: SC.W fails if another hart has stored to the word since LR.W, as the manual of RISC-V demands, also if the word is
# back at its old value. So a stack without locks needs no count of changes beside its pointer, as it does with compare and swap.
# What it does: SC.W is a compare and swap with the value that LR.W read. Here hart 1 writes 7 and the old 1 between the two
# instructions, and SC.W succeeds. Code that is right on the chip may lose a node here.
# Output: "SC.W 0, word 9"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.S" <<'END'
.globl _start
_start:
    la s0, word
    la s1, turn
    csrr t0, mhartid
    bnez t0, second
    lr.w a1, (s0)
    li t0, 1
    sw t0, 0(s1)
1:  lw t0, 0(s1)
    addi t0, t0, -2
    bnez t0, 1b
    li t0, 9
    sc.w a0, t0, (s0)
    lw a1, 0(s0)
    la t0, text
    addi a0, a0, '0'
    sb a0, 5(t0)
    addi a1, a1, '0'
    sb a1, 13(t0)
    li t1, 0x10000000 # the UART
2:  lbu a0, 0(t0)
    beqz a0, 3f
    sb a0, 0(t1)
    addi t0, t0, 1
    j 2b
3:  li t0, 0x100000 # ends QEMU
    li t1, 0x5555
    sw t1, 0(t0)
4:  j 4b
second:
    lw t0, 0(s1)
    beqz t0, second
    li t0, 7
    sw t0, 0(s0)
    fence
    li t0, 1
    sw t0, 0(s0)
    fence
    li t0, 2
    sw t0, 0(s1)
    j 4b
.data
word: .word 1
turn: .word 0
text: .asciz "SC.W ?, word ?\n"
END
qemu-system-riscv32 --version | grep -q 'Debian 1:7\.2+dfsg'
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -nostdlib -nostartfiles -Wl,--no-relax \
    -Wl,-Ttext=0x80000000 -Wl,-Tdata=0x80001000 "$work/main.S" -o "$work/main.elf"
timeout 20 qemu-system-riscv32 -M virt -smp 2 -bios none -display none -monitor none -serial stdio -kernel "$work/main.elf" \
    </dev/null >"$work/said"
cat "$work/said"
grep -qx 'SC.W 0, word 9' "$work/said"
