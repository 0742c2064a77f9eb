/* SPDX-License-Identifier: MIT */
/* Every macro and inline function of the headers for C, once: cppcheck reads them here as a program has them. */
#include <linux/jiffies.h>
#include <linux/timer.h>
#include <tickwheel/systick.h>

struct device {
    uint32_t calls;
    struct timer_list poll;
};

static volatile uint32_t result;
static volatile uint64_t wide;

static void poll(struct timer_list *timer)
{
    struct device *first = from_timer(first, timer, poll);
    struct device *second = timer_container_of(second, timer, poll);
    const struct device *third = container_of(timer, struct device, poll);
    first->calls++;
    second->calls++;
    result = third->calls;
}

static void use_timers(void)
{
    static struct device only;
    static DEFINE_TIMER(once, poll);
    timer_setup(&only.poll, poll, TIMER_DEFERRABLE | TIMER_PINNED | TIMER_IRQSAFE);
    timer_setup_on_stack(&only.poll, poll, TIMER_DEFERRABLE);
    add_timer(&once);
    (void)mod_timer(&once, jiffies + (jiffies_t)HZ);
    (void)mod_timer_pending(&once, INITIAL_JIFFIES);
    (void)timer_reduce(&once, MAX_JIFFY_OFFSET);
    (void)tickwheel_start_after_ms(&once, 20u);
    (void)timer_pending(&once);
    (void)timer_delete(&once);
    (void)del_timer(&once);
    (void)try_to_del_timer_sync(&once);
    (void)timer_delete_sync(&once);
    (void)del_timer_sync(&once);
    (void)del_singleshot_timer_sync(&once);
    (void)timer_shutdown(&once);
    (void)timer_shutdown_sync(&once);
    destroy_timer_on_stack(&only.poll);
    tickwheel_msleep(20u);
}

static void compare(jiffies_t a, jiffies_t b, uint64_t c, uint64_t d)
{
    int found = time_after(a, b);
    found += time_before(a, b);
    found += time_after_eq(a, b);
    found += time_before_eq(a, b);
    found += time_in_range(a, b, b);
    found += time_in_range_open(a, b, b);
    found += time_is_before_jiffies(a);
    found += time_is_after_jiffies(a);
    found += time_is_before_eq_jiffies(a);
    found += time_is_after_eq_jiffies(a);
    found += time_after64(c, d);
    found += time_before64(c, d);
    found += time_after_eq64(c, d);
    found += time_before_eq64(c, d);
    found += time_in_range64(c, d, d);
    found += tickwheel_time_after(a, b);
    found += tickwheel_time_before(a, b);
    found += tickwheel_time_after_eq(a, b);
    found += tickwheel_time_before_eq(a, b);
    found += tickwheel_time_in_range(a, b, b);
    found += tickwheel_time_in_range_open(a, b, b);
    result = (uint32_t)found;
}

static void convert(unsigned time, jiffies_t ticks)
{
    wide = get_jiffies_64();
    wide = jiffies_to_nsecs(ticks);
    result = nsecs_to_jiffies(wide);
    result = msecs_to_jiffies(time);
    result = usecs_to_jiffies(time);
    result = secs_to_jiffies(time);
    result = jiffies_to_msecs(ticks);
    result = jiffies_to_usecs(ticks);
    result = jiffies_to_secs(ticks);
    result = jiffies_delta_to_msecs(ticks);
    result = round_jiffies(ticks);
    result = round_jiffies_up(ticks);
    result = round_jiffies_relative(ticks);
    result = round_jiffies_up_relative(ticks);
    result = tickwheel_msecs_to_jiffies(time);
    result = tickwheel_usecs_to_jiffies(time);
    result = tickwheel_secs_to_jiffies(time);
    result = tickwheel_jiffies_to_msecs(ticks);
    result = tickwheel_jiffies_to_usecs(ticks);
    result = tickwheel_jiffies_to_secs(ticks);
    result = tickwheel_round_jiffies(ticks);
    result = tickwheel_round_jiffies_up(ticks);
    result = tickwheel_round_jiffies_relative(ticks);
    result = tickwheel_round_jiffies_up_relative(ticks);
    result = TICKWHEEL_SYSTICK_FITS(time) ? 1u : 0u;
}

int main(void)
{
    use_timers();
    compare(jiffies, result, wide, wide);
    convert(result, jiffies);
    return 0;
}
