// SPDX-License-Identifier: MIT
// The examples that texts about timing wheels work through, held against the
// slots themselves. Slots are numbered in one row: tv1, then tv2, ...
#include "support.hpp"

namespace
{

using unit::geometry;

// The number of slot `index` of tv<level>.
constexpr unsigned slot(unsigned level, unsigned index)
{
    return (level == 1 ? 0 : geometry::tvr_size + (level - 2) * geometry::tvn_size) + index;
}

unsigned level_of(const timer_list &timer)
{
    return unit::level_of_slot(unit::slot_holding(&timer));
}

} // namespace

TEST_CASE("example: 1000 jiffies ahead of a wheel at 0 lies in tv2, slot 1000 / 256")
{
    const unit::fresh wheel(0);
    unit::noted a;
    tickwheel_mod_timer(&a, 1000);
    CHECK_EQ(unit::slot_holding(&a), slot(2, 1000 / unit::block_ticks));
    if (unit::tv1_bits == 8) {
        CHECK_EQ(unit::slot_holding(&a), slot(2, 3));
    }
}

TEST_CASE("example: at 0x12345678 the next tick looks at tv1[0x79]")
{
    const unit::fresh wheel(0x12345678);
    unit::noted a;
    tickwheel_mod_timer(&a, 0x12345679);
    CHECK_EQ(unit::slot_holding(&a), slot(1, 0x79 & geometry::tvr_mask));
    CHECK_EQ(unit::pass(1), 1u);
}

TEST_CASE("example: when time reaches 0x12345700 the low 8 bits roll over and tv2[0x17] moves down")
{
    // A quarter of that where tv1 has 64 slots: the block of 0x12345700 is the one named either way.
    const unit::fresh wheel(0x12345678);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 0x12345700);
    tickwheel_mod_timer(&b, 0x1234570B);
    const unsigned upper = slot(2, 0x12345700u >> unit::tv1_bits & (geometry::tvn_size - 1));
    CHECK_EQ(unit::slot_holding(&a), upper);
    CHECK_EQ(unit::slot_holding(&b), upper);
    if (unit::tv1_bits == 8) {
        CHECK_EQ(upper, slot(2, 0x17));
    }
    (void)unit::pass(0x12345700 - 0x12345678 - 2);
    CHECK_EQ(unit::slot_holding(&a), upper);
    // The block's last tick moves them, so that the tick after it finds them in place.
    CHECK_EQ(unit::pass(1), 0u);
    CHECK_EQ(unit::slot_holding(&a), slot(1, 0));
    CHECK_EQ(unit::slot_holding(&b), slot(1, 0x0B));
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(unit::now(), 0x12345700u);
    CHECK_EQ(unit::pass(11), 1u);
}

TEST_CASE("example: when the bits above roll over as well, tv3 moves down, and so on up to tv5")
{
    for (unsigned level = 3; level <= 5; ++level) {
        const jiffies_t width = 1u << unit::slot_bits(level);
        const jiffies_t boundary = 0x50000000u + 5 * width;
        const unit::fresh wheel(boundary - width - 40);
        unit::noted a;
        unit::noted b;
        tickwheel_mod_timer(&a, boundary + 7);
        tickwheel_mod_timer(&b, boundary + width - 1);
        CHECK_EQ(level_of(a), level);
        CHECK_EQ(level_of(b), level);
        (void)unit::skip_to(boundary - 2);
        CHECK_EQ(level_of(a), level);
        (void)unit::pass(1);
        CHECK_EQ(level_of(a), 1u);
        CHECK_EQ(level_of(b), level - 1);
        CHECK_EQ(unit::pass(8), 1u);
        (void)unit::skip_to(boundary + width - 2);
        CHECK_EQ(unit::fired, 1u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("example: each level takes over where the one below ends, measured from the block")
{
    for (unsigned level = 1; level <= 4; ++level) {
        const jiffies_t reach = 1u << unit::slot_bits(level + 1);
        // Armed at the first tick of a block, the block is still the one before: its last tick has not been run.
        const unit::fresh wheel(3u << unit::slot_bits(5));
        unit::noted inside;
        unit::noted outside;
        const jiffies_t block = tickwheel_clock.block;
        tickwheel_mod_timer(&inside, block + reach - 1);
        tickwheel_mod_timer(&outside, block + reach);
        CHECK_EQ(level_of(inside), level);
        CHECK_EQ(level_of(outside), level + 1);
    }
}

TEST_CASE("example: 9T on a wheel of 8 at now = 2T is one turn away; a tv1 slot never mixes two turns")
{
    // The same question for tv1: one turn and one tick ahead of slot 2.
    const unit::fresh wheel(2);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 3);
    tickwheel_mod_timer(&b, 3 + unit::block_ticks);
    CHECK_EQ(level_of(a), 1u);
    CHECK_EQ(level_of(b), 2u);
    CHECK_EQ(unit::pass(unit::block_ticks), 1u);
    CHECK_EQ(unit::pass(1), 1u);
}

TEST_CASE("example: 21:20:30 plus 50:10 is 22:10:40, in any radix")
{
    const unit::fresh wheel((21 * 60 + 20) * 60 + 30);
    unit::noted a;
    tickwheel_mod_timer(&a, unit::now() + 50 * 60 + 10);
    CHECK_EQ(unit::ticks_to_next_firing(4000), jiffies_t{50 * 60 + 10});
    CHECK_EQ(unit::now(), jiffies_t{(22 * 60 + 10) * 60 + 40});
}

TEST_CASE("example: a watchdog that renews itself at a third of its lease never lets it run out")
{
    static timer_list lease;
    struct watchdog {
        static void renew(timer_list *self)
        {
            CHECK_EQ(tickwheel_mod_timer(&lease, jiffies + 3000), 1);
            tickwheel_mod_timer(self, jiffies + 1000);
        }
    };
    const unit::fresh wheel(0u - 20000u);
    timer_list dog = {};
    tickwheel_timer_setup(&dog, watchdog::renew, 0);
    tickwheel_timer_setup(&lease, unit::note, 0);
    tickwheel_mod_timer(&lease, jiffies + 3000);
    tickwheel_mod_timer(&dog, jiffies + 1000);
    CHECK_EQ(unit::pass(40000), 40u);
    CHECK_EQ(unit::fired, 0u);
    CHECK_EQ(tickwheel_timer_delete(&dog), 1);
    CHECK_EQ(unit::ticks_to_next_firing(5000), 3000u);
}
