// SPDX-License-Identifier: MIT
// The shell's timers. A callback compares its tick with the tick that was asked for, and leaves a record. Thread code
// takes the records, since callbacks run in an interrupt. Call all functions but fired() from thread code.
#ifndef SHELL_TIMERS_HPP
#define SHELL_TIMERS_HPP

#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

namespace timers
{

using masked = tickwheel::locked<tickwheel::port_lock>;

/// Timers have the numbers 1 to `count`.
constexpr unsigned count = 8;

struct entry : timer_list {
    /// A copy of the tick for the check, which does not trust `expires`: the wheel holds that.
    jiffies_t asked;
    /// Ticks between firings; 0 fires once.
    jiffies_t period;
    /// 1 to 5: the level of the wheel, tv1 to tv5, in which the timer was armed.
    unsigned level;
};

enum verdict : unsigned { exact, skipped_over, late, early, verdicts };

/// The record of one firing.
struct firing {
    unsigned number;
    jiffies_t asked;
    jiffies_t got;
    unsigned level;
    verdict how;
};

inline entry entries[count];
inline volatile bool skips;
/// How many firings each verdict has had.
inline uint32_t counted[verdicts];

constexpr uint32_t most_records = 8;
inline firing records[most_records];
inline uint32_t written;
inline uint32_t taken;
/// Firings that have found no room for a record.
inline uint32_t without_record;

inline unsigned number_of(const timer_list *timer)
{
    return static_cast<unsigned>(static_cast<const entry *>(timer) - entries) + 1;
}

// The wheel numbers the lists of its levels in one row. A slot of tv2 has two lists.
inline unsigned level_of(unsigned slot)
{
    if (slot >> TICKWHEEL_TVR_BITS == 0) {
        return 1;
    }
    const unsigned above = (slot - (1u << TICKWHEEL_TVR_BITS)) >> TICKWHEEL_TVN_BITS;
    // A wheel of fewer bits has two slots beyond tv5.
    return above < 2 ? 2 : above < 4 ? above + 1 : 5;
}

/// In a callback, or masked: the timer must not fire before its tick is noted.
inline void arm(entry &timer, jiffies_t expires)
{
    (void)tickwheel_mod_timer(&timer, expires);
    timer.asked = expires;
    timer.level = level_of(timer.slot);
}

inline void fired(timer_list *expired)
{
    entry &timer = *static_cast<entry *>(expired);
    const verdict how = jiffies == timer.asked                        ? exact
                        : tickwheel_time_before(jiffies, timer.asked) ? early
                        : skips                                       ? skipped_over
                                                                      : late;
    ++counted[how];
    if (written - taken == most_records) {
        ++without_record;
    } else {
        records[written++ % most_records] = {number_of(expired), timer.asked, jiffies, timer.level, how};
    }
    if (timer.period != 0) {
        // From the tick that was asked for, not from now, so there is no drift.
        arm(timer, timer.asked + timer.period);
    }
}

inline void init()
{
    for (entry &timer : entries) {
        tickwheel_timer_setup(&timer, fired, 0);
    }
}

/// Lets `ticks` ticks pass at once, fewer than 2^31. Timers that were due in them fire late, before skip() returns.
inline void skip(uint32_t ticks)
{
    skips = true;
    if (tickwheel_advance(ticks) != 0) {
        (void)tickwheel_run();
    }
    skips = false;
}

/// Takes the oldest record. @return false if there is none
inline bool take(firing &record)
{
    const masked interrupts;
    if (written == taken) {
        return false;
    }
    record = records[taken++ % most_records];
    return true;
}

/// @return how many have fired without a record since the last call
inline uint32_t take_without_record()
{
    const masked interrupts;
    const uint32_t some = without_record;
    without_record = 0;
    return some;
}

} // namespace timers

#endif
