// SPDX-License-Identifier: MIT
// The time that sleeping leaves behind, on an emulated board: tickwheel_now_us(),
// tickwheel_msleep(), the ticks that tickwheel_ticks_passed() is told of and a
// change of the clock, held to a timer that knows nothing of SysTick.
#include <stdint.h>

#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>
#include <tickwheel/timer.hpp>

#include "checked.hpp"

namespace
{

constexpr uint32_t tick_us = 1000000 / TICKWHEEL_HZ;
static_assert(tick_us * TICKWHEEL_HZ == 1000000, "a tick has whole microseconds");
constexpr int64_t tick_ns = int64_t{tick_us} * 1000;

/// What SysTick counts, and what the library has been told that it does.
uint32_t counter_hz;
uint32_t clock_hz;
/// Told by the library.
volatile uint32_t ticks_told;
/// What the emulator has rounded off by now.
volatile uint32_t rounded_off_ns;

/// Sets up what independent::expire_after() is for, 10 us after the edge that wakes.
void expire_at_wake()
{
    const uint32_t left = independent::at(0xE000E018);
    independent::expire_after(static_cast<uint32_t>(uint64_t{left} * 1000000000 / counter_hz) + 10000);
}

/// The tick that runs, also while its edge waits.
jiffies_t tick_now()
{
    return TICKWHEEL_INITIAL_JIFFIES + static_cast<jiffies_t>(tickwheel_now_us() / tick_us);
}

int64_t now_ns()
{
    return static_cast<int64_t>(tickwheel_now_us() * 1000);
}

/// By how much the time told may be ahead of the other timer, as far as all readings so far leave it open: an empty
/// interval when two of them do not fit. Each leaves what it takes to read, and its microsecond.
struct ahead_by {
    int64_t least = INT64_MIN;
    int64_t most = INT64_MAX;
    uint32_t readings = 0;

