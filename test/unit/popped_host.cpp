// SPDX-License-Identifier: MIT
// B1, B18: a timer that the runner has taken and not yet called, met by an
// interrupt in between. Host only: the lock's hook is the interrupt.
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

// Runs `action` once, at the first opening of the lock at which `timer` is not pending any more: it is then taken,
// since the runner is the only one to touch it.
template <class Action>
unsigned run_with_interrupt_before_call(const timer_list &timer, Action action)
{
    bool done = false;
    const unit::interrupt_at_openings interrupt([&] {
        if (!done && !tickwheel_timer_pending(&timer)) {
            done = true;
            CHECK_EQ(unit::fired, 0u);
            action();
        }
    });
    CHECK_EQ(tickwheel_tick(), 1);
    const unsigned ran = tickwheel_run();
    CHECK(done);
    return ran;
}

} // namespace

TEST_CASE("B1: deleted between being taken and being called: 0, and the callback still runs")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { CHECK_EQ(tickwheel_timer_delete(&a), 0); }), 1u);
    CHECK_EQ(unit::fired, 1u);
    CHECK_EQ(unit::pass(300), 0u);
}

TEST_CASE("B1: restarted between being taken and being called: 0, and both expiries fire")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { CHECK_EQ(tickwheel_mod_timer(&a, 1006), 0); }), 1u);
    CHECK_EQ(tickwheel_timer_pending(&a), 1);
    CHECK_EQ(unit::ticks_to_next_firing(10), 5u);
    CHECK_EQ(unit::fired, 2u);
}

TEST_CASE("B1: restarted for now between being taken and being called: fires again one tick later, not twice in one")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { CHECK_EQ(tickwheel_mod_timer(&a, 1001), 0); }), 1u);
    CHECK_EQ(unit::fired, 1u);
    CHECK_EQ(unit::ticks_to_next_firing(10), 1u);
}

TEST_CASE("B1: restarted and deleted in between: the restart is undone, the first expiry is not")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1001);
    const unsigned ran = run_with_interrupt_before_call(a, [&] {
        CHECK_EQ(tickwheel_mod_timer(&a, 1006), 0);
        CHECK_EQ(tickwheel_timer_delete(&a), 1);
        CHECK_EQ(tickwheel_timer_delete(&a), 0);
    });
    CHECK_EQ(ran, 1u);
    CHECK_EQ(unit::pass(300), 0u);
}

TEST_CASE("B1: the second of the tick deleted while the first is taken: it never fires")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    unit::noted b;
    unit::noted c;
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    tickwheel_mod_timer(&c, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { CHECK_EQ(tickwheel_timer_delete(&b), 1); }), 2u);
    CHECK(unit::fired_in_order({&a, &c}));
}

TEST_CASE("B1: the second of the tick moved while the first is taken: it fires once, at its new tick")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { CHECK_EQ(tickwheel_mod_timer(&b, 1006), 1); }), 1u);
    CHECK_EQ(unit::ticks_to_next_firing(10), 5u);
    CHECK_EQ(unit::fired, 2u);
}

TEST_CASE("a taken timer counts as running for the calls that must know")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1001);
    const unsigned ran = run_with_interrupt_before_call(a, [&] {
        CHECK_EQ(tickwheel_try_to_del_timer_sync(&a), -1);
        CHECK_EQ(tickwheel_timer_delete_sync(&a), -1);
        CHECK_EQ(tickwheel_del_timer_sync(&a), -1);
        CHECK_EQ(unit::misused, unit::reports(2));
        CHECK_EQ(tickwheel_mod_timer_pending(&a, 1010), 0);
        CHECK_EQ(tickwheel_timer_reduce(&a, 1010), 0);
        CHECK_EQ(tickwheel_try_to_del_timer_sync(&a), -1);
        CHECK_EQ(tickwheel_timer_pending(&a), 1);
    });
    CHECK_EQ(ran, 1u);
    CHECK_EQ(unit::ticks_to_next_firing(20), 9u);
}

TEST_CASE("a taken timer shut down: its callback still runs, and cannot arm it again")
{
    struct rearming {
        static void callback(timer_list *self)
        {
            unit::note(self);
            CHECK_EQ(tickwheel_mod_timer(self, jiffies + 1), 0);
        }
    };
    for (unsigned sync = 0; sync < 2; ++sync) {
        const unit::fresh wheel(1000);
        timer_list a = {};
        tickwheel_timer_setup(&a, rearming::callback, 0);
        tickwheel_mod_timer(&a, 1001);
        const unsigned ran = run_with_interrupt_before_call(a, [&] {
            CHECK_EQ(sync ? tickwheel_timer_shutdown_sync(&a) : tickwheel_timer_shutdown(&a), sync ? -1 : 0);
            CHECK_EQ(tickwheel_mod_timer(&a, 1005), 0);
        });
        CHECK_EQ(ran, 1u);
        CHECK_EQ(unit::pass(20), 0u);
        CHECK_EQ(unit::fired, 1u);
    }
}

TEST_CASE("B4, B18: the function is taken with the timer: its memory may be gone before the call")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(run_with_interrupt_before_call(a, [&] { __builtin_memset(&a, 0xA5, sizeof a); }), 1u);
    CHECK_EQ(unit::fired, 1u);
    CHECK(unit::log[0].timer == &a);
    CHECK_EQ(unit::pass(300), 0u);
}

TEST_CASE("B18: armed from an interrupt at every opening of a set-up and an arm: whatever fires has its function")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    for (jiffies_t i = 0; i < 50; ++i) {
        {
            const unit::interrupt_at_openings interrupt([&] { tickwheel_mod_timer(&a, unit::now() + 1); });
            tickwheel_timer_delete(&a);
            tickwheel_mod_timer(&a, unit::now() + 3);
        }
        CHECK_EQ(unit::ticks_to_next_firing(3), 1u);
        CHECK_EQ(unit::fired, i + 1);
    }
}
