#!/bin/sh
# SPDX-License-Identifier: MIT
# libuv 1.44.2 (Debian 1.44.2-1+deb12u1).
# A good guess, and what its manual says of uv_timer_start(): with a timeout of 0 the callback comes in the next iteration of
# the loop. So a timer that starts itself again with 0 polls once an iteration, and files and sockets get their turn.
# What it does: such a timer runs again in the same iteration, as often as it starts itself again, and nothing else gets a turn.
# A tick of 1 ms is safe. Here one uv_run() of one iteration calls the timer 100 times, until it starts itself no more.
# Output: "1.44.2: 100 callbacks in one iteration"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.c <<'END'
#include <stdio.h>
#include <uv.h>
static int callbacks;
static void again(uv_timer_t *timer)
{
    if (++callbacks < 100) {
        uv_timer_start(timer, again, 0, 0);
    }
}
int main(void)
{
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, again, 0, 0);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    printf("%s: %d callbacks in one iteration\n", uv_version_string(), callbacks);
    return 0;
}
END
apt-get download -q libuv1=1.44.2-1+deb12u1 libuv1-dev=1.44.2-1+deb12u1 >log 2>&1
for package in libuv1_*.deb libuv1-dev_*.deb; do
    dpkg-deb -x $package root
done
library=$(dirname "$(find "$PWD/root" -name 'libuv.so.1' | head -n 1)")
gcc main.c -Iroot/usr/include -L"$library" -luv -o main
LD_LIBRARY_PATH=$library ./main | tee said
grep -qx '1.44.2: 100 callbacks in one iteration' said
