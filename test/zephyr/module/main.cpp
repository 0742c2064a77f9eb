// SPDX-License-Identifier: MIT
// A timeout that fires in its tick, with the lock open, in a kernel that ticks.
#include "stand_in.hpp"

static int64_t fired_at;

int main()
{
    static _timeout timeout;
    (void)z_add_timeout(
        &timeout, [](_timeout *) { fired_at = stand_in::locks_held == 0 ? sys_clock_tick_get() : -1; },
        stand_in::in_ticks(41));
    sys_clock_announce(100);
    return fired_at == 42 ? 0 : 1;
}
