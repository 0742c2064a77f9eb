// SPDX-License-Identifier: MIT
// The next event: never later than the earliest expiry, at most one cascade of each level before it, none when
// nothing is pending. A sleeper relies on that. The first test cases hold next_expiry to the same rules.
#include "support.hpp"

namespace
{

uint64_t event_inside;
uint64_t expiry_inside;

uint64_t event_from_now()
{
    jiffies_t tick = 0;
    return tickwheel_next_event(&tick) ? tick - unit::now() : unit::none;
}

void look(timer_list *self)
{
    unit::note(self);
    event_inside = event_from_now();
    expiry_inside = unit::next_from_now();
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

// One cascade for each upper level, and the timer's own tick. For a timer beyond the range of tv5 one more cascade in
// each range on the way.
constexpr unsigned sleeps_for(jiffies_t delta)
{
    return unit::geometry::has_beyond ? 6 + (delta >> unit::geometry::range_bits % 32) : 5;
}

} // namespace

TEST_CASE("next_event and next_expiry leave the result alone when nothing is pending")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        jiffies_t tick = 0xDEADu;
        CHECK_EQ(tickwheel_next_event(&tick) + tickwheel_next_expiry(&tick), 0);
        unit::noted a;
        tickwheel_mod_timer(&a, base + 1000);
        tickwheel_timer_delete(&a);
        CHECK_EQ(tickwheel_next_expiry(&tick), 0);
        CHECK_EQ(tick, 0xDEADu);
    }
}

TEST_CASE("next_event names the tick of a deleted timer at most until a run has passed it, and no cascade for it")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 0; k < 31; ++k) {
            const unit::fresh wheel(base);
            unit::noted a;
            tickwheel_mod_timer(&a, base + (1u << k));
            tickwheel_timer_delete(&a);
            const uint64_t event = event_from_now();
            CHECK((event == unit::none || event == 1u << k));
            CHECK_EQ(sleeps_to_next_firing(1), 0u);
            CHECK_EQ(event_from_now(), unit::none);
        }
    }
}

TEST_CASE("next_event and next_expiry name the next tick for an overdue timer, which fires there")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::armed a(base - 12345);
        CHECK_EQ(event_from_now(), uint64_t{1});
        CHECK_EQ(unit::next_from_now(), uint64_t{1});
        CHECK_EQ(unit::ticks_to_next_firing(3), 1u);
    }
}

TEST_CASE("in a callback the next event is its own tick, and next_expiry is exact")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001, look);
    unit::armed b(1001);
    (void)unit::pass(1);
    CHECK((event_inside == 0 && expiry_inside == 0));
    tickwheel_mod_timer(&a, 1500);
    tickwheel_mod_timer(&b, 1510);
    (void)unit::skip_to(1500);
    CHECK((event_inside == 0 && expiry_inside == 10));
    tickwheel_timer_delete(&b);
    tickwheel_mod_timer(&a, 1600);
    (void)unit::skip_to(1600);
    CHECK((event_inside == 0 && expiry_inside == unit::none));
}

TEST_CASE("a timer armed long ago into an upper level comes before one armed lately into a lower level")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t boundary = 2u << unit::slot_bits(level);
        for (jiffies_t lead = 2; lead < 300; lead += 7) {
            const unit::fresh wheel(boundary / 2 - 1);
            unit::armed old(boundary + 5);
            (void)unit::skip_to(boundary - lead);
            unit::armed recent(boundary + 9);
            CHECK_EQ(unit::next_from_now(), uint64_t{lead + 5});
            CHECK(event_from_now() <= uint64_t{lead + 5});
            (void)sleeps_to_next_firing(7);
            CHECK_EQ(unit::now(), boundary + 5);
            CHECK_EQ(unit::next_from_now(), uint64_t{4});
            (void)sleeps_to_next_firing(7);
            CHECK_EQ(unit::now(), boundary + 9);
        }
    }
}

// requirement: TW-31
TEST_CASE("next_event is exact for a timer of the running block, and never late")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t delta = 0; delta <= unit::block_ticks; delta += 3) {
            const unit::fresh wheel(base);
            unit::armed a(base + delta);
            const uint64_t wanted = delta == 0 ? 1 : delta;
            const jiffies_t block_end = ((base + 1) | (unit::block_ticks - 1)) - base;
            const uint64_t seen = event_from_now();
            CHECK_EQ(unit::moment{base, delta, seen <= wanted}, unit::moment{base, delta, 1});
            CHECK_EQ(unit::moment{base, delta, wanted > block_end || seen == wanted}, unit::moment{base, delta, 1});
        }
    }
}

