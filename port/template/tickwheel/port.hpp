// SPDX-License-Identifier: MIT
// An empty port. It compiles and protects nothing. Copy this folder, and fill in the
// four functions by the rules of ../../README.md. Put the copy on the include path
// in place of the other ports.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

struct port_lock {
    /// Masks every interrupt that uses timers. Returns what irq_restore() needs to undo exactly that.
    static uint32_t irq_save()
    {
        __asm__ volatile("" ::: "memory");
        return 0;
    }

    /// Restores the mask of before the irq_save() that returned `state`.
    static void irq_restore(uint32_t state)
    {
        (void)state;
        __asm__ volatile("" ::: "memory");
    }

    /// Masks as irq_save() does. The caller has the state already, so a port need not read it here.
    static void irq_mask_all()
    {
        (void)irq_save();
    }

    /// Lets pending interrupts run, if `state` allows it, and masks again.
    static void interrupt_window(uint32_t state)
    {
        irq_restore(state);
        irq_mask_all();
    }
};

} // namespace tickwheel

#endif
