// SPDX-License-Identifier: MIT
// The timer of the RP2040, which the SDK would start: out of reset, and by the tick of the watchdog.
#pragma once

#include "../../../../boards/parts/registers.hpp"
#include "../../../../port/one_shot/pico/tickwheel_counter.hpp"

inline void start_timer()
{
    constexpr uintptr_t resets_clear = 0x4000F000;
    constexpr uintptr_t watchdog_tick = 0x4005802C;
    constexpr uint32_t of_12_mhz = 12 | 1u << 9;
    parts::at(resets_clear) = 1u << 21;
    parts::at(watchdog_tick) = of_12_mhz;
}
#define COUNTER_START start_timer()
#define COUNTER_HANDLER IRQ0_Handler
