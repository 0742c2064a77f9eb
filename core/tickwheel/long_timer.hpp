// SPDX-License-Identifier: MIT
/// @file
/// A timer for a 64-bit tick, beyond the 2^31 - 1 ticks that a timer_list reaches.
#ifndef TICKWHEEL_LONG_TIMER_HPP
#define TICKWHEEL_LONG_TIMER_HPP

#include <tickwheel/lock.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer whose tick has 64 bits. On the way there it parks: it fires without a call and re-arms itself,
/// once in 2^30 ticks. It has 4 bytes more. Its callback may call all functions. As a member of a class: see
/// periodic_timer.
///
/// An interrupt above the runner may cancel the timer, but must not end its life: the runner may be parking the
/// timer, and writes to it after the interrupt. If an interrupt starts the timer in the middle of a start or cancel,
/// what these return may be wrong, and in rare cases the timer keeps the wrong tick: see CHANGELOG.md.
template <class Closure, auto &Wheel = default_wheel>
class long_timer : protected rearming_timer<Wheel> {
    using base = rearming_timer<Wheel>;
    // The timer parks at ticks whose last 30 bits are those of its own tick. The other bits fit in one word, so no
    // interrupt finds them half written.
    static constexpr unsigned stop_bits = 30;
    static constexpr jiffies_t stop_ticks = jiffies_t{1} << stop_bits;

public:
    /// A later tick counts as this one: 146 million years at 1000 ticks a second.
    static constexpr uint64_t last_tick = (uint64_t{1} << (32 + stop_bits)) - 1;

    /// Makes an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit long_timer(Closure closure, unsigned flags = 0)
        : base(call_last, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    /// True from arming until the runner takes the timer for its call, while it parks too. A snapshot.
    bool pending() const
    {
        return base::pending() || (this->takes_arms() && function_now() == call_parked);
    }

    /// Arms or moves the timer to the tick `tick` of tickwheel_get_jiffies_64(). For a past tick the
    /// timer fires when a plain timer would. A tick more than 2^30 ticks ago counts as 2^30 ticks ago, also for
    /// expires(). Returns true if the timer was pending.
    bool start_at(uint64_t tick)
    {
        bool was_pending = remove();
        do {
            was_pending |= this->stop_rearming();
            // From here to arm_for() no interrupt takes this start for a timer that parks.
            set_function(call_last);
            this->take_arms();
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
        const bool was_pending = remove();
        return this->stop_rearming() || was_pending;
    }

    /// The tick that the timer was last armed for. It is read as two words, so no interrupt may start the timer then.
    uint64_t expires() const
    {
        return static_cast<uint64_t>(upper_) << stop_bits | (base::expires() & (stop_ticks - 1));
    }

    /// Ticks until the timer fires; 0 if it is due or idle. A snapshot, and read as expires().
    uint64_t remaining() const
    {
        const uint64_t now = Wheel.get_jiffies_64();
        const uint64_t tick = expires();
        return pending() && tick > now ? tick - now : 0;
    }

private:
    // The rest of a start. Returns false if the start must begin again.
    bool arm_for(uint64_t tick)
    {
        const uint64_t now = Wheel.get_jiffies_64();
        const uint64_t oldest = now > stop_ticks ? now - stop_ticks : 0;
        const uint64_t target = tick < oldest ? oldest : tick > last_tick ? last_tick : tick;
        const uint64_t stop = first_stop(now, target);
        const uint32_t upper = static_cast<uint32_t>(target >> stop_bits);
        const function_type chosen = stop == target ? call_last : call_parked;
        upper_ = upper;
        set_function(chosen);
        const int refused = Wheel.mod_timer_idle(this, static_cast<jiffies_t>(stop));
        const bool changed = upper_ != upper || function_now() != chosen;
        if (refused == 0) {
            // An interrupt may have written its own two words, and that timer may have fired, before this arm. It has
            // fired with call_last. So the function can be wrong only where the timer parks, at least 2^29 ticks
            // ahead, and there is time to begin again. If the timer has another tick now, the interrupt came after
            // this arm, and its start stays. With the same tick nothing tells which came first, and this start wins.
            return !changed || base::expires() != static_cast<jiffies_t>(stop) || Wheel.timer_delete(this) == 0;
        }
        // Shut down. A cancel above the timer's callback may have taken this start for a timer that parks, and
        // returned true: it came after this start. Any other cancel came before it.
        return refused < 0 && changed;
    }

    // Returns `tick`, or the last tick within reach that has the same last 30 bits. The reach leaves 2^29 ticks for
    // the lag of the runner.
    static constexpr uint64_t first_stop(uint64_t now, uint64_t tick)
    {
        const uint64_t reach = now + stop_ticks + stop_ticks / 2 - 1;
        return tick <= reach ? tick : reach - ((reach - tick) & (stop_ticks - 1));
    }

    // The function says whether this stop is the last one. The runner takes the function together with the timer. A
    // start or cancel before the call therefore cannot change what the call is for.
    using function_type = void (*)(timer_list *);
    function_type function_now() const
    {
        return *static_cast<const volatile function_type *>(&this->function);
    }
    void set_function(function_type chosen)
    {
        Wheel.set_function(this, chosen);
    }

    static void call_last(timer_list *fired)
    {
        long_timer *const self = static_cast<long_timer *>(fired);
        call_closure(self->callback, *self, 0);
    }

    static void call_parked(timer_list *fired)
    {
        long_timer *const self = static_cast<long_timer *>(fired);
        self->park_again();
        // The runner takes no timer until this call returns. An interrupt may start this timer between the read of
        // its words and the write of the function. The second read detects that.
        function_type chosen = nullptr;
        do {
            chosen = self->function_for_stop();
            self->set_function(chosen);
        } while (self->function_for_stop() != chosen);
    }

    // Arms the stop that follows one which the runner has taken, unless somebody has started or cancelled the timer.
    void park_again()
    {
        const jiffies_t stop = base::expires() + stop_ticks;
        if (!base::pending() && this->takes_arms() && function_now() == call_parked) {
            (void)Wheel.mod_timer_idle(this, stop);
        }
    }

    // The function for the stop that the timer is armed for. It lies less than 2^31 ticks before or after now.
    [[gnu::noinline]] function_type function_for_stop() const
    {
        const jiffies_t stop = *static_cast<const volatile jiffies_t *>(&this->timer_list::expires);
        const uint64_t now = Wheel.get_jiffies_64();
        const int32_t ahead = static_cast<int32_t>(stop - static_cast<jiffies_t>(now));
        const uint64_t stop_64 = now + static_cast<uint64_t>(int64_t{ahead});
        return stop_64 >> stop_bits < upper_ ? call_parked : call_last;
    }

    // Deletes the timer, and returns true if it was in the wheel. The caller then calls stop_rearming(), and the
    // timer was pending if either returns true. If the runner has taken the timer where it parks, it is pending for
    // its user too. This then arms the next stop, as the runner would, and stop_rearming() deletes that. With
    // call_last the timer parks no more, so only one of several calls returns true.
    bool remove()
    {
        const int removed = Wheel.try_to_del_timer_sync(this);
        if (removed < 0 && this->takes_arms()) {
            park_again();
            set_function(call_last);
        }
        return removed > 0;
    }

    Closure callback;
    shared_word upper_ = 0;
};

} // namespace tickwheel

#endif
