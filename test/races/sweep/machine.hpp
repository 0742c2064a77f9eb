// SPDX-License-Identifier: MIT
// The machine of the sweep: a timer that interrupts after an exact number of
// instructions, and the mask of a caller that has interrupts off. One count of the
// timer must not last longer than one instruction of the emulator's virtual time.
#ifndef TICKWHEEL_TEST_SWEEP_MACHINE_HPP
#define TICKWHEEL_TEST_SWEEP_MACHINE_HPP

#include "../../support/core_registers.hpp"

namespace sweep
{

#if defined(SWEEP_TIM2)

// QEMU's STM32 timer counts at 1 GHz, one instruction at -icount shift=0. Never write its CNT, PSC and EGR. Write ARR
// last.
#define SWEEP_HANDLER IRQ28_Handler
constexpr unsigned timer_interrupt = 28;
constexpr uintptr_t tim2 = 0x40000000;

inline void timer_init(uint32_t priority)
{
    enable_interrupt(timer_interrupt, priority);
    at(tim2 + 0x0C) = 1;
    at(tim2 + 0x00) = 1;
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    at(tim2 + 0x2C) = count;
}
inline void timer_stop()
{
    at(tim2 + 0x2C) = 0xffffffff;
    at(interrupt_clear_pending) = 1u << timer_interrupt;
}

#else

// SysTick at 16 MHz, 62.5 ns, at -icount shift=6, 64 ns an instruction.
#define SWEEP_HANDLER SysTick_Handler

inline void timer_init(uint32_t /*priority*/)
{
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    systick_start_once(count);
}
inline void timer_stop()
{
    systick_stop();
}

#endif

#if defined(TICKWHEEL_LOCK_BASEPRI)

// The caller masks more than the lock does, and the interrupt lies between the two. A lock that lowered the mask
// would let it in.
constexpr uint32_t callers_mask = TICKWHEEL_LOCK_BASEPRI / 2;
constexpr uint32_t masked_priority = TICKWHEEL_LOCK_BASEPRI - TICKWHEEL_LOCK_BASEPRI / 4;
constexpr uint32_t usual_priority = 2 * TICKWHEEL_LOCK_BASEPRI;

/// Whether the instruction takes the lock: MSR BASEPRI_MAX, or CPSID I.
inline bool is_masking(const uint16_t *code)
{
    return (code[0] & 0xfff0) == 0xf380 && code[1] == 0x8812;
}
inline void mask_interrupts()
{
    enable_interrupt(timer_interrupt, masked_priority);
    __asm__ volatile("msr basepri, %0\n\tdsb\n\tisb" ::"r"(callers_mask) : "memory");
}
inline bool interrupts_masked()
{
    uint32_t mask = 0;
    __asm__ volatile("mrs %0, basepri" : "=r"(mask)::"memory");
    return mask == callers_mask;
}
inline void unmask_interrupts()
{
    __asm__ volatile("msr basepri, %0\n\tisb" ::"r"(0) : "memory");
    enable_interrupt(timer_interrupt, usual_priority);
}

#else

constexpr uint32_t usual_priority = 0;

inline bool is_masking(const uint16_t *code)
{
    return *code == 0xb672;
}
inline void mask_interrupts()
{
    __asm__ volatile("cpsid i" ::: "memory");
}
inline bool interrupts_masked()
{
    uint32_t mask = 0;
    __asm__ volatile("mrs %0, primask" : "=r"(mask)::"memory");
    return mask == 1;
}
inline void unmask_interrupts()
{
    __asm__ volatile("cpsie i\n\tisb" ::: "memory");
}

#endif

} // namespace sweep

#endif
