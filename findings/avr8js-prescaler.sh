#!/bin/sh
# SPDX-License-Identifier: MIT
# avr8js 0.21.1 (npm), the AVR emulator of web pages for Arduino.
# A good guess: GTCCR works, because a program that starts two timers in phase needs it: on the chip, bit TSM with PSRSYNC holds
# the prescaler, and with it timer 0 and timer 1, until TSM is cleared (ATmega328P, "General Timer/Counter Control Register").
# What it does: GTCCR is a byte of memory. It reads back, and the timers count on, so timers that are in phase on the chip are out
# of phase here, and a bit PSRSYNC that the chip clears stays set.
# Output: "GTCCR 0x81, timer 0 from 9 to 59 in 50 cycles, PSRSYNC alone reads 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const { CPU, AVRTimer, avrInstruction, timer0Config } = require('avr8js')
const [TCCR0B, TCNT0, GTCCR] = [0x45, 0x46, 0x43]
const cpu = new CPU(new Uint16Array(0x1000)) // NOPs
new AVRTimer(cpu, timer0Config)
function run(cycles) {
    for (let i = 0; i < cycles; ++i) {
        avrInstruction(cpu)
        cpu.tick()
    }
}
cpu.writeData(TCCR0B, 1)
run(10)
cpu.writeData(GTCCR, 0x81)
const before = cpu.readData(TCNT0)
run(50)
const held = `GTCCR 0x${cpu.readData(GTCCR).toString(16)}, timer 0 from ${before} to ${cpu.readData(TCNT0)} in 50 cycles`
cpu.writeData(GTCCR, 1)
run(10)
console.log(`${held}, PSRSYNC alone reads ${cpu.readData(GTCCR)}`)
END
npm install --silent --no-audit --no-fund avr8js@0.21.1 >log 2>&1
node main.js | tee said
grep -qx 'GTCCR 0x81, timer 0 from 9 to 59 in 50 cycles, PSRSYNC alone reads 1' said
