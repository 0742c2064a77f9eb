// SPDX-License-Identifier: MIT
// Checks a run of the sweep: some order of the interrupts and the operation's steps
// must give everything that was seen.
#ifndef TICKWHEEL_TEST_SWEEP_CHECKER_HPP
#define TICKWHEEL_TEST_SWEEP_CHECKER_HPP

#include "../../support/console.hpp"
#include "../../support/walker.hpp"
#include "run.hpp"

namespace sweep
{

/// The specification at the operation's begin.
inline specification at_begin = {};
inline int due_before;

/// Lets the specification do a call, and compares the result with the wheel's.
inline void specify(specification &is, const call &what, const result &real, jiffies_t clock)
{
    result done = {0, real.returned, real.due};
    const unsigned armings = is.armings;
    const request asked = request_of(what, clock);
    done.returned = specify_call(is, what.what, asked, is.tick_of(clock), done);
    if (is.armings != armings && takes_a_timer(what.what)) {
        is.check_clock(asked.whom, clock);
    }
    is.sound = is.sound && done.same(real);
}

inline void specify_callback(specification &is, unsigned timer)
{
    if (timer == the_same && !is.callback_done) {
        is.callback_done = true;
        for (unsigned which = 0; which < most_calls; ++which) {
            // During a callback the wheel's clock stands at the next tick.
            specify(is, current->in_callback[which], seen.callback[which], static_cast<jiffies_t>(is.floor));
            is.point();
        }
    }
}

inline void specify_interrupt(specification &is, unsigned which)
{
    const interrupt_record &real = seen.interrupt[which];
    is.sound =
        is.sound && is.log.count == real.called && is.log.returned == real.returned && is.returning == real.returning;
    for (unsigned i = 0; i < most_calls; ++i) {
        specify(is, interrupts[which].calls[i], real.done[i], real.clock_before);
    }
}

inline void specify_operation(specification &is)
{
    is.point();
    for (unsigned i = 0; i < most_calls; ++i) {
        // A call after the interrupt meets the clock that the interrupt left.
        const jiffies_t clock =
            is.interrupts_come != 0 ? seen.interrupt[is.interrupts_come - 1].clock_after : clock_at_start;
        specify(is, current->under_way[i], seen.thread[i], clock);
        is.point();
    }
    is.sound = is.sound && is.interrupts_come == wanted;
}

/// The state after the operation and the interrupts, before the timers are run out.
struct aftermath {
    bool pending[timer_count];
    jiffies_t expires[timer_count];
    unsigned fired;
    int next_found;
    uint64_t next;
    uint64_t count;

