// SPDX-License-Identifier: MIT
/// @file
/// Where each tick begins, in counts of a clock that TICKWHEEL_HZ need not divide. Only arithmetic: no state, no
/// hardware. All of it is constexpr, and test/unit has tables of it.
#ifndef TICKWHEEL_TICK_GRID_HPP
#define TICKWHEEL_TICK_GRID_HPP

#include <stdint.h>

#include <tickwheel/config_check.h>

namespace tickwheel
{

/// What divide() returns.
struct division {
    uint64_t quotient;
    uint32_t remainder;
};
/// value / by, rounded down, and the remainder. It shifts and subtracts words of 32 bits. A division, or a shift of
/// 64 bits, would call libgcc, which the archive must not need.
constexpr division divide(uint64_t value, uint32_t by)
{
    uint64_t quotient = 0;
    uint32_t remainder = 0;
    uint32_t word = static_cast<uint32_t>(value >> 32);
    // If the upper half of the value is 0, the upper half of the quotient is 0 too.
    for (unsigned half = word == 0 ? 1 : 0; half < 2; ++half) {
        word = half == 0 ? word : static_cast<uint32_t>(value);
        uint32_t bits = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
            // The remainder is below `by`. Doubled, it may have a 33rd bit, and is then above `by`.
            const bool carry = remainder >> 31 != 0;
            remainder = remainder << 1 | word >> 31;
            word <<= 1;
            bits <<= 1;
            if (carry || remainder >= by) {
                remainder -= by;
                bits |= 1;
            }
        }
        quotient = quotient << 32 | bits;
    }
    return {quotient, remainder};
}

/// a * b.
constexpr uint64_t multiply(uint32_t a, uint32_t b)
{
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
    // These cores multiply to 32 bits only, so this multiplies in halves. No sum overflows:
    // (2^16 - 1)^2 + 2 (2^16 - 1) < 2^32.
    const uint32_t low = (a & 0xFFFFu) * (b & 0xFFFFu);
    const uint32_t middle = (a >> 16) * (b & 0xFFFFu) + (low >> 16);
    const uint32_t other_middle = (a & 0xFFFFu) * (b >> 16) + (middle & 0xFFFFu);
    const uint32_t high = (a >> 16) * (b >> 16) + (middle >> 16) + (other_middle >> 16);
    return static_cast<uint64_t>(high) << 32 | (other_middle << 16 | (low & 0xFFFFu));
#else
    return uint64_t{a} * b;
#endif
}

/// The beginnings of the ticks. Tick i begins i * clock / HZ counts after the start, rounded down. The part that is
/// rounded off is the tick's fraction, in 1/HZ count, from 0 to HZ - 1. The driver calls counts(), fraction_after()
/// and whole_ticks() with interrupts masked, so they multiply by reciprocals. A division would take hundreds of
/// instructions on a core that has none.
struct tick_grid {
    uint32_t clock_hz;
    /// clock / HZ, rounded down. A tick has this many counts, or one more.
    uint32_t short_tick;
    /// The remainder of clock / HZ.
    uint32_t remainder;
    /// 2^32 * HZ / clock, rounded down.
    uint32_t ticks_per_count;
    /// The largest number of ticks in one period. With more ticks the period would exceed `max` counts, or the
    /// fractions would exceed 32 bits. It is 0 if the clock does not fit.
    uint32_t longest;

    /// The grid of a clock. A tick must have at least `min` counts, and a period at most `max`.
    static constexpr tick_grid of(uint32_t clock_hz, uint32_t min, uint32_t max)
    {
        const division tick = divide(clock_hz, TICKWHEEL_HZ);
        const uint32_t short_tick = static_cast<uint32_t>(tick.quotient);
        const uint32_t long_tick = short_tick + (tick.remainder != 0 ? 1 : 0);
        if (short_tick < min || long_tick > max) {
            return {clock_hz, 0, 0, 0, 0};
        }
        // This many ticks' remainders plus one fraction, which is below HZ, stay below 2^32.
        uint64_t longest = divide(max, long_tick).quotient;
        if (tick.remainder != 0) {
            const uint64_t fractions = divide(0xFFFFFFFFu - TICKWHEEL_HZ, tick.remainder).quotient;
            longest = longest < fractions ? longest : fractions;
        }
        // Below 2^32, because HZ is at most half of the clock.
        const uint64_t ticks_per_count = divide(uint64_t{TICKWHEEL_HZ} << 32, clock_hz).quotient;
        return {clock_hz, short_tick, tick.remainder, static_cast<uint32_t>(ticks_per_count),
                static_cast<uint32_t>(longest)};
    }
    constexpr bool fits() const
    {
        return longest != 0;
    }
    /// Counts of `ticks` ticks, the first with `fraction`. At most `longest` ticks.
    constexpr uint32_t counts(uint32_t ticks, uint32_t fraction) const
    {
        return ticks * short_tick + whole_counts(fraction + ticks * remainder);
    }
    /// The fraction of the tick after those.
    constexpr uint32_t fraction_after(uint32_t ticks, uint32_t fraction) const
    {
        const uint32_t fractions = fraction + ticks * remainder;
        return fractions - whole_counts(fractions) * TICKWHEEL_HZ;
    }
    /// How many whole ticks `passed` counts have, the first with `fraction`.
    constexpr uint32_t whole_ticks(uint32_t passed, uint32_t fraction) const
    {
        // The estimate is never high. Two roundings make it low by at most two.
        uint32_t ticks = static_cast<uint32_t>(multiply(passed, ticks_per_count) >> 32);
        while (counts(ticks + 1, fraction) <= passed) {
            ++ticks;
        }
        return ticks;
    }

private:
    /// fractions / HZ, rounded down.
    static constexpr uint32_t whole_counts(uint32_t fractions)
    {
        if (fractions < TICKWHEEL_HZ) {
            return 0;
        }
        const uint32_t whole = static_cast<uint32_t>(multiply(fractions, 0xFFFFFFFFu / TICKWHEEL_HZ) >> 32);
        // The estimate is low by at most one. The reciprocal's rounding costs less than 1, and so does the shift.
        return whole + (fractions - whole * TICKWHEEL_HZ >= TICKWHEEL_HZ ? 1 : 0);
    }
};

static_assert(multiply(0xFFFFFFFFu, 0xFFFFFFFFu) == 0xFFFFFFFE00000001u, "multiply in halves");
static_assert(divide(0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFu).quotient == 0x100000001u, "divide by 32 bits");

} // namespace tickwheel

#endif
