// SPDX-License-Identifier: MIT
// Wheels of a program's own: timers of a wheel by its name, and a lock of its own.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

using geometry = tickwheel::geometry<6, 2>;
tickwheel::wheel<tickwheel::port_lock, geometry> plain;

struct state {
    tickwheel::wheel_clock clock;
    tickwheel::slots_of<geometry> slots;
};
static_assert(sizeof(plain) == sizeof(state), "an empty lock and empty hooks take no room");

template <class Wheel>
unsigned pass(Wheel &wheel, jiffies_t ticks)
{
    unsigned ran = 0;
    while (ticks-- != 0) {
        ran += wheel.interrupt();
    }
    return ran;
}

unsigned calls;

void count_call(timer_list *)
{
    ++calls;
}

TEST_CASE("a wheel that nobody has initialised is empty")
{
    static tickwheel::wheel<tickwheel::port_lock, geometry> untouched;
    jiffies_t tick = 0;
    CHECK_EQ(untouched.next_event(&tick), 0);
    CHECK_EQ(untouched.next_expiry(&tick), 0);
}

TEST_CASE("timers of each kind work on a wheel by its name, and the default wheel is not touched")
{
    const unit::fresh fresh(500);
    plain.init(0u - 3u);
    unsigned calls_of[4] = {};
    const auto once = [&] { ++calls_of[1]; };
    const auto often = [&] { ++calls_of[2]; };
    const auto late = [&] { ++calls_of[3]; };
    calls = 0;
    tickwheel::basic_timer<plain> a{count_call};
    tickwheel::closure_timer<decltype(once), plain> b{once};
    tickwheel::periodic_timer<decltype(often), tickwheel::missed_periods::skip, plain> c{often};
    tickwheel::scoped_timer<tickwheel::long_timer<decltype(late), plain>> d{late};
    CHECK(!a.start_after_ticks(3));
    CHECK(!b.start_after_at_least(3));
    c.start_after_ticks(1, 2);
    CHECK(!d.start_at((uint64_t{5} << 32) + 7));
    CHECK((a.pending() && a.expires() == 0 && a.remaining() == 3));
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(pass(plain, 3), 3u);
    CHECK_EQ(unit::now(), 500u);
    CHECK(((calls == 1) && calls_of[1] == 0 && calls_of[2] == 2 && calls_of[3] == 0));
    CHECK_EQ(pass(plain, 1), 1u);
    CHECK(!a.move_to(plain.jiffies() + 2));
    CHECK(!a.start_after_ticks(5));
    CHECK(a.move_to(plain.jiffies() + 2));
    CHECK(a.start_no_later_than(plain.jiffies() + 9));
    CHECK_EQ(a.remaining(), 2u);
    CHECK(a.cancel());
    CHECK((c.pending() && c.stop()));
    jiffies_t next = 0;
    while (calls_of[3] == 0 && plain.next_expiry(&next)) {
        (void)plain.advance(next - plain.jiffies());
        (void)plain.run();
    }
    CHECK_EQ(plain.get_jiffies_64(), (uint64_t{5} << 32) + 7);
    CHECK_EQ(pass(plain, 3), 0u);
    CHECK_EQ(unit::misused, 0u);
}

#if TICKWHEEL_DEBUG

// A lock of the program's own is asked who calls a tick.
struct checked_lock : tickwheel::port_lock {
    static void check_caller()
    {
        ++callers;
    }

    static void check_preemption(uint32_t &ticked_in, bool in_run)
    {
        kept = ticked_in;
        ticked_in = in_run ? 0 : 7;
        runs += in_run;
    }

    static inline unsigned callers;
    static inline uint32_t kept;
    static inline unsigned runs;
};

tickwheel::wheel<checked_lock, geometry> checked;

TEST_CASE("a tick asks the lock who calls, and a run hands it what it has kept of the wheel's last tick")
{
    const unit::fresh reports(0);
    checked_lock::callers = 0;
    (void)checked.tick();
    CHECK_EQ(checked_lock::callers, 1u);
    (void)checked.advance(2);
    CHECK_EQ(checked_lock::callers, 2u);
    (void)checked.run();
    static tickwheel::wheel<checked_lock, tickwheel::ordered_list> other;
    checked_lock::runs = 0;
    (void)other.run();
    CHECK_EQ(checked_lock::kept, 0u);
    CHECK_EQ(checked_lock::runs, 1u);
    (void)checked.tick();
    CHECK_EQ(checked_lock::runs, 1u);
    (void)other.run();
    CHECK_EQ(checked_lock::kept, 0u);
    (void)checked.run_budget(1);
    CHECK_EQ(checked_lock::kept, 7u);
    CHECK_EQ(checked_lock::runs, 3u);
}

#endif

} // namespace
