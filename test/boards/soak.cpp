// SPDX-License-Identifier: MIT
// Hours of sleep, compared with the second timer. Timers are armed at random, near and far, and moved and cancelled.
//
// Without foreign interrupts the driver never writes SysTick's current value, so no count may be lost. Foreign
// interrupts end sleeps. Each restart of SysTick may lose only what the driver compensates (TICKWHEEL_SYSTICK_LOST),
// but for one tick in 24 hours. These interrupts arm timers for n whole ticks. None may fire early.
//
// The run itself gives the bound of wake-ups: two for each tick in which a timer is due or a foreign interrupt comes,
// two for each cascade on a timer's way, and two for each longest period of SysTick that fits in between.
#include <tickwheel/periodic_timer.hpp>

#include "../support/random.hpp"
#include "sleep.hpp"

namespace
{

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

struct soaked : tickwheel::timer {
    soaked();

    /// When a foreign interrupt armed the timer, and how long it must last at least; 0 after other arms.
    int64_t armed_ns = 0;
    int64_t least_ns = 0;
};

/// What one stretch of sleep has counted.
struct {
    volatile bool over;
    bool based;
    /// How far SysTick was ahead when the stretch began, and the change since.
    int64_t base;
    int64_t drift;
    extremes drifts;
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
    /// The oldest `jiffies` that a foreign interrupt read, and how many readings of `jiffies` were wrong.
    int64_t behind;
    uint32_t wrong_jiffies;
    uint64_t most_wakes;
    jiffies_t last_wake;
} now;

constexpr unsigned timer_count = 24;
soaked timers[timer_count];
unsigned longest_delay_bits;
volatile bool asleep;
uint32_t longest_ticks;

/// Raises the bound of wake-ups by an event in this tick.
void allow_wake()
{
    const masked all;
    const jiffies_t tick = jiffies;
    now.most_wakes += 2 + 2 * ((tick - now.last_wake) / longest_ticks);
    now.last_wake = tick;
}

/// The drift by SysTick's own counts. Every period ends with a tick, so those that are left give the phase of the
/// tick.
void compare()
{
    ahead.read();
    const masked all;
    const uint32_t tick_counts = clock_hz / TICKWHEEL_HZ;
    const uint32_t counts = tick_counts - 1 - at(systick_value) % tick_counts;
    const uint64_t systick_ns = tickwheel_get_jiffies_64() * tick_ns + counts_to_ns(counts, clock_hz);
    // The emulator's rounding makes SysTick fast.
    const int64_t fast = static_cast<int64_t>(systick_ns - rounded_off_ns) - independent_now();
    now.base = now.based ? now.base : fast;
    now.based = true;
    now.drift = fast - now.base;
    now.drifts.add(now.drift);
}

/// A delay of up to 2^16 ticks meets two cascades. Each may wake the core at the edge before and at its own.
constexpr uint32_t cascade_wakes = 4;

void arm(soaked *timer, bool foreign = false)
{
    const jiffies_t delay = random_length(longest_delay_bits);
    const bool at_least = foreign && (next_random() >> 8 & 1u) != 0;
    const masked all;
    timer->armed_ns = independent_now();
    timer->least_ns = foreign ? (delay - 1 + at_least) * (tick_ns - independent::rounded_off_ns) : 0;
    now.most_wakes += cascade_wakes;
    if (at_least) {
        (void)timer->start_after_at_least(delay);
    } else {
        (void)timer->start_at(jiffies + delay);
    }
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
    now.distinct += jiffies != now.last_wake || now.expiries == 1;
    not_reported += !all_ticks_reported();
    allow_wake();
    {
        const masked all;
        // A foreign interrupt may have armed the timer again after the runner had detached it.
        const bool mine = !timer->pending();
        now.wrong_ticks += mine && jiffies != timer->expires();
        if (mine && timer->least_ns != 0) {
            ++now.handed;
            // A foreign interrupt comes before the handler of an edge.
            constexpr int64_t latency = 20000;
            now.early += independent_now() - timer->armed_ns + latency < timer->least_ns;
        }
    }
    if (!now.over) {
        arm(timer);
        soaked *other = any_timer();
        if (!other->cancel()) {
            arm(other);
        }
    }
}

soaked::soaked() : timer(fired)
{
}

tickwheel::timer end{[](timer_list *) {
    compare();
    now.over = true;
}};

void end_a_sleep()
{
    ++now.foreign;
    if (now.based) {
        now.while_asleep += asleep;
        const int64_t behind = independent_now() + rounded_off_ns + now.base + now.drift -
                               static_cast<int64_t>(tickwheel_get_jiffies_64() * tick_ns);
        now.behind = behind > now.behind ? behind : now.behind;
        // From the edge to the next one, and the way from there to this line.
        constexpr int64_t latency = 200000;
        now.wrong_jiffies += behind < -latency || behind >= tick_ns + latency;
    }
    allow_wake();
    soaked *timer = any_timer();
    if ((next_random() >> 8 & 3u) == 0) {
        (void)timer->cancel();
    } else {
        arm(timer, true);
    }
    if (!now.over) {
        // The slowest core has left this handler by then.
        independent::alarm_after(300000 + random_length(30));
    }
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
        count_early_sleep();
        asleep = true;
        tickwheel_idle();
        asleep = false;
        if (now.foreign != 0 && (next_random() & 0x3f00u) == 0) {
            spend_us(3 * tick_us);
            leave_edge();
            now.wrong_jiffies += jiffies != tick_now();
        }
    }
}

