// SPDX-License-Identifier: MIT
// The Linux kernel's names, as a driver uses them: from <linux/...>, unchanged.
// round_jiffies() and its kin: whole seconds of the 32-bit counter, never into the past.
#include <linux/jiffies.h>
#include <linux/timer.h>

#include "support.hpp"

// requirement: TW-38
TEST_CASE("time_after and its kin hold across the wrap, up to 2^31 - 1")
{
    constexpr jiffies_t moments[] = {0u, 1u, 1000u, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFFu};
    for (const jiffies_t a : moments) {
        CHECK((!time_after(a, a) && !time_before(a, a) && time_after_eq(a, a) && time_before_eq(a, a)));
        for (const jiffies_t delta : unit::starts) {
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

TEST_CASE("time_in_range is closed, time_in_range_open is open at its end")
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

TEST_CASE("time_after64 and its kin hold across the wrap, up to 2^63 - 1")
{
    constexpr uint64_t far = 0x7FFFFFFFFFFFFFFF;
    constexpr uint64_t moments[] = {0, 1, 0xFFFFFFFF, 0x100000000, far, far + 1, ~uint64_t{0}};
    constexpr uint64_t deltas[] = {1, 0x80000000, 0x100000000, far};
    for (const uint64_t a : moments) {
        CHECK((!time_after64(a, a) && !time_before64(a, a) && time_after_eq64(a, a) && time_before_eq64(a, a)));
        for (const uint64_t delta : deltas) {
            const uint64_t b = a + delta;
            CHECK((time_after64(b, a) && !time_after64(a, b) && time_before64(a, b) && !time_before64(b, a)));
            CHECK((time_after_eq64(b, a) && !time_after_eq64(a, b)));
            CHECK((time_before_eq64(a, b) && !time_before_eq64(b, a)));
            CHECK((time_in_range64(a, a, b) && time_in_range64(b, a, b)));
            CHECK((!time_in_range64(a - 1, a, b) && !time_in_range64(b + 1, a, b)));
        }
    }
}

TEST_CASE("time_is_before_jiffies64 and its kin look from the argument's side")
{
    const unit::fresh wheel(0xFFFFFFFEu);
    unit::pass(4);
    const uint64_t now = get_jiffies_64();
    CHECK_EQ(now, uint64_t{0x100000002});
    CHECK(
        (time_is_before_jiffies64(now - 1) && !time_is_before_jiffies64(now) && !time_is_before_jiffies64(now + 1)));
    CHECK((time_is_after_jiffies64(now + 1) && !time_is_after_jiffies64(now) && !time_is_after_jiffies64(now - 1)));
    CHECK((time_is_before_eq_jiffies64(now) && !time_is_before_eq_jiffies64(now + 1)));
    CHECK((time_is_after_eq_jiffies64(now) && !time_is_after_eq_jiffies64(now - 1)));
    // Beyond the reach of the comparisons of 32 bits.
    CHECK((time_is_after_jiffies64(now + 0x80000000) && time_is_before_jiffies64(now - 0x80000000)));
}

TEST_CASE("time_between32 covers a range of any length, time_after32 and time_before32 half of all ticks")
{
    CHECK((time_between32(5u, 5u, 7u) && time_between32(7u, 5u, 7u) && !time_between32(8u, 5u, 7u)));
    CHECK(
        (!time_between32(4u, 5u, 7u) && time_between32(0u, 0xFFFFFFFEu, 1u) && !time_between32(2u, 0xFFFFFFFEu, 1u)));
    CHECK((time_between32(0xC0000000u, 1u, 0xFFFFFFFFu) && !time_between32(0u, 1u, 0xFFFFFFFFu)));
    CHECK((time_after32(1u, 0xFFFFFFFFu) && !time_after32(5u, 5u) && !time_after32(0xFFFFFFFFu, 1u)));
    CHECK((time_before32(0xFFFFFFFFu, 1u) && !time_before32(5u, 5u) && !time_before32(1u, 0xFFFFFFFFu)));
}

TEST_CASE("the Linux names convert as tickwheel's do, and a negative difference of ticks is no time")
{
    CHECK_EQ(secs_to_jiffies(2), jiffies_t{2 * HZ});
    CHECK_EQ(msecs_to_jiffies(2000), jiffies_t{2 * HZ});
    CHECK_EQ(usecs_to_jiffies(2000000), jiffies_t{2 * HZ});
    CHECK_EQ(msecs_to_jiffies(0), jiffies_t{0});
    CHECK_EQ(msecs_to_jiffies(static_cast<unsigned>(-1)), jiffies_t{MAX_JIFFY_OFFSET});
    CHECK_EQ(jiffies_to_msecs(HZ), 1000u);
    CHECK_EQ(jiffies_to_usecs(HZ), 1000000u);
    CHECK_EQ(jiffies_to_secs(5 * HZ), 5u);
    CHECK_EQ(jiffies_to_clock_t(HZ), 100u);
    CHECK_EQ(clock_t_to_jiffies(100), jiffies_t{HZ});
    CHECK_EQ(jiffies_delta_to_clock_t(2 * HZ), 200u);
    CHECK_EQ(nsecs_to_jiffies(5000000000), jiffies_t{5 * HZ});
    CHECK_EQ(nsecs_to_jiffies64(5000000000), uint64_t{5 * HZ});
    CHECK_EQ(jiffies64_to_nsecs(5 * HZ), uint64_t{5000000000});
    CHECK_EQ(jiffies64_to_msecs(5 * HZ), uint64_t{5000});
    CHECK_EQ(TICK_NSEC, (1000000000L + HZ / 2) / HZ);
    CHECK_EQ(secs_to_jiffies(MAX_SEC_IN_JIFFIES + 1), jiffies_t{MAX_JIFFY_OFFSET});
    CHECK_EQ(jiffies_to_nsecs(5 * HZ), uint64_t{5000000000});
    CHECK_EQ(jiffies_t{MAX_JIFFY_OFFSET}, jiffies_t{0x3FFFFFFE});
    CHECK_EQ(jiffies_delta_to_msecs(3 * HZ), 3000u);
    CHECK_EQ(jiffies_delta_to_msecs(0), 0u);
    CHECK_EQ(jiffies_delta_to_msecs(jiffies_t{0} - 1), 0u);
    CHECK_EQ(jiffies_delta_to_msecs(0x80000000u), 0u);
    CHECK_EQ(jiffies_delta_to_msecs(0x7FFFFFFFu), jiffies_to_msecs(0x7FFFFFFFu));
}

static constexpr jiffies_t second = HZ;

TEST_CASE("rounding goes to a whole second from every remainder")
{
    const unit::fresh wheel(10 * second);
    for (jiffies_t remainder = 0; remainder < second; ++remainder) {
        const jiffies_t expires = 20 * second + remainder;
        const jiffies_t nearest = remainder < second / 4 ? 20 * second : 21 * second;
        CHECK_EQ(round_jiffies(expires), nearest);
        CHECK_EQ(round_jiffies_relative(10 * second + remainder), nearest - 10 * second);
        CHECK_EQ(round_jiffies_up(expires), 21 * second);
        CHECK_EQ(round_jiffies_up_relative(10 * second + remainder), 11 * second);
    }
}

TEST_CASE("a tick in the past is rounded up, or comes back as it was; across the wrap rounding stays after now")
{
    {
        const unit::fresh wheel(10 * second);
        CHECK_EQ(round_jiffies(5 * second + 1), 5 * second + 1);
        CHECK_EQ(round_jiffies(10 * second), 10 * second);
        CHECK_EQ(round_jiffies_relative(0), 0u);
        CHECK_EQ(round_jiffies_up(10 * second), 11 * second);
    }
    const unit::fresh wheel(0u - 3u);
    for (jiffies_t delay = 1; delay < 3 * second; ++delay) {
        const jiffies_t rounded = round_jiffies_relative(delay);
        CHECK((rounded != 0 && rounded <= delay + second));
        CHECK(round_jiffies_up_relative(delay) <= delay + second);
    }
}
