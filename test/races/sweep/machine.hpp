// SPDX-License-Identifier: MIT
// The machine of the sweep: a timer that interrupts after an exact number of
// instructions, and the mask of a caller that has interrupts off. One count of the
// timer must not last longer than one instruction of the emulator's virtual time.
#ifndef TICKWHEEL_TEST_SWEEP_MACHINE_HPP
#define TICKWHEEL_TEST_SWEEP_MACHINE_HPP

#if defined(__riscv)
#include "machine_riscv.hpp"
#else

#include "../../support/target.hpp"

// Hints that every core executes as NOP. They tell the plugin where the program is.
#define SWEEP_OPERATION_BEGINS ".hword 0xbf50"
#define SWEEP_OPERATION_ENDS ".hword 0xbf60"
// Calls sweep_interrupt() with the address that the core has stacked. BL, because a branch of Armv6-M does not reach
// far. r3 keeps the stack aligned.
#define SWEEP_INTERRUPT                                                                                              \
    ".hword 0xbf70\n\tldr r0, [sp, #24]\n\tpush {r3, lr}\n\tbl sweep_interrupt\n\t.hword 0xbf80\n\tpop {r3, pc}"
// Calls sweep_note() with the timer and the return address. A compiler for Armv6-M begins in the old syntax, so this
// selects the new one.
#define SWEEP_NOTE                                                                                                   \
    ".syntax unified\n\tmov r1, lr\n\tpush {r4, lr}\n\tbl sweep_note\n\tldr r0, 1f\n\tldr r1, [r0]\n\t"              \
    "adds r1, #1\n\tstr r1, [r0]\nsweep_note_left:\tpop {r4, pc}\n\t.balign 4\n1:\t.word sweep_returned"

namespace sweep
{

/// A count of the timer is not longer than an instruction, in any phase.
inline void align_clocks()
{
}

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

#endif // __riscv

#endif
