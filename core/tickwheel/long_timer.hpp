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
/// more. Any context may call what is here, its own callback too.
template <class Closure, auto &Wheel = default_wheel>
class long_timer : protected basic_timer<Wheel> {
    using base = basic_timer<Wheel>;
    // It parks at ticks that have the last 30 bits of the one that is meant, so the rest is one word, which no
    // interrupt finds half written.
    static constexpr unsigned stop_bits = 30;
    static constexpr jiffies_t stop_ticks = jiffies_t{1} << stop_bits;
    static constexpr jiffies_t longest_delay = 0x7FFFFFFF;

public:
    /// What lies further away is taken as this: 146 million years at 1 kHz.
    static constexpr uint64_t last_tick = (uint64_t{1} << (32 + stop_bits)) - 1;

    /// An idle timer; `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit long_timer(Closure closure, unsigned flags = 0)
        : base(call, flags), callback(static_cast<Closure &&>(closure))
    {
    }

    using base::pending;

    /// Arms or moves it to the tick `tick` of tickwheel_get_jiffies_64(). What has passed fires in the next tick.
    /// True when it was pending. Where a full counted<> wheel refuses it, it is cancelled,
    /// even if an interrupt starts it meanwhile: pending() tells.
    bool start_at(uint64_t tick)
    {
        bool was_pending = false;
        int armed = 0;
        do {
            was_pending |= this->make_idle();
            const uint64_t now = Wheel.get_jiffies_64();
            const uint64_t target = tick < now ? now : tick > last_tick ? last_tick : tick;
            upper_ = static_cast<uint32_t>(target >> stop_bits);
            armed = Wheel.mod_timer_idle(this, static_cast<jiffies_t>(first_stop(now, target)));
        } while (armed > 0);
        if (armed < 0) {
            // A full wheel has refused it, so the tick is nobody's.
            (void)this->stop_rearming();
        }
        return was_pending;
    }

    /// Arms or moves it to the `ticks`th tick from now.
    bool start_after_ticks(uint64_t ticks)
    {
        const uint64_t now = Wheel.get_jiffies_64();
        return start_at(ticks > last_tick - now ? last_tick : now + ticks);
    }

    /// Arms or moves it so that `ticks` whole ticks pass first, and less than one more.
    bool start_after_at_least(uint64_t ticks)
    {
        return start_after_ticks(ticks >= last_tick ? last_tick : ticks + 1);
    }

    /// Disarms it; true when it was pending. No call follows, but for one that is under way.
    bool cancel()
    {
        return this->stop_rearming();
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
        const uint64_t reach = now + longest_delay;
        return tick <= reach ? tick : reach - ((reach - tick) & (stop_ticks - 1));
    }

    static void call(timer_list *fired)
    {
        long_timer *const self = static_cast<long_timer *>(fired);
        const jiffies_t stop = *static_cast<volatile jiffies_t *>(&self->timer_list::expires);
        const uint32_t upper = self->upper_;
        // Started or cancelled since the wheel took this firing: the two words may be of different ticks then.
        if (self->pending() || !self->takes_arms()) {
            return;
        }
        const uint64_t now = Wheel.get_jiffies_64();
        // It fires less than 2^31 ticks late, so the difference of the low words is how late.
        const uint64_t stop_64 = now - (static_cast<jiffies_t>(now) - stop);
        if (stop_64 >> stop_bits < upper) {
            (void)Wheel.mod_timer_idle(self, stop + stop_ticks);
        } else {
            call_closure(self->callback, *self, 0);
        }
    }

    Closure callback;
    shared_word upper_ = 0;
};

} // namespace tickwheel

#endif
