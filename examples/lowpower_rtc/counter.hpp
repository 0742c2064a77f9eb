// SPDX-License-Identifier: MIT
// RTC1 of the nRF52840 as the counter of tickwheel::counter_tick.
#ifndef EXAMPLES_LOWPOWER_RTC_COUNTER_HPP
#define EXAMPLES_LOWPOWER_RTC_COUNTER_HPP

#include <tickwheel/cortex_m_counter.hpp>

#include "../../boards/nrf52840dk/rtc1.hpp"

struct counter : board::rtc1, tickwheel::cortex_m_counter {};

/// Gives PendSV, and so every callback, the lowest priority.
inline void lower_pendsv()
{
    constexpr uintptr_t handler_priorities_3 = 0xE000ED20;
    parts::at(handler_priorities_3) = parts::at(handler_priorities_3) | 0xFFu << 16;
}

#endif
