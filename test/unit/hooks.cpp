// SPDX-License-Identifier: MIT
// A wheel tells its hooks each event once, in order, and with its lock as hooks.hpp says.
#include <tickwheel/hooks.hpp>
#include <tickwheel/wheel.hpp>

#include "counting_lock.hpp"
#include "support.hpp"

namespace
{

// A letter for each hook: Armed, Moved, Cancelled, Begins and Ends around a callback, [ and ] around a cascade, v for
// a timer that cascades, Tick with work. The callback itself adds !.
char events[64];
unsigned count;
const timer_list *last;
jiffies_t last_now;
jiffies_t last_next;
unsigned last_slot;
bool masked_as_said;

void note_event(char event, const timer_list *timer, bool holds_lock)
{
    masked_as_said &= (unit::counting_lock::held != 0) == holds_lock;
    events[count++ % sizeof events] = event;
    last = timer;
}

struct letters : tickwheel::no_hooks {
    static void armed(const timer_list *timer)
    {
        note_event('A', timer, true);
        CHECK_EQ(timer->prev != nullptr, true);
    }
    static void moved(const timer_list *timer)
    {
        note_event('M', timer, true);
        CHECK_EQ(timer->prev != nullptr, true);
    }
    static void cancelled(const timer_list *timer)
    {
        note_event('C', timer, true);
        CHECK_EQ(timer->prev == nullptr, true);
    }
    static void callback_begins(const timer_list *timer)
    {
        note_event('B', timer, true);
        CHECK_EQ(timer->prev == nullptr, true);
    }
    static void callback_ends(const timer_list *timer)
    {
        note_event('E', timer, false);
    }
    static void cascade_begins(unsigned slot)
    {
        note_event('[', nullptr, true);
        last_slot = slot;
    }
    static void cascaded(const timer_list *timer)
    {
        note_event('v', timer, true);
        CHECK_EQ(timer->slot != last_slot, true);
    }
    static void cascade_ends(unsigned slot)
    {
        note_event(']', nullptr, true);
        CHECK_EQ(slot, last_slot);
    }
    static void tick_with_work(jiffies_t now, jiffies_t next)
    {
        note_event('T', nullptr, false);
        last_now = now;
        last_next = next;
    }
};

using geometry = tickwheel::geometry<6, 2>;
tickwheel::wheel<unit::counting_lock, geometry, tickwheel::wheel_storage<geometry>, letters> hooked;
static_assert(sizeof(hooked) == sizeof(tickwheel::wheel<unit::counting_lock, geometry>),
              "hooks without members take no room");

using ordered_list = tickwheel::ordered_list;
tickwheel::wheel<unit::counting_lock, ordered_list, tickwheel::wheel_storage<ordered_list>, letters> hooked_list;

timer_list a;
timer_list b;
timer_list c;

void called(timer_list *timer)
{
    note_event('!', timer, false);
}

void set_up()
{
    hooked.init(1000);
    timer_list *const all[] = {&a, &b, &c};
    for (timer_list *const timer : all) {
        tickwheel_timer_setup(timer, called, 0);
    }
    count = 0;
    masked_as_said = true;
}

// Whether these were the events since the last call.
bool happened(const char *expected)
{
    unsigned i = 0;
    for (; i < count && expected[i] == events[i]; ++i) {
    }
    const bool same = i == count && expected[i] == 0;
    count = 0;
    return same;
}

} // namespace

TEST_CASE("the hooks of an arm, a move and a cancel")
{
    set_up();
    const jiffies_t now = hooked.jiffies();
    tickwheel::shared_word word;
    CHECK(hooked.arm_idle_with(&a, now + 2, called, word, 0));
    CHECK((happened("A") && last == &a));
    CHECK_EQ(hooked.mod_timer(&a, now + 2), 1);
    CHECK_EQ(hooked.timer_reduce(&a, now + 3), 1);
    CHECK_EQ(hooked.mod_timer_idle(&a, now + 3), 1);
    CHECK_EQ(hooked.mod_timer_pending(&b, now + 3), 0);
    CHECK_EQ(hooked.timer_delete(&b), 0);
    CHECK(happened(""));
    CHECK_EQ(hooked.mod_timer(&a, now + 3), 1);
    CHECK_EQ(hooked.timer_reduce(&a, now + 1), 1);
    CHECK_EQ(hooked.mod_timer_pending(&a, now + 9), 1);
    CHECK(happened("MMM"));
    b.expires = now + 4;
    hooked.add_timer(&b);
    CHECK_EQ(hooked.timer_reduce(&c, now + 4), 0);
    CHECK(happened("AA"));
    CHECK_EQ(hooked.timer_delete(&a), 1);
    CHECK_EQ(last == &a, true);
    CHECK_EQ(hooked.try_to_del_timer_sync(&b), 1);
    CHECK_EQ(hooked.timer_shutdown(&c), 1);
    CHECK_EQ(hooked.timer_shutdown(&a), 0);
    CHECK(happened("CCC"));
    CHECK(masked_as_said);
}

// requirement: TW-19
TEST_CASE("the hooks of a tick and of two callbacks, which run with the lock open")
{
    set_up();
    const jiffies_t now = hooked.jiffies();
    CHECK_EQ(hooked.mod_timer(&a, now + 2), 0);
    CHECK_EQ(hooked.mod_timer(&b, now + 2), 0);
    CHECK_EQ(hooked.tick(), 0);
    CHECK_EQ(hooked.tick(), 1);
    CHECK_EQ(hooked.tick(), 1);
    CHECK(happened("AATT"));
    CHECK_EQ(last_now, now + 3);
    CHECK_EQ(last_next, now + 2);
    CHECK_EQ(hooked.run(), 2u);
    CHECK_EQ(last == &b, true);
    CHECK(happened("B!EB!E"));
    hooked_list.init(now);
    CHECK_EQ(hooked_list.mod_timer(&a, now + 1), 0);
    CHECK_EQ(hooked_list.interrupt(), 1u);
    CHECK(happened("ATB!E"));
    CHECK(masked_as_said);
}

TEST_CASE("the hooks of a cascade that a budget divides")
{
    set_up();
    const jiffies_t now = hooked.jiffies();
    // Two timers of a slot of tv2. They cascade while the block before it runs, one after each empty tick.
    const jiffies_t tick = (now | 63) + 1 + 64;
    CHECK_EQ(hooked.mod_timer(&a, tick + 3), 0);
    CHECK_EQ(hooked.mod_timer(&b, tick + 4), 0);
    CHECK(happened("AA"));
    while (hooked.jiffies() != tick - 34) {
        (void)hooked.tick();
        (void)hooked.run();
    }
    count = 0;
    for (unsigned i = 0; i < 3; ++i) {
        (void)hooked.tick();
        (void)hooked.run_budget(2);
    }
    CHECK(happened("T[]T[v]T[v]"));
    CHECK_EQ(hooked.timer_delete(&a), 1);
    CHECK_EQ(hooked.timer_delete(&b), 1);
    CHECK(masked_as_said);
}
