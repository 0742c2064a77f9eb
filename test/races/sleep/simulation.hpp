// SPDX-License-Identifier: MIT
// The driver and the wheel on the modelled core, and what must hold of them at any
// time, told by cycles since the start and 64-bit arithmetic alone.
#pragma once

#include "model.hpp"

#include <stdio.h>

#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

/// The counter of a vendor's HAL. tickwheel_ticks_passed() feeds it.
extern uint32_t hal_ticks;
extern void (*hal_hook)();

namespace simulation
{

using model::cpu;

inline tickwheel::tickless<model::systick> driver;
inline uint32_t clock_hz;
/// Until the driver has taken over a new clock nobody can say how long a tick is.
inline bool clock_changes;
/// The cycle at which tick 0 began.
inline int64_t origin;
/// By how many counts a wrap may be off in any case, and in 1/256 for each restart.
inline int64_t slack_always;
inline int64_t slack_per_restart;
inline int64_t worst;
/// A callback may run so many cycles after its tick: the program itself keeps the core busy.
inline uint64_t late_limit;
inline uint64_t last_us;
inline uint64_t last_us_at;
inline uint32_t fired;
inline unsigned passed_cases;
inline unsigned failed_cases;
inline bool failing;
inline char context[160];

constexpr unsigned timer_count = 12;
struct timed : timer_list {
    bool armed;
    /// The tick that was asked for, and the one in which it fires, since the start.
    int64_t asked;
    int64_t due;
};
inline timed timers[timer_count];
inline void (*after_firing)(timed &) = [](timed & /*timer*/) {};

/// Reports the first fault of a case: what it is, by how much, and against what.
inline void fail(const char *what, int64_t value = 0, int64_t against = 0)
{
    if (!failing) {
        printf("FAIL %s: cycle %llu: %s (%lld, %lld)\n", context, static_cast<unsigned long long>(cpu.cycle), what,
               static_cast<long long>(value), static_cast<long long>(against));
    }
    failing = true;
}
inline void check(bool holds, const char *what, int64_t value, int64_t against = 0)
{
    if (!holds) {
        fail(what, value, against);
    }
}
/// Whether the case has found no fault yet.
inline bool goes_on()
{
    return !failing && cpu.broken == nullptr;
}

inline uint32_t tick_counts()
{
    return clock_hz / TICKWHEEL_HZ;
}
inline int64_t slack()
{
    return slack_always + (slack_per_restart * driver.counts().restarts + 255) / 256;
}
inline int64_t tick_start(int64_t tick)
{
    return origin + tick * clock_hz / TICKWHEEL_HZ;
}
inline int64_t tick_at(int64_t cycle)
{
    return cycle < origin ? 0 : ((cycle - origin + 1) * TICKWHEEL_HZ - 1) / clock_hz;
}
inline int64_t now()
{
    return static_cast<int64_t>(cpu.cycle);
}
/// Works on until `tick` begins, less so many cycles. Within a long period there is no wrap there.
inline void work_until(int64_t tick, int64_t before)
{
    const int64_t at = tick_start(tick) - before;
    if (at > now()) {
        cpu.pass(static_cast<uint64_t>(at - now()));
    }
}
/// Ticks that the wheel has counted since the start.
inline int64_t counted()
{
    return static_cast<int64_t>(tickwheel_get_jiffies_64() - TICKWHEEL_INITIAL_JIFFIES);
}

inline timed *earliest()
{
    timed *best = nullptr;
    for (timed &each : timers) {
        if (each.armed && !each.deferrable && (best == nullptr || each.due < best->due)) {
            best = &each;
        }
    }
    return best;
}

/// Whether the wheel has taken the timer, and its callback has not started. An arm now is for the firing after.
inline bool in_flight(const timed &timer)
{
    return timer.armed && !tickwheel_timer_pending(&timer);
}

/// Arms a timer for `delta` ticks after jiffies.
inline void arm(timed &timer, int32_t delta)
{
    const bool state = cpu.mask();
    if (in_flight(timer)) {
        cpu.unmask(state);
        return;
    }
    const int64_t start = counted();
    timer.asked = start + delta;
    timer.due = delta < 1 ? start + 1 : start + delta;
    timer.armed = true;
    (void)tickwheel_mod_timer(&timer, static_cast<jiffies_t>(timer.asked + TICKWHEEL_INITIAL_JIFFIES));
    cpu.unmask(state);
}
inline void disarm(timed &timer)
{
    const bool state = cpu.mask();
    if (!in_flight(timer)) {
        (void)tickwheel_timer_delete(&timer);
        timer.armed = false;
    }
    cpu.unmask(state);
}

inline void callback(timer_list *self)
{
    timed &timer = *static_cast<timed *>(self);
    ++fired;
    const bool state = cpu.mask();
    check(timer.armed, "a timer fires that was not armed", timer.due);
    timer.armed = false;
    const int64_t early = tick_start(timer.asked) - now();
    check(clock_changes || early <= slack(), "a timer fires early by cycles", early);
    const int64_t late = now() - tick_start(timer.due);
    check(clock_changes || timer.deferrable || late <= slack() + static_cast<int64_t>(late_limit),
          "a timer fires late by cycles", late);
    check(hal_ticks == static_cast<uint32_t>(counted()), "a HAL counter, and jiffies", hal_ticks, counted());
    cpu.unmask(state);
    after_firing(timer);
}

/// Compares the time that the driver reports with the truth, and checks that it never goes back.
inline void look_at_time()
{
    const model::level here = cpu.running;
    const auto moment = driver.now();
    const int64_t ticks = static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES);
    const int64_t seen = ticks * clock_hz / TICKWHEEL_HZ + moment.counts;
    const int64_t truth = static_cast<int64_t>(cpu.read_at[here]) - origin;
    const int64_t error = seen - truth;
    const int64_t size = error < 0 ? -error : error;
    worst = size > worst && !clock_changes ? size : worst;
    // At 0, which is the wrap already, one count more is allowed.
    check(clock_changes || size <= slack() + cpu.read_0[here], "now() is off by counts", error);
    const uint64_t us = driver.now_us();
    const uint64_t at = cpu.read_at[here];
    // A call that is interrupted after its read returns an older time than the interrupt's call.
    const bool state = cpu.primask;
    cpu.primask = true;
    if (at >= last_us_at) {
        check(us >= last_us, "now_us() goes back", static_cast<int64_t>(us), static_cast<int64_t>(last_us));
        last_us = us;
        last_us_at = at;
    }
    cpu.primask = state;
}

