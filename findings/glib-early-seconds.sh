#!/bin/sh
# SPDX-License-Identifier: MIT
# GLib 2.74.6 (Debian 2.74.6-2+deb12u9).
# A good guess: a time-out never comes early; so g_timeout_add_seconds(1, ..) comes after one second or a little more.
# What it does, where its manual says only "may not be precise": it rounds the time to a phase that all processes of a session
# share, down for the first quarter of a second. So one second is 0.75 to 1.75 s, and a time-out that guards a device can be a
# quarter of a second short. g_timeout_add(1000, ..) is never early.
# Output: "seconds: a quarter are early, the shortest below 0.9 s, the longest above 1.4 s; milliseconds: none is early"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.py <<'END'
import ctypes
import sys
import time

glib = ctypes.CDLL(sys.argv[1])
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
kept, lengths = [], {}


def start(add, delay):
    began = time.monotonic()

    def ends(_):
        lengths.setdefault(add, []).append(time.monotonic() - began)
        return 0
    kept.append(callback(ends))
    getattr(glib, add)(delay, kept[-1], None)


# 16 of each, a sixteenth of a second apart.
for _ in range(16):
    start("g_timeout_add_seconds", 1)
    start("g_timeout_add", 1000)
    end = time.monotonic() + 1 / 16
    while time.monotonic() < end:
        glib.g_main_context_iteration(None, 0)
while sum(map(len, lengths.values())) < 32:
    glib.g_main_context_iteration(None, 1)
seconds = lengths["g_timeout_add_seconds"]
early = sum(length < 0.999 for length in seconds)
print(early, round(min(seconds), 3), round(max(seconds), 3), round(min(lengths["g_timeout_add"]), 4), file=sys.stderr)
if 2 <= early <= 6 and min(seconds) < 0.9 and max(seconds) > 1.4 and min(lengths["g_timeout_add"]) >= 0.999:
    print("seconds: a quarter are early, the shortest below 0.9 s, the longest above 1.4 s; milliseconds: none is early")
END
apt-get download -q libglib2.0-0=2.74.6-2+deb12u9 >log 2>&1
dpkg-deb -x libglib2.0-0_*.deb root
/usr/bin/python3 main.py "$(find root -name libglib-2.0.so.0)" >said
cat said
grep -q '^seconds: a quarter are early' said
