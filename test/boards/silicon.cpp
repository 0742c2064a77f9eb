// SPDX-License-Identifier: MIT
// Measures tickwheel on a board, judges each figure, and prints a report of one page. docs/silicon.md says how to run
// it on a real board and what to send. NOT RUN ON HARDWARE.
//
// Every loop ends, also without a second timer, without DWT and without a tick. What a board cannot measure has
// failed. Only an emulator may lack the second timer. The program recognises an emulated Cortex-M3 or M4, because its
// cycle counter does not count.
//
// `make soak-sleep` runs the same program on emulated boards whose second timer is exact (SILICON_EXACT). It allows
// less there, calls time_of_day.cpp, and sleeps for as many hours as its command line says, unless a check has
// failed.
#include "frame.hpp"
#include "time_and_alarms.hpp"

#include "../support/command_line.hpp"

namespace
{

#if defined(SILICON_EXACT)
constexpr bool exact = true;
#else
constexpr bool exact = false;
#endif

constexpr uint32_t run_ticks = 2 * TICKWHEEL_HZ;
constexpr unsigned load_size = 48;

struct numbered : timer_list {
    /// The first arm of all has number 1.
    uint32_t number;
};
numbered load[load_size];
timer_list single;
random_numbers thread_numbers;

void do_nothing(timer_list * /*timer*/)
{
}

jiffies_t random_delay()
{
    return 1 + (thread_numbers.next() >> 16);
}

// Cycles of a call.

#if defined(__ARM_ARCH_6M__)
constexpr bool has_dwt = false;
#else
constexpr bool has_dwt = true;
#endif
constexpr uintptr_t dwt_control = 0xE0001000;
constexpr uintptr_t dwt_cycles = 0xE0001004;
bool by_dwt;

/// Counts up through 24 bits at least: DWT, or SysTick, which nothing else uses before the tick starts.
uint32_t cycle_count()
{
    return by_dwt ? at(dwt_cycles) : 0 - at(systick_value);
}

void start_cycle_counter()
{
    at(systick_reload) = 0xFFFFFF;
    at(systick_value) = 0;
    at(systick_control) = 5;
    if constexpr (has_dwt) {
        constexpr uintptr_t debug_control = 0xE000EDFC;
        at(debug_control) |= 1u << 24;
        at(dwt_control) |= 1;
        const uint32_t start = at(dwt_cycles);
        for (unsigned reads = 0; reads < 100; ++reads) {
            by_dwt = by_dwt || at(dwt_cycles) != start;
        }
    }
}

template <class Call>
uint32_t cycles_of(Call call)
{
    const uint32_t start = cycle_count();
    call();
    return (cycle_count() - start) & 0xFFFFFF;
}

void report_cycles(const char *name, const samples &all, int64_t reading, uint32_t allowed)
{
    const auto column = [reading](int64_t cycles, unsigned width) {
        return padded{static_cast<uint64_t>(cycles - reading), width};
    };
    report(all.max > reading && all.max - reading <= allowed, name, column(all.min, 6),
           column((all.sum + all.count / 2) / all.count, 9), column(all.max, 7), padded{allowed, 10});
}

/// No interrupt comes meanwhile: the program counts the ticks itself.
void measure_cycles()
{
    samples reading, arm, move, cancel, idle_tick, busy_tick;
    // The first pass fills the caches of the flash.
    for (unsigned pass = 0; pass < 2; ++pass) {
        reading = arm = move = cancel = idle_tick = busy_tick = {};
        for (unsigned calls = 0; calls < 512; ++calls) {
            const jiffies_t first = jiffies + random_delay();
            const jiffies_t second = jiffies + random_delay();
            reading.add(cycles_of([] {}));
            arm.add(cycles_of([first] { (void)tickwheel_mod_timer(&single, first); }));
            move.add(cycles_of([second] { (void)tickwheel_mod_timer(&single, second); }));
            cancel.add(cycles_of([] { (void)tickwheel_timer_delete(&single); }));
            idle_tick.add(cycles_of([] { (void)tickwheel_interrupt(); }));
            (void)tickwheel_mod_timer(&single, jiffies + 1);
            busy_tick.add(cycles_of([] { (void)tickwheel_interrupt(); }));
        }
    }
    print("      512 calls, ", load_size, " timers pending; cycles by ", by_dwt ? "DWT" : "SysTick",
          has_dwt && !by_dwt ? ", not real: an emulator\n" : "\n",
          "                       min  average    max   allowed\n");
    // Allowed are four cycles for each instruction of the worst call in docs/figures.md.
    report_cycles("arm           ", arm, reading.min, 400);
    report_cycles("move          ", move, reading.min, 400);
    report_cycles("cancel        ", cancel, reading.min, 160);
    report_cycles("idle tick     ", idle_tick, reading.min, 1400);
    report_cycles("tick, one call", busy_tick, reading.min, 3000);
}

// Masked time.

bool start_second_timer()
{
    second_timer::start();
    const uint32_t from = second_timer::count();
    second_timer::alarm_after(100000);
    return changes(alarms) && second_timer::count() != from;
}

/// An alarm waits longer than the quickest one because of a masked section, and of the entry of other interrupts.
/// The driver may also wait for the end of a tick that is nearer than `waits` counts of SysTick.
void report_masked(const char *name, uint32_t proved, uint32_t waits)
{
    // Where the second timer is exact, each instruction takes 8 ns, which count as a cycle.
    const uint32_t cycles_hz = exact ? 125000000 : clock_hz;
    // The cycles of ten instructions without wait states, by Arm's table for an M0+ and by a rule of thumb otherwise.
    constexpr uint32_t of_ten = exact ? 10 : has_dwt ? 23 : 17;
    // The entry of another interrupt, and where the second timer is exact tickwheel_ticks_passed(), which is longer
    // there.
    constexpr uint32_t others = exact ? 128 : 16;
    const uint32_t count_cycles = cycles_hz / 1000 * second_timer::count_ns / 1000000;
    const uint32_t max = static_cast<uint32_t>(latency.max - latency.min) * count_cycles;
    const uint32_t allowed = proved * of_ten / 10 + others + 2 * count_cycles + waits * (cycles_hz / clock_hz);
    report(latency.count > 100 && max <= allowed, name, max, " cycles, allowed ", allowed, "; proved ", proved,
           " instructions with GCC " TICKWHEEL_STRING(SILICON_PROVED_FOR));
}

/// The program counts the ticks itself, so nothing but the wheel masks interrupts.
void measure_masked()
{
    start_alarms(50000, [] {});
    for (unsigned rounds = 0; rounds < 20000; ++rounds) {
        (void)tickwheel_mod_timer(&load[thread_numbers.below(load_size)], jiffies + random_delay());
        (void)tickwheel_mod_timer(&single, jiffies + (random_delay() & 7));
        (void)tickwheel_timer_delete(&load[thread_numbers.below(load_size)]);
        (void)tickwheel_interrupt();
    }
    stop_alarms();
    report_masked("masked by the wheel: ", SILICON_PROVED_WHEEL, 0);
}

// Drift.

volatile int64_t tick_start_ns;

/// The next tick, and the time of its start by the second timer. The core is awake meanwhile.
struct tick_start {
    bool came = changes(jiffies);
    jiffies_t tick = jiffies;
    int64_t ns = tick_start_ns;
};

/// Judges how much longer the ticks lasted than they should. A lost tick makes them longer too.
void report_drift(const char *name, const tick_start &from, const tick_start &to, uint32_t min_ticks,
                  uint32_t restarts)
{
    const jiffies_t ticks = to.tick - from.tick;
    const int64_t right = counts_to_ns(ticks, TICKWHEEL_HZ);
    const int64_t drift = to.ns - from.ns - right;
    // Two crystals differ by less than 150 ppm. A lost tick is 500 ppm. Where the second timer is exact, there is the
    // time from the start of a tick to its handler, and the unknown fraction of a restart's cost.
    const int64_t allowed = exact ? 1000 + counts_to_ns(restarts, clock_hz) / 2 : right / 1000000 * 150;
    report(from.came && to.came && ticks >= min_ticks && drift <= allowed && drift >= -allowed, name, ticks,
           " ticks, ", drift, " ns too long: ", ticks == 0 ? 0 : drift * 1000 / (right / 1000), " ppm, allowed ",
           allowed, " ns");
    if (restarts != 0) {
        const int64_t parts = drift * static_cast<int64_t>(clock_hz / 1000) * 256 / 1000000;
        print("      ", restarts, " restarts of SysTick, each ", parts / static_cast<int64_t>(restarts),
              "/256 cycles too long\n");
    }
}

void measure_awake()
{
    const tick_start from;
    while (jiffies - from.tick < run_ticks && changes(jiffies)) {
    }
    report_drift("awake: ", from, tick_start{}, run_ticks, 0);
}

/// Sleeps from timer to timer. So many alarms end it, if the timers do not. @return how often the core woke
uint32_t measure_asleep(const char *name, uint32_t max_alarms)
{
    const tick_start from;
    const uint32_t alarms_before = alarms;
    const uint32_t restarts_before = tickwheel_sleep_counts().restarts;
    uint32_t wakes = 0;
    while (jiffies - from.tick < run_ticks && alarms - alarms_before < max_alarms) {
        (void)tickwheel_mod_timer_idle(&single, jiffies + 90);
        tickwheel_idle();
        ++wakes;
    }
    report_drift(name, from, tick_start{}, run_ticks, tickwheel_sleep_counts().restarts - restarts_before);
    return wakes;
}

void measure_sleep()
{
    // The alarm comes an eighth of a second after the last timer.
    second_timer::alarm_after(1000000000 / TICKWHEEL_HZ * (run_ticks + TICKWHEEL_HZ / 8));
    const uint32_t wakes = measure_asleep("asleep: ", 1);
    report(wakes <= run_ticks / 10, "asleep: ", wakes, " wake-ups, allowed ", run_ticks / 10);
    (void)changes(alarms);
    start_alarms(3000000, [] {});
    (void)measure_asleep("broken sleep: ", 1000);
    stop_alarms();
    report_masked("masked by sleep: ", SILICON_PROVED_SLEEP, 64);
}

// Order under load.

struct {
    uint32_t armed;
    uint32_t armed_by_alarm;
    uint32_t cancelled;
    uint32_t expired;
    uint32_t wrong_ticks;
    uint32_t out_of_order;
} counted;
numbered last;
uint32_t longest_delay = 600;

void expire(timer_list *self)
{
    const auto *timer = static_cast<numbered *>(self);
    const masked all;
    ++counted.expired;
    // The alarm may have armed the timer again since the runner took it.
    if (tickwheel_timer_pending(timer) == 0) {
        counted.wrong_ticks += jiffies != timer->expires;
        counted.out_of_order += tickwheel_time_before(timer->expires, last.expires) ||
                                (timer->expires == last.expires && timer->number < last.number);
        last = *timer;
    }
}

/// Arms an idle timer, or cancels one of four that are pending. @return how many timers it armed
uint32_t arm_or_cancel(random_numbers &numbers)
{
    numbered &timer = load[numbers.below(load_size)];
    const jiffies_t delay = 1 + numbers.below(numbers.below(2) == 0 ? 8 : longest_delay);
    const masked all;
    if (tickwheel_timer_pending(&timer) == 0) {
        timer.number = ++counted.armed;
        (void)tickwheel_mod_timer(&timer, jiffies + delay);
        return 1;
    }
    if (numbers.below(4) == 0) {
        counted.cancelled += tickwheel_timer_delete(&timer) != 0;
    }
    return 0;
}

/// Whether a sleep now ends before the exact expiry, at a cascade or where a deleted timer was.
bool ends_early()
{
    const uint32_t longest_ticks = (1u << 24) / (clock_hz / TICKWHEEL_HZ);
    jiffies_t event = 0;
    jiffies_t expiry = 0;
    const jiffies_t tick = jiffies;
    return tickwheel_next_event(&event) != 0 && event - tick < longest_ticks &&
           (tickwheel_next_expiry(&expiry) == 0 || tickwheel_time_before(event, expiry));
}

/// Arms and cancels for so many ticks, asleep between the rounds or awake. 0 ns: no alarm comes.
void measure_load(const char *name, uint32_t for_ticks, bool sleeps, uint32_t alarms_apart_ns)
{
    counted = {};
    last.expires = jiffies;
    for (numbered &timer : load) {
        (void)tickwheel_timer_delete(&timer);
        tickwheel_timer_setup(&timer, expire, 0);
    }
    if (alarms_apart_ns != 0) {
        start_alarms(alarms_apart_ns, [] { counted.armed_by_alarm += arm_or_cancel(alarm_numbers); });
    }
    const tick_start from;
    const uint32_t restarts_before = tickwheel_sleep_counts().restarts;
    uint32_t rounds = 0;
    uint32_t early = 0;
    for (; jiffies - from.tick < for_ticks && (sleeps || rounds < clock_hz / 64); ++rounds) {
        for (unsigned steps = 0; steps < 4; ++steps) {
            (void)arm_or_cancel(thread_numbers);
        }
        if (sleeps) {
            early += ends_early();
            tickwheel_idle();
        }
    }
    const tick_start to;
    if (alarms_apart_ns != 0) {
        stop_alarms();
    }
    for (numbered &timer : load) {
        counted.cancelled += tickwheel_timer_delete(&timer) != 0;
    }
    if (sleeps) {
        report_drift(name, from, to, for_ticks, tickwheel_sleep_counts().restarts - restarts_before);
        report(early * 100 <= rounds * 30, name, rounds, " wake-ups, ", early, " before the exact expiry");
    }
    if (sleeps && alarms_apart_ns != 0) {
        report_masked("masked by hours of sleep: ", SILICON_PROVED_SLEEP, 64);
    }
    report(counted.expired > 1000 && (counted.armed_by_alarm > 100 || alarms_apart_ns == 0), name, counted.expired,
           " callbacks, ", counted.cancelled, " cancels, ", counted.armed_by_alarm, " armed by an interrupt");
    report(counted.armed - counted.cancelled == counted.expired, name,
           "each timer that was armed fired once or was cancelled");
    report(counted.wrong_ticks == 0, name, counted.wrong_ticks, " callbacks in a wrong tick");
    report(counted.out_of_order == 0, name, counted.out_of_order, " callbacks out of order");
}

void print_header()
{
    print("\ntickwheel " TICKWHEEL_STRING(TICKWHEEL_VERSION_MAJOR) "." TICKWHEEL_STRING(TICKWHEEL_VERSION_MINOR) ".",
          TICKWHEEL_STRING(TICKWHEEL_VERSION_PATCH) " on " TICKWHEEL_STRING(SILICON_BOARD) ": ",
          TICKWHEEL_STRING(SILICON_CPU) ", CPUID ", hex{at(0xE000ED00)}, ", ", clock_hz, " Hz\n");
    print(uint32_t{TICKWHEEL_HZ},
          " ticks a second, geometry " TICKWHEEL_STRING(TICKWHEEL_GEOMETRY) ", compiler " __VERSION__ "\n");
    print("Copy all lines into an issue of the project. Add what is printed on the chip.\n\n");
}

} // namespace

