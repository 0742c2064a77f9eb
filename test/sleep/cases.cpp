// SPDX-License-Identifier: MIT
// The driver's hazards by name. Each is swept: the edge, or an interrupt, comes at
// every cycle of the stretch in question once, and what must hold at any time
// (simulation.hpp) is looked at in each of these lives.
#include "simulation.hpp"

#include <initializer_list>

#include <tickwheel/timer.hpp>

namespace
{

using simulation::cpu;
using simulation::driver;
using simulation::timers;

constexpr uint32_t even = 16000000;
constexpr uint32_t uneven = 12345678;
// The stretches swept: longer than idle() with an access a cycle.
constexpr uint32_t sweep_cycles = 300;
constexpr uint64_t most_masked = 160;
constexpr uint32_t least_counts = TICKWHEEL_SYSTICK_LEAST_COUNTS;

uint32_t tick_counts()
{
    return simulation::clock_hz / TICKWHEEL_HZ;
}

void start(uint32_t clock, uint32_t most_cost = 1)
{
    simulation::start(clock, 1, most_cost);
    cpu.handlers[model::foreign] = [] {};
}

bool goes_on()
{
    return !simulation::failing && cpu.broken == nullptr;
}

void check(bool holds, const char *what, int64_t value)
{
    if (!holds) {
        simulation::fail("%s (%lld)", what, static_cast<long long>(value));
    }
}

/// Works on until the next edge is so many cycles away.
void work_until_edge_in(uint32_t cycles)
{
    const uint64_t edge = cpu.systick.to_edge();
    if (edge > cycles) {
        cpu.pass(edge - cycles);
    }
}

/// Until `tick` begins, less so many cycles; within a long period there is no edge there.
void work_until(int64_t tick, int64_t before)
{
    const int64_t at = simulation::tick_start(tick) - before;
    if (at > simulation::now()) {
        cpu.pass(static_cast<uint64_t>(at - simulation::now()));
    }
}

/// Sleeps that the counter forces on the way to a timer so far away.
uint32_t forced_sleeps(int32_t ticks)
{
    const uint32_t longest = (1u << 24) / ((simulation::clock_hz + TICKWHEEL_HZ - 1) / TICKWHEEL_HZ);
    return 2 * (static_cast<uint32_t>(ticks) / longest);
}

void idle_until_fired(uint32_t count)
{
    while (goes_on() && simulation::fired < count) {
        simulation::idle();
        simulation::look_at_time();
        if (simulation::now() > simulation::tick_start(200000)) {
            simulation::fail("it never fires");
        }
    }
}

void end_life(uint64_t masked = most_masked)
{
    simulation::look_at_time();
    check(cpu.longest_masked <= masked * cpu.most_cost, "masked for so many cycles",
          static_cast<int64_t>(cpu.longest_masked));
    check(hal_ticks == static_cast<uint32_t>(simulation::counted()), "the HAL counts otherwise", hal_ticks);
}

/// A sleep of many ticks that an interrupt ended after `ticks`: a long period is under way.
void start_in_long_period(uint32_t clock, int32_t sleep, int64_t ticks, int64_t before, uint32_t most_cost = 1)
{
    start(clock, most_cost);
    simulation::arm(timers[0], sleep);
    cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(ticks) - before);
    while (goes_on() && cpu.foreign_at != model::counter::never) {
        simulation::idle();
    }
    check(simulation::counted() >= ticks - 1 && simulation::counted() <= ticks, "awake in tick",
          simulation::counted());
}

// --- B5: SysTick's own traps
// ----------------------------------------------------------------------------------------

// Reload is N - 1; with a remainder some periods are a count longer, and the sum is exact.
void period_is_reload_plus_one()
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u, 1000000007u}) {
        start(clock);
        for (int64_t i = 1; i < 3000 && goes_on(); ++i) {
            cpu.pass(cpu.systick.to_edge());
            const int64_t off = static_cast<int64_t>(cpu.systick.edge_at) + 1 - simulation::tick_start(i);
            check(off == 0, "an edge is off by", off);
        }
        cpu.pass(1000);
        check(simulation::counted() == 2999, "ticks", simulation::counted());
        end_life();
    }
}

// The same through sleeps of all lengths, each ended by its own timer.
void edges_stay_after_sleeps()
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u}) {
        start(clock);
        for (int32_t length = 1; length < 300 && goes_on(); ++length) {
            simulation::arm(timers[0], length);
            const int64_t due = timers[0].due;
            idle_until_fired(static_cast<uint32_t>(length));
            const int64_t off = static_cast<int64_t>(cpu.systick.edge_at) + 1 - simulation::tick_start(due);
            check(off == 0, "the edge after a sleep is off by", off);
        }
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        end_life();
    }
}

