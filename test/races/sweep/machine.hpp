// SPDX-License-Identifier: MIT
// A timer that interrupts after exactly so many instructions: one count must not
// last longer than one instruction of the emulator's virtual time. And the mask of
// a caller that has interrupts off.
#ifndef TICKWHEEL_TEST_SWEEP_MACHINE_HPP
#define TICKWHEEL_TEST_SWEEP_MACHINE_HPP

#include <stdint.h>

namespace sweep
{

inline volatile uint32_t &reg(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

#if defined(SWEEP_TIM2)

// QEMU's STM32 timer counts at 1 GHz: at -icount shift=0 one instruction. Its CNT, PSC and EGR must never be written,
// and ARR last.
#define SWEEP_HANDLER IRQ28_Handler
constexpr uintptr_t tim2 = 0x40000000;

inline void timer_init()
{
    reg(0xE000E100) = 1u << 28;
    reg(tim2 + 0x0C) = 1;
    reg(tim2 + 0x00) = 1;
}
inline void timer_priority(uint8_t priority)
{
    *reinterpret_cast<volatile uint8_t *>(0xE000E400 + 28) = priority;
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    reg(tim2 + 0x2C) = count;
}
inline void timer_stop()
{
    reg(tim2 + 0x2C) = 0xffffffff;
    reg(0xE000E280) = 1u << 28;
}

#else

// SysTick at 16 MHz, 62.5 ns, at -icount shift=6, 64 ns an instruction.
#define SWEEP_HANDLER SysTick_Handler

inline void timer_init()
{
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    reg(0xE000E014) = count;
    reg(0xE000E018) = 0;
    reg(0xE000E010) = 7;
}
inline void timer_stop()
{
    reg(0xE000E010) = 0;
    // A short period may have passed once more meanwhile: PENDSTCLR.
    reg(0xE000ED04) = 1u << 25;
}

#endif

#if defined(TICKWHEEL_LOCK_BASEPRI)

// The caller masks more than the lock does, and the interrupt lies between the two: a lock that lowered the mask
// would let it in.
constexpr uint32_t callers_mask = TICKWHEEL_LOCK_BASEPRI / 2;
constexpr uint8_t masked_priority = TICKWHEEL_LOCK_BASEPRI - TICKWHEEL_LOCK_BASEPRI / 4;
constexpr uint8_t usual_priority = 2 * TICKWHEEL_LOCK_BASEPRI;

/// Whether the instruction takes the lock: MSR BASEPRI_MAX, and CPSID I.
inline bool is_masking(const uint16_t *code)
{
    return (code[0] & 0xfff0) == 0xf380 && code[1] == 0x8812;
}
inline void lock_init()
{
    timer_priority(usual_priority);
}
inline void mask_interrupts()
{
    timer_priority(masked_priority);
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
    timer_priority(usual_priority);
}

#else

inline bool is_masking(const uint16_t *code)
{
    return *code == 0xb672;
}
inline void lock_init()
{
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