/// What the sensors of one run have counted: readings, those outside their range, and ticks with at least one.
struct {
    uint32_t readings;
    uint32_t outside;
    uint32_t distinct;
    jiffies_t last;
} read_so_far;

struct sensor {
    void read()
    {
        ++read_so_far.readings;
        read_so_far.distinct += jiffies != read_so_far.last;
        read_so_far.last = jiffies;
        read_so_far.outside += jiffies - next > most_late;
        next += reading.period();
    }

    jiffies_t next = 0;
    jiffies_t most_late = 0;
    tickwheel::periodic_timer<tickwheel::member<&sensor::read>, tickwheel::missed_periods::skip,
                              tickwheel::default_wheel, tickwheel::slack>
        reading{this, tickwheel::slack{0}};
};

/// Reads twenty sensors for so many ticks, each every two to twelve seconds. Each reading may be late by `percent` of
/// its period. Returns how often the core slept.
uint32_t sleeps_between_readings(jiffies_t ticks, jiffies_t percent)
{
    static sensor sensors[20];
    read_so_far = {};
    jiffies_t period = 2 * TICKWHEEL_HZ;
    for (sensor &each : sensors) {
        each.next = jiffies + period;
        each.most_late = period * percent / 100;
        each.reading.set_slack(each.most_late);
        each.reading.start_at(each.next, period);
        // Periods that have no common factor.
        period += TICKWHEEL_HZ / 2 + 17;
    }
    const uint32_t before = tickwheel_sleep_counts().sleeps;
    for (const jiffies_t last = jiffies + ticks; tickwheel_time_before(jiffies, last);) {
        tickwheel_idle();
    }
    for (sensor &each : sensors) {
        (void)each.reading.stop();
    }
    return tickwheel_sleep_counts().sleeps - before;
}

} // namespace

