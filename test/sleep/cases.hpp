// SPDX-License-Identifier: MIT
// The driver's hazards by name. Each is swept: the edge, or an interrupt, comes at every cycle of the stretch in
// question once. Each of these lives is checked against what must hold at any time (simulation.hpp).
#ifndef TICKWHEEL_TEST_SLEEP_CASES_HPP
#define TICKWHEEL_TEST_SLEEP_CASES_HPP

#include "simulation.hpp"

#include <initializer_list>

using namespace simulation;

struct named_case {
    const char *name;
    void (*run)();
    named_case *next;
    static inline named_case *first = nullptr;

    named_case(const char *called, void (*what)()) : name(called), run(what), next(first)
    {
        first = this;
    }
};
#define SLEEP_CASE_OF(name, function)                                                                                \
    void function();                                                                                                 \
    named_case row_of_##function(name, function);                                                                    \
    void function()
#define SLEEP_CASE_AT(name, line) SLEEP_CASE_OF(name, case_of_line_##line)
#define SLEEP_CASE_IN(name, line) SLEEP_CASE_AT(name, line)
/// A case, in an unnamed namespace.
#define SLEEP_CASE(name) SLEEP_CASE_IN(name, __LINE__)

constexpr uint32_t even = 16000000;
constexpr uint32_t uneven = 12345678;
/// The stretches swept: longer than idle() with an access a cycle.
constexpr uint32_t sweep_cycles = 300;
constexpr uint64_t max_masked = 160;
constexpr uint32_t min_counts = TICKWHEEL_SYSTICK_MIN_COUNTS;

/// The interrupt from outside comes at this cycle, 64-bit.
inline void interrupt_at(int64_t cycle)
{
    cpu.foreign_at = static_cast<uint64_t>(cycle);
}

/// Works on until the next edge is so many cycles away.
inline void work_until_edge_in(uint32_t cycles)
{
    const uint64_t edge = cpu.systick.to_edge();
    if (edge > cycles) {
        cpu.pass(edge - cycles);
    }
}

inline void idle_until_fired(uint32_t count)
{
    while (goes_on() && fired < count) {
        idle();
        look_at_time();
        check(now() <= tick_start(200000), "it never fires", fired);
    }
}

inline void check_tick(int64_t tick)
{
    check(counted() == tick, "jiffies", counted(), tick);
}

/// Each of these ticks is counted within 100 cycles.
inline void check_ticks(int64_t from, int64_t end)
{
    for (int64_t tick = from; tick < end && goes_on(); ++tick) {
        work_until(tick, -100);
        check_tick(tick);
        look_at_time();
    }
}

inline void end_life(uint64_t masked = max_masked)
{
    look_at_time();
    check(cpu.longest_masked <= masked * cpu.max_cost, "masked for cycles", static_cast<int64_t>(cpu.longest_masked));
    check(hal_ticks == static_cast<uint32_t>(counted()), "a HAL counter, and jiffies", hal_ticks, counted());
}

/// A sleep of many ticks that an interrupt ended after `ticks`: a long period is under way.
inline void start_in_long_period(int32_t sleep, int64_t ticks, int64_t before)
{
    start(uneven);
    arm(timers[0], sleep);
    interrupt_at(tick_start(ticks) - before);
    while (goes_on() && cpu.foreign_at != model::counter::never) {
        idle();
    }
    check(counted() >= ticks - 1 && counted() <= ticks, "awake in tick", counted(), ticks);
}

#endif