    bool fits() const
    {
        return least <= most;
    }
    void read()
    {
        const masked all;
        const auto before = static_cast<int64_t>(independent_ns());
        const int64_t told = now_ns() + static_cast<int64_t>(rounded_off_ns);
        const auto after = static_cast<int64_t>(independent_ns());
        const int64_t lower = told - after - independent::count_ns;
        const int64_t upper = told + 1000 - before + independent::count_ns;
        least = lower > least ? lower : least;
        most = upper < most ? upper : most;
        ++readings;
    }
    /// A count for each restart: its cost is known on average only.
    void allow(uint32_t restarts)
    {
        const auto counts = static_cast<int64_t>(uint64_t{restarts} * 1000000000 / clock_hz + 1);
        least -= counts;
        most += counts;
    }
};

ahead_by ahead;
uint32_t restarts_allowed;

void read_ahead()
{
    const uint32_t restarts = tickwheel_sleep_counts().restarts;
    if (restarts != restarts_allowed) {
        ahead.allow(restarts - restarts_allowed);
        restarts_allowed = restarts;
    }
    ahead.read();
}

/// With every tick that `jiffies` has been told, at any moment but within the library.
bool all_ticks_told()
{
    const masked all;
    return jiffies - TICKWHEEL_INITIAL_JIFFIES == ticks_told;
}

volatile uint64_t last_us;
uint32_t interrupts;
uint32_t went_back;
uint32_t not_told;
uint32_t late_ticks;
/// What the alarm arms, so many ticks ahead; 0 for nothing.
jiffies_t arm_ahead;

void due(timer_list *timer)
{
    late_ticks += jiffies != timer->expires || tick_now() != timer->expires;
    not_told += !all_ticks_told();
    read_ahead();
}

timer_list near_timer;
timer_list far_timer;

void spend_us(uint32_t us)
{
    for (const uint64_t from = independent_ns(); independent_ns() - from < uint64_t{us} * 1000;) {
    }
}

/// To the middle of a tick.
void leave_edge()
{
    while (tickwheel_now_us() % tick_us - tick_us / 4 > tick_us / 2) {
    }
}

/// A boot loader may have left its SysTick pending: nothing waits for it, and no time passes.
void call_before_the_start()
{
    constexpr uintptr_t interrupt_control = 0xE000ED04;
    constexpr uint32_t pend_systick_set = 1u << 26;
    independent::at(interrupt_control) = pend_systick_set;
    __asm__ volatile("isb" ::: "memory");
    bool nothing = tickwheel_now_us() == 0;
    {
        const masked all;
        independent::at(interrupt_control) = pend_systick_set;
        tickwheel_idle();
        nothing = nothing && tickwheel_clock_changed(counter_hz) == -1;
        independent::at(interrupt_control) = pend_systick_set;
    }
    nothing = nothing && tickwheel_now_us() == 0 && jiffies == TICKWHEEL_INITIAL_JIFFIES && ticks_told == 0;
    nothing = nothing && tickwheel_systick_start(TICKWHEEL_SYSTICK_LEAST_COUNTS * TICKWHEEL_HZ - 1) == -1;
    judge(nothing && tickwheel_sleep_counts().sleeps == 0, "before the start every call returns, and no tick comes");
}

void read_in_a_loop()
{
    uint64_t before = tickwheel_now_us();
    uint32_t readings = 0;
    const uint64_t end = before + 100 * tick_us;
    independent::alarm_after(1000);
    while (before < end) {
        const uint64_t us = tickwheel_now_us();
        went_back += us < before;
        before = us;
        last_us = us;
        read_ahead();
        ++readings;
    }
    print("now_us: ", readings, " readings in 100 ticks, ", interrupts, " in interrupts\n");
    judge(went_back == 0, "now_us never goes back, in a loop over edges and in interrupts");
    judge(interrupts > 100, "interrupts come while it is read");
    judge(ahead.fits(), "now_us is right, in a loop");
}

void read_masked()
{
    uint32_t backwards = 0;
    uint32_t edges_waited = 0;
    for (unsigned time = 0; time < 50; ++time) {
        leave_edge();
        spend_us(time * 7);
        const masked all;
        const jiffies_t tick = jiffies;
        uint64_t before = tickwheel_now_us();
        // The last reading ends within the tick as well, on the slowest core.
        const uint64_t end = before + tick_us * 8 / 10;
        while (before < end) {
            const uint64_t us = tickwheel_now_us();
            backwards += us < before;
            before = us;
            read_ahead();
        }
        edges_waited += tick_now() != tick && jiffies == tick;
    }
    judge(edges_waited > 25, "edges wait, masked");
    judge(backwards == 0, "now_us never goes back while an edge waits");
    judge(ahead.fits(), "now_us is right while an edge waits");
}

struct {
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
} beyond;

void sleep_for(uint32_t milliseconds)
{
    const uint64_t from = independent_ns();
    tickwheel_msleep(milliseconds);
    const auto lasted = static_cast<int64_t>(independent_ns() - from);
    const int64_t more = lasted - static_cast<int64_t>(milliseconds) * 1000000;
    beyond.least = more < beyond.least ? more : beyond.least;
    beyond.most = more > beyond.most ? more : beyond.most;
    not_told += !all_ticks_told();
    read_ahead();
}

void sleep_some_times()
{
    static const uint32_t milliseconds[] = {0, 1, 2, 3, 10, 57, 98, 99, 100, 300, 671, 1048, 1500};
    const struct tickwheel_sleeps before = tickwheel_sleep_counts();
    const jiffies_t start = jiffies;
    for (const uint32_t length : milliseconds) {
        for (unsigned phase = 0; phase < 5; ++phase) {
            spend_us(phase * tick_us / 5);
            sleep_for(length);
        }
    }
    const struct tickwheel_sleeps after = tickwheel_sleep_counts();
    print("msleep: ", beyond.least / 1000, " to ", beyond.most / 1000, " us more than asked for; ");
    print(jiffies - start, " ticks, ", after.sleeps - before.sleeps, " wake-ups\n");
    judge(beyond.least >= 0, "msleep lasts at least as long as it was asked to");
    judge(beyond.most < 2 * tick_ns, "msleep lasts less than two ticks longer");
    judge(after.restarts == before.restarts, "msleep writes no current value");
    judge(ahead.fits(), "now_us is right after sleep");
}

void sleep_with_cuts()
{
    const struct tickwheel_sleeps before = tickwheel_sleep_counts();
    beyond = {};
    for (unsigned time = 0; time < 40; ++time) {
        leave_edge();
        arm_ahead = 1 + time % 7;
        independent::alarm_after(20000000 + time * 137000);
        sleep_for(60);
    }
    arm_ahead = 0;
    const struct tickwheel_sleeps after = tickwheel_sleep_counts();
    print("with earlier timers: ", beyond.least / 1000, " to ", beyond.most / 1000, " us more; restarts ");
    print(after.restarts - before.restarts, "\n");
    judge(after.restarts - before.restarts >= 20, "long periods are cut short");
    judge(beyond.least >= 0 && beyond.most < 2 * tick_ns, "msleep around a cut");
    judge(late_ticks == 0, "what an interrupt arms in a sleep fires in its tick");
    judge(ahead.fits(), "now_us is right after cuts");
}

/// An interrupt ends a sleep of 90 ticks in its 20th, in the middle of that tick.
void wake_within_a_long_period()
{
    leave_edge();
    (void)tickwheel_mod_timer(&far_timer, jiffies + 90);
    independent::alarm_after(20 * tick_us * 1000);
    const uint32_t before = interrupts;
    while (interrupts == before) {
        tickwheel_idle();
    }
}

void work_then_sleep()
{
    uint32_t jiffies_stood_still = 0;
    beyond = {};
    wake_within_a_long_period();
    for (unsigned i = 0; i < 20; ++i) {
        spend_us(tick_us);
        leave_edge();
        jiffies_stood_still += jiffies != tick_now();
    }
    judge(jiffies_stood_still == 0 && all_ticks_told(), "jiffies goes on after another interrupt has ended a sleep");
    read_ahead();
    const uint64_t from = independent_ns();
    tickwheel_sleep(5);
    const auto lasted = static_cast<int64_t>(independent_ns() - from);
    not_told += !all_ticks_told();
    read_ahead();
    print("sleep(5) after 20 ticks of work and more: ", lasted / 1000, " us\n");
    judge(lasted >= 5 * tick_ns && lasted < 7 * tick_ns, "sleep counts from now, not from when the core woke");
    judge(tickwheel_timer_pending(&far_timer) != 0, "what the core slept for is still to come");
    sleep_for(100);
    judge(late_ticks == 0, "and comes in its tick");
    judge(ahead.fits(), "now_us is right after work and sleep");
}

/// Armed by an interrupt that knows only `jiffies`; the other timer knows how long that took.
struct handed : tickwheel::timer {
    handed() : timer(fire)
    {
    }
    void arm(jiffies_t ticks, bool whole)
    {
        const masked all;
        armed_ns = independent_ns();
        if (whole) {
            start_after_at_least(ticks);
            least_ns = ticks * tick_ns;
        } else {
            start_at(jiffies + ticks);
            least_ns = (ticks - 1) * tick_ns;
        }
    }
    static void fire(timer_list *timer)
    {
        const auto &self = *static_cast<handed *>(timer);
        const auto took = static_cast<int64_t>(independent_ns() - self.armed_ns);
        const int64_t beyond_least = took - self.least_ns;
        least_beyond = beyond_least < least_beyond ? beyond_least : least_beyond;
        most_beyond = beyond_least > most_beyond ? beyond_least : most_beyond;
        ++fired;
    }
    uint64_t armed_ns = 0;
    int64_t least_ns = 0;
    static inline int64_t least_beyond = INT64_MAX;
    static inline int64_t most_beyond = INT64_MIN;
    static inline uint32_t fired;
};
handed handed_plain[4];
handed handed_whole[4];
/// What the alarm arms both kinds for, 0 for nothing; which of them is next, and when the alarm comes again.
jiffies_t handed_ticks;
unsigned handed_next;
uint32_t handed_apart_ns;

void arm_handed()
{
    handed_plain[handed_next].arm(handed_ticks, false);
    handed_whole[handed_next].arm(handed_ticks, true);
    if (++handed_next < 4) {
        independent::alarm_after(handed_apart_ns);
    }
}

/// One interrupt ends a sleep, in any phase of a tick; three more come while the program works or sleeps again.
void arm_in_interrupts_after_a_sleep()
{
    constexpr uint32_t phases = 60;
    for (uint32_t phase = 0; phase < phases; ++phase) {
        leave_edge();
        handed_next = 0;
        handed_ticks = 3 + phase % 17;
        handed_apart_ns = 20000 + phase % 7 * 450000;
        (void)tickwheel_mod_timer(&far_timer, jiffies + 90);
        independent::alarm_after(20 * tick_us * 1000 + phase * (tick_us * 1000 / phases));
        while (handed_next == 0) {
            tickwheel_idle();
        }
        if (phase % 2 == 0) {
            spend_us(5 * tick_us);
        }
        while (handed::fired != 8 * (phase + 1)) {
            tickwheel_idle();
        }
    }
    handed_ticks = 0;
    (void)tickwheel_timer_delete(&far_timer);
    print("armed by interrupts after a sleep: ", handed::fired, " timers, ", handed::least_beyond / 1000, " to ");
    print(handed::most_beyond / 1000, " us more than asked for\n");
    // The alarm comes before an edge's own handler: by that much jiffies may be old.
    constexpr int64_t latency = 20000;
    judge(handed::least_beyond >= -latency, "what interrupts arm after a sleep is never early");
    judge(handed::most_beyond < tick_ns + 2 * latency, "nor late");
}

/// Waits for the next edge. @return when it came, by the other timer
int64_t next_edge()
{
    for (const jiffies_t tick = jiffies; jiffies == tick;) {
    }
    return static_cast<int64_t>(independent_ns());
}

bool within(int64_t value, int64_t of, int64_t allowed)
{
    return value - of <= allowed && of - value <= allowed;
}

/// SysTick counts as before, so that a tick lasts so many parts of what it should.
void change_clock(uint32_t to, int64_t parts, int64_t of)
{
    const uint32_t from_hz = clock_hz;
    bool scaled = true;
    bool told = true;
    for (unsigned time = 0; time < 5; ++time) {
        if (time != 0) {
            scaled = tickwheel_clock_changed(from_hz) == 0 && scaled;
            clock_hz = from_hz;
            (void)next_edge();
        }
        leave_edge();
        spend_us(time * 25);
        const auto first = static_cast<int64_t>(independent_ns());
        const int64_t before = now_ns();
        scaled = tickwheel_clock_changed(to) == 0 && scaled;
        clock_hz = to;
        const auto second = static_cast<int64_t>(independent_ns());
        const int64_t after = now_ns();
        const auto third = static_cast<int64_t>(independent_ns());
        // At the slower of the two clocks the counter tells twice the time.
        told = told && after - before >= second - first - 2000 && after - before <= 2 * (third - first) + 2000;
        const int64_t left = (tick_ns - after % tick_ns) * parts / of;
        const int64_t edge = next_edge() - third;
        // The reading was some time between the last two; then the handler, and the look at jiffies.
        scaled = edge >= left - (third - second) - 2000 && edge <= left + 10000 && scaled;
        told = told && all_ticks_told();
    }
    judge(scaled, "what is left of a tick is scaled to the new clock");
    judge(told, "now_us goes on from where it was, and jiffies too");
}

/// Ticks of `length`, awake and asleep.
void hold_ticks_to(int64_t length)
{
    const int64_t from = next_edge();
    const jiffies_t first = jiffies;
    while (jiffies - first != 200) {
    }
    const int64_t awake = static_cast<int64_t>(independent_ns()) - from;
    tickwheel_sleep(199);
    const int64_t both = static_cast<int64_t>(independent_ns()) - from;
    const jiffies_t ticks = jiffies - first;
    print("    ", clock_hz, " Hz: 200 ticks in ", awake, " ns, with sleep ", ticks, " in ");
    print(both, "\n");
    // The wake is 10 us late: expire_at_wake().
    constexpr int64_t latency = 20000;
    judge(within(awake, 200 * length, latency), "ticks of the new length");
    judge(ticks == 400 && within(both, 400 * length, latency), "also in sleep");
}

void change_in_a_long_period()
{
    wake_within_a_long_period();
    const jiffies_t left = far_timer.expires - jiffies;
    leave_edge();
    const auto at = static_cast<int64_t>(tickwheel_now_us());
    const auto from = static_cast<int64_t>(independent_ns());
    const bool changed = tickwheel_clock_changed(counter_hz / 2) == 0;
    clock_hz = counter_hz / 2;
    expire_at_wake();
    while (tickwheel_timer_pending(&far_timer) != 0) {
        tickwheel_idle();
    }
    const int64_t lasted = static_cast<int64_t>(independent_ns()) - from;
    const int64_t wanted = ((left - 1) * tick_ns + (tick_us - at % tick_us) * 1000) / 2;
    print("    within a long period: ", left, " ticks of half the length in ", lasted, " ns, to be ");
    print(wanted, "\n");
    judge(changed && left > 60 && within(lasted, wanted, 60000), "a change within a long period");
    judge(late_ticks == 0, "a timer fires in its tick after it");
    judge(tickwheel_clock_changed(counter_hz) == 0, "and back");
    clock_hz = counter_hz;
}

} // namespace

