// SPDX-License-Identifier: MIT
/// @file
/// The port to Zephyr. The kernel holds its own lock in each call of the wheel, so there is nothing to mask.
/// During an announce the wheel opens that lock at its interrupt windows.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <tickwheel/zephyr.h>

#if TICKWHEEL_GEOMETRY == 1
#error "TICKWHEEL_GEOMETRY must be 86, 64 or 62: a list is what the kernel has without tickwheel"
#endif

namespace tickwheel
{

/// The lock of a caller that already holds one.
struct port_lock {
    static uint32_t irq_save()
    {
        __asm__ volatile("" ::: "memory");
        return 0;
    }

    static void irq_restore(uint32_t /*state*/)
    {
        __asm__ volatile("" ::: "memory");
    }

    static void irq_mask_all()
    {
        (void)irq_save();
    }

    /// Only a run makes this call, and only an announce runs the wheel.
    static void interrupt_window(uint32_t /*state*/)
    {
        tickwheel_zephyr_interrupt_window();
    }
};

} // namespace tickwheel

#endif
