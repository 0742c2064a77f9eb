/* SPDX-License-Identifier: MIT */
/* Every macro of the headers for C with arguments, once: cppcheck reads their text here, as a program has it. It
 * reads the inline functions whether a program calls them or not. */
#include <linux/jiffies.h>
#include <linux/timer.h>
#include <tickwheel/systick.h>

struct device {
    uint32_t calls;
    struct timer_list poll;
};

static volatile uint32_t result;

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
    (void)mod_timer(&once, jiffies + (jiffies_t)HZ);
    (void)mod_timer_pending(&once, INITIAL_JIFFIES);
    (void)timer_reduce(&once, MAX_JIFFY_OFFSET);
    (void)tickwheel_start_after_ms(&once, 20u);
    (void)timer_delete(&once);
    destroy_timer_on_stack(&only.poll);
}

static void compare(jiffies_t a, jiffies_t b)
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
    result = (uint32_t)found;
}

int main(void)
{
    use_timers();
    compare(jiffies, result);
    result = TICKWHEEL_SYSTICK_FITS(result) ? 1u : 0u;
    return 0;
}
