// SPDX-License-Identifier: MIT
// Periodic timers: no drift, missed periods, and stops and starts in the own callback. rearming_host.cpp has those of
// an interrupt.
#include <initializer_list>

#include <tickwheel/periodic_timer.hpp>

#include "support.hpp"

namespace
{

using tickwheel::missed_periods;

/// When it was called.
struct calls {
    static constexpr unsigned size = 64;
    jiffies_t at[size];
    unsigned count = 0;

    void note()
    {
        if (count < size) {
            at[count] = jiffies;
        }
        ++count;
    }
    // From `first` on every `period` ticks, so often.
    bool are(jiffies_t first, jiffies_t period, unsigned expected) const
    {
        bool right = count == expected && count <= size;
        for (unsigned i = 0; i < count && right; ++i) {
            right = at[i] == first + i * period;
        }
        return right;
    }
};

/// A callback that lasts so many ticks, the first time.
struct slow {
    calls called;
    jiffies_t lasts = 0;

    void run()
    {
        called.note();
        (void)tickwheel_advance(lasts);
        lasts = 0;
    }
};

template <missed_periods Policy>
using slow_timer = tickwheel::periodic_timer<tickwheel::member<&slow::run>, Policy>;

template <missed_periods Policy>
void check_late(jiffies_t period, jiffies_t late, jiffies_t lasts)
{
    constexpr jiffies_t base = 0u - 40u;
    const unit::fresh wheel(base);
    slow work;
    slow_timer<Policy> timer{&work};
    timer.start_at(base + 2, period);
    work.lasts = lasts;
    const jiffies_t called = base + 2 + late;
    const jiffies_t returned = called + lasts;
    // The ticks of the grid that have passed since the one that was due.
    const jiffies_t passed = (returned - (base + 2)) / period;
    const bool missing = Policy != missed_periods::burst && passed != 0;
    const jiffies_t next = Policy == missed_periods::burst              ? base + 2 + period
                           : missing && Policy == missed_periods::delay ? returned + period
                                                                        : base + 2 + (passed + 1) * period;
    (void)tickwheel_advance(2 + late);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(unit::moment{period, late, work.called.at[0]}, unit::moment{period, late, called});
    CHECK_EQ(unit::moment{period, late, timer.expires()}, unit::moment{period, late, next});
    CHECK_EQ(unit::moment{period, late, timer.missed()}, unit::moment{period, late, missing ? passed : 0});
    CHECK(timer.pending());
    CHECK_EQ(timer.stop(), true);
}

template <missed_periods Policy>
void check_all_late()
{
    for (const jiffies_t period : {1u, 2u, 10u}) {
        for (jiffies_t late = 0; late <= 25; ++late) {
            for (jiffies_t lasts = 0; lasts <= 25; ++lasts) {
                check_late<Policy>(period, late, lasts);
            }
        }
    }
}

} // namespace

TEST_CASE("a periodic timer keeps the first delay and the period, counted from jiffies, also while the runner lags")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base - 2);
        calls at;
        calls after;
        calls at_least;
        tickwheel::periodic_timer a{[&] { at.note(); }};
        tickwheel::periodic_timer b{[&] { after.note(); }};
        tickwheel::periodic_timer c{[&] { at_least.note(); }};
        unit::armed owed(base - 1);
        (void)tickwheel_advance(2);
        a.start_at(base + 5, 100);
        b.start_after_ticks(3, 7);
        c.start_after_at_least(3, 7);
        CHECK((a.pending() && a.expires() == base + 5 && a.remaining() == 5 && a.period() == 100));
        (void)unit::pass(300);
        CHECK(at.are(base + 5, 100, 3));
        CHECK(after.are(base + 3, 7, 43));
        CHECK(at_least.are(base + 4, 7, 43));
        CHECK_EQ(a.missed() + b.missed() + c.missed(), 0u);
        CHECK((a.stop() && b.stop() && c.stop()));
    }
}

TEST_CASE("skip, burst and delay hold after every lateness, and after callbacks longer than a period")
{
    check_all_late<missed_periods::skip>();
    check_all_late<missed_periods::burst>();
    check_all_late<missed_periods::delay>();
}

template <missed_periods Policy>
static void check_first_of_0()
{
    for (const jiffies_t period : {1u, 50u}) {
        const unit::fresh wheel(1000);
        calls called;
        const auto note = [&] { called.note(); };
        tickwheel::periodic_timer<decltype(note), Policy> timer{note};
        timer.start_after_ticks(0, period);
        CHECK_EQ(timer.remaining(), 1u);
        CHECK_EQ(unit::pass(4 * period), 4u);
        CHECK(called.are(1001, period, 4));
        CHECK_EQ(timer.missed(), 0u);
        CHECK_EQ(timer.remaining(), 1u);
        CHECK(timer.stop());
    }
}

