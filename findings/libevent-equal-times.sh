#!/bin/sh
# SPDX-License-Identifier: MIT
# libevent 2.1.12 (Debian 2.1.12-stable-8+deb12u1) and libev 4.33 (Debian 1:4.33-1).
# A good guess: timers of the same time come in the order in which they were added, as in most timer wheels and lists.
# What they do: both keep a heap, which keeps no order among equals. Eight timers that one callback adds with the same timeout
# come as 0 7 6 5 4 3 2 1. libevent's queues of event_base_init_common_timeout() keep the order.
# Output: "libevent 2.1.12-stable: 0 7 6 5 4 3 2 1, common: 0 1 2 3 4 5 6 7" and "libev 4.33: 0 7 6 5 4 3 2 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >event.c <<'END'
#include <event2/event.h>
#include <stdio.h>
static struct event_base *base;
static void print(evutil_socket_t socket, short what, void *number)
{
    (void)socket, (void)what;
    printf(" %ld", (long)number);
}
static void add(evutil_socket_t socket, short what, void *timeout)
{
    (void)socket, (void)what;
    for (long i = 0; i < 8; ++i) {
        event_add(event_new(base, -1, 0, print, (void *)i), timeout);
    }
}
int main(void)
{
    base = event_base_new();
    struct timeval now = {0, 0}, later = {0, 20000};
    printf("libevent %s:", event_get_version());
    event_add(event_new(base, -1, 0, add, &later), &now);
    event_base_dispatch(base);
    printf(", common:");
    event_add(event_new(base, -1, 0, add, (void *)event_base_init_common_timeout(base, &later)), &now);
    event_base_dispatch(base);
    printf("\n");
    return 0;
}
END
cat >ev.c <<'END'
#include <ev.h>
#include <stdio.h>
static ev_timer timers[8];
static void print(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    printf(" %d", (int)(timer - timers));
}
static void add(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)timer, (void)events;
    for (int i = 0; i < 8; ++i) {
        ev_timer_init(&timers[i], print, 0.02, 0.);
        ev_timer_start(loop, &timers[i]);
    }
}
int main(void)
{
    ev_timer first;
    ev_timer_init(&first, add, 0.01, 0.);
    ev_timer_start(ev_default_loop(0), &first);
    printf("libev %d.%d:", ev_version_major(), ev_version_minor());
    ev_run(ev_default_loop(0), 0);
    printf("\n");
    return 0;
}
END
apt-get download -q libevent-core-2.1-7=2.1.12-stable-8+deb12u1 libevent-dev=2.1.12-stable-8+deb12u1 libev4=1:4.33-1 \
    libev-dev=1:4.33-1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export LD_LIBRARY_PATH="$(dirname "$(find "$PWD/root" -name 'libev.so.4' | head -n 1)")"
gcc event.c -Iroot/usr/include -I"root/usr/include/$(gcc -print-multiarch)" -L"$LD_LIBRARY_PATH" -l:libevent_core-2.1.so.7 \
    -o event
gcc ev.c -Iroot/usr/include -L"$LD_LIBRARY_PATH" -lev -o ev
{ ./event && ./ev; } | tee said
printf 'libevent 2.1.12-stable: 0 7 6 5 4 3 2 1, common: 0 1 2 3 4 5 6 7\nlibev 4.33: 0 7 6 5 4 3 2 1\n' | cmp - said
