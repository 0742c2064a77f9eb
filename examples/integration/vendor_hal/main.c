/* SPDX-License-Identifier: MIT */
/*
 * A firmware on a vendor's HAL that needs SysTick, too. SysTick_Handler() in
 * interrupts.c gives a tick to both in two lines. It replaces the weak handler of the
 * start-up code. Both clocks show the same time: in callbacks, during HAL_Delay(),
 * and after a sleep. SysTick stops in a sleep, and sleep_until_next_timer() adds the
 * time to both clocks.
 */
#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"
#include "sleep.h"

struct lamp {
    struct timer_list timer;
    const char *name;
    jiffies_t period; /* 0 for a timer that fires once */
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
    say("SysTick ran before the first call of tickwheel");

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
    /* The wheel ends a sleep for its own work, too. */
    while (timer_pending(&alarm.timer)) {
        sleep_until_next_timer();
    }
    say("after the sleep");
    HAL_Delay(1);
    say("after HAL_Delay(1)");
    return wrong != 0;
}
