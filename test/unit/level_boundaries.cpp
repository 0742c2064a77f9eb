// SPDX-License-Identifier: MIT
// B8, B9: from every base where levels meet or counters wrap, every delay where
// levels meet: fires in exactly max(base + delta, timer_jiffies), once.
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
    unit::noted timer;
    const jiffies_t expected = delta == 0 ? base + 1 : base + delta;
    if (with_far && delta != unit::longest_delay) {
        tickwheel_mod_timer(&far, base + unit::longest_delay);
    }
    tickwheel_mod_timer(&timer, base + delta);
    const jiffies_t tick = tick_of_firing(timer, base, expected, every_tick);
    CHECK_EQ(unit::moment{base, delta, tick}, unit::moment{base, delta, expected});
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

TEST_CASE("B8, B9: level boundaries and wraps: every base times every delay, brought near by advance")
{
    check_delays(false, false, unit::longest_delay);
}

TEST_CASE("B8: level boundaries: the same beside a permanent timer in the far future")
{
    check_delays(true, false, unit::longest_delay);
}

TEST_CASE("B8, B9: level boundaries and wraps: short delays on single ticks")
{
    check_delays(false, true, single_ticks);
    check_delays(true, true, single_ticks);
}

TEST_CASE("level boundaries: a late run finds each delay in its order")
{
    // One run for all of them: nothing may be early or lost when the wheel has lagged over every level.
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted timers[30];
        for (unsigned k = 30; k-- != 0;) {
            tickwheel_mod_timer(&timers[k], base + (1u << k));
        }
        (void)unit::skip_to(base + (1u << 29));
        CHECK_EQ(unit::fired, 30u);
        bool in_order = true;
        for (unsigned k = 0; k < 30; ++k) {
            in_order = in_order && unit::log[k].timer == &timers[k];
        }
        CHECK(in_order);
    }
}

TEST_CASE("B8: level boundaries: cascades of every level in one tick")
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
    CHECK_EQ(unit::pass(1), 10u);
    bool in_order = true;
    for (unsigned i = 0; i < 10; ++i) {
        in_order = in_order && unit::log[i].timer == &timers[i];
    }
    CHECK(in_order);
}

TEST_CASE("B8: level boundaries: the tick of a cascade is the tick of the expiry")
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

TEST_CASE("level boundaries: a delay repeated from its own expiry keeps its length through every level")
{
    // theine-go#64, netty#1959: intervals that grow after some time.
    const unit::fresh wheel(0u - 5000u);
    unit::noted timer;
    jiffies_t expected = unit::now();
    for (unsigned i = 0; i < 2000; ++i) {
        const jiffies_t delta = 1 + (i * 2654435761u >> (8 + i % 20));
        expected += delta;
        tickwheel_mod_timer(&timer, expected);
        (void)unit::skip_to(expected - 1);
        CHECK_EQ(unit::fired, i);
        (void)unit::pass(1);
        REQUIRE(unit::fired == i + 1);
    }
}
