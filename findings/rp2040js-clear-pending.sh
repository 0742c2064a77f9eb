#!/bin/sh
# SPDX-License-Identifier: MIT
# rp2040js 1.4.1 (npm).
# A good guess: a 1 that is written to NVIC_ICPR takes the interrupt back that NVIC_ISPR has made pending, as ICSR's PENDSTCLR
# takes back that of SysTick.
# What it does: a write to NVIC_ICPR changes nothing. So code that pends its interrupt by software, as a deferred tick does, and
# takes it back, gets it all the same. PENDSTCLR works.
# Output: "line 5: pending 1, after ICPR 1; SysTick: pending 1, after PENDSTCLR 0"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const { RP2040 } = require('rp2040js')
const [NVIC_ISPR, NVIC_ICPR, ICSR] = [0xe000e200, 0xe000e280, 0xe000ed04]
const chip = new RP2040()
const line = () => (chip.readUint32(NVIC_ISPR) >> 5) & 1
const systick = () => (chip.readUint32(ICSR) >> 26) & 1
chip.writeUint32(NVIC_ISPR, 1 << 5)
const before = line()
chip.writeUint32(NVIC_ICPR, 1 << 5)
chip.writeUint32(ICSR, 1 << 26)
const systickBefore = systick()
chip.writeUint32(ICSR, 1 << 25)
console.log(`line 5: pending ${before}, after ICPR ${line()}; SysTick: pending ${systickBefore}, after PENDSTCLR ${systick()}`)
END
npm install --silent --no-audit --no-fund rp2040js@1.4.1 >log 2>&1
node main.js | tee said
grep -qx 'line 5: pending 1, after ICPR 1; SysTick: pending 1, after PENDSTCLR 0' said
