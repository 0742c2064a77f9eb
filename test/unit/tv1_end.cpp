// SPDX-License-Identifier: MIT
// The end of tv1: it takes every tick that is less than a turn after the last tick that was begun, so most short
// delays never move. Later ticks wait in tv2. The fuzzer checks that each timer
// waits in a slot that its tick allows.
#include "support.hpp"

namespace
{

using unit::block_ticks;
using unit::geometry;
using unit::tv1_ticks;

unit::noted *next_one;
jiffies_t delay_of_next;

void arm_the_next_one(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(next_one, jiffies + delay_of_next);
}

} // namespace

TEST_CASE("from a callback a delay of less than a turn goes straight into tv1 and stays in its slot")
{
    // Ticks all over a block, and the last ones.
    for (jiffies_t place = 0; place < block_ticks; place += place + 9 < block_ticks ? 9 : 1) {
        const jiffies_t tick = 1024 + place;
        for (delay_of_next = block_ticks - 1; delay_of_next <= tv1_ticks + 1; ++delay_of_next) {
            const unit::fresh wheel(tick - 1);
            unit::noted next;
            next_one = &next;
            unit::armed due(tick, arm_the_next_one);
            CHECK_EQ(unit::pass(1), 1u);
            const jiffies_t expires = tick + delay_of_next;
            const bool before_tv1_end = delay_of_next < tv1_ticks;
            // After a block's last tick the run brings the next timers down, up to one a turn later.
            const bool in_tv1 = before_tv1_end || (place == block_ticks - 1 && delay_of_next == tv1_ticks);
            const unsigned slot = in_tv1 ? geometry::tv1_slot(expires) : geometry::tv2().slot(expires);
            CHECK_EQ(unit::moment{tick, delay_of_next, unit::slot_holding(&next)},
                     unit::moment{tick, delay_of_next, slot});
            for (jiffies_t now = tick + 1; now != expires; ++now) {
                (void)unit::pass(1);
                if (before_tv1_end && next.slot != slot) {
                    CHECK_EQ(unit::moment{tick, delay_of_next, next.slot}, unit::moment{tick, delay_of_next, slot});
                }
            }
            CHECK_EQ(unit::fired, 1u);
            CHECK_EQ(unit::pass(1), 1u);
        }
    }
}

TEST_CASE("while nothing runs, tv1 takes all ticks before tv1_end, and tv2 that tick and what is later")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        const jiffies_t tv1_end = tickwheel_clock.tv1_end;
        // Two blocks after the one that is run, which holds the next tick.
        CHECK_EQ(unit::moment{base, 0, tv1_end},
                 unit::moment{base, 0, (base + 1) / block_ticks * block_ticks + 2 * block_ticks});
        unit::armed last(tv1_end - 1);
        unit::armed first(tv1_end);
        unit::armed later(tv1_end + 2 * block_ticks);
        CHECK_EQ(unit::slot_holding(&last), geometry::tv1_slot(tv1_end - 1));
        CHECK_EQ(unit::slot_holding(&first), geometry::tv2().slot(tv1_end));
        CHECK_EQ(unit::slot_holding(&later), geometry::tv2().slot(tv1_end + 2 * block_ticks));
    }
}
