// SPDX-License-Identifier: MIT
/// @file
/// The port to every Cortex-M. It is only the lock. It masks by PRIMASK, unless you
/// define one of these for the whole program:
/// - `TICKWHEEL_LOCK_BASEPRI=<priority>`, v7-M and up. It masks interrupts of this
///   priority value and of larger, less urgent values. More urgent interrupts are
///   never delayed, and must not call the wheel. Write the value as the register has
///   it: 0x60, not 3. A chip has only the upper 3 to 8 bits of it. Without
///   `TICKWHEEL_PRIORITY_BITS=<bits>`, which is `__NVIC_PRIO_BITS` of its CMSIS
///   header, the value must be 0x20 or more, so that it masks on each chip.
/// - `TICKWHEEL_LOCK_NONE`, no lock. All calls must come from one context.
///
/// With BASEPRI on a Cortex-M7 r0p1, or any Cortex-M7 if you do not know, define also
/// - `TICKWHEEL_ERRATUM_837070`, because its BASEPRI masks one instruction late.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

#if defined(TICKWHEEL_LOCK_BASEPRI) && defined(TICKWHEEL_LOCK_NONE)
#error "choose one of TICKWHEEL_LOCK_BASEPRI and TICKWHEEL_LOCK_NONE"
#endif
#if defined(TICKWHEEL_LOCK_BASEPRI)
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#error "this core has no BASEPRI: use the PRIMASK lock"
#endif
#if !defined(TICKWHEEL_PRIORITY_BITS)
#define TICKWHEEL_PRIORITY_BITS 3
#endif
#if TICKWHEEL_PRIORITY_BITS + 0 >= 3 && TICKWHEEL_PRIORITY_BITS + 0 <= 8
#else
#error "TICKWHEEL_PRIORITY_BITS must be 3 to 8, as __NVIC_PRIO_BITS of the chip's CMSIS header"
#endif
#if TICKWHEEL_LOCK_BASEPRI + 0 >= 1 && TICKWHEEL_LOCK_BASEPRI + 0 <= 255
#if (TICKWHEEL_LOCK_BASEPRI + 0) >> (8 - (TICKWHEEL_PRIORITY_BITS + 0)) == 0
#error "TICKWHEEL_LOCK_BASEPRI masks nothing: its upper TICKWHEEL_PRIORITY_BITS bits are 0"
#endif
#else
#error "TICKWHEEL_LOCK_BASEPRI must be 1 to 255; 0 would mask nothing"
#endif
static_assert(TICKWHEEL_STRING(TICKWHEEL_LOCK_BASEPRI)[0] != '0' ||
                  (TICKWHEEL_STRING(TICKWHEEL_LOCK_BASEPRI)[1] | 0x20) == 'x',
              "TICKWHEEL_LOCK_BASEPRI must be 1 to 255, without a 0 in front, which makes it octal");
#endif
// An empty value makes 1 - - 1 of it.
#if defined(TICKWHEEL_LOCK_NONE) && 1 - TICKWHEEL_LOCK_NONE - 1 == 0
#error "TICKWHEEL_LOCK_NONE is chosen by any value, also by 0: leave it out"
#endif
#if defined(TICKWHEEL_ERRATUM_837070) && 1 - TICKWHEEL_ERRATUM_837070 - 1 == 0
#error "TICKWHEEL_ERRATUM_837070 is chosen by any value, also by 0: leave it out"
#endif
#if defined(TICKWHEEL_ERRATUM_837070) && !defined(TICKWHEEL_LOCK_BASEPRI)
#error "TICKWHEEL_ERRATUM_837070 is of BASEPRI: it goes with TICKWHEEL_LOCK_BASEPRI"
#endif

