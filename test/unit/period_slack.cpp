// SPDX-License-Identifier: MIT
// A periodic timer with a slack. rearming_host.cpp has the interrupts.
#include <tickwheel/periodic_timer.hpp>

#include "support.hpp"

namespace
{

using tickwheel::missed_periods;
using tickwheel::periodic_timer;
using tickwheel::slack;

using plain = periodic_timer<void (*)()>;
static_assert(sizeof(plain) == sizeof(tickwheel::timer) + sizeof(void (*)()) + 8, "without a slack it takes no byte");

} // namespace

TEST_CASE("each call with a slack comes in its range, in the roundest tick, and the periods do not drift")
{
    constexpr jiffies_t starts[] = {1000, 0u - 700u, 0x80000000u - 700u};
    constexpr jiffies_t slacks[] = {0, 1, 7, 30, 99, 100, 5000, 0xFFFFFFFF};
    for (const jiffies_t base : starts) {
        for (const jiffies_t ticks : slacks) {
            const unit::fresh wheel(base);
            jiffies_t due = base + 50;
            unsigned calls = 0;
            periodic_timer timer{[&] {
                                     // The first call is exact. The slack is less than a period.
                                     const jiffies_t late = jiffies - due;
                                     const jiffies_t most = calls == 0 ? 0 : ticks < 99 ? ticks : 99;
                                     CHECK(late <= most);
                                     for (jiffies_t other = 0; other <= most; ++other) {
                                         CHECK(unit::roundness(jiffies) >= unit::roundness(due + other));
                                     }
                                     due += 100;
                                     ++calls;
                                 },
                                 slack{ticks}};
            timer.start_at(due, 100);
            (void)unit::pass(3049);
            CHECK_EQ(unit::moment{base, ticks, calls}, unit::moment{base, ticks, 30});
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
        const unit::fresh wheel(1000);
        unsigned calls = 0;
        const auto count = [&] { ++calls; };
        periodic_timer<decltype(count), missed_periods::delay, tickwheel::default_wheel, slack> timer{
            count, slack{0xFFFFFFFF}};
        timer.start_at(1001, period);
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

TEST_CASE("half of the longest period still has a slack of less than a period")
{
    const unit::fresh wheel(1);
    periodic_timer timer{[] {}, slack{0xFFFFFFFF}};
    timer.start_at(2, 0x3FFFFFFF);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(timer.expires(), 0x60000000u); // 0x40000001 to 0x7FFFFFFF: 0x80000000 is a tick too late
    CHECK(timer.stop());
}
