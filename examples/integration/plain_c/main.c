/* SPDX-License-Identifier: MIT */
/*
 * A firmware in C11 that uses only <tickwheel/timer.h> and libtickwheel.a. The C
 * compiler links it, without any library of C++. The firmware uses the
 * floating-point unit, so the archive must be built for it, too.
 *
 * SysTick_Handler() counts, and the main loop runs the callbacks. The firmware polls
 * a sensor every 20 ms. The answer comes after 5 ms and cancels the time-out. The
 * third answer does not come.
 */
#include <tickwheel/timer.h>

#include "chip.h"

struct sensor {
    struct timer_list poll;
    struct timer_list answer;
    struct timer_list time_out;
    unsigned polls;
    float celsius;
};

enum { last_poll = 5, unanswered_poll = 3 };

static volatile int work;
static volatile int finished;
static int wrong;

/* Prints the tick, and checks that the timer was armed for it. */
static void report(const struct timer_list *timer, const char *what)
{
    const jiffies_t ticks = jiffies - INITIAL_JIFFIES;
    wrong |= jiffies != timer->expires;
    chip_print("tick ");
    chip_print_number(ticks);
    chip_print(": ");
    chip_print(what);
}

static void poll(struct timer_list *timer)
{
    struct sensor *sensor = from_timer(sensor, timer, poll);
    ++sensor->polls;
    report(timer, "polled\n");
    if (sensor->polls != unanswered_poll) {
        mod_timer(&sensor->answer, jiffies + msecs_to_jiffies(5));
    }
    mod_timer(&sensor->time_out, jiffies + msecs_to_jiffies(15));
    if (sensor->polls != last_poll) {
        mod_timer(timer, timer->expires + msecs_to_jiffies(20));
    }
}

static void take_answer(struct timer_list *timer)
{
    struct sensor *sensor = from_timer(sensor, timer, answer);
    sensor->celsius += 0.5F;
    report(timer, "tenths of a degree: ");
    chip_print_number((uint32_t)(sensor->celsius * 10.0F));
    chip_print(del_timer(&sensor->time_out) ? ", time-out cancelled\n" : ", no time-out to cancel\n");
    finished = sensor->polls == last_poll;
}

static void give_up(struct timer_list *timer)
{
    report(timer, "no answer\n");
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
    timer_setup(&outside.poll, poll, 0);
    timer_setup(&outside.answer, take_answer, 0);
    timer_setup(&outside.time_out, give_up, 0);
    mod_timer(&outside.poll, jiffies + msecs_to_jiffies(20));
    if (SysTick_Config(SystemCoreClock / HZ)) {
        return 2;
    }
    while (!finished) {
        /* Mask interrupts: a tick between the test and the sleep would otherwise wait for the next one. */
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
