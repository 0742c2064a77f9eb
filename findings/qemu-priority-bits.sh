#!/bin/sh
# SPDX-License-Identifier: MIT
# QEMU 7.2 (Debian 1:7.2+dfsg), -M stm32vldiscovery and netduinoplus2.
# A good guess: a model of an STM32F100 or STM32F405 has the four priority bits of the chip, as it has its memories and clocks.
# What it does: all eight bits are there. The priorities 0x10 and 0x1F are equal on the chip; here an interrupt of 0x10
# pre-empts one of 0x1F, and a priority that somebody forgot to shift (5 for 0x50) is one, and not 0 as on the chip. So nested
# interrupts that work in the emulator do not nest on the board.
# Output, from each board: "priority ff, nested 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <stdint.h>
#define AT(address) (*(volatile uint32_t *)(address))
volatile uint32_t running, nested;
static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
static void pend(unsigned line)
{
    AT(0xE000E200) = 1u << line;
    __asm__ volatile("dsb\n isb" ::: "memory");
}
static void low(void)
{
    running = 1;
    pend(1);
    running = 0;
}
static void high(void) { nested = running; }
static void other(void) { semihosting(0x18, (void *)0x20023); }
void start(void)
{
    AT(0xE000E400) = 0x0000FFFF;
    semihosting(4, (AT(0xE000E400) & 0xFF) == 0xFF ? "priority ff, " : "priority of fewer bits, ");
    AT(0xE000E400) = 0x0000101F;
    AT(0xE000E100) = 3;
    pend(0);
    semihosting(4, nested ? "nested 1\n" : "nested 0\n");
    semihosting(0x18, (void *)0x20026);
}
__attribute__((section(".vectors"), used)) void *const table[18] = {
    (void *)0x20002000, start, other, other, [16] = low, high};
END
qemu-system-arm --version | grep -q 'Debian 1:7\.2+dfsg'
for board in stm32vldiscovery:cortex-m3 netduinoplus2:cortex-m4; do
    arm-none-eabi-gcc -Os -mcpu=${board#*:} -mthumb -mfloat-abi=soft -ffreestanding -nostdlib \
        -Wl,--section-start=.vectors=0x08000000 -Wl,-Ttext=0x08000100 -Wl,-Tbss=0x20000000 -Wl,-e,start \
        "$work/main.c" -o "$work/main.elf"
    timeout 20 qemu-system-arm -M ${board%:*} -display none -monitor none -serial null \
        -semihosting-config enable=on,target=native -kernel "$work/main.elf" </dev/null >"$work/said" 2>&1
    cat "$work/said"
    grep -qx 'priority ff, nested 1' "$work/said"
done
