// SPDX-License-Identifier: MIT
// How many timers cascade in a run, and what else test/races/interleavings cannot see of an interrupt: a budget, a
// thread's search, a timer whose memory is used again, a long timer.
#include <initializer_list>

#include <tickwheel/long_timer.hpp>

#include "crowd.hpp"
#include "interrupt_host.hpp"

namespace
{

using unit::block_before;
using unit::crowded;

template <unsigned Size>
void arm_all(timer_list (&timers)[Size], jiffies_t tick, jiffies_t ticks, void (*callback)(timer_list *) = unit::note)
{
    for (unsigned i = 0; i < Size; ++i) {
        tickwheel_timer_setup(&timers[i], callback, 0);
        tickwheel_mod_timer(&timers[i], tick + i % ticks);
    }
}

} // namespace

TEST_CASE("a search that another thread begins inside a cascade sees the next timer move")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list timers[9];
    arm_all(timers, crowded + 3, 1);
    static const int searches_mark = 0;
    unsigned changes = 0;
    {
        const unit::interrupt_at_preemption_points look([&] {
            changes += tickwheel_slots.change_token != &searches_mark;
            tickwheel_slots.change_token = &searches_mark;
        });
        (void)unit::skip_to(block_before - 1);
    }
    // Each timer that cascades, and the runner's own marks before.
    CHECK(changes >= 9);
    CHECK_EQ(unit::skip_to(crowded + 3), 9u);
}

TEST_CASE("a tick below a run that cascades timers is looked at by that run")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list crowd[40];
    arm_all(crowd, crowded, 1);
    unit::armed soon(block_before);
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    unsigned opened = 0;
    {
        const unit::interrupt_at_preemption_points between_two_moves([&] {
            if (++opened == 20) {
                CHECK_EQ(tickwheel_tick(), 1);
                CHECK_EQ(tickwheel_run(), 0u);
            }
        });
        CHECK_EQ(tickwheel_run(), 1u);
    }
    CHECK_EQ(unit::log[0].at, block_before);
    CHECK_EQ(unit::skip_to(crowded), 40u);
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
        const unit::interrupt_at_preemption_points between_two_moves([&] {
            if (!counted && far[3].slot < unit::geometry::tvr_size) {
                counted = true;
                CHECK_EQ(tickwheel_tick(), 1);
            }
        });
        CHECK_EQ(tickwheel_run_budget(1 + budget), budget > 4 ? budget - 4 : 0);
        CHECK(counted);
    }
}

TEST_CASE("timers cascade ahead, at most 125 in a run, and fewer beside callbacks")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list many[380];
    arm_all(many, crowded, 3);
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    unit::noted callbacks[20];
    for (unit::noted &each : callbacks) {
        tickwheel_mod_timer(&each, block_before + 1);
    }
    struct {
        unsigned called, down;
    } constexpr ticks[] = {{0, 125}, {0, 250}, {20, 250 + 125 - 20}, {0, 380}};
    for (const auto &tick : ticks) {
        CHECK_EQ(unit::pass(1), tick.called);
        CHECK_EQ(unit::in_tv1(many, 380), tick.down);
    }
    // The ticks in which the runner finds that nothing is left, and none after them.
    (void)unit::pass(2);
    for (jiffies_t tick = unit::now() + 1; tick != crowded - 1; ++tick) {
        CHECK_EQ(tickwheel_tick(), 0);
    }
    CHECK_EQ(unit::pass(2), 127u);
    CHECK_EQ(unit::log[20].timer, &many[0]);
    CHECK_EQ(unit::log[146].timer, &many[378]);
    CHECK_EQ(unit::pass(2), 380u - 127);
}

