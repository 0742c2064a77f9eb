// SPDX-License-Identifier: MIT
// SysTick's own traps: the reload, COUNTFLAG, the pending bit, the current value.
#include "../cases.hpp"

namespace
{

/// The last edge ended the tick before this one, to the count.
void check_edge(int64_t tick)
{
    const int64_t off = static_cast<int64_t>(cpu.systick.edge_at) + 1 - tick_start(tick);
    check(off == 0, "an edge is off by", off, tick);
}

// Reload is N - 1; with a remainder some periods are a count longer, and the sum is exact.
SLEEP_CASE("B5: the period is the reload plus one")
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u, 1000000007u}) {
        start(clock);
        for (int64_t i = 1; i < 3000 && goes_on(); ++i) {
            cpu.pass(cpu.systick.to_edge());
            check_edge(i);
        }
        cpu.pass(1000);
        check_tick(2999);
        end_life();
    }
}

// The same through sleeps of all lengths, each ended by its own timer.
// requirement: TW-36
SLEEP_CASE("B5: edges stay where they were after sleeps of 1 to 299 ticks")
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u}) {
        start(clock);
        for (int32_t length = 1; length < 300 && goes_on(); ++length) {
            arm(timers[0], length);
            const int64_t due = timers[0].due;
            idle_until_fired(static_cast<uint32_t>(length));
            check_edge(due);
        }
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        end_life();
    }
}

// The model complains of a reload of 0: also when the clock changes in the last count of a tick.
SLEEP_CASE("B5: the reload is never 0")
{
    start(even);
    for (const uint32_t clock : {0u, 1u, TICKWHEEL_HZ * 2u - 1, 0xFFFFFFFFu}) {
        const bool fits = clock / TICKWHEEL_HZ >= least_counts && clock / TICKWHEEL_HZ < 1u << 24;
        check(tickwheel::tick_grid::of(clock).fits() == fits, "a clock fits, or does not", clock);
        check(fits || !driver.clock_changed(clock), "taken", clock);
    }
    for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
        start(even);
        cpu.pass(50);
        work_until_edge_in(k);
        check(driver.clock_changed(even / 8), "refused", k);
        const uint64_t edges = cpu.systick.edges;
        cpu.pass(uint64_t{10} * (even / 8 / TICKWHEEL_HZ));
        check(cpu.systick.edges >= edges + 9, "the counter has stopped", k);
    }
}

SLEEP_CASE("B5: COUNTFLAG read by somebody else")
{
    for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
        start(uneven);
        cpu.handlers[model::foreign] = [] {
            cpu.pass(100);
            (void)model::systick::count_flag();
            if (cpu.systick.pending) {
                // The one trace of it that is left.
                look_at_time();
            }
        };
        arm(timers[0], 20);
        interrupt_at(tick_start(1) - sweep_cycles + k);
        idle_until_fired(1);
        cpu.systick.count_flag = false;
        look_at_time();
        cpu.systick.count_flag = false;
        idle();
        end_life();
    }
}

// Read after SysTick's handler was entered and before it masks, it was the last trace of the edge: time is early
// then, but not before what jiffies say, nor ahead.
SLEEP_CASE("B5: COUNTFLAG read by somebody else before SysTick's handler masks")
{
    for (uint32_t k = 0; k < 120; ++k) {
        start(uneven);
        cpu.handlers[model::foreign] = [] {
            (void)model::systick::count_flag();
            const auto moment = driver.now();
            const int64_t ticks = static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES);
            const int64_t seen = ticks * clock_hz / TICKWHEEL_HZ + moment.counts;
            check(ticks >= counted(), "ticks before jiffies", ticks - counted());
            check(seen <= now() - origin, "now() is ahead", seen - (now() - origin));
        };
        cpu.foreign_at = cpu.cycle + cpu.systick.to_edge() - 60 + k;
        cpu.pass(cpu.systick.to_edge() + 100);
        look_at_time();
        idle();
        end_life();
    }
}

// Time just before, at and after 0, awake and after a sleep.
SLEEP_CASE("B5: the current value around 0")
{
    for (const bool after_sleep : {false, true}) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven);
            if (after_sleep) {
                start_in_long_period(uneven, 50, 20, 5000);
            }
            work_until_edge_in(sweep_cycles - 100 - (k < 200 ? k : 0));
            // Or a core that reads several times within a count.
            cpu.least_cost = k % 2;
            for (unsigned i = 0; i < 100; ++i) {
                look_at_time();
            }
            cpu.least_cost = 1;
            idle();
            end_life();
        }
    }
}

