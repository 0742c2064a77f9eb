// SPDX-License-Identifier: MIT
// The functions that the script of the page calls, on the default wheel and timers for it.
#include <tickwheel/default_wheel.hpp>

// A function that the script calls by this name.
#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))

namespace
{

constexpr unsigned timer_count = 1024;
timer_list timers[timer_count];
uint32_t fired;
uint32_t wrong;

void timer_fires(timer_list *timer)
{
    ++fired;
    wrong += timer->expires != jiffies;
}

} // namespace

// Passes so many ticks at once, as a sleeping core does.
EXPORTED(pass) void pass(jiffies_t ticks)
{
    if (tickwheel_advance(ticks)) {
        tickwheel_run();
    }
}

// Counts a tick unless work is left, and does so little work that a cascade takes several steps.
EXPORTED(step) void step()
{
    if (tickwheel_due() || tickwheel_tick()) {
        tickwheel_run_budget(4);
    }
}

// Does the work that is left, then passes all ticks before the next expiry or cascade.
EXPORTED(skip) void skip()
{
    tickwheel_run();
    jiffies_t next = 0;
    if (tickwheel_next_event(&next)) {
        pass(next - jiffies - 1);
    }
}

// Arms an idle timer. Returns its slot, or -1 if all timers are pending.
EXPORTED(arm) int arm(jiffies_t delay)
{
    for (timer_list &timer : timers) {
        if (!tickwheel_timer_pending(&timer)) {
            tickwheel_timer_setup(&timer, timer_fires, 0);
            tickwheel_mod_timer(&timer, jiffies + delay);
            return timer.slot;
        }
    }
    return -1;
}

// Restarts the timer that was armed first.
EXPORTED(restart) void restart(jiffies_t delay)
{
    tickwheel_mod_timer(&timers[0], jiffies + delay);
}

// How many timers wait in a slot.
EXPORTED(timers_in) unsigned timers_in(unsigned slot)
{
    unsigned count = 0;
    for (const timer_list &timer : timers) {
        count += tickwheel_timer_pending(&timer) && timer.slot == slot;
    }
    return count;
}

EXPORTED(is_marked) int is_marked(unsigned slot)
{
    return tickwheel_slots.marks.is_marked(slot);
}

// Cancels all timers, and sets the clock.
EXPORTED(start) void start(jiffies_t at)
{
    for (timer_list &timer : timers) {
        tickwheel_timer_delete(&timer);
    }
    tickwheel_init(at);
    fired = wrong = 0;
}

EXPORTED(now) jiffies_t now()
{
    return jiffies;
}

EXPORTED(next_run) jiffies_t next_run()
{
    return tickwheel_clock.next_run;
}

EXPORTED(tv1_limit) jiffies_t tv1_limit()
{
    return tickwheel_clock.tv1_limit;
}

EXPORTED(next_block) jiffies_t next_block()
{
    return tickwheel_clock.next_block;
}

// Whether timers of the next block may still be above tv1.
EXPORTED(cascading) int cascading()
{
    return tickwheel_slots.cascade_unfinished != 0;
}

EXPORTED(fired_count) uint32_t fired_count()
{
    return fired;
}

// Timers that fired in another tick than theirs.
EXPORTED(wrong_count) uint32_t wrong_count()
{
    return wrong;
}
