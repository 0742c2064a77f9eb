// SPDX-License-Identifier: MIT
// The time that sleep leaves behind, on an emulated board. The program compares
// tickwheel_now_us(), tickwheel_msleep(), the reports of tickwheel_ticks_passed()
// and a change of the clock with a timer that is independent of SysTick.
#include <tickwheel/timer.hpp>

#include "clock_changes.hpp"
#include "readings.hpp"

namespace
{

constexpr uintptr_t reset_control = 0xE000ED0C;
volatile uint64_t last_us;
/// The delay that the alarm gives near_timer; 0 for none.
jiffies_t arm_ahead;

void due(timer_list *timer)
{
    late_ticks += jiffies != timer->expires || tick_now() != timer->expires;
    not_reported += !all_ticks_reported();
    ahead.read();
}

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
    jiffies_t before = 0;
    {
        const masked all;
        systick_start_once(1000);
        while ((at(interrupt_control) & pend_systick) == 0) {
        }
        before = jiffies;
        if (tickwheel_systick_start(clock_hz) != 0) {
            board::exit(1);
        }
    }
    check(jiffies == before, "the start forgets a pending SysTick");
}

void read_in_a_loop()
{
    uint64_t before = tickwheel_now_us();
    const uint64_t end = before + 100 * tick_us;
    independent::alarm_after(1000);
    while (before < end) {
        const uint64_t us = tickwheel_now_us();
        went_back += us < before;
        before = us;
        last_us = us;
        ahead.read();
    }
    print("now_us: ", ahead.readings, " readings in 100 ticks, ", uint32_t{interrupts}, " interrupts\n");
    check(went_back == 0, "now_us never goes back, neither in a loop over edges nor in interrupts");
    check(interrupts > 100, "interrupts come during the loop");
    check(ahead.fits(), "now_us is right in a loop");
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
            ahead.read();
        }
        edges_waited += tick_now() != tick && jiffies == tick;
    }
    check(edges_waited > 25, "edges wait while interrupts are masked");
    check(backwards == 0, "now_us never goes back while an edge waits");
    check(ahead.fits(), "now_us is right while an edge waits");
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

/// How much longer the sleeps lasted than they should.
extremes longer;

void sleep_for(uint32_t milliseconds)
{
    const int64_t from = independent_now();
    tickwheel_msleep(milliseconds);
    longer.add(independent_now() - from - int64_t{milliseconds} * 1000000);
    not_reported += !all_ticks_reported();
    ahead.read();
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
    print("msleep: ", longer.least / 1000, " to ", longer.most / 1000, " us too long; ", jiffies - start, " ticks, ",
          after.sleeps - before.sleeps, " wake-ups\n");
    check(longer.least >= 0, "msleep is never too short");
    check(longer.most < 2 * tick_ns, "msleep is less than two ticks too long");
    check(after.restarts == before.restarts, "msleep writes no current value");
    check(ahead.fits(), "now_us is right after sleep");
}

void shorten_sleeps()
{
    const uint32_t before = tickwheel_sleep_counts().restarts;
    longer = {};
    for (unsigned time = 0; time < 40; ++time) {
        leave_edge();
        arm_ahead = 1 + time % 7;
        independent::alarm_after(20000000 + time * 137000);
        sleep_for(60);
    }
    arm_ahead = 0;
    const uint32_t restarts = tickwheel_sleep_counts().restarts - before;
    print("with earlier timers: ", longer.least / 1000, " to ", longer.most / 1000, " us too long; restarts ",
          restarts, "\n");
    check(restarts >= 20, "an earlier timer shortens a long period");
    check(longer.least >= 0 && longer.most < 2 * tick_ns, "msleep is right around a shortened period");
    check(late_ticks == 0, "a timer that an interrupt arms during sleep fires in its tick");
    check(ahead.fits(), "now_us is right after shortened periods");
}

void work_then_sleep()
{
    uint32_t wrong_jiffies = 0;
    wake_within_a_long_period();
    for (unsigned i = 0; i < 20; ++i) {
        spend_us(tick_us);
        leave_edge();
        wrong_jiffies += jiffies != tick_now();
    }
    check(wrong_jiffies == 0 && all_ticks_reported(), "jiffies goes on after another interrupt has ended a sleep");
    ahead.read();
    const int64_t from = independent_now();
    tickwheel_sleep(5);
    const int64_t lasted = independent_now() - from;
    not_reported += !all_ticks_reported();
    ahead.read();
    print("sleep(5) after 20 ticks of work and more: ", lasted / 1000, " us\n");
    check(lasted >= 5 * tick_ns && lasted < 7 * tick_ns, "sleep counts from now, not from the wake-up");
    check(tickwheel_timer_pending(&far_timer) != 0, "the timer of the long sleep is still pending");
    sleep_for(100);
    check(late_ticks == 0, "the timer of the long sleep fires in its tick");
    check(ahead.fits(), "now_us is right after work and sleep");
}

/// An interrupt arms this timer and knows only `jiffies`. The second timer measures the delay.
struct handed : tickwheel::timer {
    handed() : timer(fire)
    {
    }
    void arm(jiffies_t ticks, bool whole)
    {
        const masked all;
        armed_ns = independent_now();
        least_ns = (whole ? ticks : ticks - 1) * tick_ns;
        if (whole) {
            start_after_at_least(ticks);
        } else {
            start_at(jiffies + ticks);
        }
    }
    static void fire(timer_list *timer)
    {
        const auto &self = *static_cast<handed *>(timer);
        later.add(independent_now() - self.armed_ns - self.least_ns);
        ++fired;
    }
    int64_t armed_ns = 0;
    int64_t least_ns = 0;
    static inline extremes later;
    static inline uint32_t fired;
};
handed handed_plain[4];
handed handed_whole[4];
/// The delay that the alarm gives both kinds, 0 for none; the next index; the time between two alarms.
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

/// One interrupt ends a sleep, in any phase of a tick. Three more come while the program works or sleeps again.
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
    print("armed by interrupts after a sleep: ", handed::fired, " timers, ", handed::later.least / 1000, " to ",
          handed::later.most / 1000, " us too late\n");
    // The alarm comes before the handler of an edge, so `jiffies` may be old by this much.
    constexpr int64_t latency = 20000;
    check(handed::later.least >= -latency, "a timer that an interrupt arms after a sleep is never early");
    check(handed::later.most < tick_ns + 2 * latency, "a timer that an interrupt arms after a sleep is not late");
}

} // namespace

void tickwheel_ticks_passed(uint32_t ticks)
{
    ticks_reported = ticks_reported + ticks;
    rounded_off_ns = rounded_off_ns + independent::rounded_off_ns;
    expire_at_wake();
}

void independent_alarm()
{
    interrupts = interrupts + 1;
    not_reported += !all_ticks_reported();
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
    set_priorities();
    start_again();
    read_in_a_loop();
    read_masked();
    read_after_the_entry();
    sleep_unless_there_is_work();
    sleep_some_times();
    shorten_sleeps();
    work_then_sleep();
    arm_in_interrupts_after_a_sleep();
    print("now_us against the second timer: ", ahead.readings, " readings fit, to ", ahead.most - ahead.least,
          " ns\n");
    check(not_reported == 0 && ticks_reported > 1000, "ticks_passed reports every tick before others see it");
    change_clock(counter_hz / 2, 1, 2);
    check_tick_length(tick_ns / 2);
    change_clock(counter_hz, 1, 1);
    check_tick_length(tick_ns);
    change_in_a_long_period();
    check(all_ticks_reported(), "ticks_passed reports every tick after clock changes");
    end_checks();
}