// Between the entry of SysTick's handler and its first instruction nothing is pending, and nothing is counted.
SLEEP_CASE("B5: an interrupt above before SysTick's handler has begun")
{
    for (uint32_t k = 0; k < 100; ++k) {
        start(uneven, 1 + k % 9);
        cpu.handlers[model::foreign] = [] {
            // The first look clears COUNTFLAG.
            look_at_time();
            look_at_time();
        };
        cpu.foreign_at = cpu.cycle + cpu.systick.to_edge() - 50 + k;
        cpu.pass(tick_counts());
        look_at_time();
        check_tick(tick_at(now()));
        arm(timers[0], 3);
        idle_until_fired(1);
        end_life();
    }
}

// idle() counts the edge that woke it before interrupts are on. The exception must not count it again.
uint32_t handlers_run;
SLEEP_CASE("B5: PENDSTSET left over")
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(even);
        handlers_run = 0;
        cpu.handlers[model::systick_handler] = [] {
            ++handlers_run;
            driver.interrupt();
        };
        arm(timers[0], 2);
        // An interrupt ends the sleep at about the same time as the edge.
        interrupt_at(tick_start(1) - sweep_cycles / 2 + k);
        idle_until_fired(1);
        check_tick(2);
        check(handlers_run <= 1, "handlers run", handlers_run);
        // The program masks interrupts, so idle() counts the edge. The handler must not run for it.
        const bool state = cpu.mask();
        cpu.pass(tick_counts());
        arm(timers[1], 3);
        handlers_run = 0;
        idle();
        cpu.unmask(state);
        check(handlers_run == 0, "handlers run", handlers_run);
        check_tick(tick_at(now()));
        end_life(tick_counts() + 1000);
    }
}

void run_restarts(uint32_t known, uint32_t (*lost)(), uint32_t count, int64_t slack)
{
    start(uneven);
    model::systick::lost.counts = known;
    cpu.lost = lost;
    slack_always = slack;
    for (uint32_t i = 0; driver.counts().restarts < count && goes_on(); ++i) {
        arm(timers[0], 60);
        cpu.foreign_at = cpu.cycle + uint64_t{20} * tick_counts() + i * 13;
        idle_until_interrupted();
        arm(timers[1], 7);
        idle_until_fired(2 * i + 1);
        arm(timers[0], 1);
        idle_until_fired(2 * i + 2);
    }
    check(driver.counts().restarts == count, "restarts", driver.counts().restarts);
    end_life();
}

SLEEP_CASE("B5: what a restart loses is made up for")
{
    run_restarts(
        6 * 256, [] { return uint32_t{6}; }, 500, 0);
    run_restarts(
        9 * 256, [] { return uint32_t{9}; }, 500, 0);
    // A fraction of a count waits until it is one: in four restarts one more.
    static uint32_t turn;
    turn = 0;
    run_restarts(
        6 * 256 + 64, [] { return uint32_t{6} + (++turn % 4 == 0); }, 500, 1);
    // And where the constant is wrong, by that for each.
    run_restarts(
        6 * 256, [] { return uint32_t{7}; }, 500, 500);
    check(worst == 500, "off by", worst);
}

// The restart waits for the tick's end. The fractions of both ticks count.
SLEEP_CASE("B5: a restart just before an edge")
{
    start(uneven);
    while (driver.counts().restarts < 100 && goes_on()) {
        arm(timers[0], 60);
        interrupt_at(tick_start(tick_at(now()) + 20) - 40);
        idle_until_interrupted();
        // A sleep would load the next period anew.
        cpu.pass(2 * tick_counts());
        look_at_time();
    }
    end_life();
}

// The last tick of a long period ends with it.
SLEEP_CASE("B5: no restart in the last tick of a long period")
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start_in_long_period(uneven, 100, 100, 5000 + k);
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        idle_until_fired(1);
        end_life();
    }
}

// A core that reads several times within a count: what is written for the period after is not taken for this one.
SLEEP_CASE("B5: a reload is taken before the next is written")
{
    for (uint32_t seed = 1; seed < 50; ++seed) {
        start(uneven);
        cpu.numbers.state = seed * 2654435761u | 1;
        cpu.least_cost = 0;
        for (int64_t i = 1; i < 20 && goes_on(); ++i) {
            cpu.pass(cpu.systick.to_edge());
            check_edge(i);
        }
    }
}

} // namespace
