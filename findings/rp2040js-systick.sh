#!/bin/sh
# SPDX-License-Identifier: MIT
# rp2040js 1.4.1 (npm).
# A good guess: SysTick with CLKSOURCE 0 counts the 1 MHz reference of the RP2040, as SYST_CALIB says: 9999 for 10 ms. And with a
# reload of N it sets COUNTFLAG every N + 1 counts.
# What it does: it counts the 125 MHz of the core whatever CLKSOURCE is, and every N counts. So a reload of 9999 is 79.992 us
# and not 10 ms, and a clock that counts its ticks gains one count in each.
# Output: "TENMS 9999: 79992 ns with CLKSOURCE 0, 79992 ns with CLKSOURCE 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const { RP2040 } = require('rp2040js')
const [SYST_CSR, SYST_RVR, SYST_CVR, SYST_CALIB] = [0xe000e010, 0xe000e014, 0xe000e018, 0xe000e01c]
function nextFlag(chip) {
    do {
        chip.clock.tick(8) // ns, one cycle
    } while ((chip.readUint32(SYST_CSR) & 0x10000) === 0)
    return chip.clock.nanos
}
function period(source) {
    const chip = new RP2040()
    chip.writeUint32(SYST_RVR, chip.readUint32(SYST_CALIB) & 0xffffff)
    chip.writeUint32(SYST_CVR, 0)
    chip.writeUint32(SYST_CSR, 1 | (source << 2))
    nextFlag(chip) // at once, because the count starts at 0
    const before = nextFlag(chip)
    return nextFlag(chip) - before
}
const tenms = new RP2040().readUint32(SYST_CALIB) & 0xffffff
console.log(`TENMS ${tenms}: ${period(0)} ns with CLKSOURCE 0, ${period(1)} ns with CLKSOURCE 1`)
END
npm install --silent --no-audit --no-fund rp2040js@1.4.1 >log 2>&1
node main.js | tee said
grep -qx 'TENMS 9999: 79992 ns with CLKSOURCE 0, 79992 ns with CLKSOURCE 1' said
