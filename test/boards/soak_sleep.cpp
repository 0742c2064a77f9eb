// SPDX-License-Identifier: MIT
// Hours of sleep on an emulated board, compared with a timer that is independent
// of SysTick. Timers are armed at random, near and far, and moved and cancelled.
//
// No foreign interrupt comes in the first stretch. The driver then never writes
// SysTick's current value, so no count may be lost. Foreign interrupts end sleeps
// in the second stretch. Each restart of SysTick may lose only what the driver
// compensates (TICKWHEEL_SYSTICK_LOST), but for one tick in 24 hours. These
// interrupts arm timers for n whole ticks. None may fire early.
//
// The run itself gives the bound of wake-ups: two for each tick in which a timer is
// due or a foreign interrupt comes, two for each cascade on a timer's way, and two
// for each longest period of SysTick that fits in between.
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../support/command_line.hpp"
#include "../support/random.hpp"
#include "checked.hpp"
#include "sensors.hpp"

namespace
{

constexpr uint64_t tick_ns = 1000000000 / TICKWHEEL_HZ;
static_assert(tick_ns * TICKWHEEL_HZ == 1000000000, "a tick has whole nanoseconds");

uint32_t next_random()
{
    static random_numbers numbers;
    const masked all;
    return numbers.next();
}

/// 1 to 2^bits. One in eight is short: each power of two is then equally likely.
uint32_t random_length(unsigned bits)
{
    const uint32_t chosen = next_random() >> 8;
    const uint32_t short_or_not = (chosen & 7u) == 0 ? (chosen >> 3) % (bits + 1) : bits;
    return 1 + (next_random() >> 1) % (uint32_t{1} << short_or_not);
}

uint32_t clock_hz;

/// The time by SysTick. Every period ends with a tick, so the counts that are left give the phase of the tick.
uint64_t systick_ns()
{
    const uint32_t tick_counts = clock_hz / TICKWHEEL_HZ;
    const uint32_t counts = tick_counts - 1 - at(systick_value) % tick_counts;
    return tickwheel_get_jiffies_64() * tick_ns + counts_to_ns(counts, clock_hz);
}

struct soaked : timer_list {
    /// When a foreign interrupt armed the timer, and the whole ticks that must pass since; 0 ticks after other arms.
    uint64_t armed_ns;
    uint64_t whole_ticks;
};

struct stretch {
    volatile bool over;
    bool based;
    /// How far SysTick was ahead when the stretch began, and the change since.
    int64_t base;
    int64_t drift;
    int64_t least_drift;
    int64_t most_drift;
    uint32_t expiries;
    uint32_t distinct;
    uint32_t foreign;
    uint32_t while_asleep;
    /// Sleeps that end before the exact expiry, at a cascade or where a deleted timer was.
    uint32_t early_sleeps;
    uint32_t wrong_ticks;
    /// Timers that foreign interrupts armed and that fired, and how many of them fired early.
    uint32_t handed;
    uint32_t early;
    /// The oldest `jiffies` that a foreign interrupt read, and how many of these readings were wrong.
    int64_t behind;
    uint32_t wrong_jiffies;
    uint64_t most_wakes;
    jiffies_t last_wake;
    uint32_t edges;

