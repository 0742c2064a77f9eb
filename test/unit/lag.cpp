// SPDX-License-Identifier: MIT
// The cases in which a plausible wheel of this design went wrong, by their names
// in core/DESIGN.md. Those that need an interrupt inside a call are in
// design_cases_host.cpp.
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

TEST_CASE("F1: two due, run_budget(1): the next tick says that work is left")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        unit::noted b;
        tickwheel_mod_timer(&a, base + 1);
        tickwheel_mod_timer(&b, base + 1);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_run_budget(1), 1u);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_advance(0), 1);
        CHECK_EQ(tickwheel_run(), 1u);
        CHECK(unit::fired_in_order({&a, &b}));
    }
}

TEST_CASE("F4: a self-rearm one turn later and a budget stop; an overdue arm does not wait behind it")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned company = 0; company < 2; ++company) {
            const unit::fresh wheel(base);
            timer_list a = {};
            tickwheel_timer_setup(&a, rearm_a_turn_later, 0);
            unit::noted b;
            unit::noted c;
            tickwheel_mod_timer(&a, base + 1);
            if (company != 0) {
                tickwheel_mod_timer(&b, base + 1);
            }
            CHECK_EQ(tickwheel_tick(), 1);
            CHECK_EQ(tickwheel_run_budget(1), 1u);
            tickwheel_mod_timer(&c, base);
            (void)tickwheel_run();
            (void)unit::pass(1);
            // b fires in a's tick, c there or one tick later, a not before its turn.
            CHECK_EQ(unit::fired, 2 + company);
            CHECK(unit::log[unit::fired - 1].timer == &c);
            unit::forget();
            CHECK_EQ(unit::ticks_to_next_firing(300), 255u);
            CHECK(unit::log[0].timer == &a);
            tickwheel_timer_delete(&a);
        }
    }
}

TEST_CASE("F5: A at jiffies + 2^31, B at jiffies + 1: B fires, A does not block it")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        unit::noted b;
        tickwheel_mod_timer(&a, base + 0x80000000u);
        tickwheel_mod_timer(&b, base + 1);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK(tickwheel_run() >= 1);
        CHECK_EQ(tickwheel_timer_pending(&b), 0);
        CHECK(unit::log[unit::fired - 1].timer == &b);
        tickwheel_timer_delete(&a);
    }
}

TEST_CASE("F6: three idle ticks, A at jiffies + 2^31 - 1, B at jiffies + 1: B fires, A stays")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned run_them = 0; run_them < 2; ++run_them) {
            const unit::fresh wheel(base);
            unit::noted a;
            unit::noted b;
            for (unsigned i = 0; i < 3; ++i) {
                if (tickwheel_tick() && run_them != 0) {
                    (void)tickwheel_run();
                }
            }
            tickwheel_mod_timer(&a, unit::now() + unit::longest_delay);
            tickwheel_mod_timer(&b, unit::now() + 1);
            (void)unit::pass(1);
            CHECK(unit::fired_in_order({&b}));
            CHECK_EQ(tickwheel_timer_pending(&a), 1);
            (void)unit::skip_to(base + 3 + unit::longest_delay - 1);
            CHECK_EQ(unit::fired, 1u);
            CHECK_EQ(unit::pass(1), 1u);
        }
    }
}

TEST_CASE("a lag of 2^31 - 1 ticks: what is overdue by one tick keeps its tick, behind what is overdue by two")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        unit::noted b;
        // Its tick in the middle of it all.
        unit::noted c;
        tickwheel_mod_timer(&c, base + unit::longest_delay / 2);
        REQUIRE(tickwheel_advance(unit::longest_delay) == 1);
        tickwheel_mod_timer(&a, unit::now() - 1);
        tickwheel_mod_timer(&b, unit::now() - 2);
        CHECK_EQ(tickwheel_run(), 3u);
        CHECK(unit::fired_in_order({&c, &b, &a}));
    }
}

