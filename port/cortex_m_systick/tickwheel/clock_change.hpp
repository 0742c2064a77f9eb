// SPDX-License-Identifier: MIT
/// @file
/// The rest of a tick, when the clock changes.
#ifndef TICKWHEEL_CLOCK_CHANGE_HPP
#define TICKWHEEL_CLOCK_CHANGE_HPP

#include <stdint.h>

#include <tickwheel/tick_grid.hpp>

namespace tickwheel
{

/// The fraction of the new clock over the old one in 2^-32, from the remainder of that division.
[[gnu::always_inline]] constexpr uint64_t fraction_of_ratio(uint32_t remainder, uint32_t old_hz)
{
    return divide(uint64_t{remainder} << 32, old_hz).quotient;
}

/// As many counts of the new clock as take the time of `counts` of the old one.
[[gnu::always_inline]] constexpr uint32_t scale(uint32_t counts, uint64_t ratio, uint64_t fraction)
{
    const uint64_t scaled =
        multiply(counts, static_cast<uint32_t>(ratio)) + (multiply(counts, static_cast<uint32_t>(fraction)) >> 32);
    return static_cast<uint32_t>(scaled);
}

} // namespace tickwheel

#endif
