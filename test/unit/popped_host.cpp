// SPDX-License-Identifier: MIT
// An interrupt between the pop of a timer and the call of its callback. Host only: the lock's hook is the interrupt.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/timer.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

// Runs `action` once, at the first opening of the lock at which the runner has popped the timer.
template <class Popped, class Action>
unsigned interrupt_when(Popped popped, Action action)
{
    bool done = false;
    const unit::interrupt_at_openings interrupt([&] {
        if (!done && popped()) {
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

// A timer that is not pending any more is popped, because only the runner touches it.
template <class Action>
unsigned interrupt_before_call(const timer_list &timer, Action action)
{
    return interrupt_when([&] { return !tickwheel_timer_pending(&timer); }, action);
}

void count_call(timer_list *)
{
    ++unit::fired;
}
struct counts_calls {
    void operator()() const
    {
        ++unit::fired;
    }
};

// A periodic timer has a period, and stops; the others are cancelled.
template <bool Periodic, class Timer>
void start(Timer &timer, jiffies_t tick)
{
    if constexpr (Periodic) {
        timer.start_at(tick, 100000);
    } else {
        CHECK(!timer.start_at(tick));
    }
}
template <bool Periodic, class Timer>
bool cancel(Timer &timer)
{
    if constexpr (Periodic) {
        return timer.stop();
    } else {
        return timer.cancel();
    }
}

template <class Timer, bool Periodic = false, class Callback>
void check_kind(Callback callback)
{
    for (const bool cancels : {true, false}) {
        for (const bool starts : {true, false}) {
            const unit::fresh wheel(1000);
            Timer timer{callback};
            start<Periodic>(timer, 1001);
            const unsigned ran = interrupt_when([&] { return !timer.pending(); },
                                                [&] {
                                                    if (cancels) {
                                                        CHECK(!cancel<Periodic>(timer));
                                                    }
                                                    if (starts) {
                                                        start<Periodic>(timer, 1006);
                                                    }
                                                });
            CHECK_EQ(ran, 1u);
            CHECK_EQ(unit::fired, 1u);
            // A start is a new one, and a period goes on only if nobody stopped it.
            CHECK_EQ(timer.pending(), starts || (Periodic && !cancels));
            CHECK_EQ(unit::pass(4), 0u);
            CHECK_EQ(unit::pass(1), starts ? 1u : 0u);
            CHECK_EQ(unit::fired, starts ? 2u : 1u);
            (void)cancel<Periodic>(timer);
            CHECK_EQ(unit::pass(300), 0u);
            CHECK_EQ(unit::misused, 0u);
        }
    }
}

} // namespace

TEST_CASE("every kind of timer: the callback of a popped timer runs, whatever an interrupt cancels or starts before "
          "the call")
{
    using closure = tickwheel::closure_timer<counts_calls>;
    using periodic = tickwheel::periodic_timer<counts_calls>;
    using reaching = tickwheel::long_timer<counts_calls>;
    check_kind<tickwheel::timer>(count_call);
    check_kind<closure>(counts_calls{});
    check_kind<periodic, true>(counts_calls{});
    check_kind<reaching>(counts_calls{});
    check_kind<tickwheel::scoped_timer<closure>>(counts_calls{});
    check_kind<tickwheel::scoped_timer<periodic>, true>(counts_calls{});
    check_kind<tickwheel::scoped_timer<reaching>>(counts_calls{});
}

TEST_CASE("a long timer popped at a stop is pending: a cancel succeeds, and the stop calls nothing")
{
    for (const unsigned stops : {1u, 2u}) {
        for (const bool cancels : {true, false}) {
            for (const bool starts : {true, false}) {
                const unit::fresh wheel(1000);
                tickwheel::long_timer timer{counts_calls{}};
                const uint64_t tick = 1005 + (uint64_t{1 + stops} << 30);
                CHECK(!timer.start_at(tick));
                jiffies_t stop = 0;
                CHECK_EQ(tickwheel_next_expiry(&stop), 1);
                CHECK(stop != static_cast<jiffies_t>(tick));
                (void)unit::skip_to(stop - 1);
                const uint64_t again = tickwheel_get_jiffies_64() + 6;
                CHECK_EQ(interrupt_when([] { return unit::walk_wheel(true).timers == 0; },
                                        [&] {
                                            CHECK((timer.pending() && timer.expires() == tick));
                                            if (cancels) {
                                                CHECK(timer.cancel());
                                                CHECK((!timer.cancel() && !timer.pending()));
                                            }
                                            if (starts) {
                                                CHECK_EQ(timer.start_at(again), !cancels);
                                            }
                                        }),
                         1u);
                CHECK_EQ(unit::fired, 0u);
                const uint64_t expected = starts ? again : tick;
                const bool pending = starts || !cancels;
                CHECK_EQ(timer.pending(), pending);
                jiffies_t next = 0;
                while (unit::fired == 0 && tickwheel_next_expiry(&next)) {
                    (void)unit::skip_to(next);
                }
                CHECK_EQ(unit::fired, pending ? 1u : 0u);
                if (pending) {
                    CHECK_EQ(tickwheel_get_jiffies_64(), expected);
                }
                CHECK_EQ(unit::misused, 0u);
            }
        }
    }
}

TEST_CASE("of two nested cancels of a long timer popped at a stop, exactly one succeeds")
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
