// SPDX-License-Identifier: MIT
// The shell's timers, and the judge of when they fire. Callbacks run in PendSV and
// leave a record each; thread code prints them. All functions: thread code.
#ifndef SHELL_TIMERS_HPP
#define SHELL_TIMERS_HPP

#include <tickwheel/tickwheel.h>

namespace timers
{

/// Timers are numbered from 1 to this.
constexpr unsigned count = 16;

/// Where a timer stands.
struct state {
    jiffies_t expires;
    /// Ticks between firings; 0 fires once.
    jiffies_t period;
    /// 1 to 5: the level of the wheel, tv1 to tv5, that a delay of this length begins in.
    unsigned level;
    bool armed;
};

enum class verdict : uint8_t { exact, skipped_over, wrong_tick, out_of_order };

/// A timer has fired.
struct firing {
    unsigned number;
    jiffies_t asked;
    jiffies_t got;
    unsigned level;
    /// Periods that skip() jumped over; they do not fire.
    uint32_t missed;
    verdict what;
};

struct totals {
    /// By level: those that fired in the tick they asked for, in order.
    uint32_t exact[5];
    uint32_t skipped_over;
    uint32_t wrong_tick;
    uint32_t out_of_order;
    /// Timers that should have fired and did not, or that the wheel did not hold when they were armed.
    uint32_t lost;
};

void init();

/// Arms a free timer, `delay` ticks from now, 1 to 2^31 - 1. @return its number, 0 when none is free
unsigned arm(jiffies_t delay, jiffies_t period);

/// Moves an armed timer to `delay` ticks from now. @return false when it is not armed
bool move(unsigned number, jiffies_t delay);

/// @return false when it is not armed
bool remove(unsigned number);

state look(unsigned number);

/// `ticks` ticks pass at once, below 2^31; what they jump over fires late, before this returns.
void skip(uint32_t ticks);

/// The oldest firing that has not been told yet. @return false when there is none
bool take_firing(firing &result);

/// Firings that were judged and counted, but are not told, since too many came at once.
uint32_t unprinted();

/// Deletes all timers; @return what the judge has seen until then.
totals stop();

} // namespace timers

#endif
