// SPDX-License-Identifier: MIT
/// @file
/// The common part of every Counter of counter_tick.hpp on a Cortex-M: the mask, the sleep, and the interrupt that
/// runs the callbacks. SysTick's driver uses it too.
#ifndef TICKWHEEL_CORTEX_M_COUNTER_BASE_HPP
#define TICKWHEEL_CORTEX_M_COUNTER_BASE_HPP

#include <stdint.h>

#ifdef TICKWHEEL_WAIT_FOR_INTERRUPT
extern "C" void TICKWHEEL_WAIT_FOR_INTERRUPT();
#endif

namespace tickwheel
{

/// Derive your Counter from this class. It then needs `bits`, `hz`, `min_ahead`, read() and set_alarm(), and
/// redefines what it does differently. Give PendSV the lowest priority, and call tickwheel_run() in its handler.
struct cortex_m_counter_base {
    /// Masks all interrupts by PRIMASK, which does not keep them from waking the core as BASEPRI would. Returns what
    /// unmask() needs. Calls may nest.
    static uint32_t mask()
    {
        uint32_t state = 0;
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
        return state;
    }

    /// Undoes the mask() that returned `state`. The ISB makes a pending interrupt run before the next instruction.
    static void unmask(uint32_t state)
    {
        __asm__ volatile("msr primask, %0\n\tisb" ::"r"(state) : "memory");
    }

    /// Stops the core until an interrupt is pending. Called masked. All stores are done before the core stops
    /// (DSB). The ISB makes the core fetch the instructions after the WFI again. Several STM32 execute wrong
    /// instructions there if they wake in flash with interrupts masked, while bits of DBGMCU keep the clocks on
    /// for a debugger. OpenOCD leaves these bits set.
    ///
    /// For a part that needs more, TICKWHEEL_WAIT_FOR_INTERRUPT is the name of a function of yours in C that does all
    /// of this. It may lie in RAM, or wait some cycles after the WFI (anomaly 168 of the nRF5340), or place the WFI
    /// at an address that does not end with 4 (ES0182 of the STM32F405).
    static void wait_for_interrupt()
    {
#ifdef TICKWHEEL_WAIT_FOR_INTERRUPT
        TICKWHEEL_WAIT_FOR_INTERRUPT();
#else
        __asm__ volatile("dsb\n\twfi\n\tisb" ::: "memory");
#endif
    }

    /// Pends PendSV.
    static void pend_softirq()
    {
        constexpr uintptr_t interrupt_control = 0xE000ED04;
        *reinterpret_cast<volatile uint32_t *>(interrupt_control) = 1u << 28;
    }

    /// Called when ticks have been counted, for a HAL's counter. Does nothing.
    static void ticks_passed(uint32_t /*ticks*/)
    {
    }
};

} // namespace tickwheel

#endif
