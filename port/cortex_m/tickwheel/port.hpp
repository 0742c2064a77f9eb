// SPDX-License-Identifier: MIT
// The port to every Cortex-M: the lock, nothing else. It masks by PRIMASK unless
// one of these is defined for the whole program:
//   TICKWHEEL_LOCK_BASEPRI=<priority>  v7-M and up: masks interrupts of this
//       priority value and of larger ones (less urgent); those above it are never
//       delayed and must not call the wheel. The value as it stands in the
//       register: 0x60, not 3; 1 to 255.
//   TICKWHEEL_LOCK_NONE                no lock: all calls come from one context.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#if defined(TICKWHEEL_LOCK_BASEPRI) && defined(TICKWHEEL_LOCK_NONE)
#error "choose one of TICKWHEEL_LOCK_BASEPRI and TICKWHEEL_LOCK_NONE"
#endif
#if defined(TICKWHEEL_LOCK_BASEPRI)
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#error "this core has no BASEPRI: use the PRIMASK lock"
#endif
#if TICKWHEEL_LOCK_BASEPRI < 1 || TICKWHEEL_LOCK_BASEPRI > 255
#error "TICKWHEEL_LOCK_BASEPRI must be 1 to 255; 0 would mask nothing"
#endif
#endif

namespace tickwheel
{

// Inlined always: -Os would make calls of them, longer than what they do.
// Every asm here is volatile and clobbers memory: the compiler moves no access
// to the wheel across it. A write to PRIMASK or BASEPRI takes effect for the next
// instruction when it masks; when it unmasks, a pending interrupt is sure to be
// taken only after an ISB (Armv7-M ARM, B5.2.3 "CPS" and "MSR"; AN321, 4.4).
struct port_lock {
    [[gnu::always_inline]] static uint32_t irq_save()
    {
        uint32_t state = 0;
#if defined(TICKWHEEL_LOCK_BASEPRI)
        // BASEPRI_MAX is only ever raised by a write, so a caller's stricter mask stays.
        __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1\n\tdsb\n\tisb"
                         : "=&r"(state)
                         : "r"(TICKWHEEL_LOCK_BASEPRI)
                         : "memory");
#elif defined(TICKWHEEL_LOCK_NONE)
        __asm__ volatile("" ::: "memory");
#else
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
#endif
        return state;
    }

    [[gnu::always_inline]] static void irq_restore(uint32_t state)
    {
#if defined(TICKWHEEL_LOCK_BASEPRI)
        __asm__ volatile("msr basepri, %0" ::"r"(state) : "memory");
#elif defined(TICKWHEEL_LOCK_NONE)
        (void)state;
        __asm__ volatile("" ::: "memory");
#else
        __asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
#endif
    }

    [[gnu::always_inline]] static void irq_window(uint32_t state)
    {
        irq_restore(state);
#if !defined(TICKWHEEL_LOCK_NONE)
        __asm__ volatile("isb" ::: "memory");
#endif
        (void)irq_save();
    }
};

} // namespace tickwheel

#endif