void soak(bool foreign_comes, uint32_t seconds, unsigned delay_bits)
{
    now = {};
    longest_delay_bits = delay_bits;
    longest_ticks = (1u << 24) / (clock_hz / TICKWHEEL_HZ);
    for (soaked &timer : timers) {
        arm(&timer);
    }
    const struct tickwheel_sleeps before = tickwheel_sleep_counts();
    const jiffies_t start = jiffies;
    now.last_wake = start;
    const int64_t started = independent_now() + rounded_off_ns;
    (void)end.start_at(start + seconds * TICKWHEEL_HZ);
    on_alarm = end_a_sleep;
    if (foreign_comes) {
        independent::alarm_after(1000000);
    }
    sleep_and_work();
    const int64_t passed_ns = independent_now() + rounded_off_ns - started;
    const jiffies_t ticks = jiffies - start;
    for (soaked &timer : timers) {
        (void)timer.cancel();
    }
    const struct tickwheel_sleeps after = tickwheel_sleep_counts();
    const uint32_t sleeps = after.sleeps - before.sleeps;
    const uint32_t restarts = after.restarts - before.restarts;
    const auto count_ps = static_cast<int64_t>(1000000000000 / clock_hz);
    const int64_t counts = now.drift * 1000 / count_ps;

    print(foreign_comes ? "Foreign interrupts: " : "No foreign interrupt: ", seconds / 3600, " h ", seconds / 60 % 60,
          " min, ", now.expiries, " expiries in ", now.distinct, " ticks, ", now.foreign, " foreign interrupts, ",
          now.while_asleep, " of them during sleep\n    drift ", now.drift / tick_ns, " ticks, ", counts,
          " counts (from ", now.drifts.least * 1000 / count_ps, " to ", now.drifts.most * 1000 / count_ps,
          "); restarts ", restarts);
    if (restarts != 0) {
        print(", each ", counts * 256 / static_cast<int64_t>(restarts), "/256 counts");
    }
    print("\n    wake-ups ", sleeps, ", by the exact expiry ", sleeps - now.early_sleeps, ", at most ",
          now.most_wakes, "; with a periodic tick ", ticks + now.foreign, ", ", (ticks + now.foreign) / sleeps,
          " times as many\n    jiffies at a foreign interrupt at most ", now.behind / 1000, " us old\n");

    const uint32_t least_handed = seconds / 36;
    check(now.expiries != 0 && (now.foreign != 0) == foreign_comes && (now.handed > least_handed) == foreign_comes,
          "timers fire and interrupts come");
    check(now.wrong_ticks == 0, "every timer fires in its tick");
    check(now.wrong_jiffies == 0, "jiffies is right in every interrupt, and during work after a sleep");
    check(now.early == 0, "a timer that an interrupt arms is never early");
    check(sleeps <= now.most_wakes && sleeps >= now.distinct, "wake-ups are within their bound");
    check(now.early_sleeps * 100 <= sleeps * 30, "the next event costs at most 30 % of the wake-ups");
    check((restarts != 0) == foreign_comes, "only a foreign interrupt restarts SysTick");
    // For the readings, or for restarts: at most a tick on the first day, and one more after each day.
    constexpr int64_t of_readings = tick_ns / 100;
    constexpr uint32_t day = 24 * 3600;
    const int64_t of_restarts = tick_ns * (seconds < day ? seconds : day) / day + tick_ns * (seconds / day);
    const int64_t allowed = foreign_comes && of_restarts > of_readings ? of_restarts : of_readings;
    check(now.drifts.most < allowed && -now.drifts.least < allowed, "the drift is within its bound");
    // This comparison does not use SysTick's counter.
    const int64_t lost = passed_ns / tick_ns - static_cast<int64_t>(ticks);
    check(lost >= -1 && lost <= 1 + static_cast<int64_t>(seconds / day), "no tick is lost");
    check(not_reported == 0 && went_back == 0 && ahead.fits(), "now_us is right, and every tick is reported");
}

void compare_slack(jiffies_t ticks)
{
    const uint32_t sleeps = sleeps_between_readings(ticks, 0);
    const auto exact = read_so_far;
    const uint32_t sleeps_within = sleeps_between_readings(ticks, 10);
    const auto within = read_so_far;
    print("20 sensors, ", ticks / (60 * TICKWHEEL_HZ), " minutes, ", exact.readings, " readings in ", exact.distinct,
          " ticks, wake-ups ", sleeps, "\n    with 10 % slack ", within.readings, " readings in ", within.distinct,
          " ticks, wake-ups ", sleeps_within, ": ", sleeps_within * 100 / sleeps, " %\n");
    check(exact.readings != 0 && exact.outside == 0, "each sensor is read in its tick");
    check(within.readings + 20 >= exact.readings && within.outside == 0, "with a slack it is read in its range");
    check(within.distinct * 100 <= exact.distinct * 65, "with 10 % slack at most 65 % as many ticks have a reading");
    // A fast clock has short periods. Then most wake-ups are SysTick's, and some of them meet a reading.
    check(2 * (sleeps - sleeps_within) >= exact.distinct - within.distinct,
          "every second tick that is left out saves a wake-up at least");
}
