// SPDX-License-Identifier: MIT
// The port to a PC: an interrupt mask that exists only as a number, so that a
// test can see whether it balances, and can let "interrupts" in at every point
// where it opens. One thread.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#error "port/host masks no interrupt: a Cortex-M takes port/cortex_m"
#endif

namespace tickwheel
{

/// What a test sees and sets of the lock.
struct host_interrupts {
    /// How many irq_save() have not been restored; 0: interrupts are on.
    uint32_t depth = 0;
    /// How often the lock has become free.
    unsigned long opened = 0;
    /// Called each time that the lock has become free, with interrupts on. May call the wheel, which calls this
    /// again.
    void (*on_open)() = nullptr;
};

inline host_interrupts interrupts;

struct port_lock {
    static uint32_t irq_save()
    {
        __asm__ volatile("" ::: "memory");
        return interrupts.depth++;
    }

    static void irq_restore(uint32_t depth)
    {
        __asm__ volatile("" ::: "memory");
        interrupts.depth = depth;
        if (depth == 0) {
            ++interrupts.opened;
            if (interrupts.on_open != nullptr) {
                interrupts.on_open();
            }
        }
    }

    static void preemption_point(uint32_t depth)
    {
        irq_restore(depth);
        (void)irq_save();
    }
};

} // namespace tickwheel

#endif
