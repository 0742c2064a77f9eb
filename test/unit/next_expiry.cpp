// SPDX-License-Identifier: MIT
// next_expiry is exact, and passes over deferrable timers. next_event.cpp has the rules that next_event shares.
#include "support.hpp"

namespace
{

struct deferrable : unit::noted {
    deferrable() : noted(TICKWHEEL_TIMER_DEFERRABLE)
    {
    }
};

} // namespace

// requirement: TW-33
TEST_CASE("next_expiry is exact for one timer at every distance from every base, and on the way to it")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 0; k < 31; ++k) {
            for (jiffies_t delta = (1u << k) - 1; delta <= (1u << k) + 1; ++delta) {
                unit::restart(base);
                unit::armed a(base + delta);
                const uint64_t wanted = delta == 0 ? 1 : delta;
                const uint64_t seen = unit::next_from_now();
                CHECK_EQ(unit::moment{base, delta, static_cast<jiffies_t>(seen)},
                         unit::moment{base, delta, static_cast<jiffies_t>(wanted)});
                // Halfway there, and just before.
                (void)unit::skip_to(base + delta / 2);
                CHECK_EQ(unit::moment{base, delta, static_cast<jiffies_t>(unit::next_from_now())},
                         unit::moment{base, delta, delta < 2 ? 1 : delta - delta / 2});
                if (delta > 1) {
                    (void)unit::skip_to(base + delta - 1);
                    CHECK_EQ(unit::moment{base, delta, static_cast<jiffies_t>(unit::next_from_now())},
                             unit::moment{base, delta, 1});
                }
            }
        }
    }
}

// requirement: TW-33
TEST_CASE("next_expiry names the nearer of two timers, in whatever levels and order they lie")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned near = 1; near < 30; near += 2) {
            for (unsigned far = near; far < 31; far += 3) {
                unit::restart(base);
                const jiffies_t first = base + (1u << near) + 3;
                const jiffies_t second = base + (1u << far) + 5;
                unit::armed a(second);
                unit::armed b(first);
                const bool both = unit::next_from_now() == first - base;
                // The head deleted: computed anew.
                tickwheel_timer_delete(&b);
                const bool one = unit::next_from_now() == second - base;
                tickwheel_mod_timer(&b, base + unit::longest_delay);
                const bool still = unit::next_from_now() == second - base;
                CHECK_EQ(unit::moment{first, second, both && one && still}, unit::moment{first, second, 1});
            }
        }
    }
}

TEST_CASE("next_expiry is exact around a whole turn of each level")
{
    // In each level the slot of base itself holds only what lies a whole turn away.
    for (unsigned level = 1; level <= 5; ++level) {
        for (const jiffies_t base : unit::bases) {
            const unsigned turn_bits = level == 1 ? unit::tv1_bits : unit::slot_bits(level) + unit::tvn_bits;
            if (turn_bits > 30) {
                continue;
            }
            const jiffies_t turn = 1u << turn_bits;
            for (jiffies_t delta = turn - 2; delta <= turn + 2; ++delta) {
                unit::restart(base);
                unit::armed a(base + delta);
                CHECK_EQ(unit::moment{base, delta, static_cast<jiffies_t>(unit::next_from_now())},
                         unit::moment{base, delta, delta});
            }
        }
    }
}

TEST_CASE("next_expiry names the tick of a timer that is due and not yet run")
{
    const unit::fresh wheel(1000);
    unit::armed a(1002);
    unit::armed b(1003);
    (void)tickwheel_advance(5);
    jiffies_t expires = 0;
    CHECK_EQ(tickwheel_next_expiry(&expires), 1);
    CHECK_EQ(expires, 1002u);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_next_expiry(&expires), 1);
    CHECK_EQ(expires, 1003u);
}

TEST_CASE("next_expiry is exact while ticks are owed, over every lag up to three blocks")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t lag = 1; lag < 3 * unit::block_ticks; lag += 13) {
            unit::restart(base);
            unit::armed first(base + 1);
            (void)tickwheel_advance(lag);
            unit::armed near(unit::now() + 700);
            unit::armed far(unit::now() + unit::longest_delay - lag);
            bool right = unit::next_from_now() == 1 - lag;
            tickwheel_timer_delete(&first);
            right = right && unit::next_from_now() == 700;
            tickwheel_timer_delete(&near);
            right = right && unit::next_from_now() == unit::longest_delay - lag;
            tickwheel_timer_delete(&far);
            right = right && unit::next_from_now() == unit::none;
            CHECK_EQ(unit::moment{base, lag, right}, unit::moment{base, lag, 1});
        }
    }
}

TEST_CASE("next_expiry is exact where a delay and the lag of the runner together almost reach 2^31")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 10; k < 31; ++k) {
            const unit::fresh wheel(base);
            unit::armed owed(base + 1);
            (void)tickwheel_advance(1u << k);
            const jiffies_t longest = unit::longest_delay - (1u << k);
            unit::armed farther(unit::now() + longest);
            unit::armed far(unit::now() + longest - 100);
            tickwheel_timer_delete(&owed);
            CHECK_EQ(unit::moment{base, k, static_cast<jiffies_t>(unit::next_from_now())},
                     unit::moment{base, k, longest - 100});
            (void)tickwheel_run();
            CHECK_EQ(unit::fired, 0u);
            CHECK_EQ(unit::moment{base, k, static_cast<jiffies_t>(unit::next_from_now())},
                     unit::moment{base, k, longest - 100});
        }
    }
}

