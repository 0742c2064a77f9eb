// SPDX-License-Identifier: MIT
// How many timers cascade in a run, and what else test/races/interleavings cannot see of an interrupt: a budget, a
// thread's search, a timer whose memory is used again.
#include <initializer_list>

#include "crowd.hpp"
#include "interrupt_host.hpp"

namespace
{

using unit::block_before;
using unit::crowded;

// The first `size` of them.
void arm(timer_list *timers, unsigned size, jiffies_t tick, void (*callback)(timer_list *) = unit::note)
{
    for (unsigned i = 0; i < size; ++i) {
        tickwheel_timer_setup(&timers[i], callback, 0);
        tickwheel_mod_timer(&timers[i], tick);
    }
}

} // namespace

TEST_CASE("a search that another thread begins inside a cascade sees the next timer move")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list timers[9];
    arm(timers, 9, crowded + 3);
    static const int searches_mark = 0;
    unsigned changes = 0;
    {
        const unit::interrupt_at_interrupt_windows look([&] {
            changes += tickwheel_slots.change_token != &searches_mark;
            tickwheel_slots.change_token = &searches_mark;
        });
        (void)unit::skip_to(block_before - 1);
    }
    // Each timer that cascades, and the runner's own marks before.
    CHECK(changes >= 9);
    CHECK_EQ(unit::skip_to(crowded + 3), 9u);
}

TEST_CASE("timers that cascade take their steps off the budget, which a tick meanwhile does not renew")
{
    for (const unsigned budget : {3u, 10u}) {
        const unit::fresh wheel(unit::crowd_start);
        unit::armed far[4] = {unit::armed(crowded), unit::armed(crowded), unit::armed(crowded), unit::armed(crowded)};
        CHECK_EQ(unit::skip_to(block_before - 2), 0u);
        CHECK_EQ(tickwheel_tick(), 1);
        // The last tick of a block is an empty step, and its end seven. So is the first tick of the next one.
        CHECK_EQ(tickwheel_run_budget(8), 0u);
        unit::noted near[20];
        for (unit::noted &each : near) {
            tickwheel_mod_timer(&each, block_before + 1);
        }
        CHECK_EQ(tickwheel_tick(), 1);
        bool counted = false;
        const unit::interrupt_at_interrupt_windows between_two_moves([&] {
            if (!counted && far[3].slot < unit::geometry::tvr_size) {
                counted = true;
                CHECK_EQ(tickwheel_tick(), 1);
            }
        });
        CHECK_EQ(tickwheel_run_budget(1 + budget), budget > 4 ? budget - 4 : 0);
        CHECK(counted);
    }
}

TEST_CASE("a run cascades 125 timers ahead, less one for each of its callbacks, but always 64, for a whole block")
{
    static timer_list others[130];
    static timer_list crowd[125 * unit::block_ticks];
    struct {
        unsigned callbacks, moves;
    } constexpr rows[] = {{0, 125}, {20, 105}, {130, 64}};
    for (const auto &row : rows) {
        const unit::fresh wheel(unit::crowd_start);
        // With callbacks, all timers have moved a few runs before the last one.
        const unsigned size = (row.callbacks == 0 ? unit::block_ticks : unit::block_ticks - 4) * row.moves;
        arm(crowd, size, crowded + 1);
        CHECK_EQ(unit::skip_to(block_before - 3), 0u);
        arm(others, row.callbacks, unit::now() + 1, [](timer_list *self) { tickwheel_mod_timer(self, jiffies + 1); });
        CHECK_EQ(unit::pass(1), row.callbacks);
        unsigned cascaded = 0;
        // The last tick of the block before its own is left out: the end of a block cascades all that is left.
        for (jiffies_t tick = block_before - 1; tick != crowded - 1; ++tick) {
            CHECK_EQ(unit::pass(1), row.callbacks);
            cascaded = size - cascaded < row.moves ? size : cascaded + row.moves;
            CHECK_EQ(unit::moment{tick, row.moves, unit::in_tv1(crowd, size)},
                     unit::moment{tick, row.moves, cascaded});
        }
        CHECK_EQ(cascaded, size);
        for (timer_list &timer : others) {
            (void)tickwheel_timer_delete(&timer);
        }
        CHECK_EQ(unit::pass(3), size);
    }
}

// requirement: TW-14, TW-17
TEST_CASE("the runner reads the function with the pop: the timer's memory may be reused before the call")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(tickwheel_tick(), 1);
    {
        // The runner has taken it when it is not pending any more.
        const unit::interrupt_at_interrupt_windows interrupt([&] {
            if (tickwheel_timer_pending(&a) == 0) {
                CHECK_EQ(unit::fired, 0u);
                __builtin_memset(&a, 0xA5, sizeof a);
            }
        });
        CHECK_EQ(tickwheel_run(), 1u);
    }
    unsigned char bytes[sizeof a];
    __builtin_memcpy(bytes, &a, sizeof bytes);
    for (const unsigned char byte : bytes) {
        CHECK_EQ(unsigned{byte}, 0xA5u);
    }
    CHECK_EQ(unit::fired, 1u);
    CHECK(unit::log[0].timer == &a);
    CHECK_EQ(unit::pass(300), 0u);
}
