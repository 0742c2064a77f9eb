#!/bin/sh
# SPDX-License-Identifier: MIT
# asyncio of Python 3.11.2 (Debian 3.11.2-6+deb12u9).
# A good guess: loop.call_at() keeps the order of calls for the same time, as loop.call_soon() and the module sched do.
# What it does: the loop keeps a heap of times only, so equal times come in an order of the heap: here 0 2 6 5 7 1 3 4. A model
# of a timer wheel in asyncio, or a test that compares one with it, must give each call a time of its own.
# Output: "asyncio [0, 2, 6, 5, 7, 1, 3, 4], sched [0, 1, 2, 3, 4, 5, 6, 7]"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.py <<'END'
import asyncio
import sched


async def by_asyncio():
    loop, order = asyncio.get_running_loop(), []
    time = loop.time() + 0.05
    for number in range(8):
        loop.call_at(time, order.append, number)
    await asyncio.sleep(0.2)
    return order


def by_sched():
    scheduler, order = sched.scheduler(lambda: 1, lambda _: None), []
    for number in range(8):
        scheduler.enterabs(1, 1, order.append, (number,))
    scheduler.run()
    return order


print(f"asyncio {asyncio.run(by_asyncio())}, sched {by_sched()}")
END
apt-get download -q libpython3.11-stdlib=3.11.2-6+deb12u9 >log 2>&1
dpkg-deb -x libpython3.11-stdlib_*.deb root
/usr/bin/python3 --version | grep -qx 'Python 3.11.2'
export PYTHONPATH="$work/root/usr/lib/python3.11"
/usr/bin/python3 -c 'import asyncio; print(asyncio.__file__)' | grep -qF "$PYTHONPATH/"
/usr/bin/python3 main.py | tee said
grep -qxF 'asyncio [0, 2, 6, 5, 7, 1, 3, 4], sched [0, 1, 2, 3, 4, 5, 6, 7]' said
