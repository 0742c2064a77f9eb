// SPDX-License-Identifier: MIT
/// @file
/// The time of day between two ticks.
#ifndef TICKWHEEL_TICK_TIME_HPP
#define TICKWHEEL_TICK_TIME_HPP

#include <stdint.h>

#include <tickwheel/config.h>
#include <tickwheel/jiffies.h>
#include <tickwheel/tick_grid.hpp>

namespace tickwheel
{

/// A moment between two ticks.
struct tick_moment {
    uint64_t ticks;  ///< Of tickwheel_get_jiffies_64().
    uint32_t counts; ///< Since that tick began.
};

/// A moment in microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES.
[[gnu::always_inline]] constexpr uint64_t microseconds(const tick_moment &here, const tick_grid &grid)
{
    const division seconds = divide(here.ticks - TICKWHEEL_INITIAL_JIFFIES, TICKWHEEL_HZ);
    // Each part is rounded down, and the last is less than a tick, so the sum never passes the next tick's.
    const uint64_t ticks = divide(multiply(seconds.remainder, 1000000), TICKWHEEL_HZ).quotient;
    const uint64_t counts = here.counts == 0 ? 0 : divide(multiply(here.counts, 1000000), grid.clock_hz).quotient;
    const uint64_t upper = multiply(static_cast<uint32_t>(seconds.quotient >> 32), 1000000) << 32;
    return upper + multiply(static_cast<uint32_t>(seconds.quotient), 1000000) + ticks + counts;
}

} // namespace tickwheel

#endif
