// SPDX-License-Identifier: MIT
// B7: the next expiry is exact after every operation, and none is not a number.
#include "support.hpp"

namespace
{

uint64_t seen_inside;

void look(timer_list *self)
{
    unit::note(self);
    seen_inside = unit::next_from_now();
}

} // namespace

TEST_CASE("next_expiry: none leaves the result alone")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        jiffies_t expires = 0xDEADu;
        CHECK_EQ(tickwheel_next_expiry(&expires), 0);
        CHECK_EQ(expires, 0xDEADu);
        unit::noted a;
        tickwheel_mod_timer(&a, base + 1000);
        tickwheel_timer_delete(&a);
        CHECK_EQ(tickwheel_next_expiry(&expires), 0);
        CHECK_EQ(expires, 0xDEADu);
    }
}

TEST_CASE("next_expiry: armed at 0 for 300 and at 250 for 450, 300 is next (B7)")
{
    const unit::fresh wheel(0);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 300);
    (void)unit::pass(250);
    CHECK_EQ(unit::next_from_now(), uint64_t{50});
    tickwheel_mod_timer(&b, 450);
    CHECK_EQ(unit::next_from_now(), uint64_t{50});
    CHECK_EQ(unit::ticks_to_next_firing(100), 50u);
    CHECK_EQ(unit::next_from_now(), uint64_t{150});
}

TEST_CASE("next_expiry: one timer, every base, every distance, and from every few ticks on the way")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 0; k < 31; ++k) {
            for (jiffies_t delta = (1u << k) - 1; delta <= (1u << k) + 1; ++delta) {
                unit::restart(base);
                unit::noted a;
                tickwheel_mod_timer(&a, base + delta);
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

TEST_CASE("next_expiry: the nearer of two, in whatever levels and order they lie")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned near = 1; near < 30; near += 2) {
            for (unsigned far = near; far < 31; far += 3) {
                unit::restart(base);
                unit::noted a;
                unit::noted b;
                const jiffies_t first = base + (1u << near) + 3;
                const jiffies_t second = base + (1u << far) + 5;
                tickwheel_mod_timer(&a, second);
                tickwheel_mod_timer(&b, first);
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

TEST_CASE("next_expiry: armed long ago into an upper level, before one armed lately into a lower (B7)")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t boundary = 2u << unit::slot_bits(level);
        for (jiffies_t lead = 2; lead < 300; lead += 7) {
            const unit::fresh wheel(boundary / 2 - 1);
            unit::noted old;
            unit::noted recent;
            tickwheel_mod_timer(&old, boundary + 5);
            (void)unit::skip_to(boundary - lead);
            tickwheel_mod_timer(&recent, boundary + 9);
            CHECK_EQ(unit::next_from_now(), uint64_t{lead + 5});
            tickwheel_timer_delete(&old);
            CHECK_EQ(unit::next_from_now(), uint64_t{lead + 9});
        }
    }
}

TEST_CASE("next_expiry: a slot before the present one, and the present one a turn later")
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
                unit::noted a;
                tickwheel_mod_timer(&a, base + delta);
                CHECK_EQ(unit::moment{base, delta, static_cast<jiffies_t>(unit::next_from_now())},
                         unit::moment{base, delta, delta});
            }
        }
    }
}

TEST_CASE("next_expiry: due and not yet run is a value not after jiffies")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 1002);
    tickwheel_mod_timer(&b, 1003);
    (void)tickwheel_advance(5);
    jiffies_t expires = 0;
    CHECK_EQ(tickwheel_next_expiry(&expires), 1);
    CHECK_EQ(expires, 1002u);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_next_expiry(&expires), 1);
    CHECK_EQ(expires, 1003u);
}

TEST_CASE("next_expiry: an overdue timer counts as the tick that it will fire in")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        tickwheel_mod_timer(&a, base - 12345);
        jiffies_t expires = 0;
        CHECK_EQ(tickwheel_next_expiry(&expires), 1);
        CHECK_EQ(expires, base + 1);
        CHECK_EQ(unit::ticks_to_next_firing(3), 1u);
    }
}

TEST_CASE("next_expiry: right inside a callback, where the rest of the tick is still due")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, look, 0);
    unit::noted b;
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    (void)unit::pass(1);
    CHECK_EQ(seen_inside, uint64_t{0});
    tickwheel_mod_timer(&a, 1500);
    tickwheel_mod_timer(&b, 1700);
    (void)unit::skip_to(1500);
    CHECK_EQ(seen_inside, uint64_t{200});
    tickwheel_timer_delete(&b);
    tickwheel_mod_timer(&a, 1600);
    (void)unit::skip_to(1600);
    CHECK_EQ(seen_inside, unit::none);
}

TEST_CASE("next_expiry: exact while ticks are owed, over every lag up to three blocks")
{
    for (const jiffies_t base : unit::bases) {
        for (jiffies_t lag = 1; lag < 3 * unit::block_ticks; lag += 13) {
            unit::restart(base);
            unit::noted first;
            unit::noted near;
            unit::noted far;
            tickwheel_mod_timer(&first, base + 1);
            (void)tickwheel_advance(lag);
            tickwheel_mod_timer(&near, unit::now() + 700);
            tickwheel_mod_timer(&far, unit::now() + unit::longest_delay - lag);
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

TEST_CASE("next_expiry: exact where a delay and the lag of the runner together almost reach 2^31")
{
    for (const jiffies_t base : unit::bases) {
        for (unsigned k = 10; k < 31; ++k) {
            const unit::fresh wheel(base);
            unit::noted owed;
            unit::noted far;
            unit::noted farther;
            tickwheel_mod_timer(&owed, base + 1);
            (void)tickwheel_advance(1u << k);
            const jiffies_t longest = unit::longest_delay - (1u << k);
            tickwheel_mod_timer(&farther, unit::now() + longest);
            tickwheel_mod_timer(&far, unit::now() + longest - 100);
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