void second_timer_alarm()
{
    const uint32_t waited = second_timer::count() - alarm_due;
    alarms = alarms + 1;
    expire_at_wake();
    if (apart_ns != 0) {
        latency.add(waited);
        on_alarm();
        set_alarm();
    }
}

void tickwheel_ticks_passed(uint32_t ticks)
{
    tick_start_ns = second_timer_ns();
    ticks_reported = ticks_reported + ticks;
    expire_at_wake();
}

int main()
{
    clock_hz = board::init();
    sixteen_counts_ns = 1000000000 / (clock_hz / 16);
    print_header();
    if constexpr (exact) {
        check_start();
    }
    tickwheel_timer_setup(&single, do_nothing, 0);
    for (numbered &timer : load) {
        tickwheel_timer_setup(&timer, do_nothing, 0);
        (void)tickwheel_mod_timer(&timer, jiffies + 0x10000 + random_delay());
    }
    start_cycle_counter();
    measure_cycles();
    const bool has_second_timer = start_second_timer();
    if (has_second_timer) {
        measure_masked();
    } else if (has_dwt && !by_dwt) {
        print("      this emulator has no second timer: no masked time, no drift\n");
    } else {
        report(false, "the second timer does not count or interrupt: no masked time, no drift");
    }
    systick_stop();
    report(tickwheel_systick_start(clock_hz) == 0 && changes(jiffies), "the tick starts");
    if (has_second_timer) {
        measure_awake();
        measure_sleep();
    }
    measure_load("load: ", run_ticks, false, has_second_timer ? 200000 : 0);
    if constexpr (exact) {
        if (failed == 0) {
            check_time_of_day();
        }
        if (failed == 0) {
            longest_delay = 0x10000;
            constexpr uint32_t hour = 3600u * TICKWHEEL_HZ;
            uint32_t hours = 0;
            if (number_from_command_line(1, 0x7FFFFFFF / hour, hours)) {
                measure_load("hours asleep: ", hours * hour, true, 0);
                measure_load("hours of broken sleep: ", hours * hour, true, 300000000);
            } else {
                report(false, "the command line needs hours, 1 to ", 0x7FFFFFFF / hour);
            }
        }
    }
    end_checks();
}