TEST_CASE("F7: armed for the next tick, just before and just after each tick: never a tick late")
{
    // Between the count and the look only a real interrupt can arm; the tests on target do.
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

TEST_CASE("F8: overdue arms in the last tick of a block queue behind older timers of the next tick")
{
    constexpr jiffies_t blocks[] = {0u, 0x3F00u, 0xFFF00u, 0x3FFFF00u, 0x7FFFFF00u, 0xFFFFFF00u, 0x12345600u};
    for (const jiffies_t block : blocks) {
        const jiffies_t last = block + 255;
        // Armed once the last tick is run, by the main loop.
        {
            const unit::fresh wheel(last - 200);
            unit::noted timers[5];
            tickwheel_mod_timer(&timers[0], last + 1);
            (void)unit::skip_to(last - 100);
            tickwheel_mod_timer(&timers[1], last + 1);
            (void)unit::skip_to(last);
            tickwheel_mod_timer(&timers[2], last);
            tickwheel_mod_timer(&timers[3], last - 100);
            tickwheel_mod_timer(&timers[4], last + 1);
            CHECK_EQ(unit::pass(1), 5u);
            CHECK(unit::fired_in_order({&timers[0], &timers[1], &timers[2], &timers[3], &timers[4]}));
        }
        // Armed by a callback of the last tick.
        {
            const unit::fresh wheel(last - 200);
            timer_list a = {};
            tickwheel_timer_setup(&a, arm_two_overdue, 0);
            unit::noted timers[3];
            other = &timers[1];
            another = &timers[2];
            tickwheel_mod_timer(&timers[0], last + 1);
            tickwheel_mod_timer(&a, last);
            (void)unit::skip_to(last);
            CHECK(unit::fired_in_order({&a}));
            CHECK_EQ(unit::pass(1), 3u);
            CHECK(unit::fired_in_order({&a, &timers[0], &timers[1], &timers[2]}));
        }
        // Counted and not run: they belong to the last tick itself.
        {
            const unit::fresh wheel(last - 20);
            unit::noted timers[4];
            tickwheel_mod_timer(&timers[0], last + 1);
            tickwheel_mod_timer(&timers[1], last);
            (void)unit::skip_to(last - 1);
            CHECK_EQ(tickwheel_tick(), 1);
            tickwheel_mod_timer(&timers[2], last);
            tickwheel_mod_timer(&timers[3], last - 3);
            CHECK_EQ(tickwheel_run(), 3u);
            CHECK(unit::fired_in_order({&timers[1], &timers[2], &timers[3]}));
            CHECK_EQ(unit::pass(1), 1u);
        }
    }
}

TEST_CASE("a main loop that looks at every third tick only fires each timer at its next look")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted timers[20];
        for (unsigned i = 0; i < 20; ++i) {
            tickwheel_mod_timer(&timers[i], base + 1 + i * 67);
        }
        for (jiffies_t tick = 1; tick <= 1500; ++tick) {
            const int work = tickwheel_tick();
            if (tick % 3 == 0 && work) {
                (void)tickwheel_run();
            }
        }
        REQUIRE(unit::fired == 20);
        for (unsigned i = 0; i < 20; ++i) {
            CHECK(unit::log[i].timer == &timers[i]);
            const jiffies_t asked = 1 + i * 67;
            CHECK_EQ(unit::moment{base, asked, unit::log[i].at - base},
                     unit::moment{base, asked, (asked + 2) / 3 * 3});
        }
    }
}

TEST_CASE("next_expiry with a base that lags and a timer nearly 2^31 away")
{
    constexpr jiffies_t lags[] = {3, 254, 255, 256, 300, 5000, 1u << 20, 0x7FFFF000};
    for (const jiffies_t base : unit::bases) {
        for (const jiffies_t lag : lags) {
            const unit::fresh wheel(base);
            unit::noted first;
            unit::noted far;
            tickwheel_mod_timer(&first, base + 1);
            (void)tickwheel_advance(lag);
            // The longest delay that the lag leaves.
            const jiffies_t expires = unit::now() + unit::longest_delay - (lag < unit::block_ticks ? 0 : lag);
            tickwheel_mod_timer(&far, expires);
            tickwheel_timer_delete(&first);
            jiffies_t next = 0;
            CHECK_EQ(tickwheel_next_expiry(&next), 1);
            CHECK_EQ(unit::moment{base, lag, next}, unit::moment{base, lag, expires});
            // And it hides nobody.
            tickwheel_mod_timer(&first, unit::now() + 1);
            CHECK_EQ(tickwheel_run(), 0u);
            CHECK_EQ(tickwheel_tick(), 1);
            CHECK_EQ(tickwheel_run(), 1u);
            CHECK_EQ(tickwheel_timer_pending(&far), 1);
            (void)unit::skip_to(expires - 1);
            CHECK_EQ(unit::fired, 1u);
            CHECK_EQ(unit::pass(1), 1u);
        }
    }
}
