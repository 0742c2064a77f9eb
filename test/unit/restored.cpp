// SPDX-License-Identifier: MIT
// Debug builds: a pending timer gets back the bytes that it had earlier. Its seal is right then, and its links are
// old.
#include <tickwheel/timer.hpp>

#include "support.hpp"

#if TICKWHEEL_DEBUG

namespace
{

constexpr jiffies_t tick = 1010;
timer_list timers[4];

void arm(unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; ++i) {
        timers[i] = tickwheel::timer_initializer(unit::note, 0);
        CHECK_EQ(tickwheel_mod_timer(&timers[i], tick), 0);
    }
}

void rearm(timer_list &timer)
{
    CHECK_EQ(tickwheel_timer_delete(&timer), 1);
    CHECK_EQ(tickwheel_mod_timer(&timer, tick), 0);
}

// Deleting the timer is reported, and the run that comes to the slot ends.
void check_delete(timer_list &timer)
{
    CHECK_EQ(tickwheel_timer_delete(&timer), 0);
    CHECK_EQ(unit::misused, 1u);
    (void)unit::skip_to(tick);
}

} // namespace

TEST_CASE("the oldest timer of a slot with an old link to the youngest is reported")
{
    const unit::fresh wheel(1000);
    arm(0, 3);
    const timer_list earlier = timers[0];
    arm(3, 4);
    timers[0] = earlier;
    check_delete(timers[0]);
}

TEST_CASE("a timer with an old link to an older one, or to a younger one, is reported")
{
    constexpr bool directions[] = {true, false};
    for (const bool to_older : directions) {
        const unit::fresh wheel(1000);
        arm(0, 4);
        const timer_list earlier = timers[to_older ? 2 : 1];
        rearm(timers[to_older ? 1 : 2]);
        timers[to_older ? 2 : 1] = earlier;
        check_delete(timers[to_older ? 2 : 1]);
    }
}

TEST_CASE("an arm behind a youngest timer with an old link is reported")
{
    const unit::fresh wheel(1000);
    arm(0, 3);
    const timer_list oldest = timers[0];
    const timer_list youngest = timers[2];
    rearm(timers[1]);
    timers[0] = oldest;
    timers[2] = youngest;
    arm(3, 4);
    CHECK_EQ(unit::misused, 1u);
    CHECK_EQ(unit::skip_to(tick), 1u);
}

TEST_CASE("the delete of a timer whose slot was dropped is reported")
{
    const unit::fresh wheel(1000);
    arm(0, 3);
    timers[1].next = nullptr;
    (void)unit::skip_to(tick);
    CHECK_EQ(unit::misused, 1u);
    CHECK_EQ(tickwheel_timer_delete(&timers[2]), 0);
    CHECK_EQ(unit::misused, 2u);
}

#endif
