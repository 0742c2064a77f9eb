// SPDX-License-Identifier: MIT
// The shell's timers. Each firing is checked. Callbacks run in PendSV and leave a
// record each; thread code prints the records. Call all functions from thread code.
#ifndef SHELL_TIMERS_HPP
#define SHELL_TIMERS_HPP

#include <tickwheel/tickwheel.h>

namespace timers
{

/// Timers have the numbers 1 to `count`.
constexpr unsigned count = 16;

struct state {
    jiffies_t expires;
    /// Ticks between firings; 0 fires once.
    jiffies_t period;
    /// 1 to 5: the level of the wheel, tv1 to tv5, in which the timer was armed.
    unsigned level;
    bool armed;
};

/// `late` is no fault without a script: an emulator that keeps the PC's time is as late as the PC is busy.
enum verdict : uint8_t { exact, skipped_over, late, wrong_tick, out_of_order };

/// The record of one firing.
struct firing {
    unsigned number;
    jiffies_t asked;
    jiffies_t got;
    unsigned level;
    /// Periods that skip() jumped over. They do not fire.
    uint32_t missed;
    verdict what;
};

struct totals {
    /// How often each verdict was given.
    uint32_t of[5];
    /// The exact firings, by level.
    uint32_t exact[5];
    /// Timers that should have fired and did not, or whose state in the wheel was not what the shell expected.
    uint32_t lost;
};

void init();

/// A script runs from now on, so each timer must fire in its exact tick.
void expect_exact_ticks();

/// Arms a free timer, `delay` ticks from now, 1 to 2^31 - 1. @return its number, or 0 if none is free
unsigned arm(jiffies_t delay, jiffies_t period);

/// Moves an armed timer to `delay` ticks from now. @return false if it is not armed
bool move(unsigned number, jiffies_t delay);

/// @return false if the timer is not armed
bool remove(unsigned number);

state look(unsigned number);

/// The number of a timer of the wheel.
unsigned number_of(const timer_list *timer);

/// Lets `ticks` ticks pass at once, fewer than 2^31. Timers that were due in them fire late, before skip() returns.
void skip(uint32_t ticks);

/// Takes the oldest record. @return false if there is none
bool take_firing(firing &result);

/// The number of firings without a record, since too many came at once. They are checked and counted.
uint32_t unprinted();

/// Deletes all timers. @return the counts of the checks
totals stop();

} // namespace timers

#endif