// The model complains of a reload of 0: also when the clock changes in the last count of a tick.
void reload_is_never_zero()
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
        check(driver.clock_changed(even / 16), "refused", k);
        const uint64_t edges = cpu.systick.edges;
        cpu.pass(uint64_t{10} * (even / 16 / TICKWHEEL_HZ));
        check(cpu.systick.edges >= edges + 9, "the counter has stopped", k);
    }
}

void count_flag_read_by_somebody_else()
{
    for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
        start(uneven);
        cpu.handlers[model::foreign] = [] {
            cpu.pass(100);
            (void)model::systick::count_flag();
            if (cpu.systick.pending) {
                // The one trace of it that is left.
                simulation::look_at_time();
            }
        };
        simulation::arm(timers[0], 20);
        cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(1)) - sweep_cycles + k;
        idle_until_fired(1);
        cpu.systick.count_flag = false;
        simulation::look_at_time();
        cpu.systick.count_flag = false;
        simulation::idle();
        end_life();
    }
}

// Read after SysTick's handler was entered and before it masks, it was the last trace of the edge: time is early
// then, but not before what jiffies say, nor ahead.
void count_flag_stolen_from_the_handler()
{
    for (uint32_t k = 0; k < 120; ++k) {
        start(uneven);
        cpu.handlers[model::foreign] = [] {
            (void)model::systick::count_flag();
            const auto moment = driver.now();
            const int64_t ticks = static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES);
            const int64_t seen = ticks * simulation::clock_hz / TICKWHEEL_HZ + moment.counts;
            check(ticks >= simulation::counted(), "ticks before jiffies", ticks - simulation::counted());
            check(seen <= simulation::now() - simulation::origin, "now() is ahead",
                  seen - (simulation::now() - simulation::origin));
        };
        cpu.foreign_at = cpu.cycle + cpu.systick.to_edge() - 60 + k;
        cpu.pass(cpu.systick.to_edge() + 100);
        simulation::look_at_time();
        simulation::idle();
        end_life();
    }
}

// Time just before, at and after 0, awake and after a sleep.
void value_of_zero()
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
                simulation::look_at_time();
            }
            cpu.least_cost = 1;
            simulation::idle();
            end_life();
        }
    }
}

// Between the entry of SysTick's handler and its first instruction nothing is pending, and nothing is counted.
void handler_entered_but_not_run()
{
    for (uint32_t k = 0; k < 100; ++k) {
        start(uneven, 1 + k % 9);
        cpu.handlers[model::foreign] = [] {
            // The first look clears COUNTFLAG.
            simulation::look_at_time();
            simulation::look_at_time();
        };
        cpu.foreign_at = cpu.cycle + cpu.systick.to_edge() - 50 + k;
        cpu.pass(tick_counts());
        simulation::look_at_time();
        check(simulation::counted() == simulation::tick_at(simulation::now()), "ticks", simulation::counted());
        simulation::arm(timers[0], 3);
        idle_until_fired(1);
        end_life();
    }
}

// An edge that WFI woke for is counted before interrupts are on; its exception must not count it again.
uint32_t handlers_run;
void pending_left_over()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(even);
        handlers_run = 0;
        cpu.handlers[model::systick_handler] = [] {
            ++handlers_run;
            driver.interrupt();
        };
        simulation::arm(timers[0], 2);
        // With an interrupt that ends the sleep at about the same time as the edge.
        cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(1)) - sweep_cycles / 2 + k;
        idle_until_fired(1);
        check(simulation::counted() == 2, "ticks", simulation::counted());
        check(handlers_run <= 1, "handlers run", handlers_run);
        // As where the program masks: the edge is counted by idle(), of which the handler must not know.
        const bool state = cpu.mask();
        cpu.pass(tick_counts());
        simulation::arm(timers[1], 3);
        handlers_run = 0;
        simulation::idle();
        cpu.unmask(state);
        check(handlers_run == 0, "handlers run", handlers_run);
        check(simulation::counted() == simulation::tick_at(simulation::now()), "ticks", simulation::counted());
        end_life(tick_counts() + 1000);
    }
}

// --- B15: sleep races
// -----------------------------------------------------------------------------------------------

// At each cycle from before idle() to its end an interrupt arms, moves or deletes.
unsigned foreign_action;
void interrupt_within_idle()
{
    for (foreign_action = 0; foreign_action < 5; ++foreign_action) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven, 1 + k % 3);
            cpu.handlers[model::foreign] = [] {
                switch (foreign_action) {
                case 0:
                    simulation::arm(timers[1], 2);
                    break;
                case 1:
                    simulation::arm(timers[0], 3);
                    break;
                case 2:
                    simulation::arm(timers[0], 150);
                    break;
                case 3:
                    simulation::disarm(timers[0]);
                    simulation::arm(timers[1], 1);
                    break;
                default:
                    simulation::arm(timers[1], 0);
                    break;
                }
            };
            simulation::arm(timers[0], 100);
            cpu.foreign_at = cpu.cycle + 1 + k;
            idle_until_fired(1);
            check(simulation::fired == 1, "fired", simulation::fired);
            end_life();
        }
    }
}

