/* SPDX-License-Identifier: MIT */
/*
 * A firmware in C11 that leaves SysTick and PendSV to tickwheel, and sleeps. If tickwheel's
 * handlers had other names than those of the vector table, no timer would ever fire.
 */
#include <tickwheel/systick.h>
#include <tickwheel/timer.h>

#include "chip.h"

static volatile unsigned blinks;
static int wrong;

static void blink(struct timer_list *timer)
{
    wrong |= jiffies != timer->expires;
    chip_print("tick ");
    chip_print_number(jiffies - INITIAL_JIFFIES);
    chip_print("\n");
    blinks = blinks + 1;
    mod_timer(timer, timer->expires + msecs_to_jiffies(500));
}

static DEFINE_TIMER(lamp, blink);

int main(void)
{
    mod_timer(&lamp, jiffies + msecs_to_jiffies(500));
    if (tickwheel_systick_start(SystemCoreClock) != 0) {
        return 1;
    }
    while (blinks != 3) {
        tickwheel_idle();
    }
    return wrong;
}
