// SPDX-License-Identifier: MIT
/// @file
/// An inactivity time-out: a software watchdog, a keep-alive, a receive time-out. A restart takes about
/// seven instructions and no lock, because the timer stays in the wheel until its tick comes. tickwheel.h has the
/// same timer for C.
///
/// Why it is called exactly once for a deadline that no restart or stop has replaced, whatever interrupts do:
/// 1. A restart stores the deadline, and then reads whether the wheel has the timer for a tick that is not after it.
///    If so, that tick's callback comes after the store, and sees it. Otherwise the restart arms the timer.
/// 2. The callback looks at the deadline in a masked section. If the run has not reached it, the callback arms the
///    timer for it. Otherwise the same section ends the wait, and the function is called. The callback compares
///    the deadline with the tick of the run, not with `jiffies`, because during a lag a callback of an earlier
///    tick may still restart the timer.
/// 3. A stop ends the wait, and deletes the timer, in a masked section.
/// 4. The end of a wait stores another deadline. So the arm of a restart (1) or of a callback (2), which compares in
///    its masked section, does nothing for a deadline that has come, was stopped, or was replaced. The newer restart
///    arms by itself. Restarts for the same tick need one arm.
/// 5. The timer waits from an arm, which writes the number of its slot, until the end of a wait, which writes a
///    number that no slot has. So no deadline is mistaken for none, however late the wheel is.
#ifndef TICKWHEEL_INACTIVITY_TIMER_HPP
#define TICKWHEEL_INACTIVITY_TIMER_HPP

#include <tickwheel/lock.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer that is called at its deadline, unless it is restarted or stopped first. It is 4 bytes larger.
/// Its callback may call all functions, and may end the timer's life. An interrupt above the runner must not end
/// it. All calls belong to the core of the wheel, because a restart relies on the order of its own accesses. If
/// the runner is a thread, and preempts another thread within a restart, the call may come only after that restart
/// has ended.
///
/// In each time-out a sleeper wakes once without a call, when the timer moves. In its new tick the timer is called
/// after those that were armed for that tick before it moved there.
template <class Closure, auto &Wheel = default_wheel>
class inactivity_timer : protected basic_timer<Wheel> {
    using base = basic_timer<Wheel>;

public:
    /// Constructs an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit inactivity_timer(Closure closure, unsigned flags = 0)
        : base(call, flags), callback(static_cast<Closure &&>(closure))
    {
        this->slot = not_waiting;
    }

    /// Starts the timer, or replaces its deadline by the tick `tick`, less than 2^31 ticks from now and from the
    /// deadline before. A tick that is past or has begun counts as the next one. After a shutdown it does nothing.
    void restart_at(jiffies_t tick)
    {
        deadline_ = tick;
        // A debug build checks each restart.
        if (TICKWHEEL_DEBUG || !Wheel.timer_pending(this) || tickwheel_time_before(tick, base::expires())) {
            Wheel.arm_if_deadline_is(this, tick, deadline_);
        }
    }
    /// As restart_at(), for the tick that start_after_ticks() of a timer takes.
    template <class Number>
    void restart_after_ticks(Number ticks)
    {
        restart_at(Wheel.jiffies() + base::at_most(base::longest_delay, ticks));
    }
    /// As restart_at(), for the tick that start_after_at_least() of a timer takes.
    template <class Number>
    void restart_after_at_least(Number ticks)
    {
        restart_at(base::after_at_least(base::at_most(base::longest_delay, ticks)));
    }

    /// Stops the timer. Returns true if it was pending: no call comes for that deadline. Returns false if it was
    /// idle, or if its call has begun.
    bool stop()
    {
        return Wheel.end_wait(this, deadline_, false);
    }
    /// As stop(). The timer then ignores every restart.
    bool shutdown()
    {
        const bool was_pending = stop();
        return Wheel.timer_shutdown(this) != 0 || was_pending;
    }

    /// True from a restart until its call begins or it is stopped, also while the runner moves it. A snapshot.
    bool pending() const
    {
        return is_waiting(this);
    }
    /// The deadline. In its callback, the one that has come, until a restart.
    jiffies_t expires() const
    {
        for (;;) {
            const jiffies_t tick = deadline_;
            const jiffies_t last = base::expires();
            const bool waits = pending();
            if (tick == deadline_) {
                return waits ? tick : last;
            }
        }
    }

    /// @private The function of its timer_list.
    static void call(timer_list *fired)
    {
        inactivity_timer *const self = static_cast<inactivity_timer *>(fired);
        if (Wheel.end_wait(self, self->deadline_, true)) {
            call_closure(self->callback, *self, 0);
        }
    }

private:
    shared_word deadline_ = 0;
    Closure callback;
};

} // namespace tickwheel

#endif
