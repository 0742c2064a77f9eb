// SPDX-License-Identifier: MIT
/// @file
/// Statistics of a wheel, by its hooks. `print` of tools/gdb shows them.

// Before the guard: it includes the program's hooks, which need this file.
#include <tickwheel/hooks.hpp>

#ifndef TICKWHEEL_STATISTICS_HPP
#define TICKWHEEL_STATISTICS_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>

namespace tickwheel
{

/// What has happened since reset. Each word may be read in any context. The counts wrap at 2^32.
struct wheel_counts {
    shared_word armed;     ///< Arms of idle timers.
    shared_word moved;     ///< Moves of pending timers.
    shared_word cancelled; ///< Pending timers that became idle.
    shared_word fired;     ///< Callbacks that began.
    shared_word cascaded;  ///< Moves by cascades, one for each timer and level.
    shared_word most_pending;
    /// The greatest number of ticks that were counted and not yet run.
    shared_word greatest_lag;
    /// Ticks from `expires` to the callback. An arm for a past tick counts as late.
    shared_word greatest_lateness;
    const timer_list *latest = nullptr; ///< The timer of `greatest_lateness`.
    /// In counts of Core::now(), with the interrupts that came during the callback.
    shared_word longest_callback;
    const timer_list *longest = nullptr; ///< The timer of `longest_callback`.
};

/// The hooks that count. Lock and Core are those of recorder.hpp.
template <class Lock, class Core>
class statistics : public no_hooks {
public:
    /// The counts.
    wheel_counts counts;

    /// How many timers are pending.
    uint32_t pending() const
    {
        return counts.armed - counts.cancelled - counts.fired;
    }

    /// @{ The hooks.
    void armed(const timer_list *)
    {
        counts.armed = counts.armed + 1;
        const uint32_t pending_now = pending();
        if (pending_now > counts.most_pending) {
            counts.most_pending = pending_now;
        }
    }
    void moved(const timer_list *)
    {
        counts.moved = counts.moved + 1;
    }
    void cancelled(const timer_list *)
    {
        counts.cancelled = counts.cancelled + 1;
    }
    void callback_begins(const timer_list *timer)
    {
        counts.fired = counts.fired + 1;
        const uint32_t lateness = now_ - timer->expires;
        if (lateness > counts.greatest_lateness) {
            counts.greatest_lateness = lateness;
            counts.latest = timer;
        }
        began_ = Core::now();
    }
    void callback_ends(const timer_list *timer)
    {
        const locked<Lock> lock;
        const uint32_t length = Core::now() - began_;
        if (length > counts.longest_callback) {
            counts.longest_callback = length;
            counts.longest = timer;
        }
    }
    void cascaded(const timer_list *)
    {
        counts.cascaded = counts.cascaded + 1;
    }
    void tick_with_work(jiffies_t now, jiffies_t next)
    {
        now_ = now;
        const uint32_t lag = now - next + 1;
        if (lag > counts.greatest_lag) {
            counts.greatest_lag = lag;
        }
    }
    /// @}

private:
    // The last tick with work. While the runner has work that is every tick, so in a callback it is jiffies.
    shared_word now_;
    uint32_t began_ = 0;
};

} // namespace tickwheel

#endif
