// SPDX-License-Identifier: MIT
// Sleeps as long as the longest period, and what the driver counts of them.
#include "../cases.hpp"

namespace
{

// The timer's tick begins a block, so it is the wheel's next event.
SLEEP_CASE("a sleep that is about as long as the longest period ends in its timer's tick")
{
    for (const uint32_t clock : {even, uneven}) {
        const jiffies_t longest = tickwheel::tick_grid::of(clock).longest;
        for (jiffies_t ahead = longest - 3; ahead <= longest + 3; ++ahead) {
            start(clock);
            constexpr jiffies_t block = jiffies_t{1} << TICKWHEEL_TVR_BITS;
            const jiffies_t tick = (jiffies + ahead) / block * block + block;
            work_until(counted() + static_cast<int32_t>(tick - ahead - jiffies), -200);
            arm(timers[0], static_cast<int32_t>(ahead));
            idle_until_fired(fired + 1);
            end_life();
        }
    }
}

// The first stop is for the rest of the tick, the second for the long period. One tick needs no long period, so
// idle() returns before it.
SLEEP_CASE("idle() stops twice if more than two ticks are left, else once")
{
    for (const int32_t ticks : {1, 2, 3, 10}) {
        start(even);
        arm(timers[0], ticks);
        const uint32_t before = driver.counts().sleeps;
        idle();
        const uint32_t sleeps = driver.counts().sleeps - before;
        check(sleeps == (ticks > 2 ? 2 : 1), "sleeps", sleeps, ticks);
        check_tick(ticks > 2 ? ticks : 1);
        end_life();
    }
}

} // namespace
