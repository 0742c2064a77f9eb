// SPDX-License-Identifier: MIT
// The microseconds of a moment, against a division of 64 bits.
#include "../cases.hpp"

#include <tickwheel/tick_time.hpp>

namespace
{

constexpr uint64_t million = 1000000;

void compare(const tickwheel::tick_grid &grid, uint64_t seconds, uint32_t ticks, uint32_t counts)
{
    const uint64_t exact = seconds * million + ticks * million / TICKWHEEL_HZ + counts * million / grid.clock_hz;
    const uint64_t first = seconds * TICKWHEEL_HZ + TICKWHEEL_INITIAL_JIFFIES;
    check(tickwheel::microseconds({first + ticks, counts}, grid) == exact, "microseconds() of tick", ticks);
}

SLEEP_CASE("microseconds() rounds the ticks of a second and the counts of a tick down")
{
    for (const uint32_t clock : {even, uneven}) {
        const tickwheel::tick_grid grid = tickwheel::systick_grid(clock);
        for (const uint64_t seconds : {uint64_t{0}, uint64_t{59}, uint64_t{5} << 32}) {
            for (uint32_t ticks = 0; ticks < TICKWHEEL_HZ; ++ticks) {
                compare(grid, seconds, ticks, 0);
                compare(grid, seconds, ticks, grid.short_tick - 1);
            }
            for (uint32_t counts = 0; counts < grid.short_tick; ++counts) {
                compare(grid, seconds, 1, counts);
            }
        }
    }
}

} // namespace
