// SPDX-License-Identifier: MIT
/// @file
/// Where the edges of the ticks are, in counts of a clock that HZ need not divide.
#ifndef TICKWHEEL_TICK_GRID_HPP
#define TICKWHEEL_TICK_GRID_HPP

#include <stdint.h>

#include <tickwheel/systick.h>

namespace tickwheel
{

/// By shift and subtract: an archive must not ask libgcc for a division, nor for a shift of 64 bits.
struct division {
    uint64_t quotient;
    uint32_t remainder;
};
/// value / by, rounded down, and the remainder.
constexpr division divide(uint64_t value, uint32_t by)
{
    uint64_t quotient = 0;
    uint32_t remainder = 0;
    uint32_t word = static_cast<uint32_t>(value >> 32);
    // A value of 32 bits has an upper half of no quotient.
    for (unsigned half = word == 0 ? 1 : 0; half < 2; ++half) {
        word = half == 0 ? word : static_cast<uint32_t>(value);
        uint32_t bits = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
            // The remainder is below `by` before it is doubled, so its 33rd bit says that it is not any more.
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
    // In halves: these multiply to 32 bits only. No sum can overflow: (2^16 - 1)^2 + 2 (2^16 - 1) < 2^32.
    const uint32_t low = (a & 0xFFFFu) * (b & 0xFFFFu);
    const uint32_t middle = (a >> 16) * (b & 0xFFFFu) + (low >> 16);
    const uint32_t other_middle = (a & 0xFFFFu) * (b >> 16) + (middle & 0xFFFFu);
    const uint32_t high = (a >> 16) * (b >> 16) + (middle >> 16) + (other_middle >> 16);
    return static_cast<uint64_t>(high) << 32 | (other_middle << 16 | (low & 0xFFFFu));
#else
    return uint64_t{a} * b;
#endif
}

/// Where the edges of the ticks are: the i-th lies i * clock / HZ counts after the start, rounded down, and what is
/// rounded off is carried on as a fraction in 1/HZ count. It is asked with interrupts masked, so it multiplies by
/// reciprocals: on a core without a division one would take hundreds of instructions.
struct tick_grid {
    uint32_t clock_hz;
    /// Counts of a short tick, and what clock / HZ leaves over.
    uint32_t short_tick;
    uint32_t remainder;
    /// 2^32 * HZ / clock, rounded down.
    uint32_t ticks_per_count;
    /// As many ticks as 24 bits hold, and 32 the fractions of.
    uint32_t longest;

    /// A tick has `least` counts or more, and a period `most` or fewer.
    static constexpr tick_grid of(uint32_t clock_hz, uint32_t least = TICKWHEEL_SYSTICK_LEAST_COUNTS,
                                  uint32_t most = TICKWHEEL_SYSTICK_MOST_COUNTS)
    {
        const division tick = divide(clock_hz, TICKWHEEL_HZ);
        const uint32_t short_tick = static_cast<uint32_t>(tick.quotient);
        const uint32_t long_tick = short_tick + (tick.remainder != 0 ? 1 : 0);
        if (short_tick < least || long_tick > most) {
            return {clock_hz, 0, 0, 0, 0};
        }
        // (2^32 - 1 - HZ) / remainder ticks keep a fraction and all that is added to it within 32 bits.
        uint64_t longest = divide(most, long_tick).quotient;
        if (tick.remainder != 0) {
            const uint64_t fractions = divide(0xFFFFFFFFu - TICKWHEEL_HZ, tick.remainder).quotient;
            longest = longest < fractions ? longest : fractions;
        }
        // HZ is at most half of the clock.
        const uint64_t ticks_per_count = divide(uint64_t{TICKWHEEL_HZ} << 32, clock_hz).quotient;
        return {clock_hz, short_tick, tick.remainder, static_cast<uint32_t>(ticks_per_count),
                static_cast<uint32_t>(longest)};
    }
    constexpr bool fits() const
    {
        return longest != 0;
    }
    /// Counts of the next `ticks` ticks, at most `longest`, after an edge that had rounded off `fraction`.
    constexpr uint32_t counts(uint32_t ticks, uint32_t fraction) const
    {
        return ticks * short_tick + whole_counts(fraction + ticks * remainder);
    }
    constexpr uint32_t fraction_after(uint32_t ticks, uint32_t fraction) const
    {
        const uint32_t fractions = fraction + ticks * remainder;
        return fractions - whole_counts(fractions) * TICKWHEEL_HZ;
    }
    /// How many whole ticks `passed` counts are, after such an edge.
    constexpr uint32_t whole_ticks(uint32_t passed, uint32_t fraction) const
    {
        // Never too many. For what both roundings leave out, less than 1 each, one or two are missing.
        uint32_t ticks = static_cast<uint32_t>(multiply(passed, ticks_per_count) >> 32);
        while (counts(ticks + 1, fraction) <= passed) {
            ++ticks;
        }
        return ticks;
    }

private:
    static constexpr uint32_t whole_counts(uint32_t fractions)
    {
        if (fractions < TICKWHEEL_HZ) {
            return 0;
        }
        uint32_t whole = static_cast<uint32_t>(multiply(fractions, 0xFFFFFFFFu / TICKWHEEL_HZ) >> 32);
        // One or two are missing. Of a loop clang would make a division.
        whole += fractions - whole * TICKWHEEL_HZ >= TICKWHEEL_HZ ? 1 : 0;
        whole += fractions - whole * TICKWHEEL_HZ >= TICKWHEEL_HZ ? 1 : 0;
        return whole;
    }
};

static_assert(multiply(0xFFFFFFFFu, 0xFFFFFFFFu) == 0xFFFFFFFE00000001u, "multiply in halves");
static_assert(divide(0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFu).quotient == 0x100000001u, "divide by 32 bits");

} // namespace tickwheel

#endif
