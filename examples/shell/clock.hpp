// SPDX-License-Identifier: MIT
// What counts the shell's ticks. On a Cortex-M the ready-made handlers do: SysTick
// counts, PendSV runs the callbacks. Elsewhere the board's tick does both.
#ifndef SHELL_CLOCK_HPP
#define SHELL_CLOCK_HPP

#include "../../boards/board.hpp"

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

#include <tickwheel/systick.h>

/// @return whether the clock can make the ticks
inline bool ticks_start(uint32_t clock_hz)
{
    return tickwheel_systick_start(clock_hz) == 0;
}

#else

#include <tickwheel/tickwheel.h>

extern "C" void SysTick_Handler()
{
    (void)tickwheel_interrupt();
}

inline bool ticks_start(uint32_t /*clock_hz*/)
{
    board::tick_start(TICKWHEEL_HZ);
    return true;
}

#endif

#endif