// requirement: TW-31, TW-32
TEST_CASE("a sleeper from event to event wakes once for each cascade at most, and in the timer's own tick")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 0; k < 31; ++k) {
            for (jiffies_t delta = (1u << k) - 1; delta <= (1u << k) + 1; ++delta) {
                const unit::fresh wheel(base);
                unit::armed a(base + delta);
                const unsigned sleeps = sleeps_to_next_firing(sleeps_for(delta));
                CHECK_EQ(unit::moment{base, delta, sleeps != 0}, unit::moment{base, delta, 1});
                CHECK_EQ(unit::now(), base + (delta == 0 ? 1 : delta));
                CHECK_EQ(event_from_now(), unit::none);
            }
        }
    }
}

TEST_CASE("next_event is not after jiffies while work is due, and after jiffies when it is done")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t lag = 1; lag < 3 * unit::block_ticks; lag += 13) {
            const unit::fresh wheel(base);
            unit::armed first(base + 1);
            (void)tickwheel_advance(lag);
            unit::armed far(unit::now() + 5000000);
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

// requirement: TW-32
TEST_CASE("a sleeper wakes once at most for a deleted timer, however many ticks it had been armed for")
{
    const unit::fresh wheel(0);
    unit::noted a;
    for (jiffies_t tick = 1; tick < unit::block_ticks - 1; ++tick) {
        tickwheel_mod_timer(&a, tick);
    }
    tickwheel_timer_delete(&a);
    CHECK_EQ(event_from_now(), uint64_t{1});
    CHECK_EQ(sleeps_to_next_firing(1), 0u);
    CHECK_EQ(event_from_now(), unit::none);
}

TEST_CASE("a sleeper hardly notices a time-out that was restarted or armed and deleted each tick")
{
    constexpr jiffies_t delays[] = {3, 20, 100, 200, 300};
    for (unsigned restarted = 0; restarted < 2; ++restarted) {
        for (const jiffies_t delay : delays) {
            const unit::fresh wheel(1000);
            unit::noted timeout;
            for (unsigned i = 0; i < 200; ++i) {
                tickwheel_mod_timer(&timeout, unit::now() + delay);
                if (restarted == 0) {
                    tickwheel_timer_delete(&timeout);
                }
                CHECK_EQ(unit::pass(1), 0u);
            }
            tickwheel_timer_delete(&timeout);
            const jiffies_t tick = unit::now() + 4800;
            unit::armed next(tick);
            const unsigned sleeps = sleeps_to_next_firing(sleeps_for(4800) + 1);
            // The old tick, and one cascade for each level that the timer comes down.
            CHECK_EQ(unit::moment{restarted, delay, sleeps != 0}, unit::moment{restarted, delay, 1});
            CHECK(sleeps <= unit::level_of_slot(unit::geometry::upper_slot(tick, 4800)) + 1);
            CHECK_EQ(unit::now(), tick);
        }
    }
}

TEST_CASE("while timers come down, the next event is the next tick, the last one of a block too")
{
    const unit::fresh wheel(0);
    unit::noted timers[2];
    const jiffies_t first = 2 * unit::tv1_ticks;
    for (unit::noted &timer : timers) {
        tickwheel_mod_timer(&timer, first + 3);
    }
    (void)tickwheel_advance(first - unit::block_ticks - 2);
    (void)tickwheel_run();
    (void)tickwheel_tick();
    // The empty tick and the end of the block take all steps, and later each empty tick does.
    (void)tickwheel_run_budget(8);
    while (unit::now() != first - 2) {
        CHECK_EQ(event_from_now(), 1u);
        CHECK_EQ(tickwheel_tick(), 1);
        (void)tickwheel_run_budget(1);
    }
    CHECK_EQ(event_from_now(), 1u);
    CHECK_EQ(unit::pass(5), 2u);
    CHECK_EQ(unit::log[1].at, first + 3);
}

TEST_CASE("a timer in the second list of a slot of tv2 is an event in the first tick of its own block")
{
    const unit::fresh wheel(0);
    unit::noted timer;
    (void)unit::skip_to(unit::block_ticks);
    tickwheel_mod_timer(&timer, unit::tv1_ticks + unit::block_ticks + 5);
    CHECK_EQ(event_from_now(), unit::tv1_ticks);
    CHECK_EQ(unit::pass(2 * unit::tv1_ticks), 1u);
    CHECK_EQ(unit::log[0].at, unit::tv1_ticks + unit::block_ticks + 5);
}
