// SPDX-License-Identifier: MIT
// RTC1 of the nRF52840 as the counter of tickwheel::counter_tick, which says what each member must do.
#ifndef EXAMPLES_LOWPOWER_RTC_COUNTER_HPP
#define EXAMPLES_LOWPOWER_RTC_COUNTER_HPP

#include "../../boards/nrf52840dk/rtc1.hpp"

struct counter : board::rtc1 {
    static uint32_t mask()
    {
        uint32_t state = 0;
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
        return state;
    }
    static void unmask(uint32_t state)
    {
        __asm__ volatile("msr primask, %0\n\tisb" ::"r"(state) : "memory");
    }
    static void wait_for_interrupt()
    {
        __asm__ volatile("dsb\n\twfi" ::: "memory");
    }
    static void pend_softirq()
    {
        constexpr uintptr_t interrupt_control = 0xE000ED04;
        parts::at(interrupt_control) = 1u << 28;
    }
    static void ticks_passed(uint32_t /*ticks*/)
    {
    }
};

/// Gives PendSV, and so every callback, the lowest priority.
inline void lower_pendsv()
{
    constexpr uintptr_t handler_priorities_3 = 0xE000ED20;
    parts::at(handler_priorities_3) = parts::at(handler_priorities_3) | 0xFFu << 16;
}

#endif
