// SPDX-License-Identifier: MIT
// The machine of the stress test: three one-shot timers of the board with an
// interrupt each, their priorities, and a mask. The mask is not the wheel's own, so
// a broken lock does not break the checks.
//
// The emulator gives each instruction 64 ns. Every timer counts faster than that, so
// an interrupt can come after any number of instructions.
#ifndef TICKWHEEL_TEST_STRESS_MACHINE_HPP
#define TICKWHEEL_TEST_STRESS_MACHINE_HPP

#if defined(__riscv)
#include "machine_riscv.hpp"
#elif defined(STRESS_A9)
#include "machine_a9.hpp"
#else

#include "../../support/target.hpp"

namespace stress
{

/// The instructions of software on the way into a handler.
constexpr uint32_t longest_entry = 0;

/// Two interrupts that call the wheel, and one above the lock that does not.
enum line : unsigned { low, high, watcher, line_count };

#if defined(STRESS_MICROBIT)

// nRF51 TIMER0, 1 and 2 at 16 MHz.
constexpr uint32_t counts(uint32_t instructions)
{
    return instructions;
}
constexpr uintptr_t timer_base(line which)
{
    return 0x40008000 + 0x1000 * which;
}
inline void timer_stop(line which)
{
    at(timer_base(which) + 0x004) = 1;
    at(timer_base(which) + 0x140) = 0;
}
inline void timer_start(line which, uint32_t instructions)
{
    at(timer_base(which) + 0x00C) = 1;
    at(timer_base(which) + 0x508) = 3;
    at(timer_base(which) + 0x510) = 0;
    at(timer_base(which) + 0x540) = counts(instructions);
    at(timer_base(which) + 0x304) = 1u << 16;
    at(timer_base(which) + 0x000) = 1;
}

#else

// CMSDK TIMER0 and 1, and the first half of the dual timer. 20 MHz on the AN505 are 1.28 counts an instruction, 25
// MHz on the AN385 are 1.6.
#if defined(STRESS_AN505)
constexpr uintptr_t timers_base = 0x50000000;
constexpr uint32_t counts_in_4 = 5;
#else
constexpr uintptr_t timers_base = 0x40000000;
constexpr uint32_t counts_in_4 = 6;
#endif
constexpr uint32_t counts(uint32_t instructions)
{
    return instructions * counts_in_4 / 4;
}
inline void timer_stop(line which)
{
    const uintptr_t base = timers_base + 0x1000 * which;
    at(base + (which == watcher ? 0x08 : 0x00)) = 0;
    at(base + 0x0C) = 1;
}
inline void timer_start(line which, uint32_t instructions)
{
    const uintptr_t base = timers_base + 0x1000 * which;
    if (which == watcher) {
        constexpr uint32_t enable_interrupt_32_bits_once = 0xA3;
        at(base + 0x00) = counts(instructions);
        at(base + 0x08) = enable_interrupt_32_bits_once;
    } else {
        constexpr uint32_t enable_interrupt = 0x9;
        at(base + 0x08) = counts(instructions);
        at(base + 0x04) = counts(instructions);
        at(base + 0x00) = enable_interrupt;
    }
}

#endif

#if defined(STRESS_AN505)
#define STRESS_LOW_HANDLER IRQ3_Handler
#define STRESS_HIGH_HANDLER IRQ4_Handler
#define STRESS_WATCHER_HANDLER IRQ5_Handler
constexpr unsigned first_interrupt = 3;
#else
#define STRESS_LOW_HANDLER IRQ8_Handler
#define STRESS_HIGH_HANDLER IRQ9_Handler
#define STRESS_WATCHER_HANDLER IRQ10_Handler
constexpr unsigned first_interrupt = 8;
#endif

inline void pend(line which)
{
    at(interrupt_set_pending) = 1u << (first_interrupt + which);
}

inline void pend_run()
{
    at(interrupt_control) = pend_pendsv;
}

/// PendSV has 0xC0, SysTick 0x40. Armv6-M has the two upper bits of a priority and reads 0x20 as 0. A lock by BASEPRI
/// has the priority of `high`.
constexpr uint32_t priority_of(line which)
{
    return which == low ? 0x80 : which == high ? 0x20 : 0x00;
}

inline void interrupts_init()
{
    at(system_priorities) = 0x40C00000;
    for (unsigned i = 0; i < line_count; ++i) {
        enable_interrupt(first_interrupt + i, priority_of(static_cast<line>(i)));
    }
}

#if defined(TICKWHEEL_LOCK_BASEPRI)
constexpr bool watcher_above_lock = true;
#else
constexpr bool watcher_above_lock = false;
#endif

/// Whether the wheel's interrupts are masked.
inline bool masked_now()
{
    uint32_t mask = 0;
#if defined(TICKWHEEL_LOCK_BASEPRI)
    static_assert(TICKWHEEL_LOCK_BASEPRI == priority_of(high), "the lock masks all but the watcher");
    __asm__ volatile("mrs %0, basepri" : "=r"(mask)::"memory");
#else
    __asm__ volatile("mrs %0, primask" : "=r"(mask)::"memory");
#endif
    return mask != 0;
}

/// For the watcher: whether they were masked when it came.
inline bool came_masked()
{
    return masked_now();
}

inline void set_mask(bool masked)
{
#if defined(TICKWHEEL_LOCK_BASEPRI)
    __asm__ volatile("msr basepri, %0\n\tisb" ::"r"(masked ? TICKWHEEL_LOCK_BASEPRI : 0) : "memory");
#else
    __asm__ volatile("msr primask, %0\n\tisb" ::"r"(masked ? 1 : 0) : "memory");
#endif
}

/// 0 in thread code, 14 in PendSV, 15 in SysTick, 16 and more in the board's interrupts.
inline uint32_t exception_number()
{
    uint32_t number = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number & 0x1FFu;
}

} // namespace stress

#endif

#endif
