// SPDX-License-Identifier: MIT
// How often a run lets interrupts in, and how often it searches, in wheels of the tests' own.
#include <initializer_list>

#include <tickwheel/wheel.hpp>

#include "counting_lock.hpp"
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

using geometry = tickwheel::linux_geometry;
using lock = unit::counting_lock;

tickwheel::wheel<lock, geometry> wheel;

/// Counts ticks up to `end`, then runs.
template <class Wheel>
unsigned run_at(Wheel &ticking, jiffies_t end, unsigned budget = ~0u)
{
    (void)ticking.advance(end - ticking.jiffies());
    lock::points = 0;
    lock::masks = 0;
    const unsigned ran = ticking.run_budget(budget);
    CHECK_EQ(lock::held, 0u);
    return ran;
}

struct own_timer : timer_list {
    explicit own_timer(jiffies_t tick) : timer_list()
    {
        tickwheel_timer_setup(this, [](timer_list *) {}, 0);
        CHECK_EQ(wheel.mod_timer(this, tick), 0);
    }
};

} // namespace

TEST_CASE("interrupt windows: a run over empty blocks searches once, from two blocks on")
{
    struct row {
        jiffies_t end;
        unsigned searches;
        unsigned points;
    };
    // The end of a block has a point, the search of the next block another one, and two come before the timers of the
    // block after that. A jump searches no words, and has a point after its own search.
    for (const row &r : {row{1022, 0, 0},
                         {1023, 0, 4},
                         {1150, 0, 4},
                         {1151, 1, 4},
                         {1152, 1, 4},
                         {1278, 1, 4},
                         {1279, 1, 4},
                         {(1 << 14) - 1, 1, 4},
                         {1 << 28, 1, 4}}) {
        // The block begins at 896.
        wheel.init(1000);
        CHECK_EQ(run_at(wheel, r.end), 0u);
        CHECK_EQ(unit::moment{r.end, 0, lock::masks}, unit::moment{r.end, 0, r.searches});
        CHECK_EQ(unit::moment{r.end, 1, lock::points}, unit::moment{r.end, 1, r.points});
    }
}

TEST_CASE("a run jumps to the tick of a lone timer of tv2 to tv5 at once, unless another slot begins before it")
{
    struct row {
        jiffies_t tick;
        jiffies_t other;
        unsigned searches;
    };
    // After the callback the lock is taken again, as after a search.
    for (const row &r :
         {row{1500, 1 << 30, 1},
          {20000, 1 << 30, 1},
          {1 << 21, 1 << 30, 1},
          {(1 << 28) + 5, 1 << 30, 1},
          // Another timer in the same slot, in one before it, in one of tv2 that begins where it does, and in tv1.
          {20000, 20001, 2},
          {20000, 15000, 2},
          {20000, 16384 + 100, 3},
          {2000, 1100, 2}}) {
        wheel.init(1000);
        own_timer timer(r.tick);
        own_timer other(r.other);
        jiffies_t event = 0;
        CHECK_EQ(wheel.next_event(&event), 1);
        const bool exact = r.searches == 1;
        CHECK_EQ(unit::moment{r.tick, r.other, event == r.tick}, unit::moment{r.tick, r.other, exact});
        const unsigned ran = run_at(wheel, r.tick);
        CHECK_EQ(unit::moment{r.tick, r.other, lock::masks - ran}, unit::moment{r.tick, r.other, r.searches});
        (void)wheel.timer_delete(&other);
    }
}

TEST_CASE("interrupt windows: one between two ticks, one before the other words of marks")
{
    wheel.init(1023);
    own_timer first(1024);
    CHECK_EQ(run_at(wheel, 1024), 1u);
    CHECK_EQ(lock::points, 1u);
    own_timer second(1030);
    own_timer third(1031);
    own_timer fourth(1025 + 64);
    CHECK_EQ(run_at(wheel, 1030), 1u);
    CHECK_EQ(lock::points, 0u);
    CHECK_EQ(run_at(wheel, 1031), 1u);
    CHECK_EQ(lock::points, 1u);
    own_timer fifth(1025 + 65);
    CHECK_EQ(run_at(wheel, 1025 + 64 + 1), 2u);
    CHECK_EQ(lock::points, 2u);
}

// requirement: TW-30
TEST_CASE("interrupt windows: one for each timer that cascades")
{
    wheel.init(1000);
    own_timer first(1290);
    own_timer second(1291);
    own_timer third(1292);
    CHECK_EQ(run_at(wheel, 1150), 0u);
    // The tick 1151 takes one step and the block seven, so one timer moves.
    CHECK_EQ(run_at(wheel, 1151, 9), 0u);
    CHECK_EQ(lock::points, 5u);
    // One for the search of the next event, two for tv2, and two for its timers.
    CHECK_EQ(run_at(wheel, 1152), 0u);
    CHECK_EQ(lock::points, 5u);
    CHECK_EQ(run_at(wheel, 1292), 3u);
}

#if defined(__x86_64__)

TEST_CASE("a relative round that a tick interrupts after any instruction answers as before that tick or as after it")
{
    constexpr jiffies_t now = 10 * TICKWHEEL_HZ;
    static jiffies_t answer;
    for (const auto round : {tickwheel_round_jiffies_relative, tickwheel_round_jiffies_up_relative}) {
        // One tick later they round to another second, the first at a quarter.
        for (const jiffies_t delay : {TICKWHEEL_HZ / 4 - 1, TICKWHEEL_HZ - 1}) {
            unit::restart(now + 1);
            const jiffies_t after = round(delay);
            unit::restart(now);
            const jiffies_t before = round(delay);
            (void)unit::after_every_instruction([] { unit::restart(now); }, [&] { answer = round(delay); },
                                                [] { (void)tickwheel_tick(); },
                                                [&] { CHECK((answer == before || answer == after)); });
        }
    }
}

#endif
