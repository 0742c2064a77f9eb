// SPDX-License-Identifier: MIT
// The Linux kernel's names, as a driver uses them: from <linux/...>, unchanged.
#include <linux/jiffies.h>
#include <linux/timer.h>

#include "support.hpp"

namespace
{

struct device {
    int answers;
    timer_list watchdog;
    int resets;
};

void watchdog_expired(timer_list *t)
{
    device *dev = from_timer(dev, t, watchdog);
    ++dev->resets;
    mod_timer(&dev->watchdog, jiffies + msecs_to_jiffies(20));
}

void never_called(timer_list *t)
{
    device *dev = timer_container_of(dev, t, watchdog);
    dev->resets = -1;
}

DEFINE_TIMER(defined, unit::note);

} // namespace

TEST_CASE("linux names: a driver's watchdog")
{
    const unit::fresh wheel(INITIAL_JIFFIES);
    device dev = {};
    timer_setup(&dev.watchdog, watchdog_expired, 0);
    CHECK(!timer_pending(&dev.watchdog));
    CHECK_EQ(mod_timer(&dev.watchdog, jiffies + msecs_to_jiffies(100)), 0);
    CHECK(timer_pending(&dev.watchdog));
    (void)unit::pass(msecs_to_jiffies(100) - 1);
    CHECK_EQ(mod_timer(&dev.watchdog, jiffies + msecs_to_jiffies(100)), 1);
    (void)unit::pass(msecs_to_jiffies(100) + 2 * msecs_to_jiffies(20));
    CHECK_EQ(dev.resets, 3);
    CHECK_EQ(try_to_del_timer_sync(&dev.watchdog), 1);
    CHECK_EQ(try_to_del_timer_sync(&dev.watchdog), 0);
    timer_setup(&dev.watchdog, never_called, TIMER_DEFERRABLE);
    dev.watchdog.expires = jiffies + 1;
    add_timer(&dev.watchdog);
    CHECK_EQ(mod_timer_pending(&dev.watchdog, jiffies + 9), 1);
    CHECK_EQ(timer_reduce(&dev.watchdog, jiffies + 5), 1);
    CHECK_EQ(dev.watchdog.expires, jiffies + 5);
    CHECK_EQ(del_timer(&dev.watchdog), 1);
    CHECK_EQ(mod_timer_pending(&dev.watchdog, jiffies + 9), 0);
    CHECK_EQ(timer_delete(&dev.watchdog), 0);
    CHECK_EQ(del_timer_sync(&dev.watchdog), 0);
    CHECK_EQ(timer_delete_sync(&dev.watchdog), 0);
    CHECK_EQ(timer_shutdown(&dev.watchdog), 0);
    CHECK_EQ(timer_shutdown_sync(&dev.watchdog), 0);
    CHECK_EQ(mod_timer(&dev.watchdog, jiffies + 1), 0);
    (void)unit::pass(20);
    CHECK_EQ(dev.resets, 3);
    CHECK_EQ(get_jiffies_64() & 0xFFFFFFFFu, uint64_t{jiffies});
}

TEST_CASE("linux names: DEFINE_TIMER is a constant that can be armed at once")
{
    const unit::fresh wheel(1000);
    CHECK_EQ(mod_timer(&defined, jiffies + 2), 0);
    CHECK_EQ(unit::ticks_to_next_firing(5), 2u);
    CHECK(unit::log[0].timer == &defined);
}

TEST_CASE("time_after and its kin: around each other, across the wrap, up to 2^31 - 1")
{
    constexpr jiffies_t moments[] = {0u, 1u, 1000u, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFFu};
    for (const jiffies_t a : moments) {
        CHECK((!time_after(a, a) && !time_before(a, a) && time_after_eq(a, a) && time_before_eq(a, a)));
        for (const jiffies_t delta : unit::bases) {
            if (delta == 0 || delta > unit::longest_delay) {
                continue;
            }
            const jiffies_t b = a + delta;
            CHECK((time_after(b, a) && !time_after(a, b) && time_before(a, b) && !time_before(b, a)));
            CHECK((time_after_eq(b, a) && !time_after_eq(a, b) && time_before_eq(a, b) && !time_before_eq(b, a)));
        }
    }
    CHECK((time_after(0x7FFFFFFFu, 0u) && time_before(0x80000001u, 0u)));
}

