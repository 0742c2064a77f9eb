// SPDX-License-Identifier: MIT
/// @file
/// A timer for a 64-bit tick: further away than the 2^31 - 1 ticks of a timer_list.
#ifndef TICKWHEEL_LONG_TIMER_HPP
#define TICKWHEEL_LONG_TIMER_HPP

#include <tickwheel/shared_word.hpp>
#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer whose tick has 64 bits: on the way there it parks, and re-arms itself once in 2^30 ticks. 4 bytes
/// more. Any context may call what is here, its own callback too. As a member of a class: see periodic_timer.
template <class Closure, auto &Wheel = default_wheel>
class long_timer : protected basic_timer<Wheel> {
    using base = basic_timer<Wheel>;
    // It parks at ticks that have the last 30 bits of the one that is meant, so the rest is one word, which no
    // interrupt finds half written.
    static constexpr unsigned stop_bits = 30;
    static constexpr jiffies_t stop_ticks = jiffies_t{1} << stop_bits;

public:
    /// What lies further away is taken as this: 146 million years at 1 kHz.
    static constexpr uint64_t last_tick = (uint64_t{1} << (32 + stop_bits)) - 1;

    /// An idle timer; `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit long_timer(Closure closure, unsigned flags = 0)
        : base(call_last, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    /// True from arming until the callback is about to be called. A stop on the way does not end that. A snapshot.
    bool pending() const
    {
        return base::pending() || (this->takes_arms() && function_now() == call_parked);
    }

    /// Arms or moves it to the tick `tick` of tickwheel_get_jiffies_64(). What has passed fires in the next tick.
    /// True when it was pending. Where a full limited<> wheel refuses it, it is cancelled, even if an interrupt
    /// starts it meanwhile: pending() tells.
    bool start_at(uint64_t tick)
    {
        bool was_pending = remove();
        int armed = 0;
        bool mixed = false;
        do {
            was_pending |= this->make_idle();
            const uint64_t now = Wheel.get_jiffies_64();
            const uint64_t target = tick < now ? now : tick > last_tick ? last_tick : tick;
            const uint64_t stop = first_stop(now, target);
            const uint32_t upper = static_cast<uint32_t>(target >> stop_bits);
            const function_type chosen = stop == target ? call_last : call_parked;
            upper_ = upper;
            set_function(chosen);
            armed = Wheel.mod_timer_idle(this, static_cast<jiffies_t>(stop));
            // An interrupt may have written its own two words, and its firing be over, before the timer was armed
            // here. The wrong function does no harm yet, since a stop to park at lies 2^30 ticks ahead.
            mixed = armed == 0 && (upper_ != upper || function_now() != chosen);
        } while (armed > 0 || (mixed && Wheel.timer_delete(this) != 0));
        if (armed < 0) {
            // A full wheel has refused it, so the tick is nobody's.
            (void)this->stop_rearming();
        }
        return was_pending;
    }

    /// Arms or moves it to the `ticks`th tick from now, at most to `last_tick`.
    bool start_after_ticks(uint64_t ticks)
    {
        const uint64_t now = Wheel.get_jiffies_64();
        return start_at(ticks > last_tick - now ? last_tick : now + ticks);
    }

    /// Arms or moves it so that `ticks` whole ticks pass first, and less than one more. At most to `last_tick`.
    bool start_after_at_least(uint64_t ticks)
    {
        return start_after_ticks(ticks >= last_tick ? last_tick : ticks + 1);
    }

    /// Disarms it. True when it was pending: no call follows. False: it was idle, or its call is about to begin or
    /// under way.
    bool cancel()
    {
        const bool was_pending = remove();
        return this->stop_rearming() || was_pending;
    }

    /// The tick that it was last armed for. Two words: the caller keeps starts away while it reads them.
    uint64_t expires() const
    {
        return static_cast<uint64_t>(upper_) << stop_bits | (base::expires() & (stop_ticks - 1));
    }

private:
    // `tick` itself, or the last tick within reach that agrees with it in 30 bits.
    static constexpr uint64_t first_stop(uint64_t now, uint64_t tick)
    {
        const uint64_t reach = now + base::longest_delay;
        return tick <= reach ? tick : reach - ((reach - tick) & (stop_ticks - 1));
    }

    // The function says whether a stop is the last one. The runner takes the function together with the timer. So
    // no start or cancel between that and the call can change what the call is for.
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
        if (self->park_again() < 0) {
            (void)self->stop_rearming();
            return;
        }
        // The runner takes no timer until this call returns. An interrupt may start this one after its words were
        // read and before the function is written. The second reading finds that out.
        function_type chosen = nullptr;
        do {
            chosen = self->function_for_stop();
            self->set_function(chosen);
        } while (self->function_for_stop() != chosen);
    }

    // Arms the next stop after one that the runner has taken, unless it is started, cancelled or armed already.
    int park_again()
    {
        const jiffies_t stop = base::expires() + stop_ticks;
        return !base::pending() && this->takes_arms() && function_now() == call_parked
                   ? Wheel.mod_timer_idle(this, stop)
                   : 0;
    }

    // Of the stop that it is armed for, which lies less than 2^31 ticks before or after now.
    [[gnu::noinline]] function_type function_for_stop() const
    {
        const jiffies_t stop = *static_cast<const volatile jiffies_t *>(&this->timer_list::expires);
        const uint64_t now = Wheel.get_jiffies_64();
        const int32_t ahead = static_cast<int32_t>(stop - static_cast<jiffies_t>(now));
        const uint64_t stop_64 = now + static_cast<uint64_t>(int64_t{ahead});
        return stop_64 >> stop_bits < upper_ ? call_parked : call_last;
    }

    // True when it was pending. A timer that the runner has taken where it parks is pending for its user. It is armed
    // for the next stop first, as the runner is about to do. The deletion is then true for one caller alone.
    bool remove()
    {
        int removed = Wheel.try_to_del_timer_sync(this);
        if (removed < 0) {
            (void)park_again();
            set_function(call_last);
            removed = Wheel.timer_delete(this);
        }
        return removed != 0;
    }

    Closure callback;
    shared_word upper_ = 0;
};

} // namespace tickwheel

#endif
