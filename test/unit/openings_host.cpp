// SPDX-License-Identifier: MIT
// How often a run lets interrupts in, and how often it searches, in wheels of the tests' own. The lock is strict:
// nobody masks twice, and nobody unmasks what is not masked.
#include <initializer_list>

#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

using geometry = tickwheel::linux_geometry;

unsigned points;
unsigned masks;
bool masked;

struct strict_lock {
    static bool irq_save()
    {
        const bool before = masked;
        masked = true;
        return before;
    }
    static void irq_restore(bool before)
    {
        CHECK(masked);
        masked = before;
    }
    static void irq_mask()
    {
        CHECK(!masked);
        masked = true;
        ++masks;
    }
    static void preemption_point(bool before)
    {
        CHECK(masked);
        CHECK(!before);
        ++points;
    }
};

using small_geometry = tickwheel::geometry<5, 2>;

struct without_jump : tickwheel::wheel_storage<small_geometry> {
    jiffies_t distance_to_cascade()
    {
        return 0;
    }
};

tickwheel::wheel<strict_lock, geometry> wheel;
tickwheel::wheel<strict_lock, small_geometry, without_jump> block_by_block;

/// Counts ticks up to `end`, then runs.
template <class Wheel>
unsigned run_at(Wheel &of, jiffies_t end, unsigned budget = ~0u)
{
    (void)of.advance(end - of.jiffies());
    points = 0;
    masks = 0;
    const unsigned ran = of.run_budget(budget);
    CHECK(!masked);
    return ran;
}

struct own_timer : timer_list {
    explicit own_timer(jiffies_t tick) : timer_list()
    {
        tickwheel_timer_setup(
            this, [](timer_list *) {}, 0);
        CHECK_EQ(wheel.mod_timer(this, tick), 0);
    }
};

} // namespace

TEST_CASE("openings: a run over empty blocks searches once, from two blocks on")
{
    struct row {
        jiffies_t end;
        unsigned searches;
        unsigned points;
    };
    // Each block has one point at its begin, and one for each level that may cascade.
    for (const row &r : {row{1022, 0, 0},
                         {1023, 0, 2},
                         {1278, 0, 2},
                         {1279, 1, 2},
                         {1280, 1, 2},
                         {1534, 1, 2},
                         {1535, 1, 2},
                         {1791, 1, 2},
                         {(1 << 14) - 1, 1, 3},
                         {(1 << 20) - 1, 1, 4},
                         {1 << 28, 1, 5}}) {
        // The block begins at 768.
        wheel.init(1000);
        CHECK_EQ(run_at(wheel, r.end), 0u);
        CHECK_EQ(unit::moment{r.end, 0, masks}, unit::moment{r.end, 0, r.searches});
        CHECK_EQ(unit::moment{r.end, 1, points}, unit::moment{r.end, 1, r.points});
    }
}

TEST_CASE("openings: a wheel without the jump goes on block by block")
{
    block_by_block.init(40);
    CHECK_EQ(run_at(block_by_block, 159), 0u);
    jiffies_t next = 0;
    CHECK_EQ(block_by_block.next_event(&next), 0);
    // Four blocks of 32 ticks, a point between each two, and one for tv3 at tick 128.
    CHECK_EQ(points, 12u);
}

TEST_CASE("openings: one between two ticks, one before each word of marks")
{
    wheel.init(1023);
    own_timer first(1024);
    CHECK_EQ(run_at(wheel, 1024), 1u);
    // Seven words after the first.
    CHECK_EQ(points, 7u);
    own_timer second(1030);
    own_timer third(1031);
    own_timer fourth(1025 + 64);
    CHECK_EQ(run_at(wheel, 1030), 1u);
    CHECK_EQ(points, 0u);
    CHECK_EQ(run_at(wheel, 1031), 1u);
    CHECK_EQ(points, 2u);
    own_timer fifth(1025 + 65);
    CHECK_EQ(run_at(wheel, 1025 + 64 + 1), 2u);
    CHECK_EQ(points, 6u);
}

TEST_CASE("openings: a change before the run does not keep it from jumping")
{
    wheel.init(1000);
    own_timer timer(1001);
    CHECK_EQ(run_at(wheel, 1001), 1u);
    CHECK_EQ(run_at(wheel, 1791), 0u);
    CHECK_EQ(masks, 1u);
    CHECK_EQ(points, 2u);
}

TEST_CASE("openings: one for each timer that a resumed cascade moves, and one after it")
{
    wheel.init(1000);
    own_timer first(1030);
    own_timer second(1031);
    own_timer third(1032);
    // The tick 1023 takes one step and the block seven, so one timer moves.
    CHECK_EQ(run_at(wheel, 1023, 9), 0u);
    CHECK_EQ(points, 3u);
    // One for tv2, two for its timers, one for the first word of marks, and one after the cascade.
    CHECK_EQ(run_at(wheel, 1023), 0u);
    CHECK_EQ(points, 5u);
    CHECK_EQ(run_at(wheel, 1032), 3u);
}

#if TICKWHEEL_DEBUG

TEST_CASE("openings: a cascade that reports a broken slot goes on with the lock")
{
    unit::forget();
    constexpr jiffies_t tick = (1 << 14) + 1283;
    wheel.init(0);
    own_timer old(tick);
    CHECK_EQ(run_at(wheel, (1 << 14) - 256), 0u);
    own_timer broken(tick);
    broken.next = &broken;
    CHECK_EQ(run_at(wheel, tick), 1u);
    CHECK_EQ(unit::misused, 1u);
}

#endif
