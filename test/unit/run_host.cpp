// SPDX-License-Identifier: MIT
// An interrupt at each opening of a cascade or a run, and how many timers come down in a run. Each way in which two
// interrupts come between the openings of every call is in test/races/interleavings.
#include <initializer_list>

#include "crowd.hpp"
#include "interrupt_host.hpp"

namespace
{

using unit::block_before;
using unit::crowded;

constexpr unsigned waiting = 6;
timer_list old_ones[waiting];
timer_list late;

// `waiting` timers of one tick, in tv<level>, and the wheel just before the tick in which they move down.
void fill(jiffies_t tick, unsigned level)
{
    unit::restart(tick - (1u << unit::slot_bits(level)) - unit::tv1_ticks - 3);
    unit::forget();
    tickwheel_timer_setup(&late, unit::note, 0);
    for (timer_list &timer : old_ones) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, tick);
    }
    // A slot of tv2 moves down a block ahead of its own. A slot of a higher level does so with slot 0 of tv2.
    const jiffies_t width = level == 2 ? unit::block_ticks : unit::tv1_ticks;
    (void)unit::skip_to((tick & ~(width - 1)) - unit::block_ticks - 2);
}

template <unsigned Size>
void arm_all(timer_list (&timers)[Size], jiffies_t tick, jiffies_t ticks, void (*callback)(timer_list *) = unit::note)
{
    for (unsigned i = 0; i < Size; ++i) {
        tickwheel_timer_setup(&timers[i], callback, 0);
        tickwheel_mod_timer(&timers[i], tick + i % ticks);
    }
}

} // namespace

// requirement: TW-05
TEST_CASE("a timer that an interrupt arms in a cascade fires behind all that were armed before")
{
    for (unsigned level = 2; level <= 5; ++level) {
        for (const jiffies_t place : {0u, 1u, unit::block_ticks - 1, unit::block_ticks, unit::tv1_ticks - 1}) {
            // From the start of a slot of this level on, so that all levels up to it move down in one go.
            const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + place;
            const unsigned openings =
                unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                       [&] { CHECK_EQ(tickwheel_mod_timer(&late, tick), 0); },
                                       [&](bool taken, bool /*last*/) {
                                           CHECK_EQ(unit::fired, 0u);
                                           (void)unit::pass(tick - unit::now());
                                           CHECK_EQ(unit::fired, waiting + taken);
                                           for (unsigned i = 0; i < unit::fired; ++i) {
                                               CHECK(unit::log[i].timer == (i < waiting ? &old_ones[i] : &late));
                                               CHECK_EQ(unit::log[i].at, tick);
                                           }
                                       });
            CHECK(openings > waiting);
        }
    }
}

TEST_CASE("a search that another thread begins inside a cascade sees the next timer move")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list timers[9];
    arm_all(timers, crowded + 3, 1);
    static const int searches_mark = 0;
    unsigned changes = 0;
    {
        const unit::interrupt_at_openings look([&] {
            changes += tickwheel_slots.changed_by != &searches_mark;
            tickwheel_slots.changed_by = &searches_mark;
        });
        (void)unit::skip_to(block_before - 1);
    }
    // Each timer that comes down, and the runner's own marks before.
    CHECK(changes >= 9);
    CHECK_EQ(unit::skip_to(crowded + 3), 9u);
}

TEST_CASE("a tick below a run that brings timers down is looked at by that run")
{
    const unit::fresh wheel(unit::crowd_start);
    static timer_list crowd[40];
    arm_all(crowd, crowded, 1);
    unit::armed soon(block_before);
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    unsigned opened = 0;
    {
        const unit::interrupt_at_openings between_two_moves([&] {
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

TEST_CASE("timers that come down take their steps off the budget, which a tick meanwhile does not renew")
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
        const unit::interrupt_at_openings between_two_moves([&] {
            if (!counted && far[3].slot < unit::geometry::tvr_size) {
                counted = true;
                CHECK_EQ(tickwheel_tick(), 1);
            }
        });
        CHECK_EQ(tickwheel_run_budget(1 + budget), budget > 4 ? budget - 4 : 0);
        CHECK(counted);
    }
}

TEST_CASE("timers come down ahead, at most 125 in a run, and fewer beside callbacks")
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

TEST_CASE("64 timers come down in a run that had many callbacks, and 125 in one without, for a whole block")
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
        // The last tick of the block before its own is left out: the end of a block brings down all that is left.
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

// requirement: TW-25
TEST_CASE("get_jiffies_64 is whole at every opening of a run that crosses a half-wrap")
{
    for (const jiffies_t edge : {0x80000000u, 0u}) {
        const unit::fresh wheel(edge - 300);
        unit::armed a(edge - 1);
        unit::armed b(edge + 400);
        const uint64_t count = uint64_t{edge - 300} + 800;
        (void)tickwheel_advance(800);
        unsigned openings = 0;
        {
            const unit::interrupt_at_openings interrupt([&] {
                ++openings;
                CHECK_EQ(tickwheel_get_jiffies_64(), count);
            });
            CHECK_EQ(tickwheel_run(), 2u);
        }
        CHECK(openings > 2);
    }
}
