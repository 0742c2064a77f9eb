// SPDX-License-Identifier: MIT
/// @file
/// The time of a trace on a Cortex-M whose tick is SysTick.
#ifndef TICKWHEEL_SYSTICK_CORE_HPP
#define TICKWHEEL_SYSTICK_CORE_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// Counts of SysTick, from jiffies and the counter. It goes on during sleep, as jiffies does. A record can be up to
/// one tick too early if an interrupt makes it that has pre-empted SysTick's handler before that counts the tick.
struct systick_core {
    /// The counts of a tick, rounded down. Write it before the first record.
    static inline uint32_t counts_per_tick = 1;

    /// Masked.
    static uint32_t now()
    {
        constexpr uintptr_t reload = 0xE000E014;
        constexpr uintptr_t current = 0xE000E018;
        constexpr uintptr_t interrupt_control = 0xE000ED04;
        constexpr uint32_t pend_systick = 1u << 26;
        uint32_t tick = ::jiffies;
        uint32_t left = at(current);
        if ((at(interrupt_control) & pend_systick) != 0) {
            // The counter has wrapped, and jiffies does not know yet. Read again: the wrap may have come in between.
            left = at(current);
            ++tick;
        }
        // The counter reads 0 for one count before it takes the reload.
        const uint32_t counts = left == 0 ? 0 : at(reload) - left;
        return tick * counts_per_tick + (counts < counts_per_tick ? counts : counts_per_tick - 1);
    }

    static uint32_t exception()
    {
        uint32_t number = 0;
        __asm__ volatile("mrs %0, ipsr" : "=r"(number));
        return number;
    }

private:
    static uint32_t at(uintptr_t address)
    {
        return *reinterpret_cast<const volatile uint32_t *>(address);
    }
};

} // namespace tickwheel

#endif
