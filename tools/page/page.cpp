// SPDX-License-Identifier: MIT
// What the scripts of the page call: the default wheel, and timers for it.
#include <tickwheel/hooks.hpp>
#include <tickwheel/wheel.hpp>

// A function that the scripts call by this name, and one of core.js that this file calls.
#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))
#define IMPORTED(name) extern "C" __attribute__((import_module("page"), import_name(#name)))

IMPORTED(timer_moved) void timer_moved(unsigned index, unsigned from, unsigned to);
IMPORTED(timer_fired) void timer_fired(unsigned index);

namespace
{

struct shown_timer : timer_list {
    jiffies_t period;
    // Grows with each arming.
    uint32_t age;
    unsigned seen_in;
};
constexpr unsigned timer_count = 1024;
shown_timer timers[timer_count];
unsigned next_index;

// What has happened since start().
struct tally {
    uint32_t armed;
    uint32_t fired;
    uint32_t wrong_ticks;
    uint32_t wrong_orders;
    jiffies_t last_tick;
    uint32_t last_age;
};
tally counted;

int index_of(const timer_list *timer)
{
    return timer == nullptr ? -1 : static_cast<int>(static_cast<const shown_timer *>(timer) - timers);
}

void arm_timer(shown_timer &timer, jiffies_t delay)
{
    timer.age = ++counted.armed;
    tickwheel_mod_timer(&timer, jiffies + delay);
    timer.seen_in = timer.slot;
}

void timer_fires(timer_list *timer)
{
    shown_timer &here = static_cast<shown_timer &>(*timer);
    const jiffies_t now = jiffies;
    ++counted.fired;
    counted.wrong_ticks += here.expires != now;
    counted.wrong_orders += now == counted.last_tick && here.age < counted.last_age;
    counted.last_tick = now;
    counted.last_age = here.age;
    timer_fired(static_cast<unsigned>(index_of(timer)));
    if (here.period != 0) {
        arm_timer(here, here.period);
    }
}

} // namespace

void tickwheel_hooks::cascaded(const timer_list *timer)
{
    const unsigned index = static_cast<unsigned>(index_of(timer));
    timer_moved(index, timers[index].seen_in, timer->slot);
    timers[index].seen_in = timer->slot;
}

// --- Time

// Empties the wheel, and sets the clock.
EXPORTED(start) void start(jiffies_t at)
{
    for (shown_timer &each : timers) {
        tickwheel_timer_delete(&each);
        each = shown_timer();
        tickwheel_timer_setup(&each, timer_fires, 0);
    }
    tickwheel_init(at);
    next_index = 0;
    counted = tally();
}

EXPORTED(due) int due()
{
    return tickwheel_due();
}

// Counts a tick unless work is left. Then runs the wheel until it has called one callback, or moved at most one
// timer.
EXPORTED(step) void step()
{
    if (due() || tickwheel_tick()) {
        // A tick without a callback is a step of its own.
        const unsigned slot = tickwheel::default_geometry::tv1_slot(jiffies);
        tickwheel_run_budget(tickwheel_slots.first[slot] != nullptr ? 1 : 2);
    }
}

// Does the work that is left, then counts so many ticks and does the work of each.
EXPORTED(run_ticks) void run_ticks(uint32_t ticks)
{
    for (tickwheel_run(); ticks != 0; --ticks) {
        tickwheel_interrupt();
    }
}

// Does the work that is left, then passes all ticks before the next expiry or cascade at once, as a sleeping core
// does. Returns 0 if nothing is pending.
EXPORTED(skip) int skip()
{
    tickwheel_run();
    jiffies_t next = 0;
    if (!tickwheel_next_event(&next)) {
        return 0;
    }
    if (tickwheel_advance(next - jiffies - 1)) {
        // Blocks have ended.
        tickwheel_run();
    }
    return 1;
}

EXPORTED(now) jiffies_t now()
{
    return jiffies;
}

EXPORTED(tv1_end) jiffies_t tv1_end()
{
    return tickwheel_clock.tv1_end;
}

EXPORTED(base) jiffies_t base()
{
    return tickwheel_clock.base;
}

// Whether timers of the next block may still be above tv1.
EXPORTED(coming_down) int coming_down()
{
    return tickwheel_slots.coming_down != 0;
}

// --- Timers

// Arms an idle timer, which repeats if its period is not 0. Returns its number, or -1 if all timers are pending.
EXPORTED(arm) int arm(jiffies_t delay, jiffies_t period)
{
    for (unsigned tried = 0; tried < timer_count; ++tried) {
        shown_timer &timer = timers[next_index++ % timer_count];
        if (!tickwheel_timer_pending(&timer)) {
            timer.period = period;
            arm_timer(timer, delay);
            return index_of(&timer);
        }
    }
    return -1;
}

EXPORTED(cancel) void cancel(unsigned index)
{
    tickwheel_timer_delete(&timers[index]);
}

// The slot of a pending timer, or -1.
EXPORTED(slot_of) int slot_of(unsigned index)
{
    return tickwheel_timer_pending(&timers[index]) ? timers[index].slot : -1;
}

EXPORTED(expires_of) jiffies_t expires_of(unsigned index)
{
    return timers[index].expires;
}

// The timers of a slot in their order: the oldest, then the next younger one. -1 at the end.
EXPORTED(oldest_of) int oldest_of(unsigned slot)
{
    return index_of(tickwheel_slots.first[slot]);
}

EXPORTED(younger_than) int younger_than(unsigned index)
{
    return index_of(timers[index].next);
}

// --- The check of each firing

EXPORTED(fired_count) uint32_t fired_count()
{
    return counted.fired;
}

EXPORTED(wrong_ticks) uint32_t wrong_ticks()
{
    return counted.wrong_ticks;
}

EXPORTED(wrong_orders) uint32_t wrong_orders()
{
    return counted.wrong_orders;
}
