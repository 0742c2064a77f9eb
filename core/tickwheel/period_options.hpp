// SPDX-License-Identifier: MIT
/// @file
/// What a periodic_timer may have beside its period: a slack, or a count of its calls. A timer without an option has
/// no byte more.
#ifndef TICKWHEEL_PERIOD_OPTIONS_HPP
#define TICKWHEEL_PERIOD_OPTIONS_HPP

#include <stdint.h>

#include <tickwheel/bitmap.hpp>
#include <tickwheel/shared_word.hpp>

namespace tickwheel
{

/// A periodic_timer calls each of these at its place.
class no_option {
protected:
    /// A start arms for the tick of its period.
    void arms_in_period()
    {
    }
    /// The re-arm for the period that ends in `tick`. Returns the tick to arm for.
    jiffies_t arms_within(jiffies_t tick, jiffies_t /*period*/, jiffies_t /*longest*/)
    {
        return tick;
    }
    /// Ticks from the end of the period to the tick that the timer is armed for.
    jiffies_t behind_period() const
    {
        return 0;
    }
    /// A call begins.
    void counts()
    {
    }
};

/// Each call but the first may come up to so many ticks after its period has ended. Calls of timers with a slack then
/// meet in one tick, as by tickwheel_mod_timer_within(), and wake a sleeper once. The periods do not drift. The timer
/// has 8 bytes more. A slack counts as at most a period less one tick, and as 2^31 - 1 ticks less a period.
class slack : public no_option {
public:
    /// A slack of so many ticks.
    constexpr explicit slack(jiffies_t ticks) : ticks_(ticks)
    {
    }
    /// Sets the slack of the calls after the next one; in the callback, of those after this call. From any context.
    void set_slack(jiffies_t ticks)
    {
        ticks_ = ticks;
    }

protected:
    /// @{ As in no_option.
    // Only a start and the re-arm write behind_. The re-arm writes it before it arms. If it then finds the timer
    // pending, an interrupt has started the timer, and the re-arm takes its own value back.
    void arms_in_period()
    {
        behind_ = 0;
    }
    jiffies_t arms_within(jiffies_t tick, jiffies_t period, jiffies_t longest)
    {
        const jiffies_t most = period <= longest / 2 ? period - 1 : longest - period;
        const jiffies_t asked = ticks_;
        const jiffies_t width = asked < most ? asked : most;
        const jiffies_t chosen = roundest_tick(tick, tick + width);
        behind_ = chosen - tick;
        return chosen;
    }
    jiffies_t behind_period() const
    {
        return behind_;
    }
    /// @}

private:
    shared_word ticks_;
    shared_word behind_ = 0;
};

/// Counts the calls of a periodic_timer, which has 8 bytes more.
class call_count : public no_option {
public:
    /// How many calls have begun since the last status(). One context asks; calls may come meanwhile.
    uint32_t status()
    {
        const uint32_t all = calls_;
        const uint32_t since = all - asked_;
        asked_ = all;
        return since;
    }

protected:
    /// A call begins.
    void counts()
    {
        calls_ = calls_ + 1;
    }

private:
    shared_word calls_ = 0;
    shared_word asked_ = 0;
};

} // namespace tickwheel

#endif
