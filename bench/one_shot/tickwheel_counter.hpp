// SPDX-License-Identifier: MIT
// A counter of a microsecond in memory, which the workloads write. It costs what a register costs.
#ifndef TICKWHEEL_COUNTER_HPP
#define TICKWHEEL_COUNTER_HPP

#include <stdint.h>

struct tickwheel_counter {
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = 1000000;
    static constexpr uint32_t min_ahead = 1;

    static inline volatile uint32_t count;
    static inline volatile uint32_t alarm;
    static inline volatile bool pending;

    static uint32_t read()
    {
        return count;
    }
    static void set_alarm(uint32_t at)
    {
        alarm = at;
    }
    static void pend_alarm()
    {
        pending = true;
    }
};

#endif