TEST_CASE("time_after takes any integer type modulo 2^32")
{
    const unsigned long wide = 5;
    const unsigned long long wider = 0x100000005;
    const int narrow = -5;
    CHECK(time_after(wide, jiffies_t{0xFFFFFFF0}));
    CHECK(time_after_eq(wider, wide));
    CHECK(time_before_eq(wider, wide));
    CHECK(time_before(narrow, wide));
    CHECK(time_in_range(wide, narrow, 6));
}

TEST_CASE("time_in_range: closed, and open at its end")
{
    CHECK((time_in_range(5u, 5u, 7u) && time_in_range(7u, 5u, 7u) && !time_in_range(8u, 5u, 7u)));
    CHECK((!time_in_range(4u, 5u, 7u) && time_in_range(0u, 0xFFFFFFFEu, 1u)));
    CHECK((time_in_range_open(5u, 5u, 7u) && !time_in_range_open(7u, 5u, 7u) && time_in_range_open(6u, 5u, 7u)));
    CHECK((!time_in_range_open(5u, 5u, 5u) && time_in_range(5u, 5u, 5u)));
    volatile jiffies_t before = 4;
    CHECK((!time_in_range_open(before, 5u, 7u) && !time_in_range(before, 5u, 7u)));
}

TEST_CASE("time_is_before_jiffies and its kin look from the argument's side")
{
    const unit::fresh wheel(0xFFFFFFFEu);
    const jiffies_t now = jiffies;
    CHECK((time_is_before_jiffies(now - 1) && !time_is_before_jiffies(now) && !time_is_before_jiffies(now + 1)));
    CHECK((time_is_after_jiffies(now + 5) && !time_is_after_jiffies(now) && !time_is_after_jiffies(now - 1)));
    CHECK((time_is_before_eq_jiffies(now) && time_is_before_eq_jiffies(now - 1)));
    CHECK((!time_is_before_eq_jiffies(now + 1) && time_is_after_eq_jiffies(now)));
    CHECK((time_is_after_eq_jiffies(now + 5) && !time_is_after_eq_jiffies(now - 1)));
}

TEST_CASE("linux names: conversions and rounding are the same functions")
{
    const unit::fresh wheel(3 * HZ);
    CHECK_EQ(secs_to_jiffies(2), jiffies_t{2 * HZ});
    CHECK_EQ(msecs_to_jiffies(2000), jiffies_t{2 * HZ});
    CHECK_EQ(usecs_to_jiffies(2000000), jiffies_t{2 * HZ});
    CHECK_EQ(msecs_to_jiffies(0), jiffies_t{0});
    CHECK_EQ(msecs_to_jiffies(static_cast<unsigned>(-1)), jiffies_t{MAX_JIFFY_OFFSET});
    CHECK_EQ(jiffies_to_msecs(HZ), 1000u);
    CHECK_EQ(jiffies_to_usecs(HZ), 1000000u);
    CHECK_EQ(jiffies_to_secs(5 * HZ), 5u);
    CHECK_EQ(round_jiffies(5 * HZ), jiffies_t{5 * HZ});
    CHECK_EQ(round_jiffies_up(5 * HZ), jiffies_t{6 * HZ});
    CHECK_EQ(round_jiffies_relative(2 * HZ), jiffies_t{2 * HZ});
    CHECK_EQ(round_jiffies_up_relative(2 * HZ), jiffies_t{3 * HZ});
    CHECK_EQ(jiffies_t{MAX_JIFFY_OFFSET}, jiffies_t{0x3FFFFFFE});
}

TEST_CASE("linux names: a timer that was shut down takes no arm until it is set up again")
{
    const unit::fresh wheel(1000);
    int (*const shutdowns[])(timer_list *) = {timer_shutdown, timer_shutdown_sync};
    for (const auto shutdown : shutdowns) {
        unit::noted a;
        CHECK_EQ(mod_timer(&a, jiffies + 5), 0);
        CHECK_EQ(shutdown(&a), 1);
        CHECK_EQ(shutdown(&a), 0);
        CHECK_EQ(mod_timer(&a, jiffies + 5), 0);
        CHECK_EQ(timer_pending(&a), 0);
        timer_setup(&a, unit::note, 0);
        CHECK_EQ(mod_timer(&a, jiffies + 5), 0);
        CHECK_EQ(timer_pending(&a), 1);
    }
}
