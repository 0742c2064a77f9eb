#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M mps2-an385 (Cortex-M3), netduinoplus2 (Cortex-M4) and mps2-an500 (Cortex-M7).
# A good guess: code that asks DWT_CTRL.NOCYCCNT (bit 25) before it uses the cycle counter is safe in an emulator without one.
# What it does: NOCYCCNT reads 0, "there is a cycle counter", but CYCCNT stands still at 0 and CYCCNTENA does not stay set, so
# a delay loop on CYCCNT never ends. What tells the truth is DEMCR: TRCENA (bit 24) does not stay set either.
# Output, from each board: "DEMCR 00000000, CTRL 00000000, CYCCNT 00000000 and 00000000"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
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
static void other(void) { semihosting(0x18, (void *)0x20023); }
void start(void)
{
    AT(0xE000EDFC) |= 1u << 24;
    AT(0xE0001000) |= 1;
    say("DEMCR ", AT(0xE000EDFC));
    say(", CTRL ", AT(0xE0001000));
    say(", CYCCNT ", AT(0xE0001004));
    for (volatile int i = 0; i < 1000; ++i) {
    }
    say(" and ", AT(0xE0001004));
    semihosting(4, "\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[16] = {(void *)0x20002000, start, other, other};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
for board in mps2-an385:0x0:cortex-m3 netduinoplus2:0x08000000:cortex-m4 mps2-an500:0x0:cortex-m7; do
    flash=${board#*:}
    flash=${flash%:*}
    arm-none-eabi-gcc -Os -mcpu=${board##*:} -mthumb -mfloat-abi=soft -ffreestanding -nostdlib \
        -Wl,--section-start=.vectors=$flash -Wl,-Ttext=$(printf 0x%x $((flash + 0x100))) -Wl,-Tbss=0x20000000 -Wl,-e,start \
        "$work/main.c" -o "$work/main.elf"
    timeout 20 qemu-system-arm -M ${board%%:*} -display none -monitor none -serial null \
        -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
    cat "$work/said"
    grep -qx 'DEMCR 00000000, CTRL 00000000, CYCCNT 00000000 and 00000000' "$work/said"
done
