/* SPDX-License-Identifier: MIT */
/*
 * A firmware in C11 that uses the archive: <tickwheel/timer.h> and libtickwheel.a
 * are all that it sees of tickwheel, and it is linked by the C compiler, without
 * libstdc++ or any other library of C++. It is built for a floating-point unit, so
 * the archive has to be.
 *
 * SysTick_Handler() counts, the main loop runs the callbacks. A sensor is asked
 * every 20 ms and answers after 5, which calls the time-out off; but the third
 * time it does not answer.
 */
#include <tickwheel/timer.h>

#include "chip.h"

struct sensor {
    struct timer_list poll;
    struct timer_list answer;
    struct timer_list time_out;
    unsigned asked;
    float celsius;
};

enum { asked_most = 5, no_answer = 3 };

static volatile int work;
static volatile int finished;
static int wrong;

/* Says so, and looks whether it is the tick that the timer was armed for. */
static void say(const struct timer_list *timer, const char *what)
{
    const jiffies_t ticks = jiffies - INITIAL_JIFFIES;
    wrong |= jiffies != timer->expires;
    chip_print("tick ");
    chip_print_number(ticks);
    chip_print(": ");
    chip_print(what);
}

static void ask(struct timer_list *timer)
{
    struct sensor *sensor = from_timer(sensor, timer, poll);
    ++sensor->asked;
    say(timer, "asked\n");
    if (sensor->asked != no_answer) {
        mod_timer(&sensor->answer, jiffies + msecs_to_jiffies(5));
    }
    mod_timer(&sensor->time_out, jiffies + msecs_to_jiffies(15));
    if (sensor->asked != asked_most) {
        mod_timer(timer, timer->expires + msecs_to_jiffies(20));
    }
}

static void take_answer(struct timer_list *timer)
{
    struct sensor *sensor = from_timer(sensor, timer, answer);
    sensor->celsius += 0.5F;
    say(timer, "tenths of a degree: ");
    chip_print_number((uint32_t)(sensor->celsius * 10.0F));
    chip_print(del_timer(&sensor->time_out) ? ", time-out called off\n" : ", no time-out to call off\n");
    finished = sensor->asked == asked_most;
}

static void give_up(struct timer_list *timer)
{
    say(timer, "no answer\n");
}

static struct sensor outside = {.celsius = 20.0F};

void SysTick_Handler(void)
{
    if (tickwheel_tick()) {
        work = 1;
    }
}

int main(void)
{
    timer_setup(&outside.poll, ask, 0);
    timer_setup(&outside.answer, take_answer, 0);
    timer_setup(&outside.time_out, give_up, 0);
    mod_timer(&outside.poll, jiffies + msecs_to_jiffies(20));
    if (SysTick_Config(SystemCoreClock / HZ)) {
        return 2;
    }
    while (!finished) {
        /* Masked, or a tick between the look and the sleep would be slept over. */
        chip_disable_interrupts();
        if (!work) {
            chip_wait_for_interrupt();
        }
        chip_enable_interrupts();
        if (work) {
            work = 0;
            tickwheel_run();
        }
    }
    return wrong;
}
