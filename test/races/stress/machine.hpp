// SPDX-License-Identifier: MIT
// What the storm is made of: three one-shot timers of the board with an
// interrupt each, SysTick, PendSV, their priorities, and a mask that is not the
// wheel's own, so that a broken lock does not break the checks with it.
//
// The emulator gives each instruction 64 ns, and every timer counts faster than
// that: an interrupt comes after any number of instructions.
#ifndef TICKWHEEL_TEST_STRESS_MACHINE_HPP
#define TICKWHEEL_TEST_STRESS_MACHINE_HPP

#include <stdint.h>

namespace stress
{

inline volatile uint32_t &reg(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

inline void barrier()
{
    __asm__ volatile("" ::: "memory");
}

/// The interrupts that call the wheel, and the one above the lock that does not.
enum line : unsigned { low, high, watcher, line_count };

#if defined(STRESS_MICROBIT)

#define STRESS_LOW_HANDLER IRQ8_Handler
#define STRESS_HIGH_HANDLER IRQ9_Handler
#define STRESS_WATCHER_HANDLER IRQ10_Handler
constexpr unsigned first_interrupt = 8;
constexpr uint32_t counts(uint32_t instructions)
{
    return instructions;
}

// nRF51 TIMER0, 1 and 2 at 16 MHz.
constexpr uintptr_t timer_base(line which)
{
    return 0x40008000 + 0x1000 * which;
}
inline void timer_stop(line which)
{
    reg(timer_base(which) + 0x004) = 1;
    reg(timer_base(which) + 0x140) = 0;
}
inline void timer_start(line which, uint32_t instructions)
{
    reg(timer_base(which) + 0x00C) = 1;
    reg(timer_base(which) + 0x508) = 3;
    reg(timer_base(which) + 0x510) = 0;
    reg(timer_base(which) + 0x540) = counts(instructions);
    reg(timer_base(which) + 0x304) = 1u << 16;
    reg(timer_base(which) + 0x000) = 1;
}

#else

#if defined(STRESS_AN505)
#define STRESS_LOW_HANDLER IRQ3_Handler
#define STRESS_HIGH_HANDLER IRQ4_Handler
#define STRESS_WATCHER_HANDLER IRQ5_Handler
constexpr unsigned first_interrupt = 3;
constexpr uintptr_t timers_base = 0x50000000;
// 20 MHz: 1.28 counts an instruction.
constexpr uint32_t counts(uint32_t instructions)
{
    return instructions + instructions / 4;
}
#else
#define STRESS_LOW_HANDLER IRQ8_Handler
#define STRESS_HIGH_HANDLER IRQ9_Handler
#define STRESS_WATCHER_HANDLER IRQ10_Handler
constexpr unsigned first_interrupt = 8;
constexpr uintptr_t timers_base = 0x40000000;
// 25 MHz: 1.6.
constexpr uint32_t counts(uint32_t instructions)
{
    return instructions + instructions / 2;
}
#endif

// CMSDK TIMER0 and 1, and the first half of the dual timer.
constexpr uintptr_t timer_base(line which)
{
    return timers_base + 0x1000 * which;
}
inline void timer_stop(line which)
{
    const uintptr_t base = timer_base(which);
    reg(base + (which == watcher ? 0x08 : 0x00)) = 0;
    reg(base + 0x0C) = 1;
}
inline void timer_start(line which, uint32_t instructions)
{
    const uintptr_t base = timer_base(which);
    if (which == watcher) {
        constexpr uint32_t enable_interrupt_32_bits_once = 0xA3;
        reg(base + 0x00) = counts(instructions);
        reg(base + 0x08) = enable_interrupt_32_bits_once;
    } else {
        constexpr uint32_t enable_interrupt = 0x9;
        reg(base + 0x08) = counts(instructions);
        reg(base + 0x04) = counts(instructions);
        reg(base + 0x00) = enable_interrupt;
    }
}

#endif

inline void systick_stop()
{
    reg(0xE000E010) = 0;
    // A short period may have passed once more meanwhile: PENDSTCLR.
    reg(0xE000ED04) = 1u << 25;
}
inline void systick_start(uint32_t instructions)
{
    reg(0xE000E014) = counts(instructions);
    reg(0xE000E018) = 0;
    reg(0xE000E010) = 7;
}

inline void pend_pendsv()
{
    reg(0xE000ED04) = 1u << 28;
}
inline void pend(line which)
{
    reg(0xE000E200) = 1u << (first_interrupt + which);
}

// Armv6-M has the two upper bits of a priority: there 0x20 reads as 0. The lock by BASEPRI is `priority_of(high)`.
constexpr uint32_t pendsv_priority = 0xC0;
constexpr uint32_t systick_priority = 0x40;
constexpr uint32_t priority_of(line which)
{
    return which == low ? 0x80 : which == high ? 0x20 : 0x00;
}
#if defined(TICKWHEEL_LOCK_BASEPRI)
static_assert(TICKWHEEL_LOCK_BASEPRI == priority_of(high), "the lock masks all but the watcher");
#endif

inline void interrupts_init()
{
    // Words, since Armv6-M has no other accesses to priorities.
    reg(0xE000ED20) = systick_priority << 24 | pendsv_priority << 16;
    for (unsigned i = 0; i < line_count; ++i) {
        const unsigned number = first_interrupt + i;
        const unsigned shift = number % 4 * 8;
        volatile uint32_t &priorities = reg(0xE000E400 + number / 4 * 4);
        priorities = (priorities & ~(0xFFu << shift)) | priority_of(static_cast<line>(i)) << shift;
        reg(0xE000E100) = 1u << number;
    }
}

/// Whether the wheel's interrupts are masked.
inline bool masked_now()
{
    uint32_t mask = 0;
#if defined(TICKWHEEL_LOCK_BASEPRI)
    __asm__ volatile("mrs %0, basepri" : "=r"(mask)::"memory");
#else
    __asm__ volatile("mrs %0, primask" : "=r"(mask)::"memory");
#endif
    return mask != 0;
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
