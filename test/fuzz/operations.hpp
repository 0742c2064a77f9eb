// SPDX-License-Identifier: MIT
// The fuzzer's operations. Each draws its arguments at random, within the contract.
#pragma once

#include <stdint.h>

#include "oracle.hpp"

namespace fuzz
{

/// How deep interrupts and callbacks are nested, so that they end.
inline unsigned depth;
/// One interrupt in this many interrupt windows; 0: none.
inline uint32_t interrupt_every;
inline unsigned long fired;
inline unsigned long interrupts_taken;

// --- timers.cpp

/// mod_timer(); a delay beyond the contract is shortened.
void arm(unsigned i, jiffies_t expires);
/// The same with a random expiry.
void arm(unsigned i);
/// Arms all timers for nearly the same time, and returns the tick of one.
jiffies_t crowd();
void del(unsigned i);
void del_sync(unsigned i, bool insist);
/// Sets up a timer that is not pending.
void set_up(unsigned i);
/// Makes any call on a timer, or a search.
void operate_on_a_timer();

// --- runs.cpp

/// The callback of all timers.
void callback(timer_list *real);
/// Called by `tickwheel::interrupts` when the lock has opened.
void on_open();
/// Takes the steps that the runner has made since the last call of this: it has taken a timer, which is not pending
/// any more, or it has ended.
void follow_runner();
/// next_expiry() or next_event().
void search();
/// How many ticks may be counted before the runner comes.
uint32_t room();
/// In 62 a long step passes many ranges, each of which moves every far timer, so few steps are long there.
bool is_too_long(uint32_t step);
uint32_t random_step();
/// Counts ticks; an advance of 1 is a tick.
void count(uint32_t ticks);
void run(unsigned budget);
/// Runs until no work is left, with a few steps for each call.
void run_step_by_step();
/// Sleeps from event to event until the earliest timer fires.
void sleep();
/// Oversleeps until a block is nearly over, whose next block has this tick. Asks for the next event after a run, when
/// that cascade may have begun.
void wake_late_before(jiffies_t tick);

} // namespace fuzz