// One after another, until the core stops.
uint32_t changes_left;
void interrupts_one_after_another()
{
    for (uint32_t changes = 1; changes < 12; ++changes) {
        for (uint32_t apart = 1; apart < 40; ++apart) {
            start(even);
            changes_left = changes;
            static uint32_t each;
            each = apart;
            cpu.handlers[model::foreign] = [] {
                simulation::arm(timers[1], static_cast<int32_t>(20 + changes_left));
                if (--changes_left != 0) {
                    cpu.foreign_at = cpu.cycle + each;
                }
            };
            simulation::arm(timers[0], 60);
            cpu.foreign_at = cpu.cycle + 1;
            idle_until_fired(2);
            end_life();
        }
    }
}

// What an interrupt sets is not slept over, whenever it comes.
volatile int work;
uint64_t set_at;
void work_set_within_idle()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(uneven);
        work = 0;
        cpu.handlers[model::foreign] = [] {
            work = 1;
            set_at = cpu.cycle;
        };
        cpu.foreign_at = cpu.cycle + 1 + k;
        while (goes_on() && work == 0) {
            driver.idle(&work);
        }
        check(cpu.cycle - set_at < 200, "slept over for cycles", static_cast<int64_t>(cpu.cycle - set_at));
        end_life();
    }
}

// At least as long as it says, whenever in a tick it is called, also after a sleep and work.
void sleep_is_never_short()
{
    for (const bool after_sleep : {false, true}) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven);
            if (after_sleep) {
                start_in_long_period(uneven, 100, 30, 5000);
                cpu.pass(uint64_t{10} * tick_counts());
            }
            cpu.pass(k * 41);
            const int64_t from = simulation::now();
            driver.sleep(3);
            const int64_t took = simulation::now() - from;
            check(took >= 3 * int64_t{tick_counts()} && took < 4 * int64_t{tick_counts()} + 1000, "took", took);
            end_life();
        }
    }
}

// --- After a sleep every handler reads a right jiffies
// --------------------------------------------------------------

/// Armed by a handler that only knows `jiffies`, and when that was.
struct handed : tickwheel::timer {
    using timer::timer;
    int64_t armed_at = 0;
    /// Whole ticks that must pass.
    int64_t ticks = 0;
};
uint32_t handed_fired;
/// A handler above SysTick comes in before SysTick's own: by so much it may read jiffies late.
int64_t handed_slack;
void fire_handed(timer_list *self)
{
    const handed &timer = *static_cast<handed *>(self);
    ++handed_fired;
    const int64_t took = simulation::now() - timer.armed_at;
    const int64_t least = timer.ticks * simulation::clock_hz / TICKWHEEL_HZ - handed_slack;
    check(took >= least, "early by cycles", least - took);
    check(took <= least + 2 * int64_t{tick_counts()}, "late by cycles", took - least);
}
handed handed_timers[8] = {handed(fire_handed), handed(fire_handed), handed(fire_handed), handed(fire_handed),
                           handed(fire_handed), handed(fire_handed), handed(fire_handed), handed(fire_handed)};
uint32_t handed_armed;
uint64_t handed_apart;
/// `jiffies + n` waits n - 1 whole ticks and more, start_after_at_least(n) waits n.
void arm_handed()
{
    const jiffies_t ticks = 3 + handed_armed;
    handed &plain = handed_timers[handed_armed++];
    plain.armed_at = simulation::now();
    plain.ticks = ticks - 1;
    plain.start_at(jiffies + ticks);
    handed &whole = handed_timers[handed_armed++];
    whole.armed_at = simulation::now();
    whole.ticks = ticks;
    whole.start_after_at_least(ticks);
    check(simulation::counted() >= simulation::tick_at(simulation::now() - handed_slack), "jiffies",
          simulation::counted());
    if (handed_armed < 8) {
        cpu.foreign_at = cpu.cycle + handed_apart;
    }
}
// A first interrupt ends the sleep at any phase, and others come while the program works on.
void handlers_after_a_sleep()
{
    for (const uint32_t clock : {even, uneven, TICKWHEEL_HZ * 2000u + 1}) {
        for (const int64_t tick : {1, 2, 40, 99, 100}) {
            for (uint32_t k = 0; k < 500; ++k) {
                start(clock);
                handed_armed = 0;
                handed_fired = 0;
                handed_slack = 90;
                simulation::arm(timers[0], 100);
                cpu.handlers[model::foreign] = arm_handed;
                // At each cycle around a boundary, and in between.
                const int64_t at = k < 300 ? int64_t{k} - 150 : (k - 300) * int64_t{tick_counts()} / 200;
                cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(tick) + at);
                handed_apart = 100 + k * uint64_t{tick_counts()} * 2 / 500;
                while (goes_on() && handed_armed == 0) {
                    simulation::idle();
                }
                // Work, with the others, in which jiffies goes on.
                for (unsigned i = 0; i < 8 * 50 && goes_on(); ++i) {
                    cpu.pass(tick_counts() / 50 + 1);
                    const int64_t counted = simulation::counted();
                    check(counted >= simulation::tick_at(simulation::now() - 150) &&
                              counted <= simulation::tick_at(simulation::now()),
                          "jiffies in the main loop", counted);
                }
                while (goes_on() && handed_fired < 8) {
                    simulation::idle();
                }
                end_life();
            }
        }
    }
}

