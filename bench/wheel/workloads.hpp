// SPDX-License-Identifier: MIT
// The workloads that are measured in every geometry, and the timers of all.
#pragma once

#include <stdint.h>

#include "measure.hpp"

namespace bench
{

/// A timer that its callback may re-arm.
struct periodic : timer_list {
    jiffies_t period;
};

constexpr unsigned max_timers = 10000;
/// N timers, and one more that is idle between operations.
inline periodic timers[max_timers + 1];

constexpr unsigned rounds = 8;
constexpr unsigned operations_a_round = 1024;
constexpr unsigned ticks_a_workload = 1u << 16;
constexpr jiffies_t longest_delay = 0xFFFF;

/// The n-th start of a workload: the usual one, the ends of a block and of larger blocks, then random ones.
inline jiffies_t start_of(unsigned n)
{
    constexpr jiffies_t starts[] = {TICKWHEEL_INITIAL_JIFFIES, 0x00012300, 0x000123FE, 0x00003FFE, 0x03FFFFFE};
    return n < sizeof starts / sizeof starts[0] ? starts[n] : numbers.next();
}

inline void do_nothing(timer_list * /*timer*/)
{
}

inline void arm_again(timer_list *timer)
{
    tickwheel_mod_timer(timer, timer->expires + static_cast<periodic *>(timer)->period);
}

/// Empties the wheel and makes all timers idle.
inline void start_afresh(jiffies_t start, void (*function)(timer_list *))
{
    tickwheel_init(start);
    for (periodic &each : timers) {
        tickwheel_timer_setup(&each, function, 0);
    }
}

/// Arms `count` timers at random delays.
inline void arm_all(unsigned count, jiffies_t from, jiffies_t to)
{
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_mod_timer(&timers[i], jiffies + numbers.between(from, to));
    }
}

/// Arm, cancel: a timer is armed while N others are pending, then one of the N + 1 is cancelled.
inline void arms_and_cancels(unsigned count)
{
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(start_of(n), do_nothing);
        arm_all(count, 1, longest_delay);
        timer_list *idle = &timers[count];
        for (unsigned i = 0; i < operations_a_round; ++i) {
            call<op_arm, tickwheel_mod_timer>(idle, jiffies + numbers.between(1, longest_delay));
            check(tickwheel_timer_pending(idle));
            idle = &timers[numbers.between(0, count)];
            check(call<op_cancel, tickwheel_timer_delete>(idle) == 1);
        }
    }
}

/// Move: a pending timer moves. `more` works on the timers after each round.
inline void moves(unsigned count, void (*more)(unsigned count))
{
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(start_of(n), do_nothing);
        arm_all(count, 1, longest_delay);
        for (unsigned i = 0; i < operations_a_round; ++i) {
            timer_list *const timer = &timers[numbers.between(0, count - 1)];
            call<op_move, tickwheel_mod_timer>(timer, jiffies + numbers.between(1, longest_delay));
            check(tickwheel_timer_pending(timer));
        }
        more(count);
    }
}

/// Busy tick: N periodic timers.
inline void busy_ticks(unsigned count)
{
    // A few short periods decide how much a tick has to do. This seed draws them as the distribution promises: at
    // every N within 4 % of 0.000627 N expiries a tick.
    numbers.state = 861565;
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
    for (unsigned i = 0; i < count; ++i) {
        timers[i].period = numbers.between(1, (1u << 14) - 1);
        tickwheel_mod_timer(&timers[i], jiffies + timers[i].period);
    }
    for (unsigned i = 0; i < ticks_a_workload; ++i) {
        tick<op_busy_tick>();
    }
}

/// Idle tick: ticks in which nothing is due.
inline void idle_ticks(unsigned count)
{
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    for (unsigned i = 0; i < ticks_a_workload; ++i) {
        tick<op_idle_tick>();
    }
    constexpr jiffies_t far = 1u << 22;
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    arm_all(count, far, far + 0xFFFF);
    for (unsigned i = 0; i < ticks_a_workload; ++i) {
        tick<op_far_tick>();
    }
}

} // namespace bench
