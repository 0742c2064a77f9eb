// SPDX-License-Identifier: MIT
/// @file
/// A timer that repeats without drift: each period begins at the tick in which the last call was due.
#ifndef TICKWHEEL_PERIODIC_TIMER_HPP
#define TICKWHEEL_PERIODIC_TIMER_HPP

#include <tickwheel/bits.hpp>
#include <tickwheel/lock.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// The default of a periodic_timer: each call is due when its period ends.
class no_slack {
protected:
    /// A start arms for the tick of its period.
    void reset_slack()
    {
    }
    /// The re-arm for the period that ends in `tick`. Returns the tick to arm for.
    jiffies_t tick_within_slack(jiffies_t tick, jiffies_t /*period*/, jiffies_t /*longest*/)
    {
        return tick;
    }
    /// Ticks from the end of the period to the tick that the timer is armed for.
    jiffies_t slack_used() const
    {
        return 0;
    }
};

/// Each call except the first may come up to this many ticks after its period has ended. Calls of timers with a
/// slack then share a tick, as with tickwheel_mod_timer_within(), and wake a sleeper once. The periods do not
/// drift. The timer is 8 bytes larger. The slack is limited to a period less one tick, and period and slack
/// together to 2^31 - 1.
class slack {
public:
    /// A slack of `ticks` ticks.
    constexpr explicit slack(jiffies_t ticks) : ticks_(ticks)
    {
    }
    /// Sets the slack of the calls after the next one; in the callback, of those after this call. From any context.
    void set_slack(jiffies_t ticks)
    {
        ticks_ = ticks;
    }

protected:
    /// @{ As in no_slack.
    // Only a start and the re-arm write slack_used_. The re-arm writes it before it arms. If it then arms nothing, an
    // interrupt has started or stopped the timer, and the re-arm takes its own value back.
    void reset_slack()
    {
        slack_used_ = 0;
    }
    jiffies_t tick_within_slack(jiffies_t tick, jiffies_t period, jiffies_t longest)
    {
        const jiffies_t limit = period <= longest / 2 ? period - 1 : longest - period;
        const jiffies_t asked = ticks_;
        const jiffies_t width = asked < limit ? asked : limit;
        const jiffies_t chosen = roundest_tick(tick, tick + width);
        slack_used_ = chosen - tick;
        return chosen;
    }
    jiffies_t slack_used() const
    {
        return slack_used_;
    }
    /// @}

private:
    shared_word ticks_;
    shared_word slack_used_ = 0;
};

/// A late callback misses the periods that end before it returns. This says what the timer does about them.
enum class missed_periods {
    /// It counts them and leaves them out. The next call is in the next tick of the old grid.
    skip,
    /// Each gets its call, in the run that catches up, and at most one in a tick. With TICKWHEEL_ARM_RUNNING_TICK=1 a
    /// late call and the next one may share a tick, if the next one is due in that tick.
    burst,
    /// It counts them and leaves them out. The next call is a whole period after the late one.
    delay,
};

/// A closure_timer that calls again after each period. It is 8 bytes larger. Its callback may call all functions,
/// but must not end the timer's life. As a member of a class:
/// `periodic_timer<member<&lamp::toggle>> blink{this};`, below the declaration of the function. With a slack:
/// `periodic_timer poll{[] { .. }, slack{50}};`.
template <class Closure, missed_periods Policy = missed_periods::skip, auto &Wheel = default_wheel,
          class Slack = no_slack>
class periodic_timer : protected rearming_timer<Wheel>, public Slack {
    using base = rearming_timer<Wheel>;

public:
    /// Periods are 1 to this many ticks. A period of 0 counts as 1, and a longer one as this.
    static constexpr jiffies_t longest_period = base::longest_delay;

    /// Constructs an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit periodic_timer(Closure closure, unsigned flags = 0)
        : base(call, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    /// The same with a slack.
    constexpr periodic_timer(Closure closure, slack within, unsigned flags = 0)
        : base(call, flags), Slack(within), callback(static_cast<Closure &&>(closure))
    {
    }

    using base::expires;
    using base::pending;
    using base::remaining;

    /// Calls first in the tick `tick`, then every `period` ticks. Restarts a timer that already runs.
    void start_at(jiffies_t tick, jiffies_t period)
    {
        do {
            (void)this->disable();
            this->enable();
            set_period(period);
            this->reset_slack();
        } while (Wheel.mod_timer_idle(this, tick) != 0);
    }

    /// As start_at(), first in the `first`th tick from now. 0 counts as 1, since the current tick has already begun.
    /// A delay above 2^31 - 1 ticks counts as 2^31 - 1.
    template <class Number>
    void start_after_ticks(Number first, jiffies_t period)
    {
        const jiffies_t ticks = base::at_most(base::longest_delay, first);
        start_at(Wheel.jiffies() + (ticks == 0 ? 1 : ticks), period);
    }

    /// As start_at(), first after at least `first` whole ticks and less than one more. They count from
    /// the wheel's current_tick(). A delay above 2^31 - 2 counts as 2^31 - 2.
    template <class Number>
    void start_after_at_least(Number first, jiffies_t period)
    {
        start_at(base::after_at_least(base::at_most(base::longest_delay, first)), period);
    }

    /// Sets the period that follows the next call. In the callback, the one that follows this call.
    void set_period(jiffies_t period)
    {
        const bool fits = period - 1 < longest_period;
        if (TICKWHEEL_DEBUG && !fits) {
            tickwheel_bug("periodic_timer: a period of 0, or of 2^31 ticks or more", this);
        }
        period_ = fits ? period : period == 0 ? 1 : longest_period;
    }

    /// The period in ticks; 0 before the first start.
    jiffies_t period() const
    {
        return period_;
    }

    /// How many periods have had no call since the timer was made. Wraps at 2^32. Always 0 with burst.
    uint32_t missed() const
    {
        return missed_;
    }

    /// Stops the timer. A call that is under way continues. Returns true if a call was pending.
    bool stop()
    {
        return this->disable();
    }

private:
    static void call(timer_list *fired)
    {
        periodic_timer *const self = static_cast<periodic_timer *>(fired);
        const jiffies_t due = self->expires() - self->slack_used();
        call_closure(self->callback, *self, 0);
        self->rearm(due);
    }

    // Re-arms after the callback, if the timer is still idle. The callback, or an interrupt since the runner took
    // the timer, may have started or stopped it. That start or stop wins, and no period is missed.
    void rearm(jiffies_t due)
    {
        const jiffies_t period = period_;
        const jiffies_t now = Wheel.jiffies();
        const jiffies_t behind = now - due;
        const bool missing = Policy != missed_periods::burst && behind >= period;
        const uint32_t missed = missing ? behind / period : 0;
        const jiffies_t tick =
            missing && Policy == missed_periods::delay ? now + period : due + (missed + 1) * period;
        if (Wheel.mod_timer_idle(this, this->tick_within_slack(tick, period, longest_period)) == 0) {
            missed_ = missed_ + missed;
        } else {
            this->reset_slack();
        }
    }

    Closure callback;
    shared_word period_ = 0;
    shared_word missed_ = 0;
};

/// @private The argument chooses the type.
template <class Closure>
periodic_timer(Closure, slack, unsigned = 0) -> periodic_timer<Closure, missed_periods::skip, default_wheel, slack>;

} // namespace tickwheel

#endif
