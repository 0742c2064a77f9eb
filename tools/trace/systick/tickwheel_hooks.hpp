// SPDX-License-Identifier: MIT
/// @file
/// Ready-made hooks for the default wheel, in a program whose tick is SysTick: they record the last events.
/// Build the library and your own files with -DTICKWHEEL_HOOKS=1 -Itools/trace -Itools/trace/systick.
#ifndef TICKWHEEL_READY_MADE_HOOKS_HPP
#define TICKWHEEL_READY_MADE_HOOKS_HPP

#include <stdint.h>

#include <tickwheel/port.hpp>
#include <tickwheel/recorder.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The last events.
inline trace_ring<256> wheel_trace;

/// Counts of SysTick, from jiffies and the counter. It goes on during sleep, as jiffies does. A record can be up to
/// one tick too early if an interrupt makes it that has pre-empted SysTick's handler before that counts the tick.
struct systick_core {
    /// The count now. Interrupts must be masked.
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
        const uint32_t per_tick = wheel_trace.counts_per_tick;
        return tick * per_tick + (counts < per_tick ? counts : per_tick - 1);
    }

    /// The exception that runs.
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

/// Call this with the clock of SysTick before the first timer is armed.
inline void start_trace(uint32_t clock_hz)
{
    wheel_trace.counts_per_tick = clock_hz / TICKWHEEL_HZ;
    wheel_trace.time_hz = wheel_trace.counts_per_tick * TICKWHEEL_HZ;
}

} // namespace tickwheel

/// The hooks of the default wheel.
using tickwheel_hooks = tickwheel::recorder<tickwheel::port_lock, tickwheel::systick_core, tickwheel::wheel_trace>;

#endif
