// SPDX-License-Identifier: MIT
// The start of the tick, and the time that sleep leaves behind: tickwheel_now_us(), tickwheel_msleep() and a change
// of the clock, compared with the exact second timer of an emulated board.
#include <tickwheel/timer.hpp>

#include "frame.hpp"
#include "time_and_alarms.hpp"

namespace
{

constexpr uint32_t tick_us = 1000000 / TICKWHEEL_HZ;
static_assert(tick_us * TICKWHEEL_HZ == 1000000, "a tick has whole microseconds");
constexpr int64_t tick_ns = int64_t{tick_us} * 1000;

// The start.

/// A boot loader may leave its SysTick pending. Nothing may wait for it, and no time may pass.
void call_before_the_start()
{
    at(interrupt_control) = pend_systick;
    take_pending_interrupts();
    tickwheel_idle();
    const bool refused = tickwheel_clock_changed(clock_hz) == -1 &&
                         tickwheel_systick_start(TICKWHEEL_SYSTICK_MIN_COUNTS * TICKWHEEL_HZ - 1) == -1;
    const bool nothing = tickwheel_now_us() == 0 && jiffies == TICKWHEEL_INITIAL_JIFFIES && ticks_reported == 0;
    report(refused && nothing && tickwheel_sleep_counts().sleeps == 0,
           "every call before the start returns, and no tick comes");
}

/// Starts with each number of bits that only order interrupts, PRIGROUP + 1. A core has only some bits of a priority.
void set_priorities()
{
    constexpr uintptr_t reset_control = 0xE000ED0C;
    constexpr uint32_t key = 0x05FA0000;
    const masked all;
    bool right = true;
    for (uint32_t group = 0; group < 8; ++group) {
        at(reset_control) = key | group << 8;
        at(system_priorities) = 0x00C00040;
        const uint32_t others = at(system_priorities) & 0xFFFF;
        right = right && tickwheel_systick_start(clock_hz) == 0;
        const uint32_t set = at(system_priorities);
        const uint32_t lowest = set >> 16 & 0xFF;
        // The next priority that exists and preempts, or the highest if there is none.
        const uint32_t order_only = (at(reset_control) >> 8 & 7) + 1;
        uint32_t above = lowest;
        while (above != 0 && ((above & ~lowest) != 0 || above >> order_only == lowest >> order_only)) {
            --above;
        }
        at(system_priorities) = 0xFFFFFFFF;
        right = right && lowest == (at(system_priorities) >> 16 & 0xFF) && (set & 0xFFFF) == others;
        right = right && set >> 24 == above;
    }
    at(reset_control) = key;
    report(right, "PendSV gets the lowest priority, and SysTick the next one that preempts it");
}

/// A boot loader's SysTick may run, and be pending.
void start_again()
{
    const jiffies_t before = jiffies;
    bool started = false;
    {
        const masked all;
        systick_start_once(1000);
        while ((at(interrupt_control) & pend_systick) == 0) {
        }
        // The counter is so far from 0 that the first tick would be too long if the start left it alone.
        at(systick_reload) = 0xFFFFFF;
        at(systick_value) = 0;
        started = tickwheel_systick_start(clock_hz) == 0 && at(systick_value) <= clock_hz / TICKWHEEL_HZ;
    }
    report(started && jiffies == before, "the start forgets a SysTick that runs, or is pending");
    systick_stop();
}

// The time.

/// The current tick, also while the wrap that began it waits for its handler.
jiffies_t tick_now()
{
    return TICKWHEEL_INITIAL_JIFFIES + static_cast<jiffies_t>(tickwheel_now_us() / tick_us);
}

/// How many ticks `jiffies` is ahead of those that tickwheel_ticks_passed() has reported: those from before the
/// start.
jiffies_t not_reported()
{
    const masked all;
    return jiffies - ticks_reported;
}

void wait_for_mid_tick()
{
    while (tickwheel_now_us() % tick_us - tick_us / 4 > tick_us / 2) {
    }
}

uint64_t last_us;
bool went_back;

uint64_t read_us()
{
    const masked all;
    const uint64_t us = tickwheel_now_us();
    went_back = went_back || us < last_us;
    last_us = us;
    return us;
}

/// The interval of the differences between now_us and the second timer that all readings allow. It becomes empty when
/// two readings contradict each other. Each reading is as wide as the time it takes and its microsecond.
struct {
    int64_t min = INT64_MIN;
    int64_t max = INT64_MAX;