TEST_CASE("64 timers cascade in a run that had many callbacks, and 125 in one without, for a whole block")
{
    static timer_list spike[130];
    constexpr unsigned most = 125 * unit::block_ticks;
    static timer_list crowd[most];
    for (const unsigned in_a_run : {64u, 125u}) {
        const unit::fresh wheel(unit::crowd_start);
        arm_all(crowd, crowded + 1, 1);
        const unsigned size = in_a_run == 64 ? 60 * unit::block_ticks : most;
        for (unsigned i = size; i < most; ++i) {
            (void)tickwheel_timer_delete(&crowd[i]);
        }
        CHECK_EQ(unit::skip_to(block_before - 3), 0u);
        const unsigned callbacks = in_a_run == 64 ? 130 : 0;
        if (callbacks != 0) {
            arm_all(spike, unit::now() + 1, 1, [](timer_list *self) { tickwheel_mod_timer(self, jiffies + 1); });
        }
        CHECK_EQ(unit::pass(1), callbacks);
        unsigned down = 0;
        // The last tick of the block before its own is left out: the end of a block cascades all that is left.
        for (jiffies_t tick = block_before - 1; tick != crowded - 1; ++tick) {
            CHECK_EQ(unit::pass(1), callbacks);
            down = size - down < in_a_run ? size : down + in_a_run;
            CHECK_EQ(unit::moment{tick, in_a_run, unit::in_tv1(crowd, size)}, unit::moment{tick, in_a_run, down});
        }
        CHECK_EQ(down, size);
        for (timer_list &timer : spike) {
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
        const unit::interrupt_at_preemption_points interrupt([&] {
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

TEST_CASE("the host's lock is open at first, irq_mask takes it, and a preemption point opens it once")
{
    const tickwheel::host_interrupts first;
    CHECK_EQ(first.depth, 0u);
    CHECK_EQ(first.opened, 0ul);
    tickwheel::port_lock::irq_mask();
    CHECK_EQ(tickwheel::interrupts.depth, 1u);
    CHECK_EQ(tickwheel::port_lock::irq_save(), 1u);
    const unsigned long opened = tickwheel::interrupts.opened;
    tickwheel::port_lock::preemption_point(0);
    CHECK_EQ(tickwheel::interrupts.opened, opened + 1);
    CHECK_EQ(tickwheel::interrupts.depth, 1u);
    tickwheel::port_lock::irq_restore(0);
}

TEST_CASE("a long timer popped at a stop is pending, and of two nested cancels then exactly one succeeds")
{
    const auto count_call = [] { ++unit::fired; };
    using reaching = tickwheel::long_timer<decltype(count_call)>;
    static struct {
        reaching *timer;
        unsigned level;
        unsigned points;
        unsigned place;
        unsigned cancelled;
    } run;
    const auto at_point = [] {
        if (run.level == 0 && unit::walk_wheel(true).timers == 0) {
            run.level = 1;
            CHECK(run.timer->pending());
            run.cancelled += run.timer->cancel();
            run.level = 2;
        } else if (run.level == 1 && run.points++ == run.place) {
            run.level = 2;
            run.cancelled += run.timer->cancel();
        }
    };
    unsigned place = 0;
    for (; place == 0 || run.points > run.place; ++place) {
        const unit::fresh wheel(1000);
        reaching timer{count_call};
        CHECK(!timer.start_at(1005 + (uint64_t{2} << 30)));
        (void)unit::skip_to(1004 + (1u << 30));
        run = {&timer, 0, 0, place, 0};
        tickwheel::interrupts.on_open = at_point;
        CHECK_EQ(unit::pass(1), 1u);
        tickwheel::interrupts.on_open = nullptr;
        CHECK_EQ(run.level, 2u);
        CHECK_EQ(run.cancelled, 1u);
        CHECK((!timer.pending() && unit::fired == 0));
        // A start sets it going again, and its last call leaves it idle.
        CHECK(!timer.start_after_ticks(1));
        CHECK_EQ(unit::pass(1), 1u);
        CHECK((!timer.pending() && unit::fired == 1));
    }
    CHECK(place > 2);
}
