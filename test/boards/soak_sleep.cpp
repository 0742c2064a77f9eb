// SPDX-License-Identifier: MIT
// Hours of sleep on an emulated board: random timers, near and far, moved and
// cancelled, and foreign interrupts that wake the core in the middle of its long
// periods, held to a timer that knows nothing of SysTick.
//
// In the first stretch no foreign interrupt comes, so the driver never writes
// SysTick's current value, and no count may be lost. In the second they end sleeps,
// and what each restart loses must be what the driver makes up for
// (TICKWHEEL_SYSTICK_LOST), all but a tick in 24 hours. They arm by `jiffies + n`
// and for n whole ticks at least; by the other timer none may fire early.
//
// Wake-ups are held to a bound that the run itself gives: two for each tick in
// which a timer is due or a foreign interrupt comes, two for each cascade on a
// timer's way, and two for each longest period of SysTick that fits in between.
#include <stdint.h>

#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../support/command_line.hpp"
#include "independent/independent.hpp"
#include "checked.hpp"

namespace
{

constexpr uint64_t tick_ns = 1000000000 / TICKWHEEL_HZ;
static_assert(tick_ns * TICKWHEEL_HZ == 1000000000, "a tick has whole nanoseconds");

uint32_t random_state = 1;

uint32_t next_random()
{
    const masked all;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/// 1 to 2^bits; one in eight is short, with every power of two as often as any other.
uint32_t random_length(unsigned bits)
{
    const uint32_t chosen = next_random() >> 8;
    const uint32_t short_or_not = (chosen & 7u) == 0 ? (chosen >> 3) % (bits + 1) : bits;
    return 1 + (next_random() >> 1) % (uint32_t{1} << short_or_not);
}

/// Both clocks in nanoseconds.
uint32_t clock_hz;

/// Every period ends with a tick, so that what is left of it says where in a tick it is.
uint64_t systick_ns()
{
    const uint32_t tick_counts = clock_hz / TICKWHEEL_HZ;
    const uint32_t counts = tick_counts - 1 - independent::at(0xE000E018) % tick_counts;
    return tickwheel_get_jiffies_64() * tick_ns + uint64_t{counts} * 1000000000 / clock_hz;
}

constexpr unsigned timer_count = 24;

struct soaked : timer_list {
    uint32_t fired;
    /// When a foreign interrupt armed it, and the whole ticks that must pass since; 0 for any other arming.
    uint64_t armed_ns;
    uint64_t whole_ticks;
};

struct stretch {
    bool foreign_comes;
    volatile bool over;
    bool based;
    /// What SysTick was ahead when the stretch began, and what that has come to since.
    int64_t base;
    int64_t drift;
    int64_t least_drift;
    int64_t most_drift;
    uint64_t started;
    uint32_t expiries;
    uint32_t distinct;
    uint32_t foreign;
    uint32_t while_asleep;
    uint32_t wrong_ticks;
    uint32_t handed;
    uint32_t early;
    /// How far `jiffies` was behind when a foreign interrupt looked, at most, and how often it was out of bounds.
    int64_t behind;
    uint32_t wrong_jiffies;
    uint64_t bound;
    jiffies_t last_wake;
    uint32_t edges;
};

stretch now;
soaked timers[timer_count];
timer_list end;
volatile bool asleep;
uint32_t longest_ticks;

/// The edges of SysTick: one has passed where more time has than was left, or more is left than was. (Not by
/// COUNTFLAG, which is the driver's.)
void count_edge()
{
    static uint32_t last_left;
    static uint64_t last_ns;
    const masked all;
    const uint32_t left = independent::at(0xE000E018);
    const uint64_t ns = independent_ns();
    now.edges += left > last_left || (ns - last_ns) * clock_hz > uint64_t{last_left} * 1000000000;
    last_left = left;
    last_ns = ns;
}

/// Something that the core may wake for, in this tick.
void allow_wake()
{
    const masked all;
    const jiffies_t tick = jiffies;
    now.bound += 2 + 2 * ((tick - now.last_wake) / longest_ticks);
    now.last_wake = tick;
}

void compare()
{
    int64_t drift = 0;
    {
        const masked all;
        count_edge();
        const uint64_t systick = systick_ns();
        drift = static_cast<int64_t>(systick - independent_ns());
        // What the emulator rounds off makes SysTick fast.
        drift -= static_cast<int64_t>(now.edges * independent::rounded_off_ns);
    }
    if (!now.based) {
        now.based = true;
        now.base = drift;
    }
    now.drift = drift - now.base;
    now.least_drift = now.drift < now.least_drift ? now.drift : now.least_drift;
    now.most_drift = now.drift > now.most_drift ? now.drift : now.most_drift;
}

/// Sets up what independent::expire_after() is for: half a tick after the next edge.
void expire_after_edge()
{
    const uint32_t counts = independent::at(0xE000E018) + clock_hz / TICKWHEEL_HZ / 2;
    independent::expire_after(static_cast<uint32_t>(uint64_t{counts} * 1000000000 / clock_hz));
}

constexpr unsigned longest_delay_bits = 16;

/// Up to so far ahead two cascades come before a timer, each of them a wake at the edge before and one of its own.
constexpr uint32_t cascade_wakes = 4;

void arm(soaked *timer, bool foreign = false)
{
    const jiffies_t delay = random_length(longest_delay_bits);
    const uint32_t at_least = foreign ? next_random() >> 8 & 1u : 0;
    const masked all;
    timer->armed_ns = independent_ns();
    timer->whole_ticks = foreign ? delay - 1 + at_least : 0;
    now.bound += cascade_wakes;
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
    ++timer->fired;
    ++now.expiries;
    if (jiffies != now.last_wake || now.expiries == 1) {
        ++now.distinct;
    }
    allow_wake();
    {
        const masked all;
        // Unless the foreign interrupt has moved it since it was taken.
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

void soak(bool foreign_comes, uint32_t hours)
{
    now = {};
    now.foreign_comes = foreign_comes;
    for (soaked &timer : timers) {
        arm(&timer);
    }
    const struct tickwheel_sleeps before = tickwheel_sleep_counts();
    const jiffies_t start = jiffies;
    now.last_wake = start;
    now.started = independent_ns();
    (void)tickwheel_mod_timer(&end, start + hours * 3600 * TICKWHEEL_HZ);
    if (foreign_comes) {
        independent::alarm_after(1000000);
    }
    while (!now.over) {
        count_edge();
        asleep = true;
        tickwheel_idle();
        asleep = false;
        // Work, in which ticks and interrupts go on.
        if (foreign_comes && (next_random() & 0x3f00u) == 0) {
            for (const uint64_t from = independent_ns(); independent_ns() - from < 3 * tick_ns;) {
            }
        }
    }
    const uint64_t passed_ns = independent_ns() - now.started + uint64_t{now.edges} * independent::rounded_off_ns;
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
          " expiries in ");
    print(now.distinct, " ticks, ", now.foreign, " foreign interrupts, ", now.while_asleep,
          " of them during sleep\n");
    print("    drift ", now.drift / static_cast<int64_t>(tick_ns), " ticks, ", counts, " counts (from ",
          now.least_drift * 1000 / count_ps, " to ", now.most_drift * 1000 / count_ps, "); restarts ", restarts);
    if (restarts != 0) {
        print(", each ", counts * 256 / static_cast<int64_t>(restarts), "/256 counts");
    }
    print("\n");
    print("    wake-ups ", sleeps, ", at most ", now.bound, "; with a periodic tick ", ticks + now.foreign, ", ");
    print((ticks + now.foreign) / sleeps, " times as many\n");
    print("    jiffies at a foreign interrupt at most ", now.behind / 1000, " us old\n");

    judge(now.expiries != 0 && (now.foreign != 0) == foreign_comes && (now.handed > 100) == foreign_comes,
          "timers fire, interrupts come");
    judge(now.wrong_ticks == 0, "every timer fires in its tick");
    judge(now.wrong_jiffies == 0, "jiffies is right in every interrupt");
    judge(now.early == 0, "what an interrupt arms is never early");
    judge(sleeps <= now.bound && sleeps >= now.distinct, "wake-ups within their bound");
    judge((restarts != 0) == foreign_comes, "restarts in the second stretch only");
    const auto allowed = static_cast<int64_t>(
        foreign_comes ? tick_ns * (hours < 24 ? hours : 24) / 24 + tick_ns * (hours / 24) : tick_ns / 100);
    judge(now.most_drift < allowed && -now.least_drift < allowed, "drift");
    // The other timer, once more without SysTick's counter.
    const auto whole = static_cast<int64_t>(passed_ns / tick_ns) - static_cast<int64_t>(ticks);
    judge(whole >= -1 && whole <= 1 + static_cast<int64_t>(hours / 24), "ticks passed");
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
    const uint64_t real = independent_ns();
    expire_after_edge();
    if (now.based) {
        now.while_asleep += asleep;
        const int64_t rounded = static_cast<int64_t>(now.edges * independent::rounded_off_ns);
        const int64_t behind = static_cast<int64_t>(real) + now.base + now.drift + rounded -
                               static_cast<int64_t>(tickwheel_get_jiffies_64() * tick_ns);
        now.behind = behind > now.behind ? behind : now.behind;
        // From the edge on, to the next one and what it takes to get here from there.
        constexpr int64_t latency = 200000;
        now.wrong_jiffies += behind < -latency || behind >= static_cast<int64_t>(tick_ns) + latency;
    }
    allow_wake();
    soaked *timer = any_timer();
    switch (next_random() >> 8 & 3u) {
    case 0:
        (void)tickwheel_timer_delete(timer);
        break;
    default:
        arm(timer, true);
        break;
    }
    if (!now.over) {
        // Not before this one is done with, on the slowest core.
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
    end_judged();
}