// --- B6: a deadline that has passed, or passes meanwhile
// ------------------------------------------------------------

void deadline_near_or_past()
{
    for (const bool in_long_period : {false, true}) {
        for (int32_t delta = -2; delta <= 5; ++delta) {
            for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
                // In the long period: around a tick that has no edge, and so that a restart is only just possible.
                const int64_t before =
                    k < sweep_cycles ? sweep_cycles / 2 - int64_t{k} : 400 + int64_t{k} - sweep_cycles;
                if (in_long_period) {
                    start_in_long_period(uneven, 100, 30, before);
                } else {
                    start(uneven);
                    cpu.pass(20);
                    work_until_edge_in(static_cast<uint32_t>(before < 0 ? 2 * sweep_cycles + before : before));
                }
                simulation::late_limit = 700;
                simulation::arm(timers[1], delta);
                idle_until_fired(1);
                check(simulation::fired == 1 && !timers[1].armed, "the other one fired", delta);
                end_life();
            }
        }
    }
}

// Armed by the interrupt that ended the sleep, jiffies being right in it.
int32_t foreign_delta;
void deadline_armed_by_what_wakes()
{
    for (foreign_delta = -2; foreign_delta <= 5; ++foreign_delta) {
        for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
            start(even);
            simulation::late_limit = 1000;
            cpu.handlers[model::foreign] = [] {
                check(simulation::counted() >= simulation::tick_at(static_cast<int64_t>(cpu.woken_at)),
                      "jiffies in it", simulation::counted());
                simulation::arm(timers[1], foreign_delta);
            };
            simulation::arm(timers[0], 100);
            cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(40)) - 2 * sweep_cycles + 10 + k;
            idle_until_fired(1);
            check(!timers[1].armed, "the other one fired", foreign_delta);
            end_life();
        }
    }
}

// Its tick has come before idle() looks: it is due as soon as interrupts are on, and nothing sleeps.
void deadline_passed_before_idle()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(even);
        simulation::arm(timers[0], 1);
        const bool state = cpu.mask();
        cpu.pass(cpu.systick.to_edge() + k);
        simulation::idle();
        check(driver.counts().sleeps == 0, "sleeps", driver.counts().sleeps);
        cpu.unmask(state);
        check(simulation::fired == 1, "fired", simulation::fired);
    }
}

// --- The reload is written when the edge comes
// ----------------------------------------------------------------------

void edge_when_the_reload_is_written()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        for (const uint32_t woken : {0u, 1u, 2u}) {
            start(uneven, 1 + k % 4);
            simulation::late_limit = 1000;
            simulation::arm(timers[0], 50);
            work_until_edge_in(woken != 0 ? 600 : k + 1);
            if (woken != 0) {
                // Another interrupt takes the long period back about when the edge comes.
                cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(1)) - sweep_cycles / 2 + k + woken;
            }
            idle_until_fired(1);
            end_life();
        }
    }
}

// --- B7: what it sleeps for
// -----------------------------------------------------------------------------------------

// Each event, a cascade too: an edge of the tick under way, and the long period.
void check_wakes(uint32_t before, uint32_t most)
{
    check(driver.counts().sleeps - before <= most, "sleeps", driver.counts().sleeps - before);
}

void armed_for_300_asked_at_250()
{
    start(even);
    simulation::arm(timers[0], 300);
    simulation::arm(timers[1], 250);
    idle_until_fired(1);
    check(simulation::counted() == 250, "in tick", simulation::counted());
    simulation::arm(timers[1], 200);
    idle_until_fired(2);
    check(simulation::counted() == 300, "in tick", simulation::counted());
    idle_until_fired(3);
    check(simulation::counted() == 450, "in tick", simulation::counted());
    check_wakes(0, 10 + forced_sleeps(450));
    end_life();
}

