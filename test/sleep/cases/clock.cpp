// SPDX-License-Identifier: MIT
// Changes of the clock, the start, and the limits.
#include "../cases.hpp"

namespace
{

// The rest of the tick goes on at the new frequency. The ticks after it have the new length.
SLEEP_CASE("clock_changed() scales what is left of the tick")
{
    for (const bool in_long_period : {false, true}) {
        for (const uint32_t after : {uneven, 80000000u, 1600500u}) {
            for (uint32_t k = 0; k < 400; ++k) {
                const int64_t before = k < 200 ? 120 - int64_t{k} : int64_t{k} * 30;
                if (in_long_period) {
                    start_in_long_period(even, 100, 30, before);
                } else {
                    start(even);
                    cpu.pass(50);
                    work_until(1, before);
                }
                look_at_time();
                const int64_t ticks = tick_at(now());
                const int64_t left = tick_start(ticks + 1) - now();
                const int64_t from = now();
                (void)driver.clock_changed(after);
                go_on_at(after);
                // The begin of the next tick, against where it should be. A tick near its edge runs out at the old
                // length, and the call takes its time.
                const int64_t wanted = from + left * after / even;
                const int64_t off = tick_start(ticks + 1) - wanted;
                check(off >= -100 - 100 * int64_t{after} / even && off <= 200, "the tick under way is off by", off);
                slack_always = 1;
                const int64_t seen = tick_at(now());
                check_ticks(seen + 1, seen + 4, 150);
                arm(timers[1], 20);
                idle();
                end_life();
            }
        }
    }
}

// Accesses take no time here, so the driver reads the counter when the call begins. The next tick is exact.
SLEEP_CASE("clock_changed() to a faster clock scales each count that is left of the tick")
{
    for (uint32_t k = 0; k < 200; ++k) {
        start(1600000);
        cpu.pass(50);
        work_until(1, 100 + int64_t{k});
        cpu.most_cost = 0;
        cpu.least_cost = 0;
        const int64_t wanted = now() + (100 + int64_t{k}) * 50;
        check(driver.clock_changed(80000000), "refused", k);
        // The tick begins one count after the wrap.
        const int64_t begin = now() + static_cast<int64_t>(cpu.systick.to_edge()) + 1;
        check(begin == wanted, "the next tick begins at", begin, wanted);
    }
}

// The new clock may leave less of the tick than a restart needs. Time still goes on from where it was, and each tick
// is counted when it comes.
void clock_changed_to_slower(uint32_t reckoning)
{
    struct change {
        uint32_t from;
        uint32_t to;
    };
    for (const change &each : {change{even, 1600000},
                               {80000000, 1600000},
                               {80000000, 4000000},
                               {even, 2000000},
                               {64000000, least_counts * TICKWHEEL_HZ},
                               {even, 8000000},
                               {1600000, even},
                               {uneven, 1600500},
                               {even, even},
                               {even, 120000000}}) {
        // Nothing can be done within a tick that is over before it has been reckoned out.
        if (each.to / TICKWHEEL_HZ < 2 * reckoning) {
            continue;
        }
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
            cpu.reckoning = reckoning;
            check(driver.clock_changed(each.to), "refused", each.to);
            cpu.reckoning = 0;
            go_on_at(each.to);
            look_at_time();
            const int64_t off = tick_start(ticks + 1) - from - left * each.to / each.from;
            // The call is worth so many counts of the old clock.
            const int64_t call = 40 + 8 * reckoning;
            check(off >= -2 - call * each.to / each.from && off <= call, "the tick under way is off by", off);
            // The one that ended meanwhile, if one did, and those after it.
            check_ticks(tick_at(now()), ticks + 5);
            check(driver.counts().restarts == 1, "restarts", driver.counts().restarts);
            arm(timers[0], 20);
            idle_until_fired(1);
            end_life(most_masked + 8 * reckoning);
        }
    }
}
SLEEP_CASE("clock_changed() to a slower clock lets time go on")
{
    clock_changed_to_slower(0);
}
// On a slow core the edge comes, or comes near, while that is reckoned out.
SLEEP_CASE("clock_changed() on a core that takes long for it")
{
    for (uint32_t reckoning = 426; reckoning < 434; ++reckoning) {
        clock_changed_to_slower(reckoning);
    }
}

