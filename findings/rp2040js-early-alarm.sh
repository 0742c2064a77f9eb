#!/bin/sh
# SPDX-License-Identifier: MIT
# rp2040js 1.4.1 (npm).
# A good guess: an alarm of the RP2040's timer fires when TIMERAWL has become ALARM0, as the chip compares the two, so its handler
# reads at least the time that it asked for.
# What it does: it schedules the whole microseconds between the written value and now, and drops the fraction of now. So an alarm
# that is set at 10.5 us for 12 us fires at 11.5 us, when TIMERAWL is 11. A handler that trusts the interrupt is a microsecond
# early, and one that compares the time finds nothing due, and must set the alarm again.
# Output: "ALARM0 12: fired with TIMERAWL 11"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const { RP2040 } = require('rp2040js')
const timer = 0x40054000
const [ALARM0, TIMERAWL, INTR] = [timer + 0x10, timer + 0x28, timer + 0x34]
const chip = new RP2040()
chip.clock.tick(10500) // ns
chip.writeUint32(ALARM0, 12)
while ((chip.readUint32(INTR) & 1) === 0 && chip.clock.nanos < 20000) {
    chip.clock.tick(100)
}
console.log(`ALARM0 12: fired with TIMERAWL ${chip.readUint32(TIMERAWL)}`)
END
npm install --silent --no-audit --no-fund rp2040js@1.4.1 >log 2>&1
node main.js | tee said
grep -qx 'ALARM0 12: fired with TIMERAWL 11' said
