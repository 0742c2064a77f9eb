// SPDX-License-Identifier: MIT
// The port to a PC, for one thread. The interrupt mask is only a number. A test can
// see whether each save has its restore, and can run an "interrupt" whenever the
// lock becomes free.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#error "port/host masks no interrupt: a Cortex-M takes port/cortex_m"
#endif

namespace tickwheel
{

/// The lock as tests see and set it.
struct host_interrupts {
    /// How many irq_save() have not been restored. 0 means that interrupts are on.
    uint32_t depth = 0;
    /// Whether an irq_restore() has found interrupts on already.
    bool restored_twice = false;
    /// How many ticks have begun and are not counted yet.
    uint32_t uncounted_ticks = 0;
    /// Called with interrupts on, each time the lock has become free. It may call the wheel, and is then called
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
        interrupts.restored_twice |= interrupts.depth <= depth;
        interrupts.depth = depth;
        if (depth == 0 && interrupts.on_open != nullptr) {
            interrupts.on_open();
        }
    }

    static void irq_mask_all()
    {
        (void)irq_save();
    }

    static void interrupt_window(uint32_t depth)
    {
        irq_restore(depth);
        irq_mask_all();
    }

    static uint32_t uncounted_ticks()
    {
        return interrupts.uncounted_ticks;
    }
};

} // namespace tickwheel

#endif
