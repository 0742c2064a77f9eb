#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M netduinoplus2, whose chip is an STM32F405.
# A good guess: a driver of TIM2 that works in the emulator clears UIF where it must, and one may as well poll UIF, or take the
# interrupt of a compare, since the model counts and has all these registers.
# What it does: the interrupt is a pulse at each update. A handler that forgets to clear UIF runs once a period, where the chip
# runs it again and again, and nothing else. Without UIE in DIER UIF is never set, so a loop that polls it never ends. A
# compare neither sets CC1IF nor interrupts. CNT counts also while CEN is 0.
# Output: "stopped: counts, polled: SR 0, compares 0, not cleared: SR 1, and the program goes on"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
#define CR1 AT(0x40000000)
#define DIER AT(0x4000000C)
#define SR AT(0x40000010)
#define CNT AT(0x40000024)
#define ARR AT(0x4000002C)
#define CCR1 AT(0x40000034)
volatile uint32_t interrupts, turns, turns_at_first;
static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
static void say(const char *what, uint32_t digit)
{
    static char text[2];
    text[0] = (char)('0' + digit);
    semihosting(4, what);
    semihosting(4, text);
}
static void spin(void)
{
    for (volatile int i = 0; i < 10000; ++i) {
    }
}
static void tim2(void)
{
    if (interrupts++ == 0) {
        turns_at_first = turns;
    }
}
static void other(void) { semihosting(0x18, (void *)0x20023); }
void start(void)
{
    const uint32_t before = CNT;
    spin();
    semihosting(4, CNT != before ? "stopped: counts" : "stopped: stands still");
    ARR = 1000;
    CR1 = 1;
    spin();
    say(", polled: SR ", SR & 3);
    AT(0xE000E100) = 1u << 28;
    CCR1 = 500;
    DIER = 2;
    spin();
    say(", compares ", interrupts);
    CR1 = 0;
    DIER = 1;
    CR1 = 1;
    ARR = 100000;
    while (interrupts < 4) {
        ++turns;
    }
    say(", not cleared: SR ", SR & 1);
    semihosting(4, turns - turns_at_first > 1000 ? ", and the program goes on\n" : ", and the program stands still\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[16 + 29] = {
    (void *)0x20002000, start, other, other, [16 + 28] = tim2};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
arm-none-eabi-gcc -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=soft -ffreestanding -nostdlib \
    -Wl,--section-start=.vectors=0x08000000 -Wl,-Ttext=0x08000200 -Wl,-Tbss=0x20000000 -Wl,-e,start "$work/main.c" \
    -o "$work/main.elf"
timeout 20 qemu-system-arm -M netduinoplus2 -display none -monitor none -serial null -icount shift=3,align=off,sleep=off \
    -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
cat "$work/said"
grep -qx 'stopped: counts, polled: SR 0, compares 0, not cleared: SR 1, and the program goes on' "$work/said"
