#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M mps2-an385 (Cortex-M3).
# A good guess: SCR, which this model of a Cortex-M3 keeps, also does what it says: with SLEEPONEXIT (bit 1) the core sleeps again
# when a handler returns, until a handler clears the bit, so a program of handlers only ends its main() with one WFI.
# What it does: the first interrupt ends that WFI, and main() runs on. WFE never waits at all: it returns at once, thousands of
# times for each tick, so what sleeps by WFE is a busy loop here, and the idle time that one measures is none.
# Output: "SCR 2, WFI ended at tick 1, not 10; WFE ended more than 1000 times in 10 ticks"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
#define SCR AT(0xE000ED10)
volatile uint32_t ticks;
static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
static void tick(void)
{
    if (++ticks == 10) {
        SCR = 0;
    }
}
static void other(void) { semihosting(0x18, (void *)0x20023); }
void start(void)
{
    AT(0xE000E014) = 25000;
    AT(0xE000E018) = 0;
    AT(0xE000E010) = 7;
    SCR = 2;
    const uint32_t scr = SCR;
    __asm__ volatile("wfi" ::: "memory");
    semihosting(4, scr == 2 ? "SCR 2, " : "SCR 0, ");
    semihosting(4, ticks == 1 ? "WFI ended at tick 1, not 10; " : "WFI ended later; ");
    SCR = 0;
    uint32_t ended = 0;
    for (const uint32_t until = ticks + 10; ticks != until; ++ended) {
        __asm__ volatile("wfe" ::: "memory");
    }
    semihosting(4, ended > 1000 ? "WFE ended more than 1000 times in 10 ticks\n" : "WFE waited\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[16] = {
    (void *)0x20002000, start, other, other, [15] = tick};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
arm-none-eabi-gcc -Os -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 \
    -Wl,-Tbss=0x20000000 -Wl,-e,start "$work/main.c" -o "$work/main.elf"
timeout 20 qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=6,align=off,sleep=off \
    -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
cat "$work/said"
grep -qx 'SCR 2, WFI ended at tick 1, not 10; WFE ended more than 1000 times in 10 ticks' "$work/said"
