// SPDX-License-Identifier: MIT
// From every base where levels meet or counters wrap, every delay where levels meet: the timer fires once, in exactly
// max(base + delta, timer_jiffies). Slots are numbered in one row: tv1, then tv2, ...
#include "support.hpp"

namespace
{

// How far single ticks are affordable in the emulator; further off the wheel is brought there by advance().
constexpr jiffies_t single_ticks = 600;

// The tick in which the timer fires, and 0 - 1 from base when it never does; also counts on that it fires once.
jiffies_t tick_of_firing(const timer_list &timer, jiffies_t base, jiffies_t expected, bool every_tick)
{
    if (every_tick) {
        for (jiffies_t tick = base + 1; tick != expected; ++tick) {
            (void)unit::pass(1);
            if (unit::fired != 0) {
                return unit::now();
            }
        }
    } else {
        (void)unit::skip_to(expected - 1);
        if (unit::fired != 0) {
            return unit::now();
        }
    }
    CHECK_EQ(tickwheel_timer_pending(&timer), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    (void)tickwheel_run();
    return unit::fired == 1 && unit::log[0].timer == &timer ? unit::now() : base - 1;
}

void check_delay(jiffies_t base, jiffies_t delta, bool with_far, bool every_tick)
{
    const unit::fresh wheel(base);
    unit::noted far;
    const jiffies_t expected = delta == 0 ? base + 1 : base + delta;
    if (with_far && delta != unit::longest_delay) {
        tickwheel_mod_timer(&far, base + unit::longest_delay);
    }
    unit::armed timer(base + delta);
    const jiffies_t tick = tick_of_firing(timer, base, expected, every_tick);
    CHECK_EQ(unit::moment{base, delta, tick}, unit::moment{base, delta, expected});
}

// The number of slot `index` of tv<level>.
constexpr unsigned slot(unsigned level, unsigned index)
{
    return (level == 1 ? 0 : unit::geometry::tvr_size + (level - 2) * unit::geometry::tvn_size) + index;
}

unsigned level_of(const timer_list &timer)
{
    return unit::level_of_slot(unit::slot_holding(&timer));
}

void check_delays(bool with_far, bool every_tick, jiffies_t most)
{
    constexpr jiffies_t deltas[] = {0u, 255u, 256u, 257u, unit::longest_delay};
    for (const jiffies_t base : unit::bases) {
        for (const jiffies_t delta : deltas) {
            if (delta <= most) {
                check_delay(base, delta, with_far, every_tick);
            }
        }
        for (unsigned k = 0; k < 31; ++k) {
            for (jiffies_t delta = (1u << k) - 1; delta <= (1u << k) + 1; ++delta) {
                if (delta != 0 && delta <= most) {
                    check_delay(base, delta, with_far, every_tick);
                }
            }
        }
    }
}

} // namespace

TEST_CASE("every delay from every base fires in its tick, alone or beside a timer in the far future")
{
    for (unsigned with_far = 0; with_far < 2; ++with_far) {
        check_delays(with_far != 0, false, unit::longest_delay);
        check_delays(with_far != 0, true, single_ticks);
    }
}

TEST_CASE("a late run over every level fires the delays in their order")
{
    // One run for all of them: nothing may be early or lost when the wheel has lagged over every level.
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted timers[30];
        for (unsigned k = 30; k-- != 0;) {
            tickwheel_mod_timer(&timers[k], base + (1u << k));
        }
        (void)unit::skip_to(base + (1u << 29));
        CHECK(unit::fired_as_armed(timers, 30));
    }
}

TEST_CASE("timers of one tick that came from every level fire in order of arming")
{
    // At a multiple of 2^26 (2^18 in the small geometry) tv2 to tv5 all move down at once.
    const jiffies_t meeting = 3u << unit::slot_bits(5);
    const unit::fresh wheel(meeting - (1u << unit::slot_bits(5)) - 70000);
    unit::noted timers[10];
    unsigned armed = 0;
    jiffies_t tick = unit::now();
    for (unsigned level = 5; level >= 1; --level) {
        // From this far away the meeting lies in tv<level>.
        tick = meeting - (1u << unit::slot_bits(level)) - (level == 1 ? 0 : 3);
        (void)unit::skip_to(tick);
        tickwheel_mod_timer(&timers[armed++], meeting);
        tickwheel_mod_timer(&timers[armed++], meeting);
    }
    CHECK_EQ(unit::fired, 0u);
    (void)unit::skip_to(meeting - 1);
    CHECK_EQ(unit::fired, 0u);
    (void)unit::pass(1);
    CHECK(unit::fired_as_armed(timers, 10));
}

