// SPDX-License-Identifier: MIT
/// @file
/// The time within a tick. Only arithmetic: no state, no hardware.
#ifndef TICKWHEEL_TICK_TIME_HPP
#define TICKWHEEL_TICK_TIME_HPP

#include <stdint.h>

#include <tickwheel/config_check.h>
#include <tickwheel/jiffies.h>
#include <tickwheel/tick_grid.hpp>

namespace tickwheel
{

/// A moment: a tick, and how far it is within that tick.
struct tick_moment {
    uint64_t ticks;  ///< As tickwheel_get_jiffies_64() counts them.
    uint32_t counts; ///< Counts since that tick began.
};

/// Microseconds from the tick TICKWHEEL_INITIAL_JIFFIES to `here`, rounded down. Always inlined, so that it stays
/// part of its only caller.
[[gnu::always_inline]] constexpr uint64_t microseconds(const tick_moment &here, const tick_grid &grid)
{
    const division seconds = divide(here.ticks - TICKWHEEL_INITIAL_JIFFIES, TICKWHEEL_HZ);
    // Each part is rounded down, and `counts` is less than a tick. The sum never passes the start of the next tick.
    const uint64_t ticks = divide(multiply(seconds.remainder, 1000000), TICKWHEEL_HZ).quotient;
    const uint64_t counts = here.counts == 0 ? 0 : divide(multiply(here.counts, 1000000), grid.clock_hz).quotient;
    const uint64_t upper = multiply(static_cast<uint32_t>(seconds.quotient >> 32), 1000000) << 32;
    return upper + multiply(static_cast<uint32_t>(seconds.quotient), 1000000) + ticks + counts;
}

} // namespace tickwheel

#endif
