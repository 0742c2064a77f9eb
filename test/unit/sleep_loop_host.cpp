// SPDX-License-Identifier: MIT
// The idle loop that the sleep drivers share, with a tick that passes as soon as the core stops.
#include <tickwheel/sleep_loop.hpp>

#include "support.hpp"

namespace
{

struct core {
    static uint32_t mask()
    {
        return 0;
    }
    static void unmask(uint32_t /*state*/)
    {
        (void)tickwheel_run();
    }
};

struct instant_tick {
    jiffies_t longest = 0;
    unsigned stops = 0;
    bool seen = false;

    void catch_up()
    {
    }
    static bool can_stop()
    {
        return true;
    }
    void stop(jiffies_t ahead)
    {
        jiffies_t expiry = 0;
        seen = tickwheel_next_expiry(&expiry) != 0;
        longest = ahead > longest ? ahead : longest;
        ++stops;
        (void)tickwheel_advance(ahead);
    }
    void idle(const volatile int *work)
    {
        tickwheel::sleep_loop::until_event<core>(*this, work);
    }
};

} // namespace

TEST_CASE("a sleep lasts a tick more than was asked for, at most 2^31 - 1 ticks")
{
    constexpr struct {
        jiffies_t asked;
        jiffies_t lasts;
    } rows[] = {{0, 1}, {1, 2}, {1000, 1001}, {0x7FFFFFFE, 0x7FFFFFFF}, {0x7FFFFFFF, 0x7FFFFFFF}, {~0u, 0x7FFFFFFF}};
    for (const auto &row : rows) {
        const unit::fresh wheel(1000);
        instant_tick tick;
        tickwheel::sleep_loop::for_ticks<core>(tick, row.asked);
        CHECK_EQ(unit::now(), 1000 + row.lasts);
        CHECK(tick.seen);
        CHECK_EQ(unit::misused, TICKWHEEL_DEBUG && row.asked > 0x7FFFFFFE ? 1u : 0u);
        unit::forget();
    }
}

TEST_CASE("without a timer the core stops for up to 2^31 - 1 ticks, and not at all while there is work")
{
    const unit::fresh wheel(1000);
    instant_tick tick;
    const volatile int work = 1;
    tick.idle(&work);
    CHECK_EQ(tick.stops, 0u);
    tick.idle(nullptr);
    CHECK_EQ(tick.stops, 1u);
    CHECK_EQ(tick.longest, unit::longest_delay);
}
