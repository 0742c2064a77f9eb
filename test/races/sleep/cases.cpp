// SPDX-License-Identifier: MIT
// Hazards that the random run seldom meets. The wrap, or an interrupt, comes once at every cycle of the stretch where
// it is dangerous. Each of these lives is checked against what must hold at any time (simulation.hpp).
#include "simulation.hpp"

#include <initializer_list>

#include <tickwheel/tick_time.hpp>

using namespace simulation;

namespace
{

constexpr uint32_t even = 16000000;
constexpr uint32_t uneven = 12345678;
/// The stretches swept: longer than idle() with an access a cycle.
constexpr uint32_t sweep_cycles = 300;
constexpr uint32_t min_counts = TICKWHEEL_SYSTICK_MIN_COUNTS;

void idle_until_fired(uint32_t count)
{
    while (goes_on() && fired < count) {
        idle();
        look_at_time();
        check(now() <= tick_start(200000), "it never fires", fired);
    }
}

void check_tick(int64_t tick)
{
    check(counted() == tick, "jiffies", counted(), tick);
}

/// Each of these ticks is counted within 100 cycles.
void check_ticks(int64_t from, int64_t end)
{
    for (int64_t tick = from; tick < end && goes_on(); ++tick) {
        work_until(tick, -100);
        check_tick(tick);
        look_at_time();
    }
}

/// The last wrap ended the tick before this one, to the count.
void check_wrap(int64_t tick)
{
    const int64_t off = static_cast<int64_t>(cpu.systick.wrap_at) + 1 - tick_start(tick);
    check(off == 0, "a wrap is off by", off, tick);
}

void end_life()
{
    look_at_time();
    check(cpu.longest_masked <= 160 * cpu.max_cost, "masked for cycles", static_cast<int64_t>(cpu.longest_masked));
    check(hal_ticks == static_cast<uint32_t>(counted()), "a HAL counter, and jiffies", hal_ticks, counted());
}

// Reload is N - 1; with a remainder some periods are a count longer, and the sum is exact. Awake first, then through
// sleeps of all lengths, each ended by its own timer.
// requirement: TW-36
void each_wrap()
{
    for (const uint32_t clock : {even, uneven, 3000001u, 32768000u, 1000000007u}) {
        start(clock);
        for (int64_t tick = 1; tick < 3000 && goes_on(); ++tick) {
            cpu.pass(cpu.systick.to_wrap());
            check_wrap(tick);
        }
        cpu.pass(1000);
        check_tick(2999);
        for (int32_t length = 1; length < 300 && goes_on(); ++length) {
            arm(timers[0], length);
            const int64_t due = timers[0].due;
            idle_until_fired(static_cast<uint32_t>(length));
            check_wrap(due);
        }
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        end_life();
    }
}

// The last tick of a long period ends with it. An interrupt comes in the middle of it, or shortly before its end.
void no_restart_in_the_last_tick()
{
    for (uint32_t k = 1; k < 2 * sweep_cycles; ++k) {
        start(uneven);
        arm(timers[0], 100);
        cpu.other_interrupt_at = static_cast<uint64_t>(tick_start(100) - (k < sweep_cycles ? k : 5000 + k));
        while (goes_on() && cpu.other_interrupt_at != model::counter::never) {
            idle();
        }
        check(counted() >= 99 && counted() <= 100, "awake in tick", counted());
        check(driver.counts().restarts == 0, "restarts", driver.counts().restarts);
        look_at_time();
        // The next long period begins where this tick ends.
        disarm(timers[0]);
        arm(timers[1], 60);
        const int64_t due = timers[1].due;
        idle_until_fired(fired + 1);
        check_wrap(due);
        end_life();
    }
}

// The second tick of this clock is a count longer than the first.
void first_count()
{
    start(uneven);
    cpu.max_cost = 0;
    cpu.min_cost = 0;
    cpu.advance(1);
    const auto moment = driver.now();
    check(moment.ticks == TICKWHEEL_INITIAL_JIFFIES, "ticks", static_cast<int64_t>(moment.ticks));
    check(moment.counts == 0, "counts", moment.counts);
}

// idle() does not sleep over a timer that an interrupt arms, or work that it sets, whenever it comes.
volatile int work;
uint64_t set_at;
// requirement: TW-35
void work_at_each_cycle()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(uneven);
        work = 0;
        cpu.handlers[model::other_interrupt] = [] {
            arm(timers[0], 1);
            work = 1;
            set_at = cpu.cycle;
        };
        cpu.other_interrupt_at = cpu.cycle + 1 + k;
        while (goes_on() && work == 0) {
            driver.idle(&work);
        }
        check(cpu.cycle - set_at < 200, "slept over for cycles", static_cast<int64_t>(cpu.cycle - set_at));
        idle_until_fired(1);
        end_life();
    }
}