    int64_t rounded_off_ns() const
    {
        return static_cast<int64_t>(uint64_t{edges} * independent::rounded_off_ns);
    }
};

stretch now;
constexpr unsigned timer_count = 24;
soaked timers[timer_count];
timer_list end;
volatile bool asleep;
uint32_t longest_ticks;

/// Counts a wrap of SysTick: more time has passed than was left, or more counts are left than before. COUNTFLAG
/// belongs to the driver.
void count_edge()
{
    static uint32_t last_left;
    static uint64_t last_ns;
    const masked all;
    const uint32_t left = at(systick_value);
    const uint64_t ns = independent_ns();
    now.edges += left > last_left || (ns - last_ns) * clock_hz > uint64_t{last_left} * 1000000000;
    last_left = left;
    last_ns = ns;
}

/// Raises the bound of wake-ups by an event in this tick.
void allow_wake()
{
    const masked all;
    const jiffies_t tick = jiffies;
    now.most_wakes += 2 + 2 * ((tick - now.last_wake) / longest_ticks);
    now.last_wake = tick;
}

void compare()
{
    const masked all;
    count_edge();
    const uint64_t systick = systick_ns();
    // The emulator's rounding makes SysTick fast.
    const int64_t ahead = static_cast<int64_t>(systick - independent_ns()) - now.rounded_off_ns();
    if (!now.based) {
        now.based = true;
        now.base = ahead;
    }
    now.drift = ahead - now.base;
    now.least_drift = now.drift < now.least_drift ? now.drift : now.least_drift;
    now.most_drift = now.drift > now.most_drift ? now.drift : now.most_drift;
}

/// Calls independent::expire_after() for half a tick after the next edge.
void expire_after_edge()
{
    const uint32_t counts = at(systick_value) + clock_hz / TICKWHEEL_HZ / 2;
    independent::expire_after(static_cast<uint32_t>(counts_to_ns(counts, clock_hz)));
}

/// A delay of up to 2^16 ticks meets two cascades. Each may wake the core at the edge before and at its own.
constexpr unsigned longest_delay_bits = 16;
constexpr uint32_t cascade_wakes = 4;

void arm(soaked *timer, bool foreign = false)
{
    const jiffies_t delay = random_length(longest_delay_bits);
    const uint32_t at_least = foreign ? next_random() >> 8 & 1u : 0;
    const masked all;
    timer->armed_ns = independent_ns();
    timer->whole_ticks = foreign ? delay - 1 + at_least : 0;
    now.most_wakes += cascade_wakes;
    (void)tickwheel_mod_timer(timer, jiffies + delay + at_least);
}

soaked *any_timer()
{
    return &timers[(next_random() >> 8) % timer_count];
}

void fired(timer_list *self)
{
    auto *timer = static_cast<soaked *>(self);
    compare();
    ++now.expiries;
    if (jiffies != now.last_wake || now.expiries == 1) {
        ++now.distinct;
    }
    allow_wake();
    {
        const masked all;
        // A foreign interrupt may have armed the timer again after the runner had detached it.
        const bool mine = tickwheel_timer_pending(self) == 0;
        now.wrong_ticks += mine && jiffies != self->expires;
        if (mine && timer->whole_ticks != 0) {
            ++now.handed;
            // The emulator rounds edges down, and a foreign interrupt comes before the handler of an edge.
            constexpr uint64_t latency = 20000;
            const uint64_t least = timer->whole_ticks * (tick_ns - independent::rounded_off_ns);
            now.early += independent_ns() - timer->armed_ns + latency < least;
        }
    }
    if (!now.over) {
        arm(timer);
        soaked *other = any_timer();
        if (tickwheel_timer_delete(other) == 0) {
            arm(other);
        }
    }
}

void ended(timer_list * /*timer*/)
{
    compare();
    now.over = true;
}

/// Counts a sleep that ends before the exact expiry, and so one that a sleeper by tickwheel_next_expiry() saves.
void count_early_sleep()
{
    jiffies_t event = 0;
    jiffies_t expiry = 0;
    const jiffies_t tick = jiffies;
    const bool ends = tickwheel_next_event(&event) != 0 && event - tick < longest_ticks;
    now.early_sleeps += ends && (tickwheel_next_expiry(&expiry) == 0 || tickwheel_time_before(event, expiry));
}

/// Sleeps until the stretch is over. After a foreign interrupt it sometimes works for three ticks.
void sleep_and_work()
{
    while (!now.over) {
        count_edge();
        count_early_sleep();
        asleep = true;
        tickwheel_idle();
        asleep = false;
        if (now.foreign != 0 && (next_random() & 0x3f00u) == 0) {
            for (const uint64_t from = independent_ns(); independent_ns() - from < 3 * tick_ns;) {
            }
        }
    }
}

void soak(bool foreign_comes, uint32_t hours)
{
    now = {};
    for (soaked &timer : timers) {
        arm(&timer);
    }
    const struct tickwheel_sleeps before = tickwheel_sleep_counts();
    const jiffies_t start = jiffies;
    now.last_wake = start;
    const uint64_t started = independent_ns();
    (void)tickwheel_mod_timer(&end, start + hours * 3600 * TICKWHEEL_HZ);
    if (foreign_comes) {
        independent::alarm_after(1000000);
    }
    sleep_and_work();
    const auto passed_ns = static_cast<int64_t>(independent_ns() - started) + now.rounded_off_ns();
    const jiffies_t ticks = jiffies - start;
    for (soaked &timer : timers) {
        (void)tickwheel_timer_delete(&timer);
    }
    const struct tickwheel_sleeps after = tickwheel_sleep_counts();
    const uint32_t sleeps = after.sleeps - before.sleeps;
    const uint32_t restarts = after.restarts - before.restarts;
    const auto count_ps = static_cast<int64_t>(1000000000000 / clock_hz);
    const int64_t counts = now.drift * 1000 / count_ps;

    print(foreign_comes ? "Foreign interrupts: " : "No foreign interrupt: ", hours, " h, ", now.expiries,
          " expiries in ", now.distinct, " ticks, ", now.foreign, " foreign interrupts, ", now.while_asleep,
          " of them during sleep\n    drift ", now.drift / static_cast<int64_t>(tick_ns), " ticks, ", counts,
          " counts (from ", now.least_drift * 1000 / count_ps, " to ", now.most_drift * 1000 / count_ps,
          "); restarts ", restarts);
    if (restarts != 0) {
        print(", each ", counts * 256 / static_cast<int64_t>(restarts), "/256 counts");
    }
    print("\n    wake-ups ", sleeps, ", by the exact expiry ", sleeps - now.early_sleeps, ", at most ",
          now.most_wakes, "; with a periodic tick ", ticks + now.foreign, ", ", (ticks + now.foreign) / sleeps,
          " times as many\n    jiffies at a foreign interrupt at most ", now.behind / 1000, " us old\n");

    check(now.expiries != 0 && (now.foreign != 0) == foreign_comes && (now.handed > 100) == foreign_comes,
          "timers fire and interrupts come");
    check(now.wrong_ticks == 0, "every timer fires in its tick");
    check(now.wrong_jiffies == 0, "jiffies is right in every interrupt");
    check(now.early == 0, "a timer that an interrupt arms is never early");
    check(sleeps <= now.most_wakes && sleeps >= now.distinct, "wake-ups are within their bound");
    check(now.early_sleeps * 100 <= sleeps * 30, "the next event costs at most 30 % of the wake-ups");
    check((restarts != 0) == foreign_comes, "restarts happen in the second stretch only");
    const auto allowed = static_cast<int64_t>(
        foreign_comes ? tick_ns * (hours < 24 ? hours : 24) / 24 + tick_ns * (hours / 24) : tick_ns / 100);
    check(now.most_drift < allowed && -now.least_drift < allowed, "the drift is within its bound");
    // This comparison does not use SysTick's counter.
    const int64_t lost = passed_ns / static_cast<int64_t>(tick_ns) - static_cast<int64_t>(ticks);
    check(lost >= -1 && lost <= 1 + static_cast<int64_t>(hours / 24), "no tick is lost");
}

} // namespace

