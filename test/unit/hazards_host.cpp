// SPDX-License-Identifier: MIT
// Hazards that take an interrupt inside a call, or a lock that is watched.
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

unsigned depth_in_callback;
unsigned calls;

void see_depth(timer_list *self)
{
    unit::note(self);
    depth_in_callback += tickwheel::interrupts.depth;
}

void rearm_for_the_past(timer_list *self)
{
    ++calls;
    tickwheel_mod_timer(self, jiffies - 1000);
}

} // namespace

TEST_CASE("B2: the same timer armed again at every opening inside an arm, a move and a delete")
{
    unit::noted a;
    unit::noted neighbour;
    for (unsigned call = 0; call < 6; ++call) {
        const auto prepare = [&] {
            tickwheel_timer_delete(&a);
            tickwheel_timer_delete(&neighbour);
            unit::restart(250);
            unit::forget();
            tickwheel_mod_timer(&neighbour, 255);
            if (call % 2 != 0) {
                tickwheel_mod_timer(&a, 255);
            }
        };
        const auto work = [&] {
            switch (call / 2) {
            case 0:
                tickwheel_mod_timer(&a, 700);
                break;
            case 1:
                tickwheel_timer_delete(&a);
                break;
            default:
                a.expires = 256;
                tickwheel_add_timer(&a);
                break;
            }
        };
        const auto handler = [&] {
            tickwheel_mod_timer(&a, 256);
            CHECK_EQ(unit::walk_wheel(true).timers, 2u);
            CHECK_EQ(unit::wheel_fault(), unit::no_fault);
        };
        if (call >= 4 && call % 2 != 0) {
            continue; // add_timer on a pending timer is misuse
        }
        const auto check = [&](bool taken) {
            CHECK_EQ(unit::wheel_fault(), unit::no_fault);
            if (!taken) {
                tickwheel_mod_timer(&a, 256);
            }
            CHECK_EQ(unit::pass(600), 2u);
        };
        CHECK(unit::at_every_opening(prepare, work, handler, check) > 0);
    }
}

TEST_CASE("B7: a next expiry that changes at any opening of its search is looked for again")
{
    unit::noted timers[12];
    unit::noted sooner;
    const auto prepare = [&] {
        for (unit::noted &timer : timers) {
            tickwheel_timer_delete(&timer);
        }
        tickwheel_timer_delete(&sooner);
        unit::restart(1000);
        for (jiffies_t i = 0; i < 12; ++i) {
            tickwheel_mod_timer(&timers[i], 5000 + i);
        }
    };
    // Sooner by an arm, and later by a delete of the one that was the first.
    for (unsigned way = 0; way < 3; ++way) {
        unsigned openings = 0;
        for (unsigned place = 0;; ++place) {
            prepare();
            unsigned opening = 0;
            bool taken = false;
            jiffies_t next = 0;
            {
                const unit::interrupt_at_openings interrupt([&] {
                    if (opening++ == place) {
                        taken = true;
                        if (way == 0) {
                            tickwheel_mod_timer(&sooner, 3000);
                        } else if (way == 1) {
                            tickwheel_timer_delete(&timers[0]);
                        } else {
                            tickwheel_mod_timer(&timers[0], 1002);
                        }
                    }
                });
                CHECK_EQ(tickwheel_next_expiry(&next), 1);
            }
            if (!taken) {
                break;
            }
            openings = opening;
            // Its last opening is after its last look.
            const jiffies_t changed = way == 0 ? 3000 : way == 1 ? 5001 : 1002;
            CHECK_EQ(next, place + 1 == opening ? 5000 : changed);
        }
        CHECK(openings > 1);
    }
}

TEST_CASE("two nested next_expiry walks: each is right, also when the inner one comes at any opening of the outer")
{
    unit::noted timers[12];
    jiffies_t outer = 0;
    jiffies_t inner = 0;
    const auto prepare = [&] {
        for (unit::noted &timer : timers) {
            tickwheel_timer_delete(&timer);
        }
        unit::restart(1000);
        for (jiffies_t i = 0; i < 12; ++i) {
            tickwheel_mod_timer(&timers[i], 5011 - i);
        }
        inner = 0;
    };
    const auto look_outer = [&] { CHECK_EQ(tickwheel_next_expiry(&outer), 1); };
    const auto look_inner = [&] { CHECK_EQ(tickwheel_next_expiry(&inner), 1); };
    const auto check = [&](bool taken) {
        CHECK_EQ(outer, 5000u);
        CHECK_EQ(inner, taken ? 5000u : 0u);
    };
    CHECK(unit::at_every_opening(prepare, look_outer, look_inner, check) > 1);
    // The inner one comes after a change that the outer has to notice all the same.
    for (unsigned place = 0; place < 11; ++place) {
        prepare();
        unsigned opening = 0;
        {
            const unit::interrupt_at_openings interrupt([&] {
                if (opening++ == place) {
                    tickwheel_mod_timer(&timers[0], 1500);
                    CHECK_EQ(tickwheel_next_expiry(&inner), 1);
                    CHECK_EQ(inner, 1500u);
                }
            });
            CHECK_EQ(tickwheel_next_expiry(&outer), 1);
        }
        CHECK_EQ(outer, 1500u);
    }
}

TEST_CASE("B7: next_expiry ends under interrupts that change a list at every opening, and names no tick too late")
{
    const unit::fresh wheel(1000);
    unit::noted timers[12];
    unit::noted restless;
    for (jiffies_t i = 0; i < 12; ++i) {
        tickwheel_mod_timer(&timers[i], 5011 - i);
    }
    jiffies_t next = 0;
    {
        jiffies_t far = 700000;
        const unit::interrupt_at_openings interrupt([&] { tickwheel_mod_timer(&restless, ++far); });
        CHECK_EQ(tickwheel_next_expiry(&next), 1);
    }
    CHECK((next > 1000 && next <= 5000));
    CHECK_EQ(unit::next_from_now(), uint64_t{4000});
}

