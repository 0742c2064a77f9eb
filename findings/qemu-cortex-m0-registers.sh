#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M microbit, whose core is a Cortex-M0.
# A good guess: the model refuses what a Cortex-M0 does not have, and has what the Armv6-M manual requires.
# What it does: VTOR, which a Cortex-M0 does not have, can be written and moves the vector table, so a boot loader that moves
# its table works here and not on the chip. SCR, which Armv6-M requires, ignores writes: SLEEPDEEP, SLEEPONEXIT and SEVONPEND
# read as 0, so code that waits for one of these bits waits for ever.
# Output: "VTOR 20000800, SCR 00000000, ticks by the moved table: 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
__attribute__((aligned(256), section(".table"))) uint32_t moved[64];
volatile uint32_t ticks;
static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
static void say(const char *what, uint32_t number)
{
    static char text[9];
    for (int digit = 0; digit < 8; ++digit) {
        text[digit] = "0123456789abcdef"[number >> (28 - 4 * digit) & 15];
    }
    semihosting(4, what);
    semihosting(4, text);
}
static void tick(void) { ++ticks; }
static void other(void) { semihosting(0x18, (void *)0x20023); }
void start(void)
{
    moved[15] = (uint32_t)tick;
    AT(0xE000ED08) = (uint32_t)moved;
    say("VTOR ", AT(0xE000ED08));
    AT(0xE000ED10) = 0x16;
    say(", SCR ", AT(0xE000ED10));
    AT(0xE000ED04) = 1u << 26;
    __asm__ volatile("dsb\n isb" ::: "memory");
    semihosting(4, ticks == 1 ? ", ticks by the moved table: 1\n" : ", not moved\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[16] = {
    (void *)0x20002000, start, other, other, [15] = other};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
arm-none-eabi-gcc -Os -mcpu=cortex-m0 -mthumb -ffreestanding -nostdlib -Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 \
    -Wl,--section-start=.table=0x20000800 -Wl,-Tbss=0x20000000 -Wl,-e,start "$work/main.c" -o "$work/main.elf"
timeout 20 qemu-system-arm -M microbit -display none -monitor none -serial null \
    -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
cat "$work/said"
grep -qx 'VTOR 20000800, SCR 00000000, ticks by the moved table: 1' "$work/said"
