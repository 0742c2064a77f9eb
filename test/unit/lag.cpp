// SPDX-License-Identifier: MIT
// A runner that lags, timers that are armed for the past, and delays that almost reach 2^31.
#include "support.hpp"

namespace
{

unit::noted *other;
unit::noted *another;

void rearm_a_turn_later(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(self, self->expires + 256);
}

void arm_two_overdue(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(other, jiffies);
    tickwheel_mod_timer(another, jiffies - 100);
}

} // namespace

TEST_CASE("an overdue timer does not wait behind one that has re-armed itself a turn later")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned company = 0; company < 2; ++company) {
            const unit::fresh wheel(base);
            unit::armed a(base + 1, rearm_a_turn_later);
            unit::noted b;
            if (company != 0) {
                tickwheel_mod_timer(&b, base + 1);
            }
            CHECK_EQ(tickwheel_tick(), 1);
            CHECK_EQ(tickwheel_run_budget(1), 1u);
            unit::armed c(base);
            (void)tickwheel_run();
            (void)unit::pass(1);
            // b fires in a's tick, c there or one tick later, a not before its turn.
            CHECK_EQ(unit::fired, 2 + company);
            CHECK(unit::log[unit::fired - 1].timer == &c);
            unit::forget();
            CHECK_EQ(unit::ticks_to_next_firing(300), 255u);
            CHECK(unit::log[0].timer == &a);
        }
    }
}

TEST_CASE("a timer for jiffies + 2^31 is overdue")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::armed a(base + 0x80000000u);
        unit::armed b(base + 1);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_run(), 2u);
        CHECK(unit::log[0].timer == &a);
        CHECK(unit::log[1].timer == &b);
    }
}

// requirement: TW-06
TEST_CASE("after any lag the longest delay fires in its tick, and does not hold up the next tick")
{
    for (jiffies_t lag = 1; lag <= 1000; lag += lag < 20 || lag > 240 ? 1 : 7) {
        const unit::fresh wheel(0u - 500u);
        unit::armed first(unit::now() + 1);
        for (jiffies_t i = 0; i < lag; ++i) {
            CHECK_EQ(tickwheel_tick(), 1);
        }
        // The longest delay that the lag leaves.
        const jiffies_t expires = unit::now() + unit::longest_delay - (lag < unit::tv1_ticks ? 0 : lag);
        unit::armed far(expires);
        unit::armed near(unit::now() + 1);
        CHECK_EQ(tickwheel_run(), 1u);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK(unit::fired_in_order({&first, &near}));
        CHECK_EQ(unit::skip_to(expires - 1), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

// requirement: TW-07
TEST_CASE("after a lag of 2^31 - 1 ticks overdue timers fire in order of their ticks")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        // Its tick lies in the middle of the lag.
        unit::armed c(base + unit::longest_delay / 2);
        REQUIRE(tickwheel_advance(unit::longest_delay) == 1);
        unit::armed a(unit::now() - 1);
        unit::armed b(unit::now() - 2);
        CHECK_EQ(tickwheel_run(), 3u);
        CHECK(unit::fired_in_order({&c, &b, &a}));
    }
}

TEST_CASE("a timer armed for the next tick, before or after a tick, is never a tick late")
{
    // Only a real interrupt can arm between the count and the look; the tests on target do so.
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        for (unsigned i = 0; i < 600; ++i) {
            const jiffies_t next = unit::now() + 1;
            tickwheel_mod_timer(&a, i % 2 == 0 ? next : next - 1);
            REQUIRE(tickwheel_tick() == 1);
            CHECK_EQ(tickwheel_run(), 1u);
            CHECK_EQ(unit::now(), next);
        }
    }
}