    void read()
    {
        for (unsigned i = 0; i < timer_count; ++i) {
            pending[i] = tickwheel_timer_pending(&timers[i]) != 0;
            expires[i] = timers[i].expires;
        }
        fired = seen.log.count;
        next_found = races::read_next_expiry(next);
        count = tickwheel_get_jiffies_64();
    }
    bool same(const specification &is) const
    {
        for (unsigned i = 0; i < timer_count; ++i) {
            if (is.timer[i].pending != pending[i] || (pending[i] && is.timer[i].expires != expires[i])) {
                return false;
            }
        }
        uint64_t tick = 0;
        return is.log.count == fired && static_cast<uint64_t>(is.now) == count && is.next_tick(tick) == next_found &&
               tick == next;
    }
};
inline aftermath left;
inline bool work_owed;

/// Whether a run may have to follow: after a tick with work, or a run with a budget.
inline bool leaves_work(const call &is, const result &done)
{
    return (is.what == op::tick && done.due != 0) || is.what == op::run_budget;
}

/// Whether work may be left that nobody had to do. A run that an interrupt was refused is not left: the run below the
/// interrupt must have done that work.
inline bool may_owe_work()
{
    bool owed = due_before != 0 && current->under_way[0].what != op::run;
    for (unsigned i = 0; i < most_calls; ++i) {
        owed = owed || leaves_work(current->under_way[i], seen.thread[i]);
        for (unsigned which = 0; which < wanted; ++which) {
            owed = owed || leaves_work(interrupts[which].calls[i], seen.interrupt[which].done[i]);
        }
    }
    return owed;
}

/// Calls `run_to` for each tick at which the timers are run out.
template <class RunTo>
void for_each_stop(RunTo run_to)
{
    for (const jiffies_t stop : stops) {
        run_to(current->now + stop - 1);
        run_to(current->now + stop);
    }
}

inline void run_out()
{
    if (work_owed) {
        (void)tickwheel_run();
    }
    for_each_stop([](jiffies_t tick) {
        if (before(jiffies, tick) && tickwheel_advance(tick - jiffies) != 0) {
            (void)tickwheel_run();
        }
    });
}

/// Whether everything is as specified with the interrupts at these points.
inline bool as_specified(const int (&points)[2])
{
    static specification is = {};
    is = at_begin;
    is.interrupts = wanted;
    is.interrupt_at[0] = points[0];
    is.interrupt_at[1] = points[1];
    specify_operation(is);
    if (!is.sound || !left.same(is) || (!work_owed && is.due())) {
        return false;
    }
    (void)is.run();
    for_each_stop([](jiffies_t tick) {
        if (before(static_cast<jiffies_t>(is.now), tick)) {
            is.now = is.tick_of(tick);
            (void)is.run();
        }
    });
    return is.sound && is.log.same(seen.log) && is.earliest() == no_timer;
}

inline void print_results(const result (&results)[most_calls])
{
    for (const result &is : results) {
        print(" ", hex{static_cast<uint32_t>(is.returned)}, ":", hex{static_cast<uint32_t>(is.value)});
    }
}

inline void print_call(const call &is)
{
    print(races::kind_of(is.what).name);
    if (takes_a_timer(is.what)) {
        print(" of ", timer_names[is.whom]);
    }
}

inline void report(const char *what)
{
    print("FAIL ", current->name);
    for (unsigned i = 0; i < wanted; ++i) {
        const interrupt &is = interrupts[i];
        print(" x ");
        print_call(is.calls[0]);
        if (is.calls[1].what != op::nothing) {
            print(", ");
            print_call(is.calls[1]);
        }
        print(" after ", is.count, " at ", hex{is.at});
    }
    print(": ", what, "; returned");
    print_results(seen.thread);
    print(", callback");
    print_results(seen.callback);
    print("; clock ", hex{clock_at_start});
    for (unsigned i = 0; i < wanted; ++i) {
        print("; interrupt");
        print_results(seen.interrupt[i].done);
        print(" clock ", hex{seen.interrupt[i].clock_before});
    }
    print("; fired ", left.fired, " of");
    for (unsigned i = 0; i < seen.log.count && i < log_size; ++i) {
        print(" ", seen.log.entry[i].timer, "@", hex{seen.log.entry[i].at});
    }
    print("\n");
}

/// The last good state of this pair. Most runs leave exactly the state of the run before, so they need no new check.
inline snapshot good;
inline bool any_good;

/// Checks what the run left. `points` go on to the first ones that explain it: they may not go back while the count
/// of instructions grows.
inline bool check_run(int (&points)[2])
{
    // This address on somebody's stack means nothing while no search is under way.
    tickwheel_slots.changed_by = nullptr;
    if (any_good && good.same()) {
        return true;
    }
    good.save();
    any_good = true;
    bool sound = tickwheel_slots.running == nullptr && support::wheel_fault() == support::no_fault;
    if (sound) {
        work_owed = may_owe_work();
        left.read();
        run_out();
        sound = support::wheel_fault() == support::no_fault;
    }
    if (!sound) {
        report("the wheel is broken");
        return false;
    }
    // More than any operation has.
    constexpr int most_points = 48;
    const int second_from = points[1];
    for (; points[0] < most_points; ++points[0]) {
        points[1] = second_from < points[0] ? points[0] : second_from;
        const int last = wanted == 1 ? points[1] + 1 : most_points;
        for (; points[1] < last; ++points[1]) {
            if (as_specified(points)) {
                return true;
            }
        }
    }
    report("no order allows this");
    return false;
}

} // namespace sweep

#endif
