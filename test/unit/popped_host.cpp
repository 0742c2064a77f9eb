// SPDX-License-Identifier: MIT
// An interrupt between the pop of a timer and the call of its callback. Host only: the lock's hook is the interrupt.
// rearming_host.cpp has the same for periodic and long timers.
#include <initializer_list>

#include <tickwheel/long_timer.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

// Runs `action` once, at the first opening of the lock at which the runner has popped the timer: only the runner
// touches it, so it is popped when it is not pending any more.
template <class Pending, class Action>
unsigned interrupt_when_popped(Pending pending, Action action)
{
    bool done = false;
    const unit::interrupt_at_openings interrupt([&] {
        if (!done && !pending()) {
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

template <class Action>
unsigned interrupt_before_call(const timer_list &timer, Action action)
{
    return interrupt_when_popped([&] { return tickwheel_timer_pending(&timer) != 0; }, action);
}

struct counts_calls {
    void operator()() const
    {
        ++unit::fired;
    }
};

} // namespace

TEST_CASE("an interrupt that cancels or starts a popped long timer is told that it was idle, and the call comes")
{
    for (const bool cancels : {true, false}) {
        const unit::fresh wheel(1000);
        tickwheel::long_timer timer{counts_calls{}};
        (void)timer.start_at(1001);
        const unsigned ran = interrupt_when_popped([&] { return timer.pending(); },
                                                   [&] {
                                                       CHECK((!cancels || !timer.cancel()));
                                                       CHECK(!timer.start_at(1006));
                                                   });
        CHECK_EQ(ran, 1u);
        CHECK_EQ(unit::fired, 1u);
        CHECK_EQ(unit::pass(4), 0u);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK_EQ(unit::fired, 2u);
    }
}

TEST_CASE("a long timer popped at a stop is pending, and of two nested cancels then exactly one succeeds")
{
    using reaching = tickwheel::long_timer<counts_calls>;
    static struct {
        reaching *timer;
        unsigned level;
        unsigned openings;
        unsigned place;
        unsigned cancelled;
    } run;
    const auto at_opening = [] {
        if (run.level == 0 && unit::walk_wheel(true).timers == 0) {
            run.level = 1;
            CHECK(run.timer->pending());
            run.cancelled += run.timer->cancel();
            run.level = 2;
        } else if (run.level == 1 && run.openings++ == run.place) {
            run.level = 2;
            run.cancelled += run.timer->cancel();
        }
    };
    unsigned place = 0;
    for (; place == 0 || run.openings > run.place; ++place) {
        const unit::fresh wheel(1000);
        reaching timer{counts_calls{}};
        CHECK(!timer.start_at(1005 + (uint64_t{2} << 30)));
        (void)unit::skip_to(1004 + (1u << 30));
        run = {&timer, 0, 0, place, 0};
        tickwheel::interrupts.on_open = at_opening;
        CHECK_EQ(unit::pass(1), 1u);
        tickwheel::interrupts.on_open = nullptr;
        CHECK_EQ(run.level, 2u);
        CHECK_EQ(run.cancelled, 1u);
        CHECK((!timer.pending() && unit::fired == 0));
    }
    CHECK(place > 3);
}

// requirement: TW-14
TEST_CASE("an interrupt between the pop and the call cannot undo the call; later timers of the tick it can stop")
{
    struct {
        void (*act)(timer_list *popped, timer_list *next);
        // Callbacks of this run, the third timer's included; ticks to a later one, 0 when there is none.
        unsigned calls;
        jiffies_t later;
    } const cases[] = {
        {[](timer_list *popped, timer_list *) { CHECK_EQ(tickwheel_mod_timer(popped, 1001), 0); }, 3, 1},
        {[](timer_list *popped, timer_list *) {
             CHECK_EQ(tickwheel_mod_timer(popped, 1006), 0);
             CHECK_EQ(tickwheel_timer_delete(popped), 1);
             CHECK_EQ(tickwheel_timer_delete(popped), 0);
         },
         3, 0},
        {[](timer_list *, timer_list *next) { CHECK_EQ(tickwheel_timer_delete(next), 1); }, 2, 0},
        {[](timer_list *, timer_list *next) { CHECK_EQ(tickwheel_mod_timer(next, 1006), 1); }, 2, 5},
    };
    for (const auto &one : cases) {
        const unit::fresh wheel(1000);
        unit::armed a(1001);
        unit::armed b(1001);
        unit::armed c(1001);
        CHECK_EQ(interrupt_before_call(a, [&] { one.act(&a, &b); }), one.calls);
        CHECK((unit::log[0].timer == &a && unit::log[one.calls - 1].timer == &c));
        CHECK_EQ(unit::ticks_to_next_firing(300), one.later);
    }
}

// requirement: TW-15
TEST_CASE("a popped timer counts as running for the sync calls")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001);
    const unsigned ran = interrupt_before_call(a, [&] {
        CHECK_EQ(tickwheel_try_to_del_timer_sync(&a), -1);
        CHECK_EQ(tickwheel_timer_delete_sync(&a), -1);
        CHECK_EQ(unit::misused, unit::reports(1));
        CHECK_EQ(tickwheel_mod_timer_pending(&a, 1010), 0);
        CHECK_EQ(tickwheel_timer_reduce(&a, 1010), 0);
        CHECK_EQ(tickwheel_try_to_del_timer_sync(&a), -1);
        CHECK_EQ(tickwheel_timer_pending(&a), 1);
    });
    CHECK_EQ(ran, 1u);
    CHECK_EQ(unit::ticks_to_next_firing(20), 9u);
}

// requirement: TW-16
TEST_CASE("the callback of a popped timer that is shut down runs, and cannot arm the timer again")
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
        unit::armed a(1001, rearming::callback);
        const unsigned ran = interrupt_before_call(a, [&] {
            CHECK_EQ(sync ? tickwheel_timer_shutdown_sync(&a) : tickwheel_timer_shutdown(&a), sync ? -1 : 0);
            CHECK_EQ(tickwheel_mod_timer(&a, 1005), 0);
        });
        CHECK_EQ(ran, 1u);
        CHECK_EQ(unit::pass(20), 0u);
        CHECK_EQ(unit::fired, 1u);
    }
}

// requirement: TW-14, TW-17
TEST_CASE("the runner reads the function with the pop: the timer's memory may be reused before the call")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(interrupt_before_call(a, [&] { __builtin_memset(&a, 0xA5, sizeof a); }), 1u);
    CHECK_EQ(unit::fired, 1u);
    CHECK(unit::log[0].timer == &a);
    CHECK_EQ(unit::pass(300), 0u);
}
