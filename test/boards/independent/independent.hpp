// SPDX-License-Identifier: MIT
// More timers of the board, which know nothing of SysTick: one tells the time that
// a test holds it to, another interrupts. <board>.cpp beside this defines them.
#ifndef TICKWHEEL_TEST_INDEPENDENT_HPP
#define TICKWHEEL_TEST_INDEPENDENT_HPP

#include <stdint.h>

namespace independent
{

/// Before the others.
void start();

/// Counts up through all 32 bits.
uint32_t count();

/// Nanoseconds of a count.
extern const uint32_t count_ns;

/// Calls independent_alarm() so many nanoseconds from now, once: 1000 to 2^31.
void alarm_after(uint32_t ns);

/// Has a third timer expire, without an interrupt, so many nanoseconds from now: 1000 to 2^31.
///
/// For QEMU 7.2 with -icount sleep=off, where SysTick starts its next period a moment before it interrupts. While the
/// core sleeps, time jumps to whatever comes first as soon as that is set up: to the end of that next period, and
/// only then the core hears of the first. Something else that expires within the period is what it jumps to no more,
/// as long as that was set up before.
void expire_after(uint32_t ns);

/// Nanoseconds that the emulator takes off each period of SysTick: it has no fractions of one, and a tick may end in
/// one. No silicon does.
extern const uint32_t rounded_off_ns;

inline volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

/// The interrupt of the alarm, above all others.
inline void enable_interrupt(unsigned number)
{
    at(0xE000E100) = 1u << number;
}

} // namespace independent

/// Yours.
void independent_alarm();

#endif
