// SPDX-License-Identifier: MIT
// The start of the tick, and the time that sleep leaves behind: tickwheel_now_us(), tickwheel_msleep() and a change
// of the clock, compared with the second timer.
#include "sleep.hpp"

namespace
{

constexpr uintptr_t reset_control = 0xE000ED0C;
volatile uint64_t last_us;
/// A boot loader may leave its SysTick pending. Nothing may wait for it, and no time may pass.
void call_before_the_start()
{
    at(interrupt_control) = pend_systick;
    __asm__ volatile("isb" ::: "memory");
    bool nothing = tickwheel_now_us() == 0;
    {
        const masked all;
        at(interrupt_control) = pend_systick;
        tickwheel_idle();
        nothing = nothing && tickwheel_clock_changed(counter_hz) == -1;
        at(interrupt_control) = pend_systick;
    }
    nothing = nothing && tickwheel_now_us() == 0 && jiffies == TICKWHEEL_INITIAL_JIFFIES && ticks_reported == 0;
    nothing = nothing && tickwheel_systick_start(TICKWHEEL_SYSTICK_LEAST_COUNTS * TICKWHEEL_HZ - 1) == -1;
    check(nothing && tickwheel_sleep_counts().sleeps == 0, "every call before the start returns, and no tick comes");
}

/// Starts with each number of bits that only order interrupts, PRIGROUP + 1. A core has only some bits of a priority.
void set_priorities()
{
    const masked all;
    bool right = true;
    for (uint32_t group = 0; group < 8; ++group) {
        at(reset_control) = 0x05FA0000 | group << 8;
        at(system_priorities) = 0x00C00040;
        const uint32_t others = at(system_priorities) & 0xFFFF;
        right = right && tickwheel_systick_start(clock_hz) == 0;
        const uint32_t set = at(system_priorities);
        const uint32_t lowest = set >> 16 & 0xFF;
        // The next priority that exists and preempts. Of none, the highest.
        const uint32_t order_only = at(reset_control) >> 8 & 7;
        uint32_t above = lowest;
        while (above != 0 && ((above & ~lowest) != 0 || above >> (order_only + 1) == lowest >> (order_only + 1))) {
            --above;
        }
        at(system_priorities) = 0xFFFFFFFF;
        right =
            right && lowest == (at(system_priorities) >> 16 & 0xFF) && (set & 0xFFFF) == others && set >> 24 == above;
    }
    at(reset_control) = 0x05FA0000;
    check(right, "PendSV gets the lowest priority, SysTick the next one that preempts it, and nothing else changes");
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
        started = tickwheel_systick_start(clock_hz) == 0;
    }
    check(started && jiffies == before, "the start forgets a pending SysTick");
}

void read_in_an_interrupt()
{
    const uint64_t us = tickwheel_now_us();
    went_back += us < last_us;
    last_us = us;
    if (us < 110 * tick_us) {
        independent::alarm_after(200000 + alarms * 1733 % 90000);
    }
}

void read_in_a_loop()
{
    uint64_t before = tickwheel_now_us();
    const uint64_t end = before + 100 * tick_us;
    on_alarm = read_in_an_interrupt;
    independent::alarm_after(1000);
    while (before < end) {
        const uint64_t us = tickwheel_now_us();
        went_back += us < before;
        before = us;
        last_us = us;
        ahead.read();
    }
    print("now_us: ", ahead.readings, " readings in 100 ticks, ", uint32_t{alarms}, " interrupts\n");
    check(went_back == 0, "now_us never goes back, neither in a loop over edges nor in interrupts");
    check(alarms > 100, "interrupts come during the loop");
    check(ahead.fits(), "now_us is right in a loop");
}

/// An edge waits while interrupts are masked. `jiffies` is old then, but neither now_us nor an arm may be.
void read_masked()
{
    tickwheel::timer waiting{[](timer_list *) {}};
    uint32_t edges_waited = 0;
    uint32_t too_early = 0;
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
            went_back += us < before;
            before = us;
            ahead.read();
        }
        edges_waited += tick_now() != tick && jiffies == tick;
        waiting.start_after_at_least(5);
        too_early += waiting.expires() != tick_now() + 6;
        (void)waiting.cancel();
    }
    check(edges_waited > 25, "edges wait while interrupts are masked");
    check(went_back == 0 && ahead.fits(), "now_us is right while an edge waits");
    check(too_early == 0, "at least counts an edge that waits");
}

