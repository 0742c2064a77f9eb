#!/bin/sh
# SPDX-License-Identifier: MIT
# avr8js 0.21.1 (npm) and simavr 1.6 (Debian 1.6+dfsg-3), emulators of the AVR.
# A good guess: in CTC mode a timer whose OCR0A is lowered below its count misses the compare, as the data sheet warns, and counts
# on to 255 before it starts again. So a program that moves its alarm without a look at TCNT0 is seen to come late.
# What they do: avr8js takes the next count modulo OCR0A + 1, and simavr starts again from 0. So the alarm comes at once, and no
# test there finds the fault.
# Output: "avr8js: 100, then OCR0A 50, highest count 50" and "simavr: 101, then OCR0A 50, highest count 50"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const { CPU, AVRTimer, avrInstruction, timer0Config } = require('avr8js')
const [TCCR0A, TCCR0B, TCNT0, OCR0A] = [0x44, 0x45, 0x46, 0x47]
const cpu = new CPU(new Uint16Array(0x1000)) // NOPs
new AVRTimer(cpu, timer0Config)
function run(cycles) {
    for (let i = 0; i < cycles; ++i) {
        avrInstruction(cpu)
        cpu.tick()
    }
}
cpu.writeData(TCCR0A, 2)
cpu.writeData(OCR0A, 200)
cpu.writeData(TCCR0B, 1)
run(101)
const before = cpu.readData(TCNT0)
cpu.writeData(OCR0A, 50)
let highest = 0
for (let i = 0; i < 300; ++i) {
    run(1)
    highest = Math.max(highest, cpu.readData(TCNT0))
}
console.log(`avr8js: ${before}, then OCR0A 50, highest count ${highest}`)
END
cat >main.c <<'END'
#include <simavr/sim_avr.h>
#include <stdio.h>
int main(void)
{
    /* ldi r16, 2; out TCCR0A, r16; ldi r16, 200; out OCR0A, r16; ldi r16, 1; out TCCR0B, r16; then NOPs. */
    static uint16_t code[1000] = {0xE002, 0xBD04, 0xEC08, 0xBD07, 0xE001, 0xBD05};
    /* in r17, TCNT0; ldi r16, 50; out OCR0A, r16; from there on in r17, TCNT0, and an endless loop. */
    code[106] = 0xB516, code[107] = 0xE302, code[108] = 0xBD07;
    for (int i = 109; i < 999; ++i) {
        code[i] = 0xB516;
    }
    code[999] = 0xCFFF;
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr_loadcode(avr, (uint8_t *)code, sizeof(code), 0);
    int before = 0, highest = 0;
    while (avr->pc < 2 * 999) {
        avr_run(avr);
        before = avr->pc == 2 * 107 ? avr->data[17] : before;
        highest = avr->pc > 2 * 109 && avr->data[17] > highest ? avr->data[17] : highest;
    }
    printf("simavr: %d, then OCR0A 50, highest count %d\n", before, highest);
    return 0;
}
END
npm install --silent --no-audit --no-fund avr8js@0.21.1 >log 2>&1
apt-get download -q libsimavr2=1.6+dfsg-3 libsimavr-dev=1.6+dfsg-3 libelf1=0.188-2.1 >>log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu"
gcc main.c -Iroot/usr/include -Iroot/usr/include/simavr -L"$LD_LIBRARY_PATH" -l:libsimavr.so.2 -o main
{ node main.js && ./main | grep '^simavr'; } >said
cat said
printf '%s: %s, then OCR0A 50, highest count 50\n' avr8js 100 simavr 101 | cmp - said
