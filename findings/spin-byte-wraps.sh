#!/bin/sh
# SPDX-License-Identifier: MIT
# Spin 6.5.2 (Debian 6.5.2+dfsg-1).
# A good guess: what the simulator of a model calls an error, the verifier finds too, because it searches all runs.
# What they do: a byte that goes from 255 to 256 is "Error: value .. truncated in assignment" in the simulator. The verifier
# takes it as 0 and says "errors: 0". So a counter of jiffies that was meant to stay small wraps unseen. Assert the bound, or
# simulate too.
# Output: "simulator: value (256->0 (8)) truncated in assignment, exit code 1" and "verifier: errors: 0"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >model.pml <<'END'
byte jiffies = 255;
active proctype tick()
{
    jiffies = jiffies + 1;
    assert(jiffies == 0)
}
END
apt-get download -q spin=6.5.2+dfsg-1 >log 2>&1
dpkg-deb -x spin_*.deb root
spin=$PWD/root/usr/bin/spin
$spin -V | grep -q '^Spin Version 6\.5\.2'
code=0
$spin model.pml >simulated || code=$?
$spin -a model.pml
gcc -w -o pan pan.c
./pan >verified
{
    echo "simulator: $(grep -o 'value .* truncated in assignment' simulated), exit code $code"
    echo "verifier: $(grep -o 'errors: [0-9]*' verified)"
} >said
cat said
printf 'simulator: value (256->0 (8)) truncated in assignment, exit code 1\nverifier: errors: 0\n' | cmp - said
