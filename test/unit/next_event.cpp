// SPDX-License-Identifier: MIT
// The next event: never later than the earliest expiry, at most one cascade of each level before it, none when
// nothing is pending. A sleeper relies on that.
#include "support.hpp"

namespace
{

uint64_t seen_inside;

uint64_t event_from_now()
{
    jiffies_t tick = 0;
    return tickwheel_next_event(&tick) ? tick - unit::now() : unit::none;
}

void look(timer_list *self)
{
    unit::note(self);
    seen_inside = event_from_now();
}

// Sleeps from event to event until a callback runs. How many sleeps it took; 0 when none came in `most`.
unsigned sleeps_to_next_firing(unsigned most)
{
    const unsigned before = unit::fired;
    for (unsigned sleeps = 1; sleeps <= most; ++sleeps) {
        const uint64_t ticks = event_from_now();
        if (ticks == unit::none) {
            return 0;
        }
        if (tickwheel_advance(static_cast<uint32_t>(ticks)) != 0) {
            (void)tickwheel_run();
        }
        if (unit::fired != before) {
            return sleeps;
        }
    }
    return 0;
}

// One cascade for each level, and for a timer beyond the range of tv5 one more in each range on the way.
constexpr unsigned sleeps_for(jiffies_t delta)
{
    return unit::geometry::has_beyond ? 6 + (delta >> unit::geometry::range_bits % 32) : 5;
}

} // namespace

TEST_CASE("next_event: none leaves the result alone")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        jiffies_t tick = 0xDEADu;
        CHECK_EQ(tickwheel_next_event(&tick), 0);
        unit::noted a;
        for (unsigned k = 0; k < 31; ++k) {
            tickwheel_mod_timer(&a, base + (1u << k));
            tickwheel_timer_delete(&a);
            CHECK_EQ(tickwheel_next_event(&tick), 0);
        }
        CHECK_EQ(tick, 0xDEADu);
    }
}

TEST_CASE("next_event: one timer of the running block, exactly")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t delta = 0; delta <= unit::block_ticks; delta += 3) {
            const unit::fresh wheel(base);
            unit::noted a;
            tickwheel_mod_timer(&a, base + delta);
            const uint64_t wanted = delta == 0 ? 1 : delta;
            const jiffies_t block_end = ((base + 1) | (unit::block_ticks - 1)) - base;
            const uint64_t seen = event_from_now();
            CHECK_EQ(unit::moment{base, delta, seen <= wanted}, unit::moment{base, delta, 1});
            CHECK_EQ(unit::moment{base, delta, wanted > block_end || seen == wanted}, unit::moment{base, delta, 1});
        }
    }
}

TEST_CASE("next_event: a sleeper wakes once for each level at most, and in the timer's own tick")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 0; k < 31; ++k) {
            for (jiffies_t delta = (1u << k) - 1; delta <= (1u << k) + 1; ++delta) {
                const unit::fresh wheel(base);
                unit::noted a;
                tickwheel_mod_timer(&a, base + delta);
                const unsigned sleeps = sleeps_to_next_firing(sleeps_for(delta));
                CHECK_EQ(unit::moment{base, delta, sleeps != 0}, unit::moment{base, delta, 1});
                CHECK_EQ(unit::now(), base + (delta == 0 ? 1 : delta));
                CHECK_EQ(event_from_now(), unit::none);
            }
        }
    }
}

TEST_CASE("next_event: armed into an upper level long ago, before one armed lately into a lower level")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t boundary = 2u << unit::slot_bits(level);
        for (jiffies_t lead = 2; lead < 300; lead += 7) {
            const unit::fresh wheel(boundary / 2 - 1);
            unit::noted old;
            unit::noted recent;
            tickwheel_mod_timer(&old, boundary + 5);
            (void)unit::skip_to(boundary - lead);
            tickwheel_mod_timer(&recent, boundary + 9);
            CHECK(event_from_now() <= uint64_t{lead + 5});
            (void)sleeps_to_next_firing(6);
            CHECK_EQ(unit::now(), boundary + 5);
            (void)sleeps_to_next_firing(6);
            CHECK_EQ(unit::now(), boundary + 9);
        }
    }
}

TEST_CASE("next_event: deferrable timers count")
{
    const unit::fresh wheel(1000);
    unit::noted a(TICKWHEEL_TIMER_DEFERRABLE);
    tickwheel_mod_timer(&a, 1005);
    CHECK_EQ(event_from_now(), uint64_t{5});
}

TEST_CASE("next_event: work that is due is not after jiffies, over every lag up to three blocks")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t lag = 1; lag < 3 * unit::block_ticks; lag += 13) {
            const unit::fresh wheel(base);
            unit::noted first;
            unit::noted far;
            tickwheel_mod_timer(&first, base + 1);
            (void)tickwheel_advance(lag);
            tickwheel_mod_timer(&far, unit::now() + 5000000);
            jiffies_t tick = 0;
            CHECK_EQ(tickwheel_next_event(&tick), 1);
            CHECK(tickwheel_time_before_eq(tick, unit::now()));
            (void)tickwheel_run();
            CHECK_EQ(tickwheel_next_event(&tick), 1);
            CHECK(tickwheel_time_after(tick, unit::now()));
            CHECK(tickwheel_time_before_eq(tick, unit::now() + 5000000));
        }
    }
}

TEST_CASE("next_event: an overdue timer counts as the tick that it will fire in")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        tickwheel_mod_timer(&a, base - 12345);
        CHECK_EQ(event_from_now(), uint64_t{1});
    }
}

TEST_CASE("next_event: right inside a callback, where the rest of the tick is still due")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, look, 0);
    unit::noted b;
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    (void)unit::pass(1);
    CHECK_EQ(seen_inside, uint64_t{0});
    tickwheel_mod_timer(&a, 1500);
    tickwheel_mod_timer(&b, 1510);
    (void)unit::skip_to(1500);
    CHECK_EQ(seen_inside, uint64_t{10});
    tickwheel_timer_delete(&b);
    tickwheel_mod_timer(&a, 1600);
    (void)unit::skip_to(1600);
    CHECK_EQ(seen_inside, unit::none);
}

TEST_CASE("next_event: marks of deleted timers cost a constant number of attempts, and are gone in the end")
{
    const unit::fresh wheel(0);
    unit::noted a;
    for (jiffies_t tick = 1; tick < unit::block_ticks - 1; ++tick) {
        tickwheel_mod_timer(&a, tick);
    }
    tickwheel_timer_delete(&a);
    unsigned calls = 0;
    jiffies_t before = 0;
    jiffies_t tick = 0;
    while (tickwheel_next_event(&tick) != 0) {
        ++calls;
        CHECK(tick > before);
        before = tick;
    }
    CHECK(calls <= unit::block_ticks);
}