TEST_CASE("B7: the same below a callback: not later than the rest of the tick that is run")
{
    static unit::noted *restless;
    static jiffies_t far;
    static jiffies_t next;
    const unit::fresh wheel(1000);
    unit::noted moving;
    unit::noted second;
    restless = &moving;
    far = 700000;
    next = 0;
    timer_list first = {};
    tickwheel_timer_setup(
        &first,
        [](timer_list *) {
            const unit::interrupt_at_openings interrupt([] { tickwheel_mod_timer(restless, ++far); });
            CHECK_EQ(tickwheel_next_expiry(&next), 1);
        },
        0);
    tickwheel_mod_timer(&first, 1010);
    tickwheel_mod_timer(&second, 1010);
    CHECK_EQ(unit::pass(10), 2u);
    CHECK_EQ(next, 1010u);
}

TEST_CASE("B10: an interrupt that counts ticks between an expiry's computation and the arm makes it late, never lost")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    const jiffies_t expires = unit::now() + 2;
    (void)tickwheel_advance(5);
    CHECK_EQ(tickwheel_mod_timer(&a, expires), 0);
    (void)unit::pass(1);
    CHECK_EQ(unit::fired, 1u);
}

TEST_CASE("B16: every call made with interrupts off leaves them off; made with them on, on")
{
    const unit::fresh wheel(0u - 300u);
    unit::noted a;
    timer_list zero = {};
    for (unsigned off = 0; off < 2; ++off) {
        tickwheel::interrupts.depth = off;
        const unsigned long opened = tickwheel::interrupts.opened;
        const auto same = [&] { CHECK_EQ(unsigned{tickwheel::interrupts.depth}, off); };
        jiffies_t next = 0;
        tickwheel_timer_setup(&zero, unit::note, 0), same();
        tickwheel_add_timer(&zero), same();
        (void)tickwheel_mod_timer(&a, unit::now() + 10), same();
        (void)tickwheel_mod_timer(&a, unit::now() + 10), same();
        (void)tickwheel_mod_timer_pending(&a, unit::now() + 600), same();
        (void)tickwheel_timer_reduce(&a, unit::now() + 500), same();
        (void)tickwheel_timer_reduce(&a, unit::now() + 900), same();
        (void)tickwheel_next_expiry(&next), same();
        (void)tickwheel_timer_pending(&a), same();
        (void)tickwheel_get_jiffies_64(), same();
        (void)tickwheel_tick(), same();
        (void)tickwheel_interrupt(), same();
        (void)tickwheel_advance(700), same();
        (void)tickwheel_run_budget(0), same();
        (void)tickwheel_run(), same();
        (void)tickwheel_next_expiry(&next), same();
        (void)tickwheel_timer_delete(&a), same();
        (void)tickwheel_try_to_del_timer_sync(&a), same();
        (void)tickwheel_timer_delete_sync(&a), same();
        (void)tickwheel_timer_shutdown(&zero), same();
        (void)tickwheel_timer_shutdown_sync(&zero), same();
        unit::restart(0u - 300u), same();
        CHECK_EQ(tickwheel::interrupts.opened != opened, off == 0);
    }
    tickwheel::interrupts.depth = 0;
}

TEST_CASE("B16: callbacks run with interrupts on")
{
    const unit::fresh wheel(1000);
    timer_list timers[3] = {};
    depth_in_callback = 0;
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, see_depth, 0);
        tickwheel_mod_timer(&timer, 1001);
    }
    CHECK_EQ(unit::pass(1), 3u);
    CHECK_EQ(depth_in_callback, 0u);
}

TEST_CASE(
    "B14: the lock opens for every timer that moves down, and a jump over empty ticks opens it a few times only")
{
    const unit::fresh wheel(0);
    constexpr jiffies_t count = 200;
    static timer_list timers[count];
    for (jiffies_t i = 0; i < count; ++i) {
        tickwheel_timer_setup(&timers[i], unit::note, 0);
        tickwheel_mod_timer(&timers[i], 2 * unit::block_ticks + i % unit::block_ticks);
    }
    (void)unit::skip_to(2 * unit::block_ticks - 2);
    unsigned long opened = tickwheel::interrupts.opened;
    CHECK_EQ(unit::pass(1), 0u);
    CHECK(tickwheel::interrupts.opened - opened >= count);
    for (timer_list &timer : timers) {
        CHECK_EQ(tickwheel_timer_delete(&timer), 1);
    }
    // What deleted timers leave behind is cleared away when it is passed.
    (void)unit::pass(2 * unit::block_ticks);
    opened = tickwheel::interrupts.opened;
    (void)unit::skip_to(unit::now() + (1u << 20));
    CHECK(tickwheel::interrupts.opened - opened < 40);
}

TEST_CASE(
    "B12: a callback that re-arms for the past while ticks keep coming runs once a tick, and run ends with them")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_for_the_past, 0);
    calls = 0;
    tickwheel_mod_timer(&a, 1001);
    unsigned ticks = 0;
    {
        const unit::interrupt_at_openings interrupt([&] {
            if (ticks < 500) {
                ++ticks;
                (void)tickwheel_tick();
            }
        });
        CHECK_EQ(tickwheel_tick(), 1);
        (void)tickwheel_run();
    }
    CHECK_EQ(ticks, 500u);
    CHECK_EQ(calls, 501u);
    CHECK_EQ(unit::now(), 1501u);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
}
