// SPDX-License-Identifier: MIT
// The second timer of a board, independent of SysTick. It is made of up to three timers of the chip: one tells the
// time that a test compares with, one interrupts, and one expires. <board>.cpp defines them.
#pragma once

#include "../../support/core_registers.hpp"

namespace second_timer
{

/// Call this before the others.
void start();

/// Counts up through all 32 bits.
uint32_t count();

/// Nanoseconds of a count.
extern const uint32_t count_ns;

/// Calls second_timer_alarm() once, this many nanoseconds from now: 1000 to 2^31. Its interrupt has the highest
/// priority.
void alarm_after(uint32_t ns);

/// Expires this many nanoseconds from now, 1000 to 2^31, and causes no interrupt. Only a board that QEMU emulates has
/// this function.
///
/// QEMU 7.2 with -icount sleep=off needs it. Its SysTick starts the next period a moment before it interrupts. While
/// the core sleeps, QEMU jumps at once to the next event, which is then the end of that next period. The core hears
/// of the first period too late. An event of another timer within the period prevents this jump, if it was set up
/// before.
void expire_after(uint32_t ns) __attribute__((weak));

} // namespace second_timer

/// The test program defines it.
void second_timer_alarm();
