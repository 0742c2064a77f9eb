#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope 1.25.0 (npm), in Debian's chromium.
# A good guess: in Chrome's trace format two slices of one thread follow each other if the first has ts 0.1 and dur 0.2, and the
# second has ts 0.3, with microseconds as decimals, as most tools write them.
# What it does: it adds ts and dur in floating point, where 0.1 + 0.2 > 0.3, so the first slice ends inside the second. It then
# stays open until the end of the profile, 1.6 us later, with a message on the console only. Multiples of 2^-n us add exactly:
# the same slices at 0.125 and 0.375 are shown as they are.
# Output: "0.1 us: Frame "first" was still open at end of profile" and "0.125 us: no message"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# $1: name; $2, $3: ts and dur of the first slice; $4: ts of the second
shows() {
    json='{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": "first", "ts": '$2', "dur": '$3'},
        {"ph": "X", "pid": 1, "tid": 1, "name": "second", "ts": '$4', "dur": '$3'},
        {"ph": "X", "pid": 1, "tid": 1, "name": "third", "ts": 0.9, "dur": 1}]}'
    echo "speedscope.loadFileFromBase64('$1.json', '$(echo "$json" | base64 -w 0)')" >"$1.js"
    page=file://$PWD/node_modules/speedscope/dist/release/index.html#localProfilePath=$PWD/$1.js
    timeout 60 chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$PWD/profile" \
        --allow-file-access-from-files --virtual-time-budget=10000 --enable-logging=stderr --dump-dom "$page" >dom 2>log
    grep -q 'Importing as Trace Event Format' log
    echo "$2 us: $(grep -o 'Frame "first".* was still open at end of profile' log || echo no message)"
}
npm install --silent --no-audit --no-fund speedscope@1.25.0 >log 2>&1
{ shows decimals 0.1 0.2 0.3 && shows eighths 0.125 0.25 0.375; } | tee said
printf '0.1 us: Frame "first" was still open at end of profile\n0.125 us: no message\n' | cmp - said