    void read()
    {
        const masked all;
        const int64_t before = second_timer_ns();
        const int64_t here = static_cast<int64_t>(read_us() * 1000);
        const int64_t after = second_timer_ns();
        const int64_t lower = here - after - second_timer::count_ns;
        const int64_t upper = here + 1000 - before + second_timer::count_ns;
        min = lower > min ? lower : min;
        max = upper < max ? upper : max;
    }
} ahead;

/// Judges all readings up to now.
void report_time(bool as_well, const char *what)
{
    report(ahead.min <= ahead.max && !went_back && as_well, "now_us is right and never goes back ", what);
}

void read_in_a_loop()
{
    const uint32_t before = alarms;
    start_alarms(200000, [] { (void)read_us(); });
    for (const uint64_t end = read_us() + 100 * tick_us; read_us() < end;) {
        ahead.read();
    }
    stop_alarms();
    report_time(alarms - before > 100, "in a loop over ticks, and in interrupts");
}

/// A wrap waits while interrupts are masked. `jiffies` is old then, but neither now_us nor an arm may be.
void read_masked()
{
    tickwheel::timer waiting{[](timer_list *) {}};
    uint32_t wraps_waited = 0;
    uint32_t too_early = 0;
    for (unsigned time = 0; time < 50; ++time) {
        wait_for_mid_tick();
        spend_ns(time * 7000);
        const masked all;
        const jiffies_t tick = jiffies;
        // The last reading ends within the tick as well, on the slowest core.
        for (const uint64_t end = read_us() + tick_us * 8 / 10; read_us() < end;) {
            ahead.read();
        }
        wraps_waited += tick_now() != tick && jiffies == tick;
        waiting.start_after_at_least(5);
        too_early += waiting.expires() != tick_now() + 6;
        (void)waiting.cancel();
    }
    report_time(wraps_waited > 25, "while a wrap waits");
    report(too_early == 0, "at least counts a wrap that waits");
}

/// An interrupt above SysTick may come after the entry of SysTick's handler: nothing is pending any more.
void read_after_the_entry()
{
    wait_for_mid_tick();
    bool right = true;
    {
        const masked all;
        const uint64_t before = tickwheel_now_us();
        while ((at(interrupt_control) & pend_systick) == 0) {
        }
        at(interrupt_control) = unpend_systick;
        right = tickwheel_now_us() > before;
        ahead.read();
        at(interrupt_control) = pend_systick;
    }
    report_time(right && jiffies == tick_now(), "at a wrap whose handler has not masked yet");
}

void sleep_unless_there_is_work()
{
    const auto sleeps_if = [](volatile int work) {
        const uint32_t before = tickwheel_sleep_counts().sleeps;
        tickwheel_idle_unless(&work);
        return tickwheel_sleep_counts().sleeps != before;
    };
    report(!sleeps_if(1) && sleeps_if(0), "the core sleeps without work, and with work it does not");
}

void sleep_some_times()
{
    static const uint32_t milliseconds[] = {0, 1, 57, 671, 1048, 1500};
    samples longer;
    const uint32_t restarts = tickwheel_sleep_counts().restarts;
    const jiffies_t before = not_reported();
    bool reported = true;
    for (const uint32_t length : milliseconds) {
        for (unsigned phase = 0; phase < 5; ++phase) {
            spend_ns(phase * tick_ns / 5);
            const int64_t from = second_timer_ns();
            tickwheel_msleep(length);
            longer.add(second_timer_ns() - from - int64_t{length} * 1000000);
            reported = reported && not_reported() == before;
            ahead.read();
        }
    }
    report(longer.min >= 0 && longer.max < 2 * tick_ns, "msleep: ", longer.min / 1000, " to ", longer.max / 1000,
           " us too long");
    report(tickwheel_sleep_counts().restarts == restarts, "msleep writes no current value");
    report(reported, "ticks_passed reports every tick");
    report_time(true, "after sleep");
}

/// Starts a sleep at each count around the driver's margin. If the reload comes too late to be written, the driver
/// must not count its period as loaded.
void sleep_near_a_wrap()
{
    for (uint32_t left = 256; left < 768; ++left) {
        wait_for_mid_tick();
        while (at(systick_value) >= left) {
        }
        tickwheel_sleep(3);
        ahead.read();
    }
    report_time(true, "after sleeps that begin near a wrap");
}

/// SysTick itself keeps its clock: with another frequency given to the library, ticks last longer or shorter.
/// Compares 200 ticks awake and 200 ticks asleep with this length.
void change_clock(uint32_t hz, int64_t length)
{
    const jiffies_t before = not_reported();
    const bool changed = tickwheel_clock_changed(hz) == 0 && changes(jiffies);
    const int64_t from = second_timer_ns();
    const jiffies_t first = jiffies;
    while (jiffies - first != 200) {
    }
    const int64_t awake = second_timer_ns() - from - 200 * length;
    tickwheel_sleep(199);
    const int64_t both = second_timer_ns() - from - 400 * length;
    // expire_at_wake() delays the wake-up by 10 us.
    constexpr int64_t latency = 20000;
    report(changed && jiffies - first == 400 && not_reported() == before, "a change to ", hz, " Hz loses no tick");
    report(awake >= -latency && awake <= latency && both >= -latency && both <= latency, "then 200 ticks last ",
           awake, " ns too long awake, and 200 more with sleep ", both);
}

} // namespace

void check_start()
{
    call_before_the_start();
    set_priorities();
    start_again();
}

void check_time_of_day()
{
    read_in_a_loop();
    read_masked();
    read_after_the_entry();
    sleep_unless_there_is_work();
    sleep_some_times();
    sleep_near_a_wrap();
    change_clock(clock_hz / 2, tick_ns / 2);
    change_clock(clock_hz, tick_ns);
}