// The timer's tick comes before idle() reads jiffies. It is due as soon as interrupts are on, and nothing sleeps.
void passed_before_idle()
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(even);
        arm(timers[0], 1);
        const bool state = cpu.mask();
        cpu.pass(cpu.systick.to_wrap() + k);
        idle();
        check(driver.counts().sleeps == 0, "sleeps", driver.counts().sleeps);
        cpu.unmask(state);
        check(fired == 1, "fired", fired);
    }
}

// The first stop is for the rest of the tick, the second for the long period. One tick needs no long period, so
// idle() returns before it.
void stops_of_a_sleep()
{
    for (const int32_t ticks : {1, 2, 3, 10}) {
        start(even);
        arm(timers[0], ticks);
        idle();
        check(driver.counts().sleeps == (ticks > 2 ? 2 : 1), "sleeps", driver.counts().sleeps, ticks);
        check_tick(ticks > 2 ? ticks : 1);
        end_life();
    }
}

static_assert(TICKWHEEL_SYSTICK_FITS(min_counts * TICKWHEEL_HZ), "the shortest tick fits");
static_assert(!TICKWHEEL_SYSTICK_FITS(min_counts * TICKWHEEL_HZ - 1), "a shorter one does not");

// Accesses take no time here, so the driver reads the counter when the call begins. The next tick is exact.
void change_to_a_faster_clock()
{
    for (uint32_t k = 0; k < 200; ++k) {
        start(1600000);
        for (const uint32_t clock : {0u, 1u, min_counts * TICKWHEEL_HZ - 1}) {
            check(!tickwheel::systick_grid(clock).fits() && !driver.clock_changed(clock), "a clock is taken", clock);
        }
        cpu.pass(50);
        work_until(1, 100 + int64_t{k});
        cpu.max_cost = 0;
        cpu.min_cost = 0;
        const int64_t wanted = now() + (100 + int64_t{k}) * 50;
        check(driver.clock_changed(80000000), "refused", k);
        // The tick begins one count after the wrap.
        const int64_t next = now() + static_cast<int64_t>(cpu.systick.to_wrap()) + 1;
        check(next == wanted, "the next tick begins at", next, wanted);
    }
}

// The new clock may leave less of the tick than a restart needs. Time still goes on from where it was, and each tick
// is counted when it comes.
void change_to_a_slower_clock()
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
            // The call lasts at most so many counts of the old clock.
            const int64_t call = 40;
            check(off >= -2 - call * each.to / each.from && off <= call, "the tick under way is off by", off);
            // The tick that ended meanwhile, if one did, and those after it.
            check_ticks(tick_at(now()), ticks + 5);
            check(driver.counts().restarts == 1, "restarts", driver.counts().restarts);
            arm(timers[0], 20);
            idle_until_fired(1);
            end_life();
        }
    }
}

// Before the start every call returns, no tick is counted, and no register of the counter is written.
void calls_before_the_start()
{
    // Nothing, a wrap whose exception is pending, one that only COUNTFLAG shows, or a counter that runs.
    for (unsigned left_behind = 0; left_behind < 4; ++left_behind) {
        for (unsigned call = 0; call < 4; ++call) {
            // The state after a reset, or after a boot loader that has left a SysTick behind.
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
            // The driver that starts now does not count what was left behind as a tick.
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

constexpr uint64_t million = 1000000;

void compare(const tickwheel::tick_grid &grid, uint64_t seconds, uint32_t ticks, uint32_t counts)
{
    const uint64_t exact = seconds * million + ticks * million / TICKWHEEL_HZ + counts * million / grid.clock_hz;
    const uint64_t first = seconds * TICKWHEEL_HZ + TICKWHEEL_INITIAL_JIFFIES;
    check(tickwheel::microseconds({first + ticks, counts}, grid) == exact, "microseconds() of tick", ticks);
}

void microseconds_round_down()
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

constexpr struct {
    const char *name;
    void (*run)();
} cases[] = {
    {"each wrap is where it should be, awake and after sleeps of 1 to 299 ticks", each_wrap},
    {"no restart in the last tick of a long period", no_restart_in_the_last_tick},
    {"now() in the first count after the start", first_count},
    {"work and a timer that an interrupt sets at each cycle of idle()", work_at_each_cycle},
    {"a timer's tick has passed before idle() starts", passed_before_idle},
    {"idle() stops twice if more than two ticks are left, else once", stops_of_a_sleep},
    {"clock_changed() to a faster clock scales each count that is left of the tick", change_to_a_faster_clock},
    {"clock_changed() to a slower clock lets time go on", change_to_a_slower_clock},
    {"every call returns before the start", calls_before_the_start},
    {"microseconds() rounds the ticks of a second and the counts of a tick down", microseconds_round_down},
};

} // namespace

int main()
{
    for (const auto &each : cases) {
        begin_case(each.name);
        each.run();
        end_case();
    }
    return finish();
}
