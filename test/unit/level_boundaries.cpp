// SPDX-License-Identifier: MIT
// From every base where levels meet or counters wrap, every delay where levels meet: the timer fires once, in exactly
// max(base + delta, timer_jiffies).
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

// requirement: TW-01, TW-06
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

TEST_CASE("at the end of its slot's range a timer of tv2 to tv5 moves down as far as its distance asks")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t width = 1u << unit::slot_bits(level);
        const jiffies_t boundary = 0x50000000u + 5 * width;
        const unit::fresh wheel(boundary - width - 40);
        unit::armed a(boundary + 7);
        unit::armed b(boundary + width - 1);
        // A block ahead.
        (void)unit::skip_to(boundary - unit::block_ticks - 2);
        CHECK((level_of(a) == level && level_of(b) == level));
        (void)unit::pass(1);
        CHECK_EQ(level_of(a), 1u);
        // In tv2 it is in the other list of the slot.
        CHECK_EQ(level_of(b), level == 2 ? 2 : level - 1);
        CHECK_EQ(unit::skip_to(boundary + 7), 1u);
        CHECK_EQ(unit::skip_to(boundary + width - 2), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("each level begins where the one below ends, measured from the base")
{
    for (unsigned level = 1; level <= 4; ++level) {
        // Of the blocks after the base, an idle wheel's tv1 takes the first one.
        const jiffies_t reach = level == 1 ? unit::block_ticks : 1u << unit::slot_bits(level + 1);
        // At the first tick of a block the block is still the one before: the runner is not past its last tick.
        const unit::fresh wheel(3u << unit::slot_bits(5));
        const jiffies_t base = tickwheel_clock.base;
        unit::armed inside(base + reach - 1);
        unit::armed outside(base + reach);
        CHECK_EQ(level_of(inside), level);
        CHECK_EQ(level_of(outside), level + 1);
    }
}