/// An interrupt above SysTick may come after the entry of SysTick's handler: nothing is pending any more.
void read_after_the_entry()
{
    leave_edge();
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
    check(right && ahead.fits() && jiffies == tick_now(), "now_us counts an edge whose handler has not masked yet");
}

void sleep_unless_there_is_work()
{
    const uint32_t sleeps = tickwheel_sleep_counts().sleeps;
    volatile int work = 1;
    tickwheel_idle_unless(&work);
    check(tickwheel_sleep_counts().sleeps == sleeps, "with work nothing sleeps");
    work = 0;
    tickwheel_idle_unless(&work);
    check(tickwheel_sleep_counts().sleeps != sleeps, "without work the core sleeps");
}

void sleep_some_times()
{
    static const uint32_t milliseconds[] = {0, 1, 2, 3, 10, 57, 98, 99, 100, 300, 671, 1048, 1500};
    extremes longer;
    const uint32_t restarts = tickwheel_sleep_counts().restarts;
    for (const uint32_t length : milliseconds) {
        for (unsigned phase = 0; phase < 5; ++phase) {
            spend_us(phase * tick_us / 5);
            const int64_t from = independent_now();
            tickwheel_msleep(length);
            longer.add(independent_now() - from - int64_t{length} * 1000000);
            not_reported += !all_ticks_reported();
            ahead.read();
        }
    }
    print("msleep: ", longer.least / 1000, " to ", longer.most / 1000, " us too long\n");
    check(longer.least >= 0 && longer.most < 2 * tick_ns, "msleep is never too short, nor two ticks too long");
    check(tickwheel_sleep_counts().restarts == restarts, "msleep writes no current value");
    check(ahead.fits(), "now_us is right after sleep");
}

// SysTick itself keeps its clock: with half the frequency given to the library, ticks last half as long.

/// Waits for the next edge. @return its time by the second timer
int64_t next_edge()
{
    for (const jiffies_t tick = jiffies; jiffies == tick;) {
    }
    return independent_now();
}

bool set_clock(uint32_t hz)
{
    const bool changed = tickwheel_clock_changed(hz) == 0;
    clock_hz = hz;
    return changed;
}

/// Changes the clock in each phase of a tick. A tick lasts parts / of_parts of its former length afterwards.
void change_clock(uint32_t to_hz, int64_t parts, int64_t of_parts)
{
    const uint32_t from_hz = clock_hz;
    bool scaled = true;
    bool steady = true;
    for (unsigned time = 0; time < 5; ++time) {
        scaled = set_clock(from_hz) && scaled;
        (void)next_edge();
        leave_edge();
        spend_us(time * 25);
        const int64_t first = independent_now();
        const int64_t before = now_ns();
        scaled = set_clock(to_hz) && scaled;
        const int64_t second = independent_now();
        const int64_t after = now_ns();
        const int64_t third = independent_now();
        // The library's time passes twice as fast at the slower of the two clocks.
        steady = steady && after - before >= second - first - 2000 && after - before <= 2 * (third - first) + 2000;
        const int64_t left = (tick_ns - after % tick_ns) * parts / of_parts;
        const int64_t edge = next_edge() - third;
        // `after` was read between `second` and `third`. The handler and the read of jiffies follow the edge.
        scaled = edge >= left - (third - second) - 2000 && edge <= left + 10000 && scaled;
        steady = steady && all_ticks_reported();
    }
    check(scaled, "a clock change scales the rest of the tick");
    check(steady, "now_us and jiffies do not jump at a clock change");
}

/// Compares 200 ticks awake and 200 ticks asleep with this length.
void check_tick_length(int64_t length)
{
    const int64_t from = next_edge();
    const jiffies_t first = jiffies;
    while (jiffies - first != 200) {
    }
    const int64_t awake = independent_now() - from;
    tickwheel_sleep(199);
    const int64_t both = independent_now() - from;
    const jiffies_t ticks = jiffies - first;
    print("    ", clock_hz, " Hz: 200 ticks in ", awake, " ns, with sleep ", ticks, " in ", both, "\n");
    // expire_at_wake() delays the wake-up by 10 us.
    constexpr int64_t latency = 20000;
    extremes off;
    off.add(awake - 200 * length);
    off.add(both - 400 * length);
    check(ticks == 400 && off.least >= -latency && off.most <= latency, "ticks have their length, awake and asleep");
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
}

void check_clock_changes()
{
    change_clock(counter_hz / 2, 1, 2);
    check_tick_length(tick_ns / 2);
    change_clock(counter_hz, 1, 1);
    check_tick_length(tick_ns);
    check(all_ticks_reported(), "ticks_passed reports every tick after clock changes");
}