void tickwheel_ticks_passed(uint32_t /*ticks*/)
{
    count_edge();
    expire_after_edge();
}

void independent_alarm()
{
    ++now.foreign;
    const auto real = static_cast<int64_t>(independent_ns());
    expire_after_edge();
    if (now.based) {
        now.while_asleep += asleep;
        const int64_t behind = real + now.base + now.drift + now.rounded_off_ns() -
                               static_cast<int64_t>(tickwheel_get_jiffies_64() * tick_ns);
        now.behind = behind > now.behind ? behind : now.behind;
        // From the edge to the next one, and the way from there to this line.
        constexpr int64_t latency = 200000;
        now.wrong_jiffies += behind < -latency || behind >= static_cast<int64_t>(tick_ns) + latency;
    }
    allow_wake();
    soaked *timer = any_timer();
    if ((next_random() >> 8 & 3u) == 0) {
        (void)tickwheel_timer_delete(timer);
    } else {
        arm(timer, true);
    }
    if (!now.over) {
        // The slowest core has left this handler by then.
        independent::alarm_after(300000 + random_length(30));
    }
}

int main()
{
    clock_hz = board::init();
    const uint32_t asked = number_from_command_line();
    const uint32_t hours = asked == 0 ? 1 : asked;
    independent::start();
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    longest_ticks = (1u << 24) / (clock_hz / TICKWHEEL_HZ);
    for (soaked &timer : timers) {
        tickwheel_timer_setup(&timer, fired, 0);
    }
    tickwheel_timer_setup(&end, ended, 0);
    soak(false, hours);
    soak(true, hours);
    compare_slack(hours * 600 * TICKWHEEL_HZ);
    end_checks();
}
