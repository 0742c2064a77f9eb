// SPDX-License-Identifier: MIT
// The end of tv1: it takes every tick that is less than a turn after the last tick that was begun, so most short
// delays never move. Later ticks wait in tv2, in a list for each block.
#include <initializer_list>

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

void beat(timer_list *self)
{
    tickwheel_mod_timer(self, jiffies + 1);
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

TEST_CASE("the two blocks of a slot of tv2 have lists of their own, which come down one block apart")
{
    for (const jiffies_t place : {jiffies_t{0}, jiffies_t{7}, block_ticks - 1}) {
        const unit::fresh wheel(1000);
        const jiffies_t start = 1024 + 4 * tv1_ticks;
        unit::armed first(start + place);
        unit::armed second(start + place + block_ticks);
        CHECK_EQ(unit::slot_holding(&first), geometry::tv2().slot(start));
        CHECK_EQ(unit::slot_holding(&second), geometry::tv2().slot(start) + 1u);
        // The timers of a block come down when the block before begins.
        CHECK_EQ(unit::skip_to(start - block_ticks - 2), 0u);
        CHECK(first.slot >= geometry::tvr_size);
        CHECK_EQ(unit::pass(1), 0u);
        CHECK_EQ(unit::slot_holding(&first), geometry::tv1_slot(start + place));
        CHECK_EQ(unit::slot_holding(&second), geometry::tv2().slot(start) + 1u);
        CHECK_EQ(unit::pass(block_ticks - 1), 0u);
        CHECK(second.slot >= geometry::tvr_size);
        CHECK_EQ(unit::pass(1), 0u);
        CHECK_EQ(unit::slot_holding(&second), geometry::tv1_slot(start + place + block_ticks));
        CHECK_EQ(unit::skip_to(start + place + block_ticks), 2u);
    }
}

TEST_CASE("timers of one tick fire in order of arming, whether tv1 ended before their tick or not")
{
    for (jiffies_t place = 0; place < block_ticks; place += place + 5 < block_ticks ? 5 : 1) {
        const jiffies_t tick = 0x10000u + place;
        const jiffies_t first = tick - 3 * block_ticks;
        const unit::fresh wheel(first - 1);
        // It moves tv1_end in each tick.
        unit::armed heartbeat(first, beat);
        constexpr unsigned count = 32;
        unit::noted timers[count];
        unsigned beside = 0;
        for (unsigned i = 0; i < count; ++i) {
            tickwheel_mod_timer(&timers[i], tick);
            beside += timers[0].slot >= geometry::tvr_size && timers[i].slot < geometry::tvr_size;
            (void)unit::pass(3 * block_ticks / count);
        }
        // Some were armed into tv1 while older ones waited in tv2. At the end of a block that lasts for a few ticks
        // only.
        CHECK_EQ(unit::moment{tick, 0, beside != 0 || block_ticks - place <= 3 * block_ticks / count},
                 unit::moment{tick, 0, 1});
        (void)unit::pass(1);
        CHECK_EQ(unit::moment{tick, 1, unit::fired_as_armed(timers, count)}, unit::moment{tick, 1, 1});
    }
}

TEST_CASE("the search for the next event ends with its block, and keeps the marks of the next turn")
{
    // The last word of a block: the words after it are those of another block.
    for (jiffies_t place = block_ticks - 32; place < block_ticks - 1; ++place) {
        const jiffies_t start = 0x10000u;
        const jiffies_t tick = start + place;
        const unit::fresh wheel(start - 1);
        unit::noted turn_later;
        next_one = &turn_later;
        // In the slot before its own, and so in the same word.
        delay_of_next = tv1_ticks - 1;
        unit::armed due(tick, arm_the_next_one);
        CHECK_EQ(unit::skip_to(tick - 1), 0u);
        unit::armed next(start + block_ticks + 3);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK_EQ(unit::moment{tick, 0, tickwheel_clock.next_run}, unit::moment{tick, 0, start + block_ticks - 1});
        CHECK_EQ(unit::skip_to(start + block_ticks + 2), 0u);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK_EQ(unit::skip_to(tick + tv1_ticks - 2), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("a delete or a move that empties a slot clears its mark, and one that does not keeps it")
{
    for (const jiffies_t delay : {jiffies_t{2}, 2 * block_ticks + 9, jiffies_t{1} << 20}) {
        for (unsigned moves = 0; moves < 2; ++moves) {
            const unit::fresh wheel(1000);
            unit::noted timers[3];
            for (unit::noted &timer : timers) {
                tickwheel_mod_timer(&timer, 1000 + delay);
            }
            const unsigned slot = timers[0].slot;
            // From the middle, then the youngest and the only one.
            for (const unsigned i : {1u, 2u, 0u}) {
                CHECK_EQ(unit::moment{delay, i, tickwheel_slots.marks.is_marked(slot)}, unit::moment{delay, i, 1});
                CHECK_EQ(moves != 0 ? tickwheel_mod_timer(&timers[i], 1001) : tickwheel_timer_delete(&timers[i]), 1);
            }
            CHECK_EQ(unit::moment{delay, moves, tickwheel_slots.marks.is_marked(slot)},
                     unit::moment{delay, moves, 0});
        }
    }
}
