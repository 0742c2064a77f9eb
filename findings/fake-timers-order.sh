#!/bin/sh
# SPDX-License-Identifier: MIT
# @sinonjs/fake-timers 15.5.0 (npm), compared with the timers of node 20.
# A good guess: a fake clock calls timers in the order of the clock that it stands for, or it would be no use for a test of order.
# What it does: node takes a delay of 0 for 1, so setTimeout(a, 1) and then setTimeout(b, 0) are due together, and run as they
# were set, a first. The fake clock keeps the 0 and runs b first. A test of order passes with it, and fails in the program.
# Output: "node: 1 0, fake: 0 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.js <<'END'
const clock = require('@sinonjs/fake-timers').createClock()
const node = []
const fake = []
function start(timers, order) {
    timers.setTimeout(() => order.push(1), 1)
    timers.setTimeout(() => order.push(0), 0)
}
start(clock, fake)
clock.tick(5)
start(globalThis, node)
setTimeout(() => console.log(`node: ${node.join(' ')}, fake: ${fake.join(' ')}`), 50)
END
npm install --silent --no-audit --no-fund @sinonjs/fake-timers@15.5.0 >log 2>&1
node main.js | tee said
grep -qx 'node: 1 0, fake: 0 1' said
