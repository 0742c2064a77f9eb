/* SPDX-License-Identifier: MIT */
/*
 * A firmware in C11 on a vendor's HAL that needs SysTick, too. SysTick_Handler() gives the
 * tick to both, and takes the place of the weak handler of the start-up code. Both
 * clocks show the same time, in callbacks and after HAL_Delay().
 */
#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"

struct lamp {
    struct timer_list timer;
    const char *name;
    jiffies_t period;
};

static int wrong;

void SysTick_Handler(void)
{
    HAL_IncTick();
    tickwheel_interrupt();
}

static void say(const char *what)
{
    const jiffies_t ticks = jiffies - INITIAL_JIFFIES;
    chip_print("tick ");
    chip_print_number(ticks);
    chip_print(": ");
    chip_print(what);
    chip_print("\n");
    wrong |= HAL_GetTick() != ticks;
}

static void toggle(struct timer_list *timer)
{
    const struct lamp *lamp = from_timer(lamp, timer, timer);
    say(lamp->name);
    wrong |= jiffies != timer->expires;
    mod_timer(timer, timer->expires + lamp->period);
}

static struct lamp green = {.name = "green", .period = 4};
static struct lamp red = {.name = "red", .period = 10};

int main(void)
{
    HAL_Init();
    HAL_Delay(2);
    say("SysTick ran before the first call of tickwheel");
    timer_setup(&green.timer, toggle, 0);
    timer_setup(&red.timer, toggle, 0);
    mod_timer(&green.timer, jiffies + green.period);
    mod_timer(&red.timer, jiffies + red.period);
    HAL_Delay(20);
    say("after HAL_Delay(20)");
    return wrong;
}
