// SPDX-License-Identifier: MIT
// What the script of the page calls: the default wheel, and timers for it.
#include <tickwheel/hooks.hpp>
#include <tickwheel/wheel.hpp>

// A function that the script calls by this name, and one of the script that this file calls.
#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))
#define IMPORTED(name) extern "C" __attribute__((import_module("page"), import_name(#name)))

// `to` is -1 if the timer fires.
IMPORTED(timer_moved) void timer_moved(unsigned from, int to);

namespace
{

struct shown_timer : timer_list {
    // Grows with each arming.
    uint32_t age;
    unsigned seen_in;
};
constexpr unsigned timer_count = 1024;
shown_timer timers[timer_count];
uint32_t armed;
uint32_t fired;
uint32_t wrong;
jiffies_t last_tick;
uint32_t last_age;

void timer_fires(timer_list *timer)
{
    const shown_timer &here = static_cast<shown_timer &>(*timer);
    const jiffies_t now = jiffies;
    ++fired;
    wrong += here.expires != now || (now == last_tick && here.age < last_age);
    last_tick = now;
    last_age = here.age;
    timer_moved(here.seen_in, -1);
}

} // namespace

void tickwheel_hooks::cascaded(const timer_list *timer)
{
    shown_timer &here = timers[static_cast<const shown_timer *>(timer) - timers];
    timer_moved(here.seen_in, timer->slot);
    here.seen_in = timer->slot;
}

// --- Time

// Empties the wheel, and sets the clock.
EXPORTED(start) void start(jiffies_t at)
{
    for (shown_timer &each : timers) {
        tickwheel_timer_delete(&each);
        tickwheel_timer_setup(&each, timer_fires, 0);
    }
    tickwheel_init(at);
    armed = fired = wrong = last_age = 0;
}

// Passes so many ticks at once, as a sleeping core does.
EXPORTED(pass) void pass(jiffies_t ticks)
{
    if (tickwheel_advance(ticks)) {
        tickwheel_run();
    }
}

// Counts a tick unless work is left. Then runs the wheel until it has called one callback, or moved at most one
// timer.
EXPORTED(step) void step()
{
    if (tickwheel_due() || tickwheel_tick()) {
        // A tick without a callback is a step of its own.
        const unsigned slot = tickwheel::default_geometry::tv1_slot(jiffies);
        tickwheel_run_budget(tickwheel_slots.first[slot] != nullptr ? 1 : 2);
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

EXPORTED(now) jiffies_t now()
{
    return jiffies;
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

// Arms an idle timer. Returns its number, or -1 if all timers are pending.
EXPORTED(arm) int arm(jiffies_t delay)
{
    for (unsigned i = 0; i < timer_count; ++i) {
        shown_timer &timer = timers[i];
        if (!tickwheel_timer_pending(&timer)) {
            timer.age = ++armed;
            tickwheel_mod_timer(&timer, jiffies + delay);
            timer.seen_in = timer.slot;
            return static_cast<int>(i);
        }
    }
    return -1;
}

// The slot of a pending timer, or -1.
EXPORTED(slot_of) int slot_of(unsigned index)
{
    return tickwheel_timer_pending(&timers[index]) ? timers[index].slot : -1;
}

EXPORTED(fired_count) uint32_t fired_count()
{
    return fired;
}

EXPORTED(wrong_count) uint32_t wrong_count()
{
    return wrong;
}