namespace tickwheel
{

// Always inlined, because at -Os the calls would be longer than the functions.
// Every asm is volatile and clobbers memory, so the compiler moves no access to the
// wheel across it. A write to PRIMASK or BASEPRI that masks takes effect for the next
// instruction. After one that unmasks, a pending interrupt is sure to run only after
// an ISB (Armv7-M ARM, B5.2.3 "CPS" and "MSR"; AN321, 4.4).
/// The lock of the default wheel.
struct port_lock {
    /// Masks. Returns what irq_restore() needs.
    [[gnu::always_inline]] static uint32_t irq_save()
    {
        if (TICKWHEEL_DEBUG) {
            check_caller();
        }
        uint32_t state = 0;
#if defined(TICKWHEEL_ERRATUM_837070)
        // PRIMASK masks until the ISB. Otherwise one more interrupt might run, with BASEPRI raised.
        uint32_t primask = 0;
        __asm__ volatile(
            "mrs %0, basepri\n\tmrs %1, primask\n\tcpsid i\n\tmsr basepri_max, %2\n\tdsb\n\tisb\n\tmsr primask, %1"
            : "=&r"(state), "=&r"(primask)
            : "r"(TICKWHEEL_LOCK_BASEPRI)
            : "memory");
#elif defined(TICKWHEEL_LOCK_BASEPRI)
        // A write to BASEPRI_MAX can only mask more, so a caller's stricter mask stays.
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

    /// Undoes the irq_save() that returned `state`.
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

    /// Masks as irq_save() does, for a caller that already has a state, so that it need not read the mask.
    [[gnu::always_inline]] static void irq_mask_all()
    {
#if defined(TICKWHEEL_ERRATUM_837070)
        (void)irq_save();
#elif defined(TICKWHEEL_LOCK_BASEPRI)
        __asm__ volatile("msr basepri_max, %0\n\tdsb\n\tisb" ::"r"(TICKWHEEL_LOCK_BASEPRI) : "memory");
#elif defined(TICKWHEEL_LOCK_NONE)
        __asm__ volatile("" ::: "memory");
#else
        __asm__ volatile("cpsid i" ::: "memory");
#endif
    }

    /// Lets pending interrupts run, and masks again.
    [[gnu::always_inline]] static void interrupt_window(uint32_t state)
    {
        irq_restore(state);
#if !defined(TICKWHEEL_LOCK_NONE)
        __asm__ volatile("isb" ::: "memory");
#endif
        irq_mask_all();
    }

    /// The ticks that have begun while the caller holds off SysTick's handler: 0 or 1, since SysTick pends once
    /// (PENDSTSET of ICSR, Armv7-M ARM, B3.2.4). If another timer counts the wheel's ticks, this may be 1 all the
    /// same, and an "at least" delay is then one tick longer.
    static uint32_t uncounted_ticks()
    {
        return reg(interrupt_control) >> 26 & 1u;
    }

    /// Debug builds report a caller that the lock does not mask, and a lock that masks nothing.
    [[gnu::noinline]] static void check_caller()
    {
#if !defined(TICKWHEEL_LOCK_NONE)
        const uint32_t exception = current_exception();
        constexpr uint32_t nmi = 2;
        constexpr uint32_t hard_fault = 3;
        if (exception == nmi || exception == hard_fault) {
            tickwheel_bug("called from NMI or HardFault, which nothing masks", nullptr);
        }
#endif
#if defined(TICKWHEEL_LOCK_BASEPRI)
        // A core has only the upper bits of each priority.
        uint32_t before = 0;
        uint32_t raised = 0;
        __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %2\n\tmrs %1, basepri\n\tmsr basepri, %0"
                         : "=&r"(before), "=&r"(raised)
                         : "r"(TICKWHEEL_LOCK_BASEPRI)
                         : "memory");
        raised &= preempting_bits();
        if (raised == 0) {
            tickwheel_bug("TICKWHEEL_LOCK_BASEPRI masks nothing on this core", nullptr);
        } else if (exception >= first_with_priority && preemption_priority(exception) < raised &&
                   !is_call_of_a_thread(exception)) {
            tickwheel_bug("called from an interrupt that the lock does not mask", nullptr);
        }
#endif
    }

    /// Debug builds report a run in PendSV that delays the tick's interrupt, because time then stands still in the
    /// callbacks. `ticked_in` belongs to the wheel. It is the last exception that counted ticks, and 0 at first. Bit
    /// 31 is set if that exception has also counted before, with no other in between: an interrupt that counts the
    /// ticks of a sleep once is not the tick's. Only ticks write it. Both priorities are read in each run, because a
    /// vendor's HAL sets that of SysTick again when it sets the clock.
    [[gnu::noinline]] static void check_preemption(uint32_t &ticked_in, bool in_run)
    {
        constexpr uint32_t pendsv = 14;
        constexpr uint32_t again = 1u << 31;
        const uint32_t exception = current_exception();
        if (!in_run) {
            // Thread code may count too, after a sleep.
            if (exception >= first_with_priority) {
                ticked_in = (ticked_in & ~again) == exception ? exception | again : exception;
            }
        } else if (exception == pendsv && ticked_in > again && ticked_in != (pendsv | again) &&
                   preemption_priority(ticked_in & ~again) >= preemption_priority(pendsv)) {
            tickwheel_bug("PendSV is not below the tick's interrupt: time stands still during callbacks", nullptr);
        }
    }

private:
    /// Reset, NMI and HardFault have no priority to set.
    static constexpr uint32_t first_with_priority = 4;

    static constexpr uintptr_t interrupt_control = 0xE000ED04;

    /// SVC that thread code has executed. The thread does not hold the lock then, because the library executes no
    /// SVC. An interrupt may execute SVC while a thread holds the lock, but then two exceptions are active: RETTOBASE
    /// is 0.
    static bool is_call_of_a_thread(uint32_t exception)
    {
        constexpr uint32_t supervisor_call = 11;
        return exception == supervisor_call && (reg(interrupt_control) >> 11 & 1u) != 0;
    }

    static uint32_t current_exception()
    {
        uint32_t exception = 0;
        __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
        return exception;
    }

    /// The lower PRIGROUP + 1 bits of a priority do not preempt and are not masked (Armv7-M ARM, B1.5.4). PRIGROUP
    /// reads as 0 on Armv6-M.
    static uint32_t preempting_bits()
    {
        return 0xFFu & ~((2u << (reg(0xE000ED0C) >> 8 & 7u)) - 1u);
    }

    /// The part of an exception's priority that preempts; a smaller value is more urgent. Armv6-M reads priorities
    /// as words only.
    static uint32_t preemption_priority(uint32_t exception)
    {
        constexpr uint32_t first_interrupt = 16;
        const uintptr_t address = exception >= first_interrupt ? 0xE000E400 + exception - first_interrupt
                                                               : 0xE000ED18 + exception - first_with_priority;
        return reg(address & ~uintptr_t{3}) >> address % 4 * 8 & preempting_bits();
    }

    static uint32_t reg(uintptr_t address)
    {
        return *reinterpret_cast<const volatile uint32_t *>(address);
    }
};

} // namespace tickwheel

#endif
