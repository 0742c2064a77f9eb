// SPDX-License-Identifier: MIT
// A long timer armed for a tick that has passed counts as armed for now, however the low 32 bits of that tick read.
#include <tickwheel/long_timer.hpp>

#include "support.hpp"

namespace
{

// Whether it fires in the next tick and in no other of the next few.
bool fires_in_the_next_tick(uint64_t tick)
{
    unsigned calls = 0;
    tickwheel::long_timer timer{[&calls] { ++calls; }};
    (void)timer.start_at(tick);
    if (!timer.pending() || tickwheel_interrupt() != 1 || calls != 1 || timer.pending()) {
        (void)timer.cancel();
        return false;
    }
    (void)tickwheel_interrupt();
    return calls == 1;
}

} // namespace

TEST_CASE("long: start_at(0) right after boot fires in the next tick, not when the low word wraps")
{
    unit::restart(TICKWHEEL_INITIAL_JIFFIES);
    CHECK(fires_in_the_next_tick(0));
}

TEST_CASE("long: a tick that has passed fires in the next one, also where its low word lies ahead")
{
    constexpr jiffies_t starts[] = {TICKWHEEL_INITIAL_JIFFIES, 0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE};
    for (const jiffies_t start : starts) {
        unit::restart(start);
        // Past the second wrap, so that every distance below is in the past.
        for (unsigned i = 0; i < 4; ++i) {
            (void)tickwheel_advance(0x7FFFFFFF);
            (void)tickwheel_run();
        }
        const uint64_t distances[] = {1, 2, 300000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFF00, 0xFFFFFFFF};
        for (const uint64_t distance : distances) {
            CHECK(fires_in_the_next_tick(tickwheel_get_jiffies_64() - distance));
        }
        CHECK(fires_in_the_next_tick(0));
    }
}