TEST_CASE("a timer that is armed for the past never turns the wheel's clock back")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::armed far(base + 5000);
        unit::noted past;
        for (unsigned i = 0; i < 600; ++i) {
            tickwheel_mod_timer(&past, unit::now() - (1u << i % 31));
            const jiffies_t next = tickwheel_clock.next_event;
            CHECK(tickwheel_time_after(next, unit::now()));
            CHECK_EQ(unit::pass(1), 1u);
        }
        CHECK_EQ(unit::skip_to(base + 4999), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("overdue timers of a block's last tick queue behind the older timers of the next tick")
{
    constexpr jiffies_t blocks[] = {0u, 0x3F00u, 0xFFF00u, 0x3FFFF00u, 0x7FFFFF00u, 0xFFFFFF00u, 0x12345600u};
    for (const jiffies_t block : blocks) {
        const jiffies_t last = block + 255;
        // Armed by the main loop, after the run of the last tick.
        {
            const unit::fresh wheel(last - 200);
            unit::armed a(last + 1);
            (void)unit::skip_to(last - 100);
            unit::armed b(last + 1);
            (void)unit::skip_to(last);
            unit::armed c(last);
            unit::armed d(last - 100);
            unit::armed e(last + 1);
            CHECK_EQ(unit::pass(1), 5u);
            CHECK(unit::fired_in_order({&a, &b, &c, &d, &e}));
        }
        // Armed by a callback of the last tick.
        {
            const unit::fresh wheel(last - 200);
            unit::noted timers[2];
            other = &timers[0];
            another = &timers[1];
            unit::armed next(last + 1);
            unit::armed a(last, arm_two_overdue);
            (void)unit::skip_to(last);
            CHECK_EQ(unit::pass(1), 3u);
            CHECK(unit::fired_in_order({&a, &next, &timers[0], &timers[1]}));
        }
        // Armed after the last tick is counted and before it is run: they belong to the last tick itself.
        {
            const unit::fresh wheel(last - 20);
            unit::armed next(last + 1);
            unit::armed a(last);
            (void)unit::skip_to(last - 1);
            CHECK_EQ(tickwheel_tick(), 1);
            unit::armed b(last);
            unit::armed c(last - 3);
            CHECK_EQ(tickwheel_run(), 3u);
            CHECK(unit::fired_in_order({&a, &b, &c}));
            CHECK_EQ(unit::pass(1), 1u);
        }
    }
}

TEST_CASE("an arm after a lag of 2^31 ticks, which is misuse, leaves the wheel whole")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted timers[3];
        (void)tickwheel_advance(unit::longest_delay);
        (void)tickwheel_advance(3000);
        for (unit::noted &timer : timers) {
            tickwheel_mod_timer(&timer, unit::now());
            CHECK(timer.slot < unit::geometry::slot_count);
            tickwheel_mod_timer(&timer, unit::now() - 5);
            CHECK(timer.slot < unit::geometry::slot_count);
        }
        CHECK_EQ(unit::walk_wheel(false).found, unit::no_fault);
        unit::restart(base);
    }
}

TEST_CASE("a tick that is past by almost 2^31 is overdue, wherever in its slot of tv2 the block stands")
{
    constexpr jiffies_t pasts[] = {0x7fffffffu, 0x7ffffffeu, 0x7fffff00u, 0x7ffffe00u};
    // From the second one, the past ticks are in the first slot of tv5.
    constexpr jiffies_t starts[] = {0x15e42c1bu, 0x80000000u};
    for (const jiffies_t start : starts) {
        for (jiffies_t place = 0; place <= 2 * unit::tv1_ticks; place += 3) {
            const unit::fresh wheel(start + place);
            for (const jiffies_t past : pasts) {
                unit::armed a(unit::now() - past);
                CHECK_EQ(unit::moment{place, past, unit::pass(1)}, unit::moment{place, past, 1});
            }
        }
    }
}

// requirement: TW-06
TEST_CASE("behind a run that lags by almost 2^31 a tick that is still to come keeps its place")
{
    constexpr jiffies_t starts[] = {0x9b9ac1ffu, 0xe4000010u, 0u - 300u};
    for (const jiffies_t start : starts) {
        for (jiffies_t place = 0; place <= 2 * unit::tv1_ticks; place += 7) {
            const unit::fresh wheel(start + place);
            (void)tickwheel_advance(unit::longest_delay - 1);
            unit::armed first(unit::now() - 0x1d98);
            unit::armed second(unit::now());
            // The runner comes to both on its way.
            CHECK_EQ(tickwheel_run(), 2u);
            CHECK(unit::log[unit::fired - 2].timer == &first);
            CHECK(unit::log[unit::fired - 1].timer == &second);
        }
    }
}
