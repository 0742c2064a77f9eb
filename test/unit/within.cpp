// SPDX-License-Identifier: MIT
// tickwheel_mod_timer_within(): a tick of a range. The reference looks at each tick of the range.
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

unsigned trailing_zeros(jiffies_t tick)
{
    unsigned zeros = 0;
    while (zeros < 32 && (tick >> zeros & 1) == 0) {
        ++zeros;
    }
    return zeros;
}

/// The tick of the range with the most trailing zero bits. There is one only: between two of them lies a rounder one.
jiffies_t roundest(jiffies_t first, jiffies_t ticks)
{
    jiffies_t best = first;
    for (jiffies_t i = 1; i <= ticks; ++i) {
        best = trailing_zeros(first + i) > trailing_zeros(best) ? first + i : best;
    }
    return best;
}

} // namespace

// requirement: TW-12
TEST_CASE("a timer that is armed within a range takes the tick with the most trailing zero bits")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base - 100);
        for (jiffies_t first = base - 9; first != base + 9; ++first) {
            for (jiffies_t ticks = 0; ticks < 70; ++ticks) {
                unit::noted timer;
                CHECK_EQ(tickwheel_mod_timer_within(&timer, first, first + ticks), 0);
                CHECK_EQ(unit::moment{first, ticks, timer.expires},
                         unit::moment{first, ticks, roundest(first, ticks)});
            }
        }
    }
}

// requirement: TW-12
TEST_CASE("a wide range takes its tick too, across the wrap tick 0, and the timer fires in it")
{
    struct {
        jiffies_t first, last, tick;
    } constexpr ranges[] = {
        {1001, 0x7FFFFFFF, 0x40000000},       {0x40000001, 0x7FFFFFFF, 0x60000000},
        {0x12345678, 0x12FFFFFF, 0x12800000}, {0x7FFFFFFF, 0x80000000, 0x80000000},
        {0xFFFFFFFF, 0x7FFFFFFE - 1, 0},      {0u - 0x30000000u, 0x4FFFFFFF, 0},
        {0x80000001, 0xFFFFFFFF, 0xC0000000}, {0xFFFF0001, 0xFFFF0001, 0xFFFF0001},
    };
    for (const auto &range : ranges) {
        const unit::fresh wheel(range.first - 1);
        unit::noted timer;
        CHECK_EQ(tickwheel_mod_timer_within(&timer, range.first, range.last), 0);
        CHECK_EQ(timer.expires, range.tick);
        CHECK_EQ(unit::skip_to(range.tick - 1), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("a timer that is pending within the range stays, with its place in the queue; outside of it, it moves")
{
    constexpr jiffies_t bases[] = {1000, 0u - 30u, 0x80000000u - 30u};
    for (const jiffies_t base : bases) {
        for (jiffies_t at = 1; at < 60; ++at) {
            const unit::fresh wheel(base);
            unit::armed timer(base + at);
            unit::armed next(base + at);
            const bool inside = at >= 20 && at <= 40;
            const jiffies_t tick = inside ? base + at : roundest(base + 20, 20);
            CHECK_EQ(tickwheel_mod_timer_within(&timer, base + 20, base + 40), 1);
            CHECK_EQ(unit::moment{base, at, timer.expires}, unit::moment{base, at, tick});
            CHECK_EQ(unit::pass(60), 2u);
            if (inside) {
                CHECK(unit::fired_in_order({&timer, &next}));
            }
        }
    }
}

TEST_CASE("if the first tick is after the last one, the last one counts")
{
    constexpr jiffies_t bases[] = {1000, 0u - 5u};
    for (const jiffies_t base : bases) {
        const unit::fresh wheel(base);
        unit::noted timer;
        CHECK_EQ(tickwheel_mod_timer_within(&timer, base + 11, base + 10), 0);
        CHECK_EQ(timer.expires, base + 10);
        // It is pending between the two, and moves.
        CHECK_EQ(tickwheel_mod_timer_within(&timer, base + 50, base + 9), 1);
        CHECK_EQ(timer.expires, base + 9);
        CHECK_EQ(unit::ticks_to_next_firing(20), 9u);
    }
}

TEST_CASE("ranges that overlap meet: twenty timers with a tenth of slack make fewer ticks with work")
{
    const unit::fresh wheel(4000);
    unit::noted exact[20];
    unit::noted within[20];
    unsigned ticks[2] = {0, 0};
    for (unsigned i = 0; i < 20; ++i) {
        const jiffies_t delay = 1000 + 7 * i;
        (void)tickwheel_mod_timer(&exact[i], jiffies + delay);
        (void)tickwheel_mod_timer_within(&within[i], jiffies + delay, jiffies + delay + delay / 10);
    }
    for (unsigned i = 0; i < 20; ++i) {
        bool alone[2] = {true, true};
        for (unsigned before = 0; before < i; ++before) {
            alone[0] &= exact[before].expires != exact[i].expires;
            alone[1] &= within[before].expires != within[i].expires;
        }
        ticks[0] += alone[0];
        ticks[1] += alone[1];
    }
    CHECK_EQ(ticks[0], 20u);
    CHECK_EQ(ticks[1], 3u);
    CHECK_EQ(unit::pass(1300), 40u);
}

TEST_CASE("start_within is the same call")
{
    const unit::fresh wheel(1000);
    tickwheel::timer timer{unit::note};
    CHECK(!timer.start_within(1010, 1030));
    CHECK_EQ(timer.expires(), 1024u);
    CHECK(timer.start_within(1020, 1040));
    CHECK_EQ(timer.expires(), 1024u);
    CHECK(timer.start_within(1025, 1039));
    CHECK_EQ(timer.expires(), 1032u);
    CHECK_EQ(unit::ticks_to_next_firing(50), 32u);
}
