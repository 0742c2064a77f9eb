#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M mps2-an385 with -icount shift=10,align=off,sleep=off.
# A good guess: under -icount all clocks of the machine follow the instructions, so that each run measures the same.
# What it does: semihosting's SYS_CLOCK (0x10) is the processor time that QEMU has used on the PC, and SYS_ELAPSED (0x30) is the
# PC's clock, so clock() of newlib's rdimon measures the PC. Here SysTick counts 100 s of the machine, while both clocks see less
# than 50 s.
# Output: "100 s by SysTick, less than 50 s by SYS_CLOCK and SYS_ELAPSED"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
static uint32_t semihosting(int operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = (uint32_t)operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
static void other(void) { semihosting(0x18, (void *)0x20023); }
/* In nanoseconds, SYS_TICKFREQ's unit here. */
static uint64_t elapsed(void)
{
    static volatile uint32_t now[2];
    semihosting(0x30, (void *)now);
    return (uint64_t)now[1] << 32 | now[0];
}
void start(void)
{
    const uint32_t clock = semihosting(0x10, 0);
    const uint64_t before = elapsed();
    /* 200 times half a second, at 25 MHz. PRIMASK keeps the handler out. */
    __asm__ volatile("cpsid i");
    AT(0xE000E014) = 12499999;
    AT(0xE000E018) = 0;
    AT(0xE000E010) = 7;
    for (int i = 0; i < 200; ++i) {
        while ((AT(0xE000ED04) & 1u << 26) == 0) {
            for (volatile int spin = 0; spin < 4000; ++spin) {
            }
        }
        AT(0xE000ED04) = 1u << 25;
    }
    const int less = semihosting(0x10, 0) - clock < 5000 && elapsed() - before < 50000000000u;
    semihosting(4, less && semihosting(0x31, 0) == 1000000000 ?
                       "100 s by SysTick, less than 50 s by SYS_CLOCK and SYS_ELAPSED\n" : "another time\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[16] = {(void *)0x20002000, start, other, other};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
arm-none-eabi-gcc -Os -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 \
    -Wl,-Tbss=0x20000000 -Wl,-e,start "$work/main.c" -o "$work/main.elf"
timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=10,align=off,sleep=off \
    -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
cat "$work/said"
grep -qx '100 s by SysTick, less than 50 s by SYS_CLOCK and SYS_ELAPSED' "$work/said"
