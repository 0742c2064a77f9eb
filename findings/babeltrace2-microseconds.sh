#!/bin/sh
# SPDX-License-Identifier: MIT
# babeltrace2 2.0.4 (Debian 2.0.4-1+b6), which shows traces in the Common Trace Format.
# A good guess: a clock of 1 MHz, whose value is the microseconds since 1970, is shown to the microsecond, with three zeros at the
# end. 64 bits hold these nanoseconds until the year 2262.
# What it does: it makes nanoseconds of the clock's ticks in floating point, which from 2006 to 2043 has steps of 256 ns. Events
# that are 1 us apart are shown 768 to 1280 ns apart. The description of the clock can hold an offset: with the seconds since 1970
# there, and the rest in the value, the times are exact.
# Output: "value since 1970: 0.000001024 0.000001024 0.000001024 0.000000768 0.000001280" and "offset: 0.000001000 ..", five times
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.py <<'END'
import os
import struct

NOW = 1700000000123456
DESCRIPTION = """/* CTF 1.8 */
typealias integer { size = 64; align = 8; signed = false; } := word;
trace { major = 1; minor = 8; byte_order = le; };
clock { name = us; freq = 1000000; offset_s = %d; };
typealias integer { size = 64; align = 8; signed = false; map = clock.us.value; } := stamp;
stream { event.header := struct { stamp timestamp; }; };
event { name = tick; fields := struct { word number; }; };
"""
for name, seconds in ("since_1970", 0), ("offset", NOW // 10**6):
    os.mkdir(name)
    with open(f"{name}/metadata", "w") as file:
        file.write(DESCRIPTION % seconds)
    with open(f"{name}/stream", "wb") as file:
        for number in range(6):
            file.write(struct.pack("<QQ", NOW - seconds * 10**6 + number, number))
END
apt-get download -q babeltrace2=2.0.4-1+b6 libbabeltrace2-0=2.0.4-1+b6 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
library=$PWD/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$library" BABELTRACE_PLUGIN_PATH="$library/babeltrace2/plugins"
root/usr/bin/babeltrace2 --version | grep -q ' 2\.0\.4'
python3 main.py
# $1: a trace
steps() {
    TZ=UTC root/usr/bin/babeltrace2 "$1" | sed -n 's/.* (+\([0-9.]*\)) tick: .*/\1/p' | xargs
}
{ echo "value since 1970: $(steps since_1970)" && echo "offset: $(steps offset)"; } >said
cat said
exact=0.000001000
printf '%s\n' 'value since 1970: 0.000001024 0.000001024 0.000001024 0.000000768 0.000001280' \
    "offset: $exact $exact $exact $exact $exact" | cmp - said
