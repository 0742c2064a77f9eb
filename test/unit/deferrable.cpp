// SPDX-License-Identifier: MIT
// TIMER_DEFERRABLE: ends no sleep, but fires like any other when ticks are counted.
#include "support.hpp"

namespace
{

struct deferrable : unit::noted {
    deferrable() : noted(TICKWHEEL_TIMER_DEFERRABLE)
    {
    }
};

} // namespace

TEST_CASE("deferrable: passed over by next_expiry in every level")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        deferrable sleepers[31];
        unit::noted waker;
        for (unsigned k = 0; k < 31; ++k) {
            tickwheel_mod_timer(&sleepers[k], base + (1u << k));
        }
        CHECK_EQ(unit::next_from_now(), unit::none);
        for (unsigned k = 0; k < 31; ++k) {
            tickwheel_mod_timer(&waker, base + (1u << k));
            CHECK_EQ(unit::next_from_now(), uint64_t{1u << k});
            tickwheel_mod_timer(&waker, base + (1u << k) + 1);
            CHECK_EQ(unit::next_from_now(), uint64_t{(1u << k) + 1});
        }
    }
}

TEST_CASE("deferrable: one slot holds both kinds")
{
    const unit::fresh wheel(0);
    deferrable first;
    unit::noted later;
    deferrable last;
    unit::noted latest;
    // All four in one slot of tv2, and the one that counts is neither first nor last.
    tickwheel_mod_timer(&first, 520);
    tickwheel_mod_timer(&later, 540);
    tickwheel_mod_timer(&latest, 550);
    tickwheel_mod_timer(&last, 515);
    CHECK_EQ(unit::next_from_now(), uint64_t{540});
    tickwheel_timer_delete(&later);
    CHECK_EQ(unit::next_from_now(), uint64_t{550});
    tickwheel_timer_delete(&latest);
    CHECK_EQ(unit::next_from_now(), unit::none);
}

TEST_CASE("deferrable: a slot of deferrable ones does not hide the next slot of its level")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const unit::fresh wheel(0);
        const jiffies_t width = 1u << unit::slot_bits(level);
        deferrable sleeper;
        unit::noted waker;
        tickwheel_mod_timer(&sleeper, 2 * width + 1);
        tickwheel_mod_timer(&waker, 3 * width + 1);
        CHECK_EQ(unit::next_from_now(), uint64_t{3 * width + 1});
        tickwheel_mod_timer(&waker, 4 * width - 1);
        CHECK_EQ(unit::next_from_now(), uint64_t{4 * width - 1});
    }
}

TEST_CASE("deferrable: fires in its tick, in its order, also through cascades")
{
    const unit::fresh wheel(0u - 400u);
    deferrable a;
    unit::noted b;
    deferrable c;
    tickwheel_mod_timer(&a, 300);
    tickwheel_mod_timer(&b, 300);
    (void)unit::pass(600);
    tickwheel_mod_timer(&c, 300);
    (void)unit::pass(99);
    CHECK_EQ(unit::fired, 0u);
    CHECK_EQ(unit::pass(1), 3u);
    CHECK(unit::fired_in_order({&a, &b, &c}));
}

TEST_CASE("deferrable: one that became due during a sleep fires with the tick that ends it")
{
    const unit::fresh wheel(100);
    deferrable a;
    unit::noted b;
    tickwheel_mod_timer(&a, 150);
    tickwheel_mod_timer(&b, 5000);
    CHECK_EQ(unit::next_from_now(), uint64_t{4900});
    CHECK_EQ(tickwheel_advance(4900), 1);
    CHECK_EQ(tickwheel_run(), 2u);
    CHECK(unit::fired_in_order({&a, &b}));
}

TEST_CASE("deferrable: setup again without the flag makes a timer that counts")
{
    const unit::fresh wheel(100);
    deferrable a;
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 400);
    CHECK_EQ(unit::next_from_now(), uint64_t{300});
}
