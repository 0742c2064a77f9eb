/* SPDX-License-Identifier: MIT */
#include "application.h"

#include <tickwheel/timer.h>

#include "chip.h"
#include "kernel.h"

struct sleeper {
    struct timer_list timer;
    uint32_t thread;
    const char *name;
};

static int wrong;

void say(const char *who, const char *what)
{
    const uint32_t exception = chip_exception();
    chip_print("tick ");
    chip_print_number(jiffies - INITIAL_JIFFIES);
    chip_print(exception != 0 ? ", exception " : ", thread ");
    chip_print_number(exception != 0 ? exception : kernel_current());
    chip_print(": ");
    chip_print(who);
    chip_print(what);
    chip_print("\n");
}

static void wake(struct timer_list *timer)
{
    struct sleeper *sleeper = from_timer(sleeper, timer, timer);
    wrong |= jiffies != timer->expires;
    say("wake ", sleeper->name);
    kernel_wake(sleeper->thread);
}

static void sleep_for(jiffies_t ticks, const char *name)
{
    struct sleeper sleeper;
    sleeper.thread = kernel_current();
    sleeper.name = name;
    timer_setup(&sleeper.timer, wake, 0);
    mod_timer(&sleeper.timer, jiffies + ticks);
    kernel_wait();
    /* The sleeper may leave the stack: the callback does not use it after kernel_wake(). */
    wrong |= timer_pending(&sleeper.timer);
}

void control(void)
{
    for (unsigned times = 0; times < 5; ++times) {
        sleep_for(4, "control");
        say("control", " runs");
    }
    chip_exit(wrong);
}

void measure(void)
{
    for (;;) {
        sleep_for(6, "measure");
        say("measure", " runs");
    }
}

void idle(void)
{
    for (;;) {
        chip_wait_for_interrupt();
    }
}
