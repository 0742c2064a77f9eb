// SPDX-License-Identifier: MIT
// Periodic timers: no drift, missed periods, and stops and starts in the own callback. rearming_host.cpp has those of
// an interrupt.
#include <initializer_list>

#include <tickwheel/periodic_timer.hpp>

#include "support.hpp"

namespace
{

using tickwheel::missed_periods;
using tickwheel::periodic_timer;
using tickwheel::slack;

using plain = periodic_timer<void (*)()>;
static_assert(sizeof(plain) == sizeof(tickwheel::timer) + sizeof(void (*)()) + 8, "without a slack it takes no byte");

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
    // Whether there were so many calls, one every `period` ticks from `first` on.
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
    constexpr jiffies_t start = 0u - 40u;
    const unit::fresh wheel(start);
    slow work;
    slow_timer<Policy> timer{&work};
    timer.start_at(start + 2, period);
    work.lasts = lasts;
    const jiffies_t called = start + 2 + late;
    const jiffies_t returned = called + lasts;
    // The ticks of the grid that have passed since the one that was due.
    const jiffies_t passed = (returned - (start + 2)) / period;
    const bool missing = Policy != missed_periods::burst && passed != 0;
    const jiffies_t next = Policy == missed_periods::burst              ? start + 2 + period
                           : missing && Policy == missed_periods::delay ? returned + period
                                                                        : start + 2 + (passed + 1) * period;
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
        check_late<Policy>(period, 25, 0x10000 * period);
    }
}

TEST_CASE("a periodic timer keeps the first delay and the period, counted from jiffies, also while the runner lags")
{
    for (const jiffies_t start : unit::starts) {
        const unit::fresh wheel(start - 2);
        calls at;
        calls after;
        calls at_least;
        calls at_once;
        tickwheel::periodic_timer a{[&] { at.note(); }};
        tickwheel::periodic_timer b{[&] { after.note(); }};
        tickwheel::periodic_timer c{[&] { at_least.note(); }};
        tickwheel::periodic_timer d{[&] { at_once.note(); }};
        unit::armed lagging(start - 1);
        (void)tickwheel_advance(2);
        a.start_at(start + 5, 100);
        b.start_after_ticks(3, 7);
        c.start_after_at_least(3, 7);
        // 0 counts as 1, and nothing is missed.
        d.start_after_ticks(0, 50);
        CHECK((a.pending() && a.expires() == start + 5 && a.remaining() == 5 && a.period() == 100));
        (void)unit::pass(300);
        CHECK(at.are(start + 5, 100, 3));
        CHECK(after.are(start + 3, 7, 43));
        CHECK(at_least.are(start + 4, 7, 43));
        CHECK(at_once.are(start + 1, 50, 6));
        CHECK_EQ(a.missed() + b.missed() + c.missed() + d.missed(), 0u);
        CHECK((a.stop() && b.stop() && c.stop() && d.stop()));
    }
}

TEST_CASE("skip, burst and delay hold after every lateness, and after callbacks longer than a period")
{
    check_all_late<missed_periods::skip>();
    check_all_late<missed_periods::burst>();
    check_all_late<missed_periods::delay>();
}

/// A callback that does something to its own timer.
struct acting {
    void (*act)(tickwheel::periodic_timer<acting> &self, unsigned call);
    calls *called;

    void operator()(tickwheel::periodic_timer<acting> &self) const
    {
        CHECK(!self.pending());
        called->note();
        act(self, called->count);
    }
};

TEST_CASE("what a callback does to its own timer counts at once, also after a period, and then nothing is missed")
{
    constexpr struct {
        void (*act)(tickwheel::periodic_timer<acting> &self, unsigned call);
        jiffies_t at[4];
        bool stopped;
    } rows[] = {
        {[](auto &self, unsigned call) { CHECK((call != 4 || (!self.stop() && !self.stop()))); },
         {1010, 1030, 1050, 1070},
         true},
        {[](auto &self, unsigned call) {
             (void)tickwheel_advance(call == 1 ? 35 : 0);
             if (call == 1) {
                 self.start_after_ticks(3, 20);
             }
         },
         {1010, 1048, 1068, 1088},
         false},
        {[](auto &self, unsigned call) {
             (void)tickwheel_advance(call == 4 ? 35 : 0);
             if (call == 4) {
                 (void)self.stop();
             }
         },
         {1010, 1030, 1050, 1070},
         true},
        {[](auto &self, unsigned call) {
             if (call == 2) {
                 self.set_period(30);
             }
         },
         {1010, 1030, 1060, 1090},
         false},
    };
    for (const auto &row : rows) {
        const unit::fresh wheel(1000);
        calls called;
        tickwheel::periodic_timer<acting> timer{acting{row.act, &called}};
        timer.start_at(1010, 10);
        CHECK_EQ(unit::pass(5), 0u);
        // The period that follows the next call.
        timer.set_period(20);
        CHECK_EQ(timer.expires(), 1010u);
        while (unit::now() < 1107) {
            (void)unit::pass(1);
        }
        CHECK_EQ(called.count, 4u);
        for (unsigned call = 0; call < 4; ++call) {
            CHECK_EQ(called.at[call], row.at[call]);
        }
        CHECK_EQ(timer.missed(), 0u);
        CHECK((timer.pending() != row.stopped && timer.stop() != row.stopped));
        // The timer can be started again.
        timer.start_after_ticks(1, 10);
        CHECK_EQ(unit::pass(11), 2u);
        CHECK(timer.stop());
        CHECK_EQ(unit::pass(100), 0u);
        CHECK_EQ(unit::misused, 0u);
    }
}

