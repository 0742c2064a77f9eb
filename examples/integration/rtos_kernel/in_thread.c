/* SPDX-License-Identifier: MIT */
/*
 * The other way: callbacks run in a thread, the timer daemon. SysTick_Handler()
 * counts, and wakes the daemon when there is work. A callback may do what a thread
 * may, and may take long. The slow callback here takes two ticks. SysTick interrupts
 * it, so no tick is lost. The daemon is the most urgent thread, so callbacks are in time.
 */
#include <tickwheel/timer.h>

#include "application.h"
#include "chip.h"
#include "kernel.h"

static void timer_daemon(void);

/* The kernel numbers the threads by their places here. */
enum { daemon };
static void (*const threads[])(void) = {timer_daemon, control, measure, idle};

void SysTick_Handler(void)
{
    if (tickwheel_tick()) {
        kernel_wake(daemon);
    }
}

static void timer_daemon(void)
{
    for (;;) {
        kernel_wait();
        tickwheel_run();
    }
}

static void take_two_ticks(struct timer_list *timer)
{
    say("slow callback", " begins");
    while (jiffies - timer->expires < 2) {
    }
    say("slow callback", " ends");
}

static DEFINE_TIMER(slow, take_two_ticks);

int main(void)
{
    mod_timer(&slow, jiffies + 13);
    if (SysTick_Config(SystemCoreClock / HZ)) {
        return 2;
    }
    chip_print("callbacks in a thread\n");
    kernel_start(threads, sizeof threads / sizeof threads[0]);
}
