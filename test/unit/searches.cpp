// SPDX-License-Identifier: MIT
// The searches for the next work. next_event is never later than the earliest expiry, comes at most once for each
// cascade before it, and is none when nothing is pending. next_expiry is exact, and passes over deferrable timers:
// contract_ticks.cpp has one timer at every distance, cpp_face.cpp a deferrable one of each kind, and test/fuzz
// compares each search with a look at every timer.
#include <initializer_list>

#include "support.hpp"

namespace
{

// Sleeps from event to event until a callback runs. How many sleeps it took; 0 when none came in `limit`.
unsigned sleeps_to_next_firing(unsigned limit)
{
    const unsigned before = unit::fired;
    for (unsigned sleeps = 1; sleeps <= limit; ++sleeps) {
        const uint64_t ticks = unit::event_from_now();
        if (ticks == unit::none) {
            return 0;
        }
        (void)unit::skip_to(unit::now() + static_cast<jiffies_t>(ticks));
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
    return unit::geometry::has_overflow ? 6 + (delta >> unit::geometry::range_bits % 32) : 5;
}

} // namespace

// requirement: TW-31, TW-32
TEST_CASE("a sleeper from event to event wakes in the timer's own tick, and before it once for each cascade of a "
          "shared slot")
{
    for (const jiffies_t start : unit::starts) {
        for (unsigned bit = 0; bit < (unit::has_short_range ? 24 : 31); ++bit) {
            for (jiffies_t delta = (1u << bit) - 1; delta <= (1u << bit) + 1; ++delta) {
                const bool in_range = !unit::geometry::has_overflow || delta >> unit::geometry::range_bits % 32 == 0;
                for (const bool shared : {false, true}) {
                    const unit::fresh wheel(start);
                    unit::armed a(start + delta);
                    unit::noted b;
                    if (shared) {
                        tickwheel_mod_timer(&b, start + delta);
                    }
                    const jiffies_t left = delta == 0 ? 1 : delta;
                    const uint64_t event = unit::event_from_now();
                    const bool exact = (in_range && !shared) || left <= unit::block_ticks;
                    const bool woken = sleeps_to_next_firing(in_range && !shared ? 1 : sleeps_for(delta)) != 0;
                    const bool right = (exact ? event == left : event <= left) && woken;
                    CHECK_EQ(unit::moment{start, delta, right}, unit::moment{start, delta, 1});
                    CHECK_EQ(unit::now(), start + left);
                    CHECK_EQ(unit::event_from_now(), unit::none);
                }
            }
        }
    }
}

// requirement: TW-32
TEST_CASE("a sleeper wakes once at most for a deleted timer, and for no cascade of it")
{
    for (const jiffies_t start : unit::starts) {
        for (unsigned bit = 0; bit < 31; ++bit) {
            const unit::fresh wheel(start);
            unit::armed a(start + (1u << bit));
            tickwheel_timer_delete(&a);
            const uint64_t event = unit::event_from_now();
            CHECK((event == unit::none || event == 1u << bit));
            CHECK_EQ(sleeps_to_next_firing(1), 0u);
            CHECK_EQ(unit::event_from_now(), unit::none);
        }
    }
    // However many ticks it had been armed for.
    const unit::fresh wheel(0);
    unit::noted a;
    for (jiffies_t tick = 1; tick < unit::block_ticks - 1; ++tick) {
        tickwheel_mod_timer(&a, tick);
    }
    tickwheel_timer_delete(&a);
    CHECK_EQ(unit::event_from_now(), unit::is_a_list ? unit::none : 1u);
    CHECK_EQ(sleeps_to_next_firing(1), 0u);
    CHECK_EQ(unit::event_from_now(), unit::none);
}
