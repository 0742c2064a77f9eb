// SPDX-License-Identifier: MIT
/// @file
/// A timer for a 64-bit tick, beyond the 2^31 - 1 ticks that a timer_list reaches.
#ifndef TICKWHEEL_LONG_TIMER_HPP
#define TICKWHEEL_LONG_TIMER_HPP

#include <tickwheel/lock.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer whose tick has 64 bits. Until that tick it parks: once in 2^30 ticks it fires without a call
/// and re-arms itself. It is 4 bytes larger. Its callback may call all functions. As a member of a class: see
/// periodic_timer.
///
/// An interrupt above the runner may cancel the timer, but must not end its life: the runner may be parking the
/// timer, and reads and writes it after the interrupt. A start is a cancel and an arm: an interrupt may come between
/// the two. If it starts the timer there, the interrupted start cancels that start too.
template <class Closure, auto &Wheel = default_wheel>
class long_timer : protected rearming_timer<Wheel> {
    using base = rearming_timer<Wheel>;
    // The timer parks at ticks whose last 30 bits are those of its own tick. The other bits fit in one word, so no
    // interrupt finds them half written.
    static constexpr unsigned park_bits = 30;
    static constexpr jiffies_t park_ticks = jiffies_t{1} << park_bits;

public:
    /// A later tick counts as this one: 146 million years at 1000 ticks a second.
    static constexpr uint64_t last_tick = (uint64_t{1} << (32 + park_bits)) - 1;

    /// Constructs an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit long_timer(Closure closure, unsigned flags = 0)
        : base(call_last, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    /// True from arming until the runner takes the timer for its call, also while it parks. A snapshot.
    bool pending() const
    {
        // In this order: while the runner parks the timer, an interrupt may start it for a tick that needs no stop.
        return parks() || base::pending();
    }

    /// Arms or moves the timer to the tick `tick` of tickwheel_get_jiffies_64(). For a past tick the
    /// timer fires when a plain timer would. A tick more than 2^30 ticks ago counts as 2^30 ticks ago, also for
    /// expires(). Returns true if the timer was pending.
    bool start_at(uint64_t tick)
    {
        park_for_runner();
        bool was_pending = false;
        do {
            was_pending |= this->disable();
            // Until arm_for() has armed it, no interrupt takes this start for a timer that parks.
            Wheel.set_function(this, call_last);
            this->enable();
        } while (!arm_for(tick));
        return was_pending;
    }

    /// As start_at(), for the `ticks`th tick from now, at most for `last_tick`.
    template <class Number>
    bool start_after_ticks(Number ticks)
    {
        const uint64_t now = Wheel.get_jiffies_64();
        return start_at(now + base::at_most(last_tick - now, ticks));
    }

    /// As start_at(), after at least `ticks` whole ticks and less than one more, at most at `last_tick`. They count
    /// from the wheel's current_tick().
    template <class Number>
    bool start_after_at_least(Number ticks)
    {
        const uint64_t counted = Wheel.get_jiffies_64();
        const uint64_t upcoming = counted + (Wheel.current_tick() - static_cast<jiffies_t>(counted)) + 1;
        return start_at(upcoming + base::at_most(last_tick - upcoming, ticks));
    }

    /// Disarms the timer. Returns true if it was pending: the call for that start does not come. Returns false if it
    /// was idle: the runner may have taken it for its call.
    bool cancel()
    {
        park_for_runner();
        return this->disable();
    }

    /// The tick that the timer was last armed for. It is read as two words, so at most one interrupt may start the
    /// timer then.
    uint64_t expires() const
    {
        for (;;) {
            const uint32_t upper = upper_;
            const jiffies_t stop = base::expires();
            if (upper == upper_) {
                return static_cast<uint64_t>(upper) << park_bits | (stop & (park_ticks - 1));
            }
        }
    }

    /// Ticks until the timer fires; 0 if it is due or idle. A snapshot, and read as expires().
    uint64_t remaining() const
    {
        // In this order, as in basic_timer.
        const bool is_pending = pending();
        const uint64_t tick = expires();
        const uint64_t now = Wheel.get_jiffies_64();
        return is_pending && tick > now ? tick - now : 0;
    }

private:
    // Arms by one call that writes all words of a start. Returns false if an interrupt has started or stopped the
    // timer since the cancel: then the start begins again.
    bool arm_for(uint64_t tick)
    {
        const uint64_t now = Wheel.get_jiffies_64();
        const uint64_t oldest = now > park_ticks ? now - park_ticks : 0;
        const uint64_t target = tick < oldest ? oldest : tick > last_tick ? last_tick : tick;
        const uint64_t stop = first_park(now, target);
        return arm(static_cast<jiffies_t>(stop), stop == target, static_cast<uint32_t>(target >> park_bits));
    }

    // Arms an idle timer for its next stop. Returns false if it is pending or shut down.
    bool arm(jiffies_t stop, bool is_last, uint32_t upper)
    {
        return Wheel.arm_idle_with(this, stop, is_last ? call_last : call_parked, upper_, upper);
    }

    // Returns `tick`, or the last tick within reach of an arm that has the same last 30 bits.
    static constexpr uint64_t first_park(uint64_t now, uint64_t tick)
    {
        const uint64_t reach = now + base::longest_delay;
        return tick <= reach ? tick : reach - ((reach - tick) & (park_ticks - 1));
    }

    // The function says whether this stop is the last one. The runner takes the function together with the timer. A
    // start or cancel before the call therefore cannot change what the call is for.
    using function_type = void (*)(timer_list *);
    function_type function_now() const
    {
        return *static_cast<const volatile function_type *>(&this->function);
    }

    static void call_last(timer_list *fired)
    {
        long_timer *const self = static_cast<long_timer *>(fired);
        call_closure(self->callback, *self, 0);
    }

    static void call_parked(timer_list *fired)
    {
        static_cast<long_timer *>(fired)->park_again();
    }

    // Arms the stop that follows one which the runner has taken. If an interrupt starts or cancels the timer after
    // these reads, the arm is refused.
    void park_again()
    {
        const uint32_t upper = upper_;
        const jiffies_t stop = base::expires() + park_ticks;
        // The stop lies less than 2^31 ticks before or after now.
        const uint64_t now = Wheel.get_jiffies_64();
        const int32_t ahead = static_cast<int32_t>(stop - static_cast<jiffies_t>(now));
        const uint64_t stop_64 = now + static_cast<uint64_t>(int64_t{ahead});
        (void)arm(stop, stop_64 >> park_bits >= upper, upper);
    }

    // The runner may have taken the timer only to park it again. To its user it is still pending, so this parks it as
    // the runner would, and disable() finds it.
    void park_for_runner()
    {
        if (!base::pending() && parks()) {
            park_again();
        }
    }

    // Whether the timer parks: it is pending, or the runner has taken it and has not armed its next stop yet. An idle
    // timer takes no arms, or its function is call_last.
    bool parks() const
    {
        return this->is_enabled() && function_now() == call_parked;
    }

    Closure callback;
    shared_word upper_ = 0;
};

} // namespace tickwheel

#endif