void wrapped_slots()
{
    // Around the end of a block, and of the first slot of every level that a sleep of minutes reaches.
    for (const int32_t start_at : {1, 63, 200, 255, 256, 1000, 16383}) {
        for (const int32_t delta : {2, 56, 57, 255, 256, 257, 511, 4096, 16384}) {
            start(even);
            simulation::arm(timers[0], start_at);
            idle_until_fired(1);
            const uint32_t before = driver.counts().sleeps;
            simulation::arm(timers[1], delta);
            idle_until_fired(2);
            check(simulation::counted() == start_at + delta, "in tick", simulation::counted());
            check_wakes(before, 12 + forced_sleeps(delta));
        }
    }
    end_life();
}

// A deferrable timer fires in its tick as well.
void deferrable_wakes()
{
    start(even);
    simulation::arm(timers[5], 10);
    simulation::arm(timers[0], 500);
    idle_until_fired(1);
    check(simulation::counted() == 10, "in tick", simulation::counted());
    idle_until_fired(2);
    check(simulation::counted() == 500, "in tick", simulation::counted());
    check_wakes(0, 6 + forced_sleeps(500));
    end_life();
}

void nothing_pending()
{
    for (const uint32_t clock : {even, uneven, 168000000u}) {
        start(clock);
        const int64_t longest = (int64_t{1} << 24) / ((clock + TICKWHEEL_HZ - 1) / TICKWHEEL_HZ);
        for (unsigned i = 1; i <= 20 && goes_on(); ++i) {
            simulation::idle();
            simulation::look_at_time();
            check(simulation::counted() == (1 + longest) * i, "ticks after a sleep", simulation::counted());
        }
        check(cpu.systick.edges == 40, "edges", static_cast<int64_t>(cpu.systick.edges));
        end_life();
    }
}

void further_than_the_counter_reaches()
{
    for (const int32_t length : {1047, 1048, 1049, 1050, 2096, 2097, 2098, 100000}) {
        start(even);
        simulation::arm(timers[0], length);
        idle_until_fired(1);
        check(simulation::counted() == length, "in tick", simulation::counted());
        check_wakes(0, 12 + forced_sleeps(length));
        end_life();
    }
}

// --- The current value is written
// -----------------------------------------------------------------------------------

void run_restarts(uint32_t known, uint32_t (*lost)(), uint32_t count, int64_t slack)
{
    start(uneven);
    model::systick::lost.counts = known;
    cpu.lost = lost;
    simulation::slack_always = slack;
    for (uint32_t i = 0; driver.counts().restarts < count && goes_on(); ++i) {
        simulation::arm(timers[0], 60);
        cpu.foreign_at = cpu.cycle + uint64_t{20} * tick_counts() + i * 13;
        while (goes_on() && cpu.foreign_at != model::counter::never) {
            simulation::idle();
        }
        simulation::arm(timers[1], 7);
        idle_until_fired(2 * i + 1);
        simulation::arm(timers[0], 1);
        idle_until_fired(2 * i + 2);
    }
    check(driver.counts().restarts == count, "restarts", driver.counts().restarts);
    end_life();
}

void lost_counts_are_made_up_for()
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
    check(simulation::worst == 500, "off by", simulation::worst);
}

// The last tick of a long period ends with it.
void no_restart_in_the_last_tick()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start_in_long_period(uneven, 100, 100, 5000 + k);
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        idle_until_fired(1);
        end_life();
    }
}

// A core that reads several times within a count: what is written for the period after is not taken for this one.
void reload_is_taken_before_the_next_is_written()
{
    for (uint32_t seed = 1; seed < 50; ++seed) {
        start(uneven);
        cpu.state = seed * 2654435761u | 1;
        cpu.least_cost = 0;
        for (int64_t i = 1; i < 20 && goes_on(); ++i) {
            cpu.pass(cpu.systick.to_edge());
            const int64_t off = static_cast<int64_t>(cpu.systick.edge_at) + 1 - simulation::tick_start(i);
            check(off == 0, "an edge is off by", off);
        }
    }
}

// --- The clock changes
// ----------------------------------------------------------------------------------------------

// What is left of the tick goes on at the new frequency, and the ticks after it are of the new length.
void clock_changed()
{
    for (const bool in_long_period : {false, true}) {
        for (const uint32_t after : {uneven, 80000000u, 1000500u}) {
            for (uint32_t k = 0; k < 400; ++k) {
                const int64_t before = k < 200 ? 120 - int64_t{k} : int64_t{k} * 30;
                if (in_long_period) {
                    start_in_long_period(even, 100, 30, before);
                } else {
                    start(even);
                    cpu.pass(50);
                    work_until(1, before);
                }
                simulation::look_at_time();
                const int64_t ticks = simulation::tick_at(simulation::now());
                const int64_t left = simulation::tick_start(ticks + 1) - simulation::now();
                const int64_t from = simulation::now();
                (void)driver.clock_changed(after);
                simulation::go_on_at(after);
                // Where the next tick begins, against where it should: what is too near an edge runs out at the old
                // length, and the call takes its time.
                const int64_t wanted = from + left * after / even;
                const int64_t off = simulation::tick_start(ticks + 1) - wanted;
                check(off >= -100 - 100 * int64_t{after} / even && off <= 200, "the tick under way is off by", off);
                simulation::slack_always = 1;
                const int64_t seen = simulation::tick_at(simulation::now());
                for (int64_t tick = seen + 1; tick < seen + 4 && goes_on(); ++tick) {
                    work_until(tick, -150);
                    check(simulation::counted() == tick, "jiffies", simulation::counted());
                }
                simulation::look_at_time();
                simulation::arm(timers[1], 20);
                simulation::idle();
                end_life();
            }
        }
    }
}

