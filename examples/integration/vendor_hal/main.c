/* SPDX-License-Identifier: MIT */
/*
 * A firmware on a vendor's HAL, which wants SysTick for itself. The application's
 * SysTick_Handler() in interrupts.c gives both their tick, in two lines; the
 * start-up code's weak one gives way to it. Both clocks show the same time from then
 * on: in callbacks, during HAL_Delay(), and after a sleep in which SysTick stood
 * still, when sleep_until_next_timer() makes up for it in both.
 */
#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"
#include "sleep.h"

struct lamp {
    struct timer_list timer;
    const char *name;
    jiffies_t period; /* 0: once */
};

static unsigned wrong;

static void say(const char *what)
{
    const uint32_t milliseconds = HAL_GetTick();
    const jiffies_t ticks = jiffies - INITIAL_JIFFIES;
    chip_print("HAL_GetTick() ");
    chip_print_number(milliseconds);
    chip_print(", tick ");
    chip_print_number(ticks);
    chip_print(": ");
    chip_print(what);
    chip_print("\n");
    wrong += milliseconds != ticks;
}

static void toggle(struct timer_list *timer)
{
    const struct lamp *lamp = from_timer(lamp, timer, timer);
    say(lamp->name);
    wrong += jiffies != timer->expires;
    if (lamp->period != 0) {
        mod_timer(timer, timer->expires + lamp->period);
    }
}

static struct lamp green = {.name = "green", .period = 4};
static struct lamp red = {.name = "red", .period = 10};
static struct lamp alarm = {.name = "alarm"};

int main(void)
{
    HAL_Init();
    HAL_Delay(2);
    say("SysTick ran before anything of tickwheel was called");

    timer_setup(&green.timer, toggle, 0);
    timer_setup(&red.timer, toggle, 0);
    timer_setup(&alarm.timer, toggle, 0);
    mod_timer(&green.timer, jiffies + green.period);
    mod_timer(&red.timer, jiffies + red.period);
    HAL_Delay(20);
    say("after HAL_Delay(20)");

    del_timer(&green.timer);
    del_timer(&red.timer);
    mod_timer(&alarm.timer, jiffies + 60000);
    sleep_until_next_timer();
    say("after the sleep");
    HAL_Delay(1);
    say("after HAL_Delay(1)");
    return wrong != 0;
}
