// SPDX-License-Identifier: MIT
// B1, B18: a timer that the runner has taken and not yet called, met by an
// interrupt in between. Host only: the lock's hook is the interrupt.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/scoped_timer.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

// Runs `action` once, at the first opening of the lock at which the runner has `taken` the timer.
template <class Taken, class Action>
unsigned run_with_interrupt_when(Taken taken, Action action)
{
    bool done = false;
    const unit::interrupt_at_openings interrupt([&] {
        if (!done && taken()) {
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

// It is taken when it is not pending any more, since the runner is the only one to touch it.
template <class Action>
unsigned run_with_interrupt_before_call(const timer_list &timer, Action action)
{
    return run_with_interrupt_when([&] { return !tickwheel_timer_pending(&timer); }, action);
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
constexpr jiffies_t long_period = 100000;
template <class Timer>
auto start(Timer &timer, jiffies_t tick, int) -> decltype(timer.start_at(tick, long_period))
{
    timer.start_at(tick, long_period);
}
template <class Timer>
void start(Timer &timer, jiffies_t tick, long)
{
    CHECK(!timer.start_at(tick));
}
template <class Timer>
auto cancel(Timer &timer, int) -> decltype(timer.stop())
{
    return timer.stop();
}
template <class Timer>
bool cancel(Timer &timer, long)
{
    return timer.cancel();
}

template <class Timer, class Callback>
void check_kind_when_taken(Callback callback, bool periodic = false)
{
    for (const bool cancels : {true, false}) {
        for (const bool starts : {true, false}) {
            const unit::fresh wheel(1000);
            Timer timer{callback};
            start(timer, 1001, 0);
            const unsigned ran = run_with_interrupt_when([&] { return !timer.pending(); },
                                                         [&] {
                                                             if (cancels) {
                                                                 CHECK(!cancel(timer, 0));
                                                             }
                                                             if (starts) {
                                                                 start(timer, 1006, 0);
                                                             }
                                                         });
            // What the runner has taken is called, whatever the interrupt did.
            CHECK_EQ(ran, 1u);
            CHECK_EQ(unit::fired, 1u);
            // A start is a new one, and a period goes on only if nobody stopped it.
            CHECK_EQ(timer.pending(), starts || (periodic && !cancels));
            CHECK_EQ(unit::pass(4), 0u);
            CHECK_EQ(unit::pass(1), starts ? 1u : 0u);
            CHECK_EQ(unit::fired, starts ? 2u : 1u);
            (void)cancel(timer, 0);
            CHECK_EQ(unit::pass(300), 0u);
            CHECK_EQ(unit::misused, 0u);
        }
    }
}

} // namespace

TEST_CASE("every kind of timer, cancelled and started between being taken and being called: the callback still runs")
{
    using closure = tickwheel::closure_timer<counts_calls>;
    using periodic = tickwheel::periodic_timer<counts_calls>;
    using reaching = tickwheel::long_timer<counts_calls>;
    check_kind_when_taken<tickwheel::timer>(count_call);
    check_kind_when_taken<closure>(counts_calls{});
    check_kind_when_taken<periodic>(counts_calls{}, true);
    check_kind_when_taken<reaching>(counts_calls{});
    check_kind_when_taken<tickwheel::scoped_timer<closure>>(counts_calls{});
    check_kind_when_taken<tickwheel::scoped_timer<periodic>>(counts_calls{}, true);
    check_kind_when_taken<tickwheel::scoped_timer<reaching>>(counts_calls{});
}

TEST_CASE("a long timer that is taken where it parks is pending: a cancel is one, and nothing is called for the stop")
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
                CHECK_EQ(run_with_interrupt_when([] { return unit::walk_wheel(true).timers == 0; },
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

TEST_CASE("a long timer that is taken where it parks: a cancel that interrupts a cancel, one of them is the one")
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