void tickwheel_ticks_passed(uint32_t ticks)
{
    ticks_told = ticks_told + ticks;
    rounded_off_ns = rounded_off_ns + independent::rounded_off_ns;
    expire_at_wake();
}

void independent_alarm()
{
    ++interrupts;
    not_told += !all_ticks_told();
    expire_at_wake();
    if (handed_ticks != 0) {
        arm_handed();
        return;
    }
    if (arm_ahead != 0) {
        (void)tickwheel_mod_timer(&near_timer, jiffies + arm_ahead);
        return;
    }
    const uint64_t us = tickwheel_now_us();
    went_back += us < last_us;
    last_us = us;
    if (us < 110 * tick_us) {
        independent::alarm_after(200000 + interrupts * 1733 % 90000);
    }
}

int main()
{
    counter_hz = board::init();
    clock_hz = counter_hz;
    independent::start();
    tickwheel_timer_setup(&near_timer, due, 0);
    tickwheel_timer_setup(&far_timer, due, 0);
    call_before_the_start();
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    read_in_a_loop();
    read_masked();
    sleep_some_times();
    sleep_with_cuts();
    work_then_sleep();
    arm_in_interrupts_after_a_sleep();
    print("now_us against the other timer: ", ahead.readings, " readings fit, to ", ahead.most - ahead.least,
          " ns\n");
    judge(not_told == 0 && ticks_told > 1000, "ticks_passed is told of all ticks, before anybody else sees them");
    change_clock(counter_hz / 2, 1, 2);
    hold_ticks_to(tick_ns / 2);
    change_clock(counter_hz, 1, 1);
    hold_ticks_to(tick_ns);
    change_in_a_long_period();
    judge(all_ticks_told(), "ticks_passed at the end");
    end_judged();
}