// The driver makes up for the cost of these restarts too.
SLEEP_CASE("clock_changed() 500 times to the same clock moves nothing")
{
    for (const uint32_t lost : {6u, 9u, 7u}) {
        const uint32_t clock = lost == 7 ? uneven : even;
        start(clock);
        model::systick::lost.counts = lost * 256;
        static uint32_t real;
        real = lost;
        cpu.lost = [] { return real; };
        for (uint32_t i = 1; i <= 500 && goes_on(); ++i) {
            work_until(tick_at(now()) + 1, -1000 - int64_t{cpu.random(10000)});
            const int64_t before = origin;
            const int64_t ticks = counted();
            check(driver.clock_changed(clock), "refused", clock);
            go_on_at(clock);
            // A tick of the grid begins with a whole count; how long this one is depends on what it has rounded off.
            const int64_t moved = tick_start(ticks) - (before + ticks * clock / TICKWHEEL_HZ);
            const bool whole = clock % TICKWHEEL_HZ == 0;
            check(whole ? moved == 0 : moved >= -1 && moved <= 1, "a tick has moved by", moved);
            look_at_time();
            check(driver.counts().restarts == i, "restarts", driver.counts().restarts);
        }
        end_life();
    }
}

/// As after a reset, or after a boot loader that has left a SysTick behind.
void before_start()
{
    start(even);
    cpu.before_stop = [] { cpu.complain("asleep before the start"); };
    cpu.systick = {};
    driver = {};
}

// Nothing has begun: every call returns, no tick is counted and no register of the counter written.
SLEEP_CASE("B21: every call returns before the start")
{
    // Nothing there; an edge whose exception is pending; one that only COUNTFLAG tells of; a counter that runs.
    for (unsigned left_behind = 0; left_behind < 4; ++left_behind) {
        for (unsigned call = 0; call < 4; ++call) {
            before_start();
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
            check_exact_ticks(1, 10);
        }
    }
}

// The tick under way begins anew, whatever the one before has left behind.
SLEEP_CASE("B21: started again, a tick begins anew")
{
    for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
        start_in_long_period(uneven, 100, 30, 5000);
        if (k % 2 == 0) {
            arm(timers[1], 7);
            idle();
        }
        // An edge waits, or has just come, or not.
        work_until_edge_in(sweep_cycles);
        const bool state = cpu.mask();
        cpu.pass(k);
        (void)driver.now();
        const int64_t ticks = counted();
        cpu.systick.enabled = false;
        cpu.systick.pending = false;
        cpu.systick.write_value();
        start_driver();
        origin -= tick_start(ticks) - origin;
        slack_always = 1;
        last_us = 0;
        cpu.unmask(state);
        check_exact_ticks(ticks + 1, ticks + 5);
    }
}

SLEEP_CASE("B21: a HAL's counter is jiffies after sleeping")
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
SLEEP_CASE("B5: masked for more than a tick: the limit")
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

SLEEP_CASE("multiply, divide and the grid, against wider types")
{
    start(even);
    for (unsigned i = 0; i < 200000 && goes_on(); ++i) {
        const auto any = [] {
            // All magnitudes alike.
            return static_cast<uint32_t>((uint64_t{cpu.random(0xFFFFFFFF)} << 1 | 1) >> (1 + cpu.random(32)));
        };
        const uint32_t a = any();
        const uint32_t b = any();
        const uint32_t by = any() | 1;
        const uint64_t wide = uint64_t{a} << 32 | b;
        check(tickwheel::multiply(a, b) == uint64_t{a} * b, "multiply", a);
        const tickwheel::division both = tickwheel::divide(wide, by);
        check(both.quotient == wide / by && both.remainder == wide % by, "divide", by);
        const tickwheel::tick_grid grid = tickwheel::tick_grid::of(a, 2);
        if (grid.fits()) {
            // From the edge of any tick: where the next ones are, and which of them have passed.
            const uint64_t first = b;
            const auto edge = [&](uint64_t tick) {
                return static_cast<uint64_t>(static_cast<unsigned __int128>(tick) * a / TICKWHEEL_HZ);
            };
            const auto fraction = static_cast<uint32_t>(uint64_t{b} * a % TICKWHEEL_HZ);
            const uint32_t ticks = 1 + cpu.random(grid.longest);
            const uint64_t counts = edge(first + ticks) - edge(first);
            check(grid.counts(ticks, fraction) == counts && counts <= 1u << 24, "counts", a);
            check(grid.fraction_after(ticks, fraction) == (first + ticks) * a % TICKWHEEL_HZ, "fraction", a);
            check(grid.whole_ticks(static_cast<uint32_t>(counts) - 1, fraction) == ticks - 1, "whole ticks", a);
            const uint32_t within = cpu.random(static_cast<uint32_t>(counts));
            const uint32_t whole = grid.whole_ticks(within, fraction);
            check(grid.counts(whole, fraction) <= within && grid.counts(whole + 1, fraction) > within, "whole", a);
        }
    }
}

} // namespace
