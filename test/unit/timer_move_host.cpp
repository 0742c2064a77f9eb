// SPDX-License-Identifier: MIT
// A timer that an interrupt moves while the wheel is being walked: by a run with
// cascades, by a jump, by next_expiry; and one that the runner has taken already.
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

constexpr unsigned count = 5;
timer_list timers[count];
timer_list moved;

// Three in one slot, which cascades, one nearer, one further.
constexpr jiffies_t base = 1000;
constexpr jiffies_t ticks[count] = {3, 5000, 5000, 5000, 9000};

void prepare()
{
    tickwheel_init(base);
    unit::forget();
    __builtin_memset(&moved, 0xA5, sizeof moved);
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_timer_setup(&timers[i], unit::note, 0);
        tickwheel_mod_timer(&timers[i], base + ticks[i]);
    }
}

// Whether all that fired did so in the tick that `step` says, in the order of arming, number `replaced` under either
// name.
bool fired_in_order(unsigned replaced)
{
    bool right = unit::fired == count;
    for (unsigned i = 0; i < count && right; ++i) {
        right = unit::log[i].timer == &timers[i] || (i == replaced && unit::log[i].timer == &moved);
    }
    return right;
}

} // namespace

TEST_CASE("timer_move at every opening of runs that cascade and jump")
{
    for (unsigned which = 0; which < count; ++which) {
        for (const jiffies_t step : {jiffies_t{1}, jiffies_t{250}, jiffies_t{20000}}) {
            const unit::fresh wheel(base);
            const unsigned openings = unit::at_every_opening(
                prepare,
                [&] {
                    for (jiffies_t passed = 0; passed < 10000; passed += step) {
                        if (tickwheel_advance(step)) {
                            (void)tickwheel_run();
                        }
                    }
                },
                [&] {
                    // The runner has taken it, or its callback is over: nothing to move.
                    if (tickwheel_timer_pending(&timers[which])) {
                        tickwheel_timer_move(&timers[which], &moved);
                        timers[which].next = timers[which].prev = nullptr;
                    }
                },
                [&](bool) {
                    CHECK(fired_in_order(which));
                    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                    CHECK_EQ(unit::misused, 0u);
                });
            CHECK(openings > 10);
        }
    }
}

TEST_CASE("timer_move at every opening of next_expiry: the walk goes on where the timer is now")
{
    const unit::fresh wheel(base);
    for (unsigned which = 0; which < count; ++which) {
        jiffies_t next = 0;
        const unsigned openings = unit::at_every_opening(
            [&] {
                prepare();
                if (which != 0) {
                    tickwheel_timer_delete(&timers[0]);
                }
            },
            [&] { CHECK_EQ(tickwheel_next_expiry(&next), 1); },
            [&] {
                tickwheel_timer_move(&timers[which], &moved);
                // Who still stood on it ends in a fault.
                __builtin_memset(&timers[which], 0xA5, sizeof timers[which]);
            },
            [&](bool) { CHECK_EQ(next, base + (which != 0 ? 5000 : 3)); });
        CHECK(openings > 2);
    }
    tickwheel_init(base);
}

TEST_CASE("timer_move between being taken and being called: the callback runs with the old one")
{
    const unit::fresh wheel(base);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, base + 1);
    bool done = false;
    {
        const unit::interrupt_at_openings interrupt([&] {
            if (!done && !tickwheel_timer_pending(&a)) {
                done = true;
                tickwheel_timer_move(&a, &moved);
            }
        });
        CHECK_EQ(unit::pass(1), 1u);
    }
    CHECK(done);
    CHECK(unit::fired_in_order({&a}));
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_timer_pending(&moved), 0);
    CHECK_EQ(tickwheel_mod_timer(&moved, base + 3), 0);
    CHECK_EQ(unit::pass(5), 1u);
}
