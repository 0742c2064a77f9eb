// SPDX-License-Identifier: MIT
// A timer that interrupts after exactly so many instructions: one count must not
// last longer than one instruction of the emulator's virtual time.
#ifndef TICKWHEEL_TEST_TARGET_SWEEP_TIMER_HPP
#define TICKWHEEL_TEST_TARGET_SWEEP_TIMER_HPP

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
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    reg(tim2 + 0x0C) = 1;
    reg(tim2 + 0x00) = 1;
    reg(tim2 + 0x2C) = count;
}
inline void timer_stop()
{
    reg(tim2 + 0x0C) = 0;
    reg(tim2 + 0x00) = 0;
    reg(tim2 + 0x10) = 0;
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

} // namespace sweep

#endif
