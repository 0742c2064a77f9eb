// SPDX-License-Identifier: MIT
// Calls everything that the tickless driver does with interrupts masked, some
// thousand times. A plugin of the emulator measures the longest masked stretch.
// This program itself masks nothing.
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../../boards/board.hpp"
#include "independent/independent.hpp"

static constexpr unsigned timer_count = 8;
static timer_list timers[timer_count];
static volatile uint32_t interrupts;
static volatile uint64_t last_us;

/// The limit of the measured stretch belongs to this sequence of numbers.
static uint32_t next_random()
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/// 1 to 2048 ticks. Each power of two is equally likely.
static void arm(timer_list *timer)
{
    (void)tickwheel_mod_timer(timer, jiffies + 1 + next_random() % (1u << next_random() % 12));
}

void independent_alarm()
{
    interrupts = interrupts + 1;
    arm(&timers[next_random() % timer_count]);
    if (next_random() % 4 == 0) {
        last_us = tickwheel_now_us();
    }
    independent::alarm_after(20000 + next_random() * 2);
}

int main()
{
    const uint32_t clock_hz = board::init();
    independent::start();
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, arm, 0);
        arm(&timer);
    }
    independent::alarm_after(1000000);
    while (interrupts < 3000) {
        tickwheel_idle();
        last_us = tickwheel_now_us();
        if (interrupts % 64 == 0 && tickwheel_clock_changed(clock_hz) != 0) {
            board::exit(1);
        }
    }
    board::exit(tickwheel_sleep_counts().restarts > 100 ? 0 : 1);
}
