// SPDX-License-Identifier: MIT
/// @file
/// A timer that re-arms itself, without drift: from the tick that it was due.
#ifndef TICKWHEEL_PERIODIC_TIMER_HPP
#define TICKWHEEL_PERIODIC_TIMER_HPP

#include <tickwheel/shared_word.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// What becomes of the periods that a late callback has missed: those which ended no later than its return.
enum class missed_periods {
    /// They are counted and left out; the next call is in the first tick of the old grid that is still to come.
    skip,
    /// Each gets its call, at most one in a tick, in the run that catches up.
    burst,
    /// They are counted and left out; the next call is a whole period later, on a new grid.
    delay,
};

/// A closure_timer that calls again after each period. 8 bytes more. Any context may call what is here; the callback
/// itself may too, but must not end the timer's life. As a member of a class: `periodic_timer<member<&lamp::toggle>>
/// blink{this};`, below the declaration of the function.
template <class Closure, missed_periods Policy = missed_periods::skip, auto &Wheel = default_wheel>
class periodic_timer : protected basic_timer<Wheel> {
    using base = basic_timer<Wheel>;

public:
    /// Periods are 1 to this many ticks; 0 is taken as 1 and what is longer as this.
    static constexpr jiffies_t longest_period = base::longest_delay;

    /// An idle timer; `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit periodic_timer(Closure closure, unsigned flags = 0)
        : base(call, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    using base::expires;
    using base::pending;
    using base::remaining;

    /// First in the tick `tick`, then every `period` ticks. Restarts one that is running already. Where a full
    /// limited<> wheel refuses it, it is stopped, even if an interrupt starts it meanwhile: pending() tells.
    void start_at(jiffies_t tick, jiffies_t period)
    {
        int armed = 0;
        do {
            (void)this->make_idle();
            set_period(period);
            armed = Wheel.mod_timer_idle(this, tick);
        } while (armed > 0);
        if (armed < 0) {
            // Else a callback that is under way below would arm it when a place is free.
            (void)this->stop_rearming();
        }
    }

    /// First in the `first`th tick from now: between first - 1 and first whole ticks of time. 0 is taken as 1, since
    /// the tick under way is no tick of the grid any more. A longer delay than 2^31 - 1 ticks is taken as that.
    void start_after_ticks(jiffies_t first, jiffies_t period)
    {
        start_at(Wheel.jiffies() + base::at_most_longest(first == 0 ? 1 : first), period);
    }

    /// First after `first` whole ticks of time, and less than one more. At most 2^31 - 2, as above.
    void start_after_at_least(jiffies_t first, jiffies_t period)
    {
        start_at(Wheel.jiffies() + base::at_least(first), period);
    }

    /// The period after the next call; in the callback, after this one.
    void set_period(jiffies_t period)
    {
        const bool fits = period - 1 < longest_period;
        if (TICKWHEEL_DEBUG && !fits) {
            tickwheel_bug("periodic_timer: a period of 0, or of 2^31 ticks or more", this);
        }
        period_ = fits ? period : period == 0 ? 1 : longest_period;
    }

    /// In ticks; 0 before the first start.
    jiffies_t period() const
    {
        return period_;
    }

    /// How many periods have got no call of their own since the timer was made; wraps. 0 with burst.
    uint32_t missed() const
    {
        return missed_;
    }

    /// No call follows, but for one that is under way; true when one was pending.
    bool stop()
    {
        return this->stop_rearming();
    }

private:
    static void call(timer_list *fired)
    {
        periodic_timer *const self = static_cast<periodic_timer *>(fired);
        const jiffies_t due = self->expires();
        call_closure(self->callback, *self, 0);
        self->rearm(due);
    }

    // After the callback, and only if it is idle still: a start or a stop by the callback, or by an interrupt at any
    // moment since the wheel took this firing, is the last word. Then nothing is missed either.
    void rearm(jiffies_t due)
    {
        const jiffies_t period = period_;
        const jiffies_t now = Wheel.jiffies();
        const jiffies_t behind = now - due;
        const bool missing = Policy != missed_periods::burst && behind >= period;
        const uint32_t missed = missing ? behind / period : 0;
        const jiffies_t tick =
            missing && Policy == missed_periods::delay ? now + period : due + (missed + 1) * period;
        if (Wheel.mod_timer_idle(this, tick) == 0 && pending()) {
            missed_ = missed_ + missed;
        }
    }

    Closure callback;
    shared_word period_ = 0;
    shared_word missed_ = 0;
};

} // namespace tickwheel

#endif
