// SPDX-License-Identifier: MIT
/// @file
/// The rest of a tick in counts of a new clock. Only arithmetic: no state, no hardware.
#ifndef TICKWHEEL_CLOCK_CHANGE_HPP
#define TICKWHEEL_CLOCK_CHANGE_HPP

#include <stdint.h>

#include <tickwheel/tick_grid.hpp>

namespace tickwheel
{

/// The fraction of new clock / old clock, in 2^-32. `remainder` is the remainder of that division.
[[gnu::always_inline]] constexpr uint64_t fraction_of_ratio(uint32_t remainder, uint32_t old_hz)
{
    return divide(uint64_t{remainder} << 32, old_hz).quotient;
}

/// The counts of the new clock that take as long as `counts` of the old one, rounded down. `ratio` and `fraction` are
/// new clock / old clock. The driver masks before it knows `counts`, so the divisions are done before.
[[gnu::always_inline]] constexpr uint32_t scale(uint32_t counts, uint64_t ratio, uint64_t fraction)
{
    const uint64_t scaled =
        multiply(counts, static_cast<uint32_t>(ratio)) + (multiply(counts, static_cast<uint32_t>(fraction)) >> 32);
    return static_cast<uint32_t>(scaled);
}

} // namespace tickwheel

#endif
