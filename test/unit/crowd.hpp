// SPDX-License-Identifier: MIT
// Timers that cascade from a slot of tv2 in the block before their own, at a place that tests share.
#ifndef TICKWHEEL_TEST_CROWD_HPP
#define TICKWHEEL_TEST_CROWD_HPP

#include "support.hpp"

namespace unit
{

/// A wheel that starts here has two blocks in tv1. The slot of tv2 after them begins at `crowded`.
constexpr jiffies_t crowd_start = 4 * tv1_ticks;
constexpr jiffies_t crowded = crowd_start + 2 * tv1_ticks;
/// The block in which the timers cascade.
constexpr jiffies_t block_before = crowded - block_ticks;

/// How many of these wait in tv1.
template <class Timer>
unsigned in_tv1(const Timer *timers, unsigned count)
{
    unsigned cascaded = 0;
    for (unsigned i = 0; i < count; ++i) {
        cascaded += tickwheel_timer_pending(&timers[i]) != 0 && timers[i].slot < geometry::tvr_size;
    }
    return cascaded;
}

} // namespace unit

#endif
