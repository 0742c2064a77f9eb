// SPDX-License-Identifier: MIT
// What the scripts of the page call. The default wheel and two peers hold the same timers. The words of memory that
// each reads and writes are counted.
#include "peers.hpp"

#include <tickwheel/hooks.hpp>
#include <tickwheel/wheel.hpp>

// A function that the page's scripts call by this name.
#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))

namespace
{

using page::system;
using page::system_count;
using page::timer_count;
using geometry = tickwheel::default_geometry;

// --- Words of memory

// Words that the counted files have read and written since count() began.
uint32_t words;

template <class Call>
uint32_t count(Call call)
{
    words = 0;
    call();
    return words;
}

constexpr unsigned history_ticks = 256;

struct tally {
    uint32_t this_tick;
    uint32_t worst_tick;
    double all_ticks;
    double all_arms;
    uint32_t fired;
    // The words of the last ticks. Tick number n is at n % history_ticks.
    uint32_t history[history_ticks];
};
tally tallies[system_count];
uint32_t ticks_counted;
uint32_t arms_counted;

// --- Timers, and what has happened to them

struct shown_timer : timer_list {
    jiffies_t period;
    // Grows with each arming.
    uint32_t age;
    unsigned seen_in;
};
shown_timer timers[timer_count];
unsigned next_index;
uint32_t armings;

enum event_kind : uint32_t { armed, moved, fired, cancelled };
struct event {
    uint32_t kind;
    uint32_t timer;
    jiffies_t tick;
    uint32_t from;
    uint32_t to;
};
constexpr unsigned event_room = 4096;
event events[event_room];
uint32_t events_seen;

// Firings in a wrong tick, and out of order.
uint32_t wrong_tick;
uint32_t wrong_order;
jiffies_t last_tick;
uint32_t last_age;

unsigned index_of(const timer_list *timer)
{
    return static_cast<unsigned>(static_cast<const shown_timer *>(timer) - timers);
}

bool pending(unsigned index)
{
    return tickwheel_timer_pending(&timers[index]) != 0;
}

void add_event(event_kind kind, unsigned index, uint32_t from, uint32_t to)
{
    events[events_seen % event_room] = {kind, index, jiffies, from, to};
    ++events_seen;
}

void arm_in_wheel(unsigned index, jiffies_t expires)
{
    shown_timer &timer = timers[index];
    timer.age = ++armings;
    tickwheel_mod_timer(&timer, expires);
    timer.seen_in = timer.slot;
    add_event(armed, index, timer.slot, timer.slot);
}

void timer_fires(timer_list *timer)
{
    const unsigned index = index_of(timer);
    shown_timer &here = timers[index];
    const jiffies_t now = jiffies;
    wrong_tick += here.expires != now;
    wrong_order += now == last_tick && here.age < last_age;
    last_tick = now;
    last_age = here.age;
    add_event(fired, index, here.slot, here.slot);
    const jiffies_t delay = page::fires_in(page::wheel, index);
    if (delay != 0) {
        arm_in_wheel(index, now + delay);
    }
}

// The wheel has done the work of this tick. Now the peers do theirs.
void end_tick()
{
    for (const system which : page::both_peers) {
        tallies[which].this_tick = count([which] { page::advance_peer(which, 1); });
    }
    for (tally &each : tallies) {
        each.worst_tick = each.this_tick > each.worst_tick ? each.this_tick : each.worst_tick;
        each.all_ticks += each.this_tick;
        each.history[ticks_counted % history_ticks] = each.this_tick;
    }
    ++ticks_counted;
}

} // namespace

namespace page
{

jiffies_t fires_in(system which, unsigned index)
{
    ++tallies[which].fired;
    return timers[index].period;
}

} // namespace page

void tickwheel_hooks::cascaded(const timer_list *timer)
{
    const unsigned index = index_of(timer);
    shown_timer &here = timers[index];
    add_event(event_kind::moved, index, here.seen_in, here.slot);
    here.seen_in = here.slot;
}