TEST_CASE("a timer fires in its tick where that is the tick of a cascade")
{
    constexpr jiffies_t distances[] = {1u, 2u, 255u, 256u, 257u, 70000u};
    for (unsigned level = 2; level <= 5; ++level) {
        for (const jiffies_t back : distances) {
            const jiffies_t expires = (5u << unit::slot_bits(level)) + (1u << 30);
            check_delay(expires - back, back, false, false);
            check_delay(expires - back, back, true, back < 300);
        }
    }
}

TEST_CASE("delays that grow from one expiry to the next keep their length through every level")
{
    const unit::fresh wheel(0u - 5000u);
    unit::noted timer;
    jiffies_t expected = unit::now();
    for (unsigned i = 0; i < 2000; ++i) {
        expected += 1 + (i * 2654435761u >> (8 + i % 20));
        tickwheel_mod_timer(&timer, expected);
        (void)unit::skip_to(expected - 1);
        CHECK_EQ(unit::fired, i);
        (void)unit::pass(1);
        REQUIRE(unit::fired == i + 1);
    }
}

TEST_CASE("1000 ticks ahead of a wheel at 0 is slot 1000 / 256 of tv2; a timer of the next tick is in tv1")
{
    const unit::fresh wheel(0);
    unit::armed a(1000);
    unit::armed b(0x79 & unit::geometry::tvr_mask);
    CHECK_EQ(unit::slot_holding(&a), slot(2, 1000 / unit::block_ticks));
    CHECK_EQ(unit::slot_holding(&b), slot(1, 0x79 & unit::geometry::tvr_mask));
}

TEST_CASE("slot 0x17 of tv2 moves down in the last tick before 0x12345700")
{
    // tv1 of the small geometry has 64 slots, so another slot of tv2; its block too begins at 0x12345700.
    const unit::fresh wheel(0x12345678);
    unit::armed a(0x12345700);
    unit::armed b(0x1234570B);
    const unsigned upper = slot(2, 0x12345700u >> unit::tv1_bits & (unit::geometry::tvn_size - 1));
    CHECK((unit::tv1_bits != 8 || upper == slot(2, 0x17)));
    (void)unit::pass(0x12345700 - 0x12345678 - 2);
    CHECK_EQ(unit::slot_holding(&a), upper);
    CHECK_EQ(unit::slot_holding(&b), upper);
    CHECK_EQ(unit::pass(1), 0u);
    CHECK_EQ(unit::slot_holding(&a), slot(1, 0));
    CHECK_EQ(unit::slot_holding(&b), slot(1, 0x0B));
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(unit::pass(11), 1u);
}

TEST_CASE("at the end of its slot's range a timer of tv3, tv4 or tv5 moves down as far as its distance asks")
{
    for (unsigned level = 3; level <= 5; ++level) {
        const jiffies_t width = 1u << unit::slot_bits(level);
        const jiffies_t boundary = 0x50000000u + 5 * width;
        const unit::fresh wheel(boundary - width - 40);
        unit::armed a(boundary + 7);
        unit::armed b(boundary + width - 1);
        (void)unit::skip_to(boundary - 2);
        CHECK((level_of(a) == level && level_of(b) == level));
        (void)unit::pass(1);
        CHECK((level_of(a) == 1 && level_of(b) == level - 1));
        CHECK_EQ(unit::pass(8), 1u);
        CHECK_EQ(unit::skip_to(boundary + width - 2), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("each level begins where the one below ends, measured from the block")
{
    for (unsigned level = 1; level <= 4; ++level) {
        const jiffies_t reach = 1u << unit::slot_bits(level + 1);
        // At the first tick of a block the block is still the one before: the runner is not past its last tick.
        const unit::fresh wheel(3u << unit::slot_bits(5));
        const jiffies_t block = tickwheel_clock.block;
        unit::armed inside(block + reach - 1);
        unit::armed outside(block + reach);
        CHECK_EQ(level_of(inside), level);
        CHECK_EQ(level_of(outside), level + 1);
    }
}