TEST_CASE("periods of 0 and beyond 2^31 - 1 become the nearest legal period, and are reported")
{
    const unit::fresh wheel(1000);
    calls called;
    tickwheel::periodic_timer timer{[&] { called.note(); }};
    CHECK_EQ(timer.period(), 0u);
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

TEST_CASE("each call with a slack comes in its range, in the roundest tick, and the periods do not drift")
{
    constexpr jiffies_t starts[] = {1000, 0u - 700u, 0x80000000u - 700u};
    constexpr jiffies_t slacks[] = {0, 1, 7, 30, 99, 100, 5000, 0xFFFFFFFF};
    for (const jiffies_t start : starts) {
        for (const jiffies_t ticks : slacks) {
            const unit::fresh wheel(start);
            jiffies_t due = start + 50;
            unsigned calls = 0;
            periodic_timer timer{[&] {
                                     // The first call is exact. The slack is less than a period.
                                     const jiffies_t late = jiffies - due;
                                     const jiffies_t limit = calls == 0 ? 0 : ticks < 99 ? ticks : 99;
                                     CHECK(late <= limit);
                                     for (jiffies_t other = 0; other <= limit; ++other) {
                                         CHECK(unit::roundness(jiffies) >= unit::roundness(due + other));
                                     }
                                     due += 100;
                                     ++calls;
                                 },
                                 slack{ticks}};
            timer.start_at(due, 100);
            (void)unit::pass(3049);
            CHECK_EQ(unit::moment{start, ticks, calls}, unit::moment{start, ticks, 30});
            CHECK_EQ(timer.missed(), 0u);
            CHECK(timer.stop());
        }
    }
}

TEST_CASE("a late call with a slack misses the periods that have ended, counted from the grid")
{
    const unit::fresh wheel(1000);
    unsigned calls = 0;
    periodic_timer timer{[&] { ++calls; }, slack{60}};
    timer.start_at(1100, 100);
    (void)unit::pass(100);
    CHECK_EQ(timer.expires(), 1216u); // of 1200 to 1260, 1216 is the roundest
    (void)tickwheel_advance(283);     // to 1383: one period and 83 ticks after 1200, not two after 1216
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(timer.missed(), 1u);
    CHECK_EQ(timer.expires(), 1408u);
    timer.set_slack(0);
    (void)unit::pass(25);
    CHECK_EQ(timer.expires(), 1500u);
    // A start counts from its own tick, also if the timer is armed behind its period.
    timer.set_slack(60);
    timer.start_at(1550, 100);
    (void)unit::pass(142);
    CHECK_EQ(timer.expires(), 1664u);
    timer.set_slack(0);
    timer.start_at(1600, 100);
    (void)unit::pass(50);
    CHECK_EQ(timer.expires(), 1700u);
    CHECK(timer.stop());
}

TEST_CASE("with a slack, each policy, and long periods, no delay passes 2^31 - 1 ticks")
{
    constexpr jiffies_t periods[] = {1, 2, 0x3FFFFFFF, 0x40000000, 0x60000000, 0x7FFFFFFF};
    for (const jiffies_t period : periods) {
        // With half of the longest period, the range ends a tick before 2^31.
        const unit::fresh wheel(1);
        unsigned calls = 0;
        const auto count = [&] { ++calls; };
        periodic_timer<decltype(count), missed_periods::delay, tickwheel::default_wheel, slack> timer{
            count, slack{0xFFFFFFFF}};
        timer.start_at(2, period);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK(timer.remaining() >= period);
        CHECK(timer.remaining() < 0x80000000);
        CHECK((period > 0x40000000 || timer.remaining() < 2 * period));
        const jiffies_t tick = timer.expires();
        CHECK_EQ(unit::skip_to(tick - 1), 0u);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK(timer.stop());
        CHECK_EQ(unit::misused, 0u);
    }
}

} // namespace
