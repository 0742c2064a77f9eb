// SPDX-License-Identifier: MIT
// Changes of the clock, the start, the limits, and the microseconds of a moment.
#include "../cases.hpp"

#include <tickwheel/tick_time.hpp>

namespace
{

// Accesses take no time here, so the driver reads the counter when the call begins. The next tick is exact.
SLEEP_CASE("clock_changed() to a faster clock scales each count that is left of the tick")
{
    for (uint32_t k = 0; k < 200; ++k) {
        start(1600000);
        cpu.pass(50);
        work_until(1, 100 + int64_t{k});
        cpu.max_cost = 0;
        cpu.min_cost = 0;
        const int64_t wanted = now() + (100 + int64_t{k}) * 50;
        check(driver.clock_changed(80000000), "refused", k);
        // The tick begins one count after the wrap.
        const int64_t begin = now() + static_cast<int64_t>(cpu.systick.to_edge()) + 1;
        check(begin == wanted, "the next tick begins at", begin, wanted);
    }
}

// The new clock may leave less of the tick than a restart needs. Time still goes on from where it was, and each tick
// is counted when it comes.
SLEEP_CASE("clock_changed() to a slower clock lets time go on")
{
    struct change {
        uint32_t from;
        uint32_t to;
    };
    for (const change &each : {change{even, 1600000},
                               {80000000, 1600000},
                               {80000000, 4000000},
                               {even, 2000000},
                               {64000000, min_counts * TICKWHEEL_HZ},
                               {even, 8000000},
                               {1600000, even},
                               {uneven, 1600500},
                               {even, even},
                               {even, 120000000}}) {
        for (uint32_t k = 0; k < 600; ++k) {
            start(each.from);
            slack_always = 1;
            const int64_t tick = tick_counts();
            const int64_t nearest = 80;
            const int64_t within = k < 400 ? 50 + k * (tick - 50 - nearest) / 400 : tick - nearest - (k - 400);
            cpu.pass(static_cast<uint64_t>(3 * tick + within));
            look_at_time();
            const int64_t ticks = tick_at(now());
            const int64_t left = tick_start(ticks + 1) - now();
            const int64_t from = now();
            check(driver.clock_changed(each.to), "refused", each.to);
            go_on_at(each.to);
            look_at_time();
            const int64_t off = tick_start(ticks + 1) - from - left * each.to / each.from;
            // The call is worth so many counts of the old clock.
            const int64_t call = 40;
            check(off >= -2 - call * each.to / each.from && off <= call, "the tick under way is off by", off);
            // The one that ended meanwhile, if one did, and those after it.
            check_ticks(tick_at(now()), ticks + 5);
            check(driver.counts().restarts == 1, "restarts", driver.counts().restarts);
            arm(timers[0], 20);
            idle_until_fired(1);
            end_life();
        }
    }
}

// Nothing has begun: every call returns, no tick is counted and no register of the counter written.
SLEEP_CASE("every call returns before the start")
{
    // Nothing there; an edge whose exception is pending; one that only COUNTFLAG tells of; a counter that runs.
    for (unsigned left_behind = 0; left_behind < 4; ++left_behind) {
        for (unsigned call = 0; call < 4; ++call) {
            // As after a reset, or after a boot loader that has left a SysTick behind.
            start(even);
            cpu.before_stop = [] { cpu.complain("asleep before the start"); };
            cpu.systick = {};
            driver = {};
            cpu.primask = true;
            cpu.systick.pending = left_behind == 1;
            cpu.systick.count_flag = left_behind == 2;
            if (left_behind == 3) {
                cpu.systick.reload = 400;
                cpu.systick.enabled = true;
                cpu.advance(500);
            }
            const uint32_t reload = cpu.systick.reload;
            if (call == 0) {
                driver.idle();
            } else if (call == 1) {
                check(!driver.clock_changed(even), "a clock is changed that was none", call);
            } else if (call == 2) {
                check(driver.now_us() == 0, "now_us()", static_cast<int64_t>(driver.now_us()));
            }
            cpu.unmask(false);
            cpu.pass(1000);
            check(driver.now_us() == 0, "now_us()", static_cast<int64_t>(driver.now_us()));
            check_tick(0);
            check(hal_ticks == 0, "the HAL counts", hal_ticks);
            check(cpu.systick.reload == reload, "the reload is written", cpu.systick.reload);
            check(driver.counts().sleeps == 0, "sleeps", driver.counts().sleeps);
            // And what was there before is not a tick of the one that is started then.
            cpu.before_stop = before_stop;
            cpu.systick = {};
            start_driver();
            work_until(1, 100);
            look_at_time();
            check_tick(0);
            check_ticks(1, 10);
        }
    }
}

SLEEP_CASE("a HAL's counter is jiffies after sleeping")
{
    start(uneven);
    hal_hook = look_at_time;
    for (uint32_t i = 1; i <= 200 && goes_on(); ++i) {
        arm(timers[0], static_cast<int32_t>(i));
        idle_until_fired(i);
        check(hal_ticks == static_cast<uint32_t>(counted()), "the HAL counts", hal_ticks);
    }
    check(hal_ticks == 200 * 201 / 2, "the HAL counts", hal_ticks);
    // Ticks that a sleep's end counts.
    arm(timers[0], 100);
    interrupt_at(tick_start(hal_ticks + 40) + 5000);
    idle();
    check(hal_ticks == static_cast<uint32_t>(counted()), "the HAL counts", hal_ticks);
}

// Masked for less than a tick loses nothing; one bit does not say that two edges came.
SLEEP_CASE("masked for more than a tick: the limit")
{
    for (uint32_t tenths = 1; tenths < 28; ++tenths) {
        start(even);
        cpu.pass(tick_counts() / 3);
        const bool state = cpu.mask();
        cpu.pass(tick_counts() / 10 * tenths);
        cpu.unmask(state);
        cpu.pass(100);
        const int64_t edges = static_cast<int64_t>(cpu.systick.edges);
        check_tick(edges < 2 ? edges : 1);
        check(tenths > 10 || edges < 2, "edges", edges);
    }
}

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