// Also to a clock at which less is left of the tick than a restart can be sure of: time goes on from where it was,
// and each tick is counted when it comes.
void clock_changed_to_slower(uint32_t reckoning)
{
    struct change {
        uint32_t from;
        uint32_t to;
    };
    for (const change &each : {change{even, 1000000},
                               {80000000, 1000000},
                               {80000000, 4000000},
                               {even, 2000000},
                               {64000000, least_counts * TICKWHEEL_HZ},
                               {even, 8000000},
                               {1000000, even},
                               {uneven, 1000500},
                               {even, even},
                               {even, 120000000}}) {
        // Nothing can be done within a tick that is over before it has been reckoned out.
        if (each.to / TICKWHEEL_HZ < 2 * reckoning) {
            continue;
        }
        for (uint32_t k = 0; k < 600; ++k) {
            start(each.from);
            simulation::slack_always = 1;
            const int64_t tick = tick_counts();
            const int64_t nearest = 80;
            const int64_t within = k < 400 ? 50 + k * (tick - 50 - nearest) / 400 : tick - nearest - (k - 400);
            cpu.pass(static_cast<uint64_t>(3 * tick + within));
            simulation::look_at_time();
            const int64_t ticks = simulation::tick_at(simulation::now());
            const int64_t left = simulation::tick_start(ticks + 1) - simulation::now();
            const int64_t from = simulation::now();
            cpu.reckoning = reckoning;
            check(driver.clock_changed(each.to), "refused", each.to);
            cpu.reckoning = 0;
            simulation::go_on_at(each.to);
            simulation::look_at_time();
            const int64_t off = simulation::tick_start(ticks + 1) - from - left * each.to / each.from;
            // The call is worth so many counts of the old clock.
            const int64_t call = 40 + 8 * reckoning;
            check(off >= -2 - call * each.to / each.from && off <= call, "the tick under way is off by", off);
            // The one that ended meanwhile, if one did, and those after it.
            for (int64_t next = simulation::tick_at(simulation::now()); next < ticks + 5 && goes_on(); ++next) {
                work_until(next, -100);
                check(simulation::counted() == next, "jiffies", simulation::counted());
                simulation::look_at_time();
            }
            check(driver.counts().restarts == 1, "restarts", driver.counts().restarts);
            simulation::arm(timers[0], 20);
            idle_until_fired(1);
            end_life(most_masked + 8 * reckoning);
        }
    }
}
void clock_changed_to_slower()
{
    clock_changed_to_slower(0);
}
// On a slow core the edge comes, or comes near, while that is reckoned out.
void clock_changed_slowly()
{
    for (uint32_t reckoning = 426; reckoning < 434; ++reckoning) {
        clock_changed_to_slower(reckoning);
    }
}

// What a restart takes is made up for there as well.
void clock_changed_often()
{
    for (const uint32_t lost : {6u, 9u, 7u}) {
        const uint32_t clock = lost == 7 ? uneven : even;
        start(clock);
        model::systick::lost.counts = lost * 256;
        static uint32_t real;
        real = lost;
        cpu.lost = [] { return real; };
        for (uint32_t i = 1; i <= 500 && goes_on(); ++i) {
            work_until(simulation::tick_at(simulation::now()) + 1, -1000 - int64_t{cpu.random(10000)});
            const int64_t before = simulation::origin;
            const int64_t ticks = simulation::counted();
            check(driver.clock_changed(clock), "refused", clock);
            simulation::go_on_at(clock);
            // A tick of the grid begins with a whole count; how long this one is depends on what it has rounded off.
            const int64_t moved = simulation::tick_start(ticks) - (before + ticks * clock / TICKWHEEL_HZ);
            const bool whole = clock % TICKWHEEL_HZ == 0;
            check(whole ? moved == 0 : moved >= -1 && moved <= 1, "a tick has moved by", moved);
            simulation::look_at_time();
            check(driver.counts().restarts == i, "restarts", driver.counts().restarts);
        }
        end_life();
    }
}

// --- B21: before the start, and after another one
// ------------------------------------------------------------------------------