// clang calls these before each access in the files that it counts. A word has four bytes.
#define COUNTED(bytes)                                                                                               \
    extern "C" void __sanitizer_cov_load##bytes(const void *)                                                        \
    {                                                                                                                \
        words += (bytes + 3) / 4;                                                                                    \
    }                                                                                                                \
    extern "C" void __sanitizer_cov_store##bytes(const void *)                                                       \
    {                                                                                                                \
        words += (bytes + 3) / 4;                                                                                    \
    }
COUNTED(1)
COUNTED(2)
COUNTED(4)
COUNTED(8)

// --- Time

// Empties everything, and sets the clock.
EXPORTED(start) void start(jiffies_t at)
{
    for (shown_timer &each : timers) {
        tickwheel_timer_delete(&each);
        each = shown_timer();
        tickwheel_timer_setup(&each, timer_fires, 0);
    }
    tickwheel_init(at);
    page::start_peers(at);
    for (tally &each : tallies) {
        each = tally();
    }
    ticks_counted = arms_counted = armings = next_index = events_seen = wrong_tick = wrong_order = last_age = 0;
    last_tick = at;
}

EXPORTED(due) int due()
{
    return tickwheel_due();
}

// Counts a tick. Returns whether the wheel has work to do in it.
EXPORTED(tick) int tick()
{
    tallies[page::wheel].this_tick = count([] { tickwheel_tick(); });
    const int work = due();
    if (!work) {
        end_tick();
    }
    return work;
}

// Runs the wheel by at most so many steps.
EXPORTED(run) void run(unsigned steps)
{
    tallies[page::wheel].this_tick += count([steps] { tickwheel_run_budget(steps); });
    if (!due()) {
        end_tick();
    }
}

// Runs the wheel until it has called one callback, or moved at most one timer.
EXPORTED(step) void step()
{
    // A tick without a callback is a step of its own.
    const bool callback = tickwheel_slots.first[geometry::tv1_slot(tickwheel_clock.next_event)] != nullptr;
    run(callback ? 1 : 2);
}

EXPORTED(run_ticks) void run_ticks(uint32_t ticks)
{
    for (; ticks != 0; --ticks) {
        if (tick()) {
            run(~0u);
        }
    }
}

// Passes ticks without work, at most ticks_to_event() - 1.
EXPORTED(skip) void skip(uint32_t ticks)
{
    if (tickwheel_advance(ticks)) {
        // Blocks have ended.
        tickwheel_run();
    }
    page::advance_peer(page::ordered_list, ticks);
    page::advance_peer(page::binary_heap, ticks);
}

// The ticks to the next expiry or cascade; 0 if nothing is pending.
EXPORTED(ticks_to_event) jiffies_t ticks_to_event()
{
    jiffies_t next = 0;
    return tickwheel_next_event(&next) ? next - jiffies : 0;
}

EXPORTED(now) jiffies_t now()
{
    return jiffies;
}

EXPORTED(window) jiffies_t window()
{
    return tickwheel_clock.window;
}

EXPORTED(base) jiffies_t base()
{
    return tickwheel_clock.base;
}

// Whether timers of the next block may be left above tv1.
EXPORTED(coming_down) int coming_down()
{
    return tickwheel_slots.coming_down != 0;
}

// --- Timers

// A timer that no system has pending, or -1.
EXPORTED(idle_timer) int idle_timer()
{
    for (unsigned tried = 0; tried < timer_count; ++tried) {
        const unsigned index = (next_index + tried) % timer_count;
        // In the middle of a tick the wheel may have fired a timer that the peers have not.
        if (!pending(index) && !page::pending_in_peer(page::ordered_list, index)) {
            next_index = index + 1;
            return static_cast<int>(index);
        }
    }
    return -1;
}

