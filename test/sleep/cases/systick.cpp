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

// Reload is N - 1; with a remainder some periods are a count longer, and the sum is exact. Awake first, then through
// sleeps of all lengths, each ended by its own timer.
// requirement: TW-36
SLEEP_CASE("each edge is where it should be, awake and after sleeps of 1 to 299 ticks")
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u, 1000000007u}) {
        start(clock);
        for (int64_t tick = 1; tick < 3000 && goes_on(); ++tick) {
            cpu.pass(cpu.systick.to_edge());
            check_edge(tick);
        }
        cpu.pass(1000);
        check_tick(2999);
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

// The interrupt comes so shortly before a tick that the driver waits for the tick, and goes on from its fraction.
SLEEP_CASE("each edge is where it should be after a sleep that ends shortly before a tick")
{
    for (uint32_t k = 1; k < sweep_cycles; ++k) {
        start_in_long_period(100, 30, k);
        const int64_t from = counted();
        for (int64_t tick = from + 1; tick < from + 5 && goes_on(); ++tick) {
            cpu.pass(cpu.systick.to_edge());
            check_edge(tick);
        }
        end_life();
    }
}

static_assert(TICKWHEEL_SYSTICK_FITS(min_counts * TICKWHEEL_HZ), "the shortest tick fits");
static_assert(!TICKWHEEL_SYSTICK_FITS(min_counts * TICKWHEEL_HZ - 1), "a shorter one does not");

// The model complains of a reload of 0: also when the clock changes in the last count of a tick.
SLEEP_CASE("the reload is never 0")
{
    start(even);
    for (const uint32_t clock : {0u, 1u, min_counts * TICKWHEEL_HZ - 1}) {
        check(!tickwheel::systick_grid(clock).fits(), "a clock fits", clock);
        check(!driver.clock_changed(clock), "a clock is taken", clock);
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

SLEEP_CASE("COUNTFLAG read by somebody else")
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

// Time just before, at and after 0, awake and after a sleep.
SLEEP_CASE("the current value around 0")
{
    for (const bool after_sleep : {false, true}) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven);
            if (after_sleep) {
                start_in_long_period(50, 20, 5000);
            }
            work_until_edge_in(sweep_cycles - 100 - (k < 200 ? k : 0));
            // Or a core that reads several times within a count.
            cpu.min_cost = k % 2;
            for (unsigned i = 0; i < 100; ++i) {
                look_at_time();
            }
            cpu.min_cost = 1;
            idle();
            end_life();
        }
    }
}

// idle() counts the edge that woke it before interrupts are on. The exception must not count it again.
uint32_t handlers_run;
SLEEP_CASE("PENDSTSET left over")
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

// The last tick of a long period ends with it. An interrupt comes in the middle of it, or shortly before its end.
SLEEP_CASE("no restart in the last tick of a long period")
{
    for (uint32_t k = 1; k < 2 * sweep_cycles; ++k) {
        start_in_long_period(100, 100, k < sweep_cycles ? k : 5000 + k);
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        look_at_time();
        // The next long period begins where this tick ends.
        disarm(timers[0]);
        arm(timers[1], 60);
        const int64_t due = timers[1].due;
        idle_until_fired(fired + 1);
        check_edge(due);
        end_life();
    }
}

// A core that reads several times within a count: what is written for the period after is not taken for this one.
SLEEP_CASE("a reload is taken before the next is written")
{
    for (uint32_t seed = 1; seed < 50; ++seed) {
        start(uneven);
        cpu.numbers.state = seed * 2654435761u | 1;
        cpu.min_cost = 0;
        for (int64_t i = 1; i < 20 && goes_on(); ++i) {
            cpu.pass(cpu.systick.to_edge());
            check_edge(i);
        }
    }
}

// The second tick of this clock is a count longer than the first.
SLEEP_CASE("now() in the first count after the start")
{
    start(uneven);
    cpu.max_cost = 0;
    cpu.min_cost = 0;
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
