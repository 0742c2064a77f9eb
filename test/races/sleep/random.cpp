// SPDX-License-Identifier: MIT
// The driver at random: a program that arms, moves and deletes timers, sleeps, works,
// masks and changes the clock, and an interrupt above SysTick that does the same,
// most of all around a wrap.
//   random CYCLES SEED    so many cycles of the modelled core in all
#include "../../support/number.hpp"
#include "simulation.hpp"

namespace
{

using namespace simulation;

struct configuration {
    const char *name;
    uint32_t clock_hz;
    uint32_t max_cost;
    /// Whether interrupts end long periods, so that the current value is written.
    bool restarts;
    /// The slowest clock that the program changes to, 0 for none, and how many octaves its clocks span.
    uint32_t slowest_hz;
    uint32_t octaves;
    /// The cost of a restart that the driver assumes, in 1/256 count, and the real cost in counts.
    uint32_t restart_cost;
    uint32_t min_restart_cost;
    uint32_t max_restart_cost;
};

constexpr uint32_t shortest_tick_hz = TICKWHEEL_SYSTICK_MIN_COUNTS * TICKWHEEL_HZ;

// HZ divides some of these clocks. A tick has up to hundreds of thousands of counts.
constexpr configuration configurations[] = {
    {"16 MHz, no restarts", 16000000, 40, false, 0, 0, 1536, 6, 6},
    {"12.345678 MHz, no restarts", 12345678, 12, false, 0, 0, 1536, 6, 6},
    {"168 MHz, no restarts", 168000000, 100, false, 0, 0, 1536, 6, 6},
    {"4.194304 MHz, no restarts", 4194304, 3, false, 0, 0, 1536, 6, 6},
    {"16 MHz", 16000000, 40, true, 0, 0, 1536, 6, 6},
    {"12.345678 MHz", 12345678, 12, true, 0, 0, 1536, 6, 6},
    {"25 MHz, a restart costs 6.5 counts", 25000000, 20, true, 0, 0, 1664, 6, 7},
    {"3.000001 MHz, a restart costs 9, not 8", 3000001, 4, true, 0, 0, 2048, 9, 9},
    {"2.097152 MHz", 2097152, 2, true, 0, 0, 1536, 6, 6},
    {"10 to 80 MHz", 8000000, 20, true, 10000000, 3, 1536, 6, 6},
    {"2 to 128 MHz", 8000000, 1, true, 2000000, 6, 1536, 6, 6},
    {"the shortest tick", shortest_tick_hz, 12, true, 0, 0, 1536, 6, 6},
};

const configuration *running;
uint64_t other_interrupts;
uint64_t new_clocks;
bool restart_was_cheap;

uint32_t random_below(uint32_t below)
{
    return cpu.random(below);
}

// The smallest and the largest cost alternate, so that the average is what the driver assumes.
uint32_t real_restart_cost()
{
    restart_was_cheap = !restart_was_cheap;
    return restart_was_cheap ? running->min_restart_cost : running->max_restart_cost;
}

int32_t random_delta()
{
    const uint32_t kind = random_below(8);
    if (kind == 0) {
        return static_cast<int32_t>(random_below(8)) - 2;
    }
    const uint32_t max = kind < 4 ? 6 : kind < 7 ? 300 : 20000;
    return 1 + static_cast<int32_t>(random_below(max));
}

void touch_a_timer()
{
    timed &timer = timers[random_below(timer_count)];
    if (random_below(5) == 0) {
        // A later timer would be armed within the period that the earliest one leaves.
        if (running->restarts || &timer != earliest()) {
            disarm(timer);
        }
        return;
    }
    int32_t delta = random_delta();
    if (!running->restarts) {
        // It fires after the earliest timer, so that no long period ever has to be cut.
        const timed *next = earliest();
        const int64_t ahead = next == nullptr ? 0 : next->due - counted();
        delta = (delta < 1 ? 1 : delta) + static_cast<int32_t>(ahead < 0 ? 0 : ahead);
        if (next == nullptr || next == &timer) {
            return;
        }
    }
    arm(timer, delta);
}

// One in three comes around the next wrap, which a random moment would seldom meet.
void schedule_other_interrupt()
{
    const uint64_t apart = tick_counts() / 2 + random_below(tick_counts());
    const uint64_t wrap = cpu.systick.to_wrap();
    const uint64_t ticks = random_below(8) == 0 ? 64 : 4;
    uint64_t next = apart + random_below(static_cast<uint32_t>(ticks)) * tick_counts();
    if (random_below(3) == 0 && wrap > apart + 200 && wrap != model::counter::never) {
        next = wrap - 100 + random_below(200);
    }
    cpu.other_interrupt_at = cpu.cycle + next;
}

void other_interrupt()
{
    ++other_interrupts;
    // jiffies may be a tick behind only where this interrupts the handler of SysTick.
    const uint64_t since = cpu.cycle - cpu.systick.wrap_at;
    if (!cpu.systick.pending && since > 8 * uint64_t{cpu.max_cost} && counted() < tick_at(now() - slack() - 1)) {
        fail("in an interrupt: jiffies in tick", counted(), tick_at(now()));
    }
    cpu.pass(random_below(cpu.max_cost * 4));
    if (random_below(2) == 0) {
        look_at_time();
    }
    if (random_below(2) == 0) {
        touch_a_timer();
    }
    schedule_other_interrupt();
}

void rearm(timed &timer)
{
    cpu.pass(random_below(cpu.max_cost * 4));
    if (!running->restarts) {
        const timed *next = earliest();
        const int64_t after = next == nullptr ? 0 : next->due - counted();
        arm(timer, 1 + static_cast<int32_t>((after < 0 ? 0 : after) + random_below(400)));
    } else if (random_below(2) == 0) {
        arm(timer, random_delta());
    }
}

void change_the_clock()
{
    // The wrap often comes during the call.
    const uint64_t wrap = cpu.systick.to_wrap();
    const uint32_t just_before = random_below(4 * cpu.max_cost);
    if (wrap > just_before && wrap < tick_counts()) {
        cpu.pass(wrap - just_before);
    }
    const uint32_t before = clock_hz;
    // Each octave is as likely as another.
    const uint32_t slowest = running->slowest_hz << random_below(running->octaves);
    const uint32_t after = slowest + random_below(slowest);
    const int64_t from = now();
    const int64_t tick = tick_at(from);
    const int64_t in_tick = from - tick_start(tick);
    clock_changes = true;
    check(driver.clock_changed(after), "a clock is refused of Hz", after);
    ++new_clocks;
    const bool state = cpu.mask();
    const auto moment = driver.now();
    // Counts of the new clock. The call itself may have taken counts of either clock.
    const int64_t ticks = static_cast<int64_t>(moment.ticks - TICKWHEEL_INITIAL_JIFFIES) - tick;
    const int64_t moved =
        ticks * after / TICKWHEEL_HZ + int64_t{moment.counts} - in_tick * int64_t{after} / int64_t{before};
    const int64_t took = static_cast<int64_t>(cpu.read_at[cpu.running]) - from;
    const int64_t scaled = took * after / before;
    // A count of either clock is rounded off at each end.
    const int64_t rounded = 3 + 3 * int64_t{after} / before;
    const int64_t min = took < scaled ? took : scaled;
    const int64_t max = took < scaled ? scaled : took;
    check(moved >= min - rounded && moved <= max + rounded, "a new clock moves time by counts", moved, took);
    go_on_at(after);
    late_limit = 4 * uint64_t{tick_counts()};
    cpu.unmask(state);
}

void loop_once()
{
    for (uint32_t i = random_below(3); i != 0; --i) {
        touch_a_timer();
    }
    const uint32_t what = random_below(32);
    const uint32_t tick = tick_counts();
    if (what < 8) {
        cpu.pass(random_below(tick / 2));
    } else if (what < 12) {
        const bool state = cpu.mask();
        cpu.pass(random_below(tick / 3));
        cpu.unmask(state);
    } else if (what == 12) {
        cpu.pass(random_below(3 * tick));
    } else if (what == 13) {
        cpu.pass(random_below(3 * tick));
        const bool state = cpu.mask();
        check(cpu.systick.pending || counted() >= tick_at(now() - slack() - 1), "at work: jiffies in tick", counted(),
              tick_at(now()));
        cpu.unmask(state);
    } else if (what == 14 && running->slowest_hz != 0) {
        change_the_clock();
    } else if (what == 15) {
        const uint32_t ticks = random_below(4);
        const int64_t from = now();
        driver.sleep(ticks);
        const int64_t late = now() - from - int64_t{ticks} * tick;
        check(late >= -slack() && late < 2 * int64_t{tick}, "sleep() is late by cycles", late);
    }
    if (random_below(2) == 0) {
        look_at_time();
    }
    idle();
}

void run(const configuration &what, uint64_t cycles, uint32_t seed)
{
    char name[sizeof context];
    (void)snprintf(name, sizeof name, "random, %s, seed %u", what.name, seed);
    begin_case(name);
    running = &what;
    other_interrupts = 0;
    new_clocks = 0;
    start(what.clock_hz, what.max_cost, seed);
    // Some accesses read the counter twice within a count.
    cpu.min_cost = 0;
    cpu.restart_cost = real_restart_cost;
    model::systick::restart_cost = what.restart_cost;
    // The difference of the real cost and the assumed one. A fraction of a count waits for the next restart.
    const int64_t real = (what.min_restart_cost + what.max_restart_cost) * int64_t{128};
    slack_per_restart = real > what.restart_cost ? real - what.restart_cost : what.restart_cost - real;
    slack_always = what.min_restart_cost != what.max_restart_cost || what.slowest_hz != 0;
    if (!what.restarts) {
        arm(timers[0], 1);
    }
    late_limit = 4 * uint64_t{tick_counts()};
    after_firing = rearm;
    hal_hook = look_at_time;
    cpu.handlers[model::other_interrupt] = other_interrupt;
    if (what.restarts) {
        schedule_other_interrupt();
    }
    while (cpu.cycle < cycles && goes_on()) {
        loop_once();
    }
    const tickwheel_sleeps counts = driver.counts();
    check(what.restarts || what.slowest_hz != 0 || counts.restarts == 0, "restarts where none was needed",
          counts.restarts);
    // The accesses of the driver and of the wheel that it calls, and a third of a tick that the program masks itself.
    const uint64_t masked_limit = 64 * uint64_t{what.max_cost};
    const uint64_t own = what.slowest_hz != 0 ? 128000000u / TICKWHEEL_HZ : tick_counts();
    check(cpu.longest_masked <= masked_limit + own / 3, "masked for cycles",
          static_cast<int64_t>(cpu.longest_masked));
    end_case();
    printf("%-42s %11llu cycles %8lld ticks %7u sleeps %6u restarts %6u fired %6llu interrupts %4llu "
           "clocks, worst error %lld\n",
           what.name, static_cast<unsigned long long>(cpu.cycle), static_cast<long long>(counted()), counts.sleeps,
           counts.restarts, fired, static_cast<unsigned long long>(other_interrupts),
           static_cast<unsigned long long>(new_clocks), static_cast<long long>(worst));
}

} // namespace

// requirement: TW-36
int main(int count, char **arguments)
{
    constexpr uint64_t kinds = sizeof configurations / sizeof *configurations;
    uint64_t cycles = 0;
    uint32_t seed = 0;
    if (count != 3 || !read_number(arguments[1], kinds, UINT64_MAX, cycles) ||
        !read_number(arguments[2], 0, UINT32_MAX, seed)) {
        (void)fprintf(stderr, "usage: random CYCLES SEED, decimal numbers, CYCLES at least 12\n");
        return 2;
    }
    for (const configuration &each : configurations) {
        if (TICKWHEEL_SYSTICK_FITS(each.clock_hz)) {
            run(each, cycles / kinds, seed);
        }
    }
    return finish();
}