/// As after a reset, or after a boot loader that has left a SysTick behind.
void before_start()
{
    simulation::start(even, 1, 1);
    cpu.handlers[model::foreign] = [] {};
    cpu.before_stop = [] { cpu.complain("asleep before the start"); };
    cpu.systick = {};
    driver = {};
}

// Nothing has begun: every call returns, no tick is counted and no register of the counter written.
void calls_before_the_start()
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
            switch (call) {
            case 0:
                driver.idle();
                break;
            case 1:
                check(!driver.clock_changed(even), "a clock is changed that was none", call);
                break;
            case 2:
                check(driver.now_us() == 0, "now_us()", static_cast<int64_t>(driver.now_us()));
                break;
            default:
                break;
            }
            cpu.unmask(false);
            cpu.pass(1000);
            check(driver.now_us() == 0, "now_us()", static_cast<int64_t>(driver.now_us()));
            check(simulation::counted() == 0 && hal_ticks == 0, "ticks", simulation::counted());
            check(cpu.systick.reload == reload, "the reload is written", cpu.systick.reload);
            check(driver.counts().sleeps == 0, "sleeps", driver.counts().sleeps);
            // And what was there before is not a tick of the one that is started then.
            cpu.before_stop = simulation::before_stop;
            cpu.systick = {};
            simulation::start_driver();
            for (int64_t tick = 1; tick < 10; ++tick) {
                work_until(tick, 100);
                simulation::look_at_time();
                work_until(tick, -100);
                check(simulation::counted() == tick, "jiffies", simulation::counted());
                simulation::look_at_time();
            }
        }
    }
}

// The tick under way begins anew, whatever the one before has left behind.
void started_again()
{
    for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
        start_in_long_period(uneven, 100, 30, 5000);
        if (k % 2 == 0) {
            simulation::arm(timers[1], 7);
            simulation::idle();
        }
        // An edge waits, or has just come, or not.
        work_until_edge_in(sweep_cycles);
        const bool state = cpu.mask();
        cpu.pass(k);
        (void)driver.now();
        const int64_t ticks = simulation::counted();
        cpu.systick.enabled = false;
        cpu.systick.pending = false;
        cpu.systick.write_value();
        simulation::start_driver();
        simulation::origin -= simulation::tick_start(ticks) - simulation::origin;
        simulation::slack_always = 1;
        simulation::last_us = 0;
        cpu.unmask(state);
        for (int64_t tick = ticks + 1; tick < ticks + 5 && goes_on(); ++tick) {
            work_until(tick, 100);
            simulation::look_at_time();
            check(simulation::counted() == tick - 1, "jiffies", simulation::counted());
            work_until(tick, -100);
            check(simulation::counted() == tick, "jiffies", simulation::counted());
        }
    }
}

// --- B21, and the limit that is stated
// ------------------------------------------------------------------------------

void hal_counter_after_sleeping()
{
    start(uneven);
    hal_hook = simulation::look_at_time;
    for (uint32_t i = 1; i <= 200 && goes_on(); ++i) {
        simulation::arm(timers[0], static_cast<int32_t>(i));
        idle_until_fired(i);
        check(hal_ticks == static_cast<uint32_t>(simulation::counted()), "the HAL counts", hal_ticks);
    }
    check(hal_ticks == 200 * 201 / 2, "the HAL counts", hal_ticks);
    // Ticks that a sleep's end counts.
    simulation::arm(timers[0], 100);
    cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(hal_ticks + 40) + 5000);
    simulation::idle();
    check(hal_ticks == static_cast<uint32_t>(simulation::counted()), "the HAL counts", hal_ticks);
}

// Masked for less than a tick loses nothing; one bit does not say that two edges came.
void masked_for_more_than_a_tick()
{
    for (uint32_t tenths = 1; tenths < 28; ++tenths) {
        start(even);
        cpu.pass(tick_counts() / 3);
        const bool state = cpu.mask();
        cpu.pass(tick_counts() / 10 * tenths);
        cpu.unmask(state);
        cpu.pass(100);
        const int64_t edges = static_cast<int64_t>(cpu.systick.edges);
        check(simulation::counted() == (edges < 2 ? edges : 1), "ticks", simulation::counted());
        check(tenths > 10 || edges < 2, "edges", edges);
    }
}

// --- Arithmetic
// -----------------------------------------------------------------------------------------------------

void arithmetic()
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

// --- The shortest tick
// --------------------------------------------------------------------------------------------------

static_assert(TICKWHEEL_SYSTICK_FITS(least_counts * TICKWHEEL_HZ), "the shortest tick fits");
static_assert(!TICKWHEEL_SYSTICK_FITS(least_counts * TICKWHEEL_HZ - 1), "a shorter one does not");

