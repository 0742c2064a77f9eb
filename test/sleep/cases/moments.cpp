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
        const tickwheel::tick_grid grid = tickwheel::tick_grid::of(clock);
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

// The second tick of this clock is a count longer than the first.
SLEEP_CASE("now() in the first count after the start")
{
    start(uneven);
    cpu.most_cost = 0;
    cpu.least_cost = 0;
    cpu.advance(1);
    const auto moment = driver.now();
    check(moment.ticks == TICKWHEEL_INITIAL_JIFFIES, "ticks", static_cast<int64_t>(moment.ticks));
    check(moment.counts == 0, "counts", moment.counts);
}

// The tick after the wrap may be a count longer, or shorter, than the one before.
SLEEP_CASE("now() is exact while a wrap waits")
{
    start(uneven);
    for (int64_t tick = 1; tick <= 20 && goes_on(); ++tick) {
        work_until(tick, 20);
        const bool state = cpu.mask();
        work_until(tick, -50);
        const auto moment = driver.now();
        const int64_t passed = static_cast<int64_t>(cpu.read_at[model::thread]) - tick_start(tick);
        check(static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES) == tick, "ticks", tick);
        check(moment.counts == passed, "counts", moment.counts, passed);
        cpu.unmask(state);
    }
}

} // namespace