// Arms an idle timer in all systems. With a period that is not 0 it repeats.
EXPORTED(arm) void arm(unsigned index, jiffies_t delay, jiffies_t period)
{
    const jiffies_t expires = jiffies + delay;
    timers[index].period = period;
    tallies[page::wheel].all_arms += count([=] { arm_in_wheel(index, expires); });
    for (const system which : page::both_peers) {
        tallies[which].all_arms += count([=] { page::arm_in_peer(which, index, expires); });
    }
    ++arms_counted;
}

EXPORTED(cancel) void cancel(unsigned index)
{
    if (tickwheel_timer_delete(&timers[index])) {
        page::cancel_in_peer(page::ordered_list, index);
        page::cancel_in_peer(page::binary_heap, index);
        add_event(cancelled, index, timers[index].slot, timers[index].slot);
    }
}

// The slot of a pending timer, or -1.
EXPORTED(slot_of) int slot_of(unsigned index)
{
    return pending(index) ? timers[index].slot : -1;
}

EXPORTED(expires_of) jiffies_t expires_of(unsigned index)
{
    return timers[index].expires;
}

EXPORTED(period_of) jiffies_t period_of(unsigned index)
{
    return timers[index].period;
}

EXPORTED(age_of) uint32_t age_of(unsigned index)
{
    return timers[index].age;
}

// The timers of a slot in their order: the oldest, then the next younger one. -1 at the end.
EXPORTED(oldest_of) int oldest_of(unsigned slot)
{
    const timer_list *const oldest = tickwheel_slots.first[slot];
    return oldest == nullptr ? -1 : static_cast<int>(index_of(oldest));
}

EXPORTED(younger_than) int younger_than(unsigned index)
{
    const timer_list *const younger = timers[index].next;
    return younger == nullptr ? -1 : static_cast<int>(index_of(younger));
}

// --- The shape of the wheel, from its outside: tv1 .. tv5. tv2 has two lists a slot, and counts as a row of lists.

namespace
{
struct shown_level {
    unsigned shift;
    unsigned first_slot;
    unsigned size;
};

template <class Level>
constexpr shown_level shown(Level lv)
{
    return {lv.shift, lv.first_slot, lv.size()};
}

constexpr shown_level levels[] = {{0, 0, geometry::tvr_size},
                                  shown(geometry::tv<2>()),
                                  shown(geometry::tv<3>()),
                                  shown(geometry::tv<4>()),
                                  shown(geometry::tv<5>())};
} // namespace

EXPORTED(level_shift) unsigned level_shift(unsigned level)
{
    return levels[level].shift;
}

EXPORTED(level_first) unsigned level_first(unsigned level)
{
    return levels[level].first_slot;
}

EXPORTED(level_size) unsigned level_size(unsigned level)
{
    return levels[level].size;
}

// --- What has happened

EXPORTED(event_count) uint32_t event_count()
{
    return events_seen;
}

EXPORTED(event_at) const event *event_at(uint32_t number)
{
    return &events[number % event_room];
}

EXPORTED(wrong_ticks) uint32_t wrong_ticks()
{
    return wrong_tick;
}

EXPORTED(wrong_orders) uint32_t wrong_orders()
{
    return wrong_order;
}

// --- The comparison

EXPORTED(tick_count) uint32_t tick_count()
{
    return ticks_counted;
}

EXPORTED(tick_words) uint32_t tick_words(unsigned which)
{
    return tallies[which].history[(ticks_counted - 1) % history_ticks];
}

EXPORTED(worst_words) uint32_t worst_words(unsigned which)
{
    return tallies[which].worst_tick;
}

EXPORTED(mean_words) double mean_words(unsigned which)
{
    return tallies[which].all_ticks / ticks_counted;
}

EXPORTED(mean_arm_words) double mean_arm_words(unsigned which)
{
    return tallies[which].all_arms / arms_counted;
}

EXPORTED(fired_count) uint32_t fired_count(unsigned which)
{
    return tallies[which].fired;
}

EXPORTED(history_of) const uint32_t *history_of(unsigned which)
{
    return tallies[which].history;
}