// requirement: TW-33
TEST_CASE("next_expiry passes over deferrable timers in every level")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        deferrable sleepers[31];
        unit::noted waker;
        for (unsigned k = 0; k < 31; ++k) {
            tickwheel_mod_timer(&sleepers[k], base + (1u << k));
        }
        CHECK_EQ(unit::next_from_now(), unit::none);
        for (unsigned k = 0; k < 31; ++k) {
            tickwheel_mod_timer(&waker, base + (1u << k));
            CHECK_EQ(unit::next_from_now(), uint64_t{1u << k});
            tickwheel_mod_timer(&waker, base + (1u << k) + 1);
            CHECK_EQ(unit::next_from_now(), uint64_t{(1u << k) + 1});
        }
    }
}

TEST_CASE("next_expiry finds the timer that counts in a slot of both kinds")
{
    const unit::fresh wheel(0);
    deferrable first;
    deferrable last;
    // All four in one slot of tv2, and the one that counts is neither first nor last.
    tickwheel_mod_timer(&first, 520);
    unit::armed later(540);
    unit::armed latest(550);
    tickwheel_mod_timer(&last, 515);
    CHECK_EQ(unit::next_from_now(), uint64_t{540});
    tickwheel_timer_delete(&later);
    CHECK_EQ(unit::next_from_now(), uint64_t{550});
    tickwheel_timer_delete(&latest);
    CHECK_EQ(unit::next_from_now(), unit::none);
}

TEST_CASE("a slot of deferrable timers does not hide the next slot of its level")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const unit::fresh wheel(0);
        const jiffies_t width = 1u << unit::slot_bits(level);
        deferrable sleeper;
        tickwheel_mod_timer(&sleeper, 2 * width + 1);
        unit::armed waker(3 * width + 1);
        CHECK_EQ(unit::next_from_now(), uint64_t{3 * width + 1});
        tickwheel_mod_timer(&waker, 4 * width - 1);
        CHECK_EQ(unit::next_from_now(), uint64_t{4 * width - 1});
    }
}

TEST_CASE("a deferrable timer that became due during a sleep fires with the tick that ends it")
{
    const unit::fresh wheel(100);
    deferrable a;
    tickwheel_mod_timer(&a, 150);
    unit::armed b(5000);
    jiffies_t event = 0;
    CHECK_EQ(unit::next_from_now(), uint64_t{4900});
    CHECK((tickwheel_next_event(&event) == 1 && tickwheel_time_before_eq(event, 150)));
    CHECK_EQ(tickwheel_advance(4900), 1);
    CHECK_EQ(tickwheel_run(), 2u);
    CHECK(unit::fired_in_order({&a, &b}));
}

TEST_CASE("a set-up without the flag makes a deferrable timer count again")
{
    const unit::fresh wheel(100);
    deferrable a;
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 400);
    CHECK_EQ(unit::next_from_now(), uint64_t{300});
}

TEST_CASE("next_expiry_locked looks at no more timers than it may, and then names a tick that is not too late")
{
    const unit::fresh wheel(0);
    constexpr jiffies_t untouched = 7;
    jiffies_t tick = untouched;
    CHECK((tickwheel_next_expiry_locked(&tick, 0) == 0 && tick == untouched));
    // Three of one list of tv2.
    constexpr jiffies_t list = 3 * unit::block_ticks;
    unit::armed a(list + unit::block_ticks - 1);
    unit::armed b(list + 9);
    unit::armed c(list + 5);
    for (unsigned most = 0; most < 3; ++most) {
        CHECK((tickwheel_next_expiry_locked(&tick, most) == 2 && tick == list));
    }
    CHECK((tickwheel_next_expiry_locked(&tick, 3) == 1 && tick == list + 5));
    // One in a nearer slot ends the search, and all of a slot of tv1 are due in one tick.
    unit::armed d(list - 3);
    CHECK((tickwheel_next_expiry_locked(&tick, 1) == 1 && tick == list - 3));
    unit::armed e(9);
    unit::armed f(9);
    CHECK((tickwheel_next_expiry_locked(&tick, 1) == 1 && tick == 9));
    CHECK((tickwheel_next_expiry_locked(&tick, 0) == 2 && tick == 9));
    // One that it may not pass counts.
    deferrable sleeper;
    tickwheel_mod_timer(&sleeper, 5);
    CHECK((tickwheel_next_expiry_locked(&tick, 1) == 2 && tick == 9));
    CHECK((tickwheel_next_expiry_locked(&tick, 2) == 1 && tick == 9));
}

TEST_CASE("next_expiry_locked without enough timers names the earliest of several slots")
{
    const unit::fresh wheel(0x3F00);
    jiffies_t tick = 0;
    // tv2 goes round before its slot of 0x4100; tv3's next one begins before that.
    unit::armed later(0x3F00 + 0x2700);
    unit::armed sooner(0x3F00 + 0x4200);
    const jiffies_t slot = unit::tvn_bits == 6 && unit::tv1_bits == 8 ? (later.expires & ~127u) : 0;
    CHECK_EQ(tickwheel_next_expiry_locked(&tick, 0), 2);
    CHECK(!tickwheel_time_after(tick, later.expires));
    CHECK((slot == 0 || tick == slot));
    CHECK((tickwheel_next_expiry_locked(&tick, ~0u) == 1 && tick == later.expires));
}