TEST_CASE("a first delay of 0 ticks is taken as 1 by each policy, and nothing is missed")
{
    check_first_of_0<missed_periods::skip>();
    check_first_of_0<missed_periods::burst>();
    check_first_of_0<missed_periods::delay>();
}

TEST_CASE("a first delay that is too long is the longest delay")
{
    for (const jiffies_t ticks : {0x80000000u, 0x80000005u, 0u - 2u, 0u - 1u}) {
        const unit::fresh wheel(77);
        calls called;
        tickwheel::periodic_timer timer{[&] { called.note(); }};
        timer.start_after_ticks(ticks, 10);
        CHECK_EQ(timer.remaining(), unit::longest_delay);
        timer.start_after_at_least(ticks, 10);
        CHECK_EQ(timer.remaining(), unit::longest_delay);
        CHECK_EQ(unit::skip_to(77 + unit::longest_delay - 1), 0u);
        CHECK_EQ(unit::pass(11), 2u);
        CHECK(called.are(77 + unit::longest_delay, 10, 2));
        CHECK(timer.stop());
        CHECK_EQ(unit::misused, 0u);
    }
}

TEST_CASE("a periodic timer may stop itself, and start again")
{
    const unit::fresh wheel(1000);
    unsigned count = 0;
    tickwheel::periodic_timer timer{[&](auto &self) {
        CHECK(!self.pending());
        ++count;
        if (count == 3) {
            CHECK(!self.stop());
            CHECK(!self.stop());
        }
    }};
    timer.start_after_ticks(1, 10);
    CHECK_EQ(unit::pass(100), 3u);
    CHECK(!timer.pending());
    CHECK(!timer.stop());
    // And started again.
    timer.start_after_ticks(1, 10);
    CHECK_EQ(unit::pass(11), 2u);
    CHECK(timer.stop());
    CHECK_EQ(unit::pass(100), 0u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("a periodic timer restarted or stopped in a callback longer than a period has missed nothing")
{
    const unit::fresh wheel(1000);
    calls called;
    tickwheel::periodic_timer timer{[&](auto &self) {
        called.note();
        if (called.count == 1 || called.count == 4) {
            (void)tickwheel_advance(35);
        }
        if (called.count == 1) {
            self.start_after_ticks(3, 20);
        } else if (called.count == 4) {
            (void)self.stop();
        }
    }};
    timer.start_at(1010, 10);
    CHECK_EQ(unit::pass(10), 1u);
    CHECK_EQ(unit::now(), 1045u);
    CHECK_EQ(unit::pass(100), 3u);
    CHECK((called.at[1] == 1048 && called.at[2] == 1068 && called.at[3] == 1088));
    CHECK_EQ(timer.missed(), 0u);
    CHECK(!timer.pending());
}

TEST_CASE("a new period counts after the next call, or in a callback after that call")
{
    const unit::fresh wheel(1000);
    calls called;
    tickwheel::periodic_timer timer{[&](auto &self) {
        called.note();
        if (called.count == 2) {
            self.set_period(30);
        }
    }};
    timer.start_at(1010, 10);
    CHECK_EQ(unit::pass(5), 0u);
    timer.set_period(20);
    CHECK_EQ(timer.expires(), 1010u);
    CHECK_EQ(unit::pass(100), 4u);
    CHECK((called.at[0] == 1010 && called.at[1] == 1030 && called.at[2] == 1060 && called.at[3] == 1090));
    CHECK(timer.stop());
}

TEST_CASE("periods of 0 and beyond 2^31 - 1 become the nearest legal period, and are reported")
{
    const unit::fresh wheel(1000);
    calls called;
    tickwheel::periodic_timer timer{[&] { called.note(); }};
    timer.start_after_ticks(1, 0);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(timer.period(), 1u);
    CHECK_EQ(unit::pass(5), 5u);
    CHECK(called.are(1001, 1, 5));
    timer.set_period(0x80000000);
    CHECK_EQ(unit::misused, unit::reports(2));
    CHECK_EQ(timer.period(), 0x7FFFFFFFu);
    timer.set_period(0xFFFFFFFF);
    CHECK_EQ(timer.period(), 0x7FFFFFFFu);
    timer.set_period(0x7FFFFFFF);
    CHECK_EQ(unit::misused, unit::reports(3));
    CHECK_EQ(unit::pass(1), 1u);
    const jiffies_t next = unit::now() + 0x7FFFFFFF;
    CHECK_EQ(timer.expires(), next);
    CHECK_EQ(unit::skip_to(next - 1), 0u);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK(timer.stop());
}

TEST_CASE("a deferrable periodic timer ends no sleep")
{
    const unit::fresh wheel(1000);
    slow work;
    slow_timer<missed_periods::skip> timer{&work, TICKWHEEL_TIMER_DEFERRABLE};
    timer.start_after_ticks(2, 5);
    CHECK_EQ(unit::next_from_now(), unit::none);
    (void)unit::pass(20);
    CHECK(work.called.are(1002, 5, 4));
    CHECK(timer.stop());
}