/// WFI is about to stop the core: the next wrap must not be later than the next timer, and time must be right.
inline void before_stop()
{
    const int64_t ticks = counted();
    // A tick within a long period may have begun since jiffies were made right.
    const int64_t since = 24 * int64_t{cpu.max_cost};
    check(ticks >= tick_at(now() - slack() - since) && ticks <= tick_at(now() + slack() + 1),
          "asleep with jiffies in tick", ticks, tick_at(now()));
    const timed *next = earliest();
    if (next != nullptr) {
        check(next->due > ticks, "asleep with a timer due in tick", next->due, ticks);
        // The current tick's wrap may come first. A period that is loaded for after it must end in time as well.
        const int64_t wrap = now() + static_cast<int64_t>(cpu.systick.to_wrap());
        check(wrap <= tick_start(next->due) + slack(), "asleep beyond the next timer until", wrap,
              tick_start(next->due));
    }
}

inline void systick_handler()
{
    driver.interrupt();
}
inline void softirq_handler()
{
    (void)tickwheel_run();
}

/// Sleeps once, and looks at jiffies after it.
inline void idle()
{
    const bool masked = cpu.primask;
    const int64_t before = now();
    cpu.woken = false;
    driver.idle();
    const int64_t from = cpu.woken ? static_cast<int64_t>(cpu.woken_at) : before;
    check(counted() >= tick_at(from - slack() - 1) && counted() <= tick_at(now() + slack() + 1),
          "awake with jiffies in tick", counted(), tick_at(from));
    check(cpu.primask == masked, "idle() changes the mask", masked);
}

/// Does what tickwheel_systick_start() does. The counter is at 0, as after a write to it, so the tick begins with the
/// next count.
inline void start_driver()
{
    const tickwheel::tick_grid grid = tickwheel::systick_grid(clock_hz);
    check(grid.fits(), "no tick of this clock", clock_hz);
    driver.start(grid);
    // Its first period is as long as the second, which may be a count more.
    const int64_t tick = clock_hz / TICKWHEEL_HZ;
    origin = now() + 1 + (int64_t{2} * clock_hz / TICKWHEEL_HZ - tick) - tick;
    cpu.systick.enabled = true;
}

/// clock_changed() has returned: time goes on from where the driver is now, in ticks of the new length.
inline void go_on_at(uint32_t clock)
{
    const bool state = cpu.mask();
    const auto moment = driver.now();
    clock_changes = false;
    clock_hz = clock;
    origin = 0;
    origin = static_cast<int64_t>(cpu.read_at[cpu.running]) -
             tick_start(static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES)) - moment.counts;
    cpu.unmask(state);
}

inline void start(uint32_t clock, uint32_t max_cost = 1, uint32_t seed = 1)
{
    const char *const broken = cpu.broken;
    cpu = model::core();
    cpu.broken = broken;
    cpu.numbers.state = seed * 2654435761u | 1;
    cpu.max_cost = max_cost;
    cpu.before_stop = before_stop;
    cpu.handlers[model::systick_handler] = systick_handler;
    cpu.handlers[model::softirq] = softirq_handler;
    cpu.handlers[model::other_interrupt] = [] {};
    model::systick::restart_cost = 6 * 256;
    clock_hz = clock;
    clock_changes = false;
    slack_always = 0;
    slack_per_restart = 0;
    worst = 0;
    last_us = 0;
    last_us_at = 0;
    hal_ticks = 0;
    hal_hook = nullptr;
    fired = 0;
    after_firing = [](timed & /*timer*/) {};
    for (timed &each : timers) {
        each = timed();
    }
    driver = {};
    tickwheel_init(TICKWHEEL_INITIAL_JIFFIES);
    for (unsigned i = 0; i < timer_count; ++i) {
        tickwheel_timer_setup(&timers[i], callback, i % 6 == 5 ? unsigned{TICKWHEEL_TIMER_DEFERRABLE} : 0);
    }
    late_limit = clock / TICKWHEEL_HZ / 2;
    start_driver();
}

inline void begin_case(const char *name)
{
    (void)snprintf(context, sizeof context, "%s", name);
    failing = false;
    cpu.broken = nullptr;
}
inline void end_case()
{
    if (cpu.broken != nullptr) {
        fail(cpu.broken);
    }
    ++(failing ? failed_cases : passed_cases);
}
/// Prints how many cases passed. Returns the exit code.
inline int finish()
{
    printf("%u passed, %u failed\n", passed_cases, failed_cases);
    return failed_cases != 0;
}

} // namespace simulation