// A sleep, what ends it in any phase, a change of the clock and another sleep, on a core that takes long for each.
void shortest_tick()
{
    constexpr uint32_t shortest = least_counts * TICKWHEEL_HZ;
    start(even);
    check(!tickwheel::tick_grid::of(shortest - 1).fits(), "a shorter tick fits", shortest - 1);
    check(!driver.clock_changed(shortest - 1), "a clock with a shorter tick is taken", shortest - 1);
    for (const uint32_t clock : {shortest, shortest + TICKWHEEL_HZ / 3}) {
        for (uint32_t k = 0; k < 2 * least_counts; ++k) {
            start(clock, 12);
            cpu.least_cost = 8;
            handed_armed = 0;
            handed_fired = 0;
            handed_slack = 200;
            handed_apart = 100 + k;
            simulation::arm(timers[0], 20);
            cpu.handlers[model::foreign] = arm_handed;
            cpu.foreign_at = static_cast<uint64_t>(simulation::tick_start(7)) + k;
            while (goes_on() && handed_armed == 0) {
                simulation::idle();
            }
            while (goes_on() && handed_fired < 8) {
                simulation::idle();
            }
            cpu.pass(k % least_counts);
            check(driver.clock_changed(clock), "refused", clock);
            simulation::go_on_at(clock);
            simulation::slack_always = 1;
            const int64_t ticks = simulation::tick_at(simulation::now());
            for (int64_t tick = ticks + 1; tick < ticks + 5 && goes_on(); ++tick) {
                work_until(tick, -300);
                check(simulation::counted() == tick, "jiffies", simulation::counted());
            }
            idle_until_fired(1);
            end_life();
        }
    }
}

struct named_case {
    const char *name;
    void (*run)();
};
constexpr named_case cases[] = {
    {"B5: the period is the reload plus one", period_is_reload_plus_one},
    {"B5: edges stay where they were after sleeps of 1 to 299 ticks", edges_stay_after_sleeps},
    {"B5: the reload is never 0", reload_is_never_zero},
    {"B5: COUNTFLAG read by somebody else", count_flag_read_by_somebody_else},
    {"B5: COUNTFLAG read by somebody else before SysTick's handler masks", count_flag_stolen_from_the_handler},
    {"B5: the current value around 0", value_of_zero},
    {"B5: an interrupt above before SysTick's handler has begun", handler_entered_but_not_run},
    {"B5: PENDSTSET left over", pending_left_over},
    {"B15: an interrupt at each cycle of idle()", interrupt_within_idle},
    {"B15: work that an interrupt sets at each cycle of idle()", work_set_within_idle},
    {"sleep() is never short", sleep_is_never_short},
    {"handlers after a sleep arm by jiffies + n and by start_after_at_least(n), none early", handlers_after_a_sleep},
    {"B15: interrupts that change timers one after another", interrupts_one_after_another},
    {"B6: armed -2 to 5 ticks ahead, at each cycle around an edge or a tick", deadline_near_or_past},
    {"B6: armed -2 to 5 ticks ahead by what ends the sleep", deadline_armed_by_what_wakes},
    {"B6: passed before idle() looks", deadline_passed_before_idle},
    {"B5: the edge comes when the reload is written", edge_when_the_reload_is_written},
    {"B7: armed for 300, asked at 250", armed_for_300_asked_at_250},
    {"B7: wrapped slots", wrapped_slots},
    {"B7: deferrable timers fire in their tick", deferrable_wakes},
    {"B7: nothing pending is the longest period", nothing_pending},
    {"B7: further away than the counter reaches", further_than_the_counter_reaches},
    {"B5: what a restart loses is made up for", lost_counts_are_made_up_for},
    {"B5: no restart in the last tick of a long period", no_restart_in_the_last_tick},
    {"B5: a reload is taken before the next is written", reload_is_taken_before_the_next_is_written},
    {"clock_changed() scales what is left of the tick", clock_changed},
    {"clock_changed() to a slower clock lets time go on", static_cast<void (*)()>(clock_changed_to_slower)},
    {"clock_changed() on a core that takes long for it", clock_changed_slowly},
    {"clock_changed() 500 times to the same clock moves nothing", clock_changed_often},
    {"the shortest tick is served in every phase, a shorter one is refused", shortest_tick},
    {"B21: every call returns before the start", calls_before_the_start},
    {"B21: started again, a tick begins anew", started_again},
    {"B21: a HAL's counter is jiffies after sleeping", hal_counter_after_sleeping},
    {"B5: masked for more than a tick: the limit", masked_for_more_than_a_tick},
    {"multiply, divide and the grid, against wider types", arithmetic},
};

} // namespace

int main()
{
    for (const named_case &each : cases) {
        (void)snprintf(simulation::context, sizeof simulation::context, "%s", each.name);
        simulation::begin_case();
        each.run();
        simulation::end_case();
    }
    printf("%u passed, %u failed\n", simulation::passed_cases, simulation::failed_cases);
    return simulation::failed_cases != 0;
}
