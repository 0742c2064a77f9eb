// SPDX-License-Identifier: MIT
// B3: callbacks that arm, move and delete themselves and each other within one tick.
#include "support.hpp"

namespace
{

enum class action { del, mod_to_past, mod_to_soon, mod_to_far, add };

constexpr int batch = 4;
// Four of one tick, and one in another level.
timer_list timers[batch + 1];
int actor;
int target;
action what;
int returned;

void callback(timer_list *self)
{
    unit::note(self);
    if (self != &timers[actor] || unit::fired > batch) {
        return;
    }
    timer_list *const victim = &timers[target];
    const jiffies_t now = jiffies;
    switch (what) {
    case action::del:
        returned = tickwheel_timer_delete(victim);
        return;
    case action::mod_to_past:
        returned = tickwheel_mod_timer(victim, now - 5);
        return;
    case action::mod_to_soon:
        returned = tickwheel_mod_timer(victim, now + 2);
        return;
    case action::mod_to_far:
        returned = tickwheel_mod_timer(victim, now + 600);
        return;
    case action::add:
        returned = tickwheel_timer_pending(victim);
        if (returned == 0) {
            victim->expires = now + 2;
        }
        tickwheel_add_timer(victim);
        return;
    }
}

jiffies_t moved_to(jiffies_t tick)
{
    switch (what) {
    case action::mod_to_past:
        return tick + 1;
    case action::mod_to_far:
        return tick + 600;
    default:
        return tick + 2;
    }
}

// How often and when (last) each timer must fire, by the contract alone.
void check_batch(jiffies_t base, jiffies_t delay)
{
    const unit::fresh wheel(base);
    const jiffies_t tick = base + delay;
    const jiffies_t far = tick + 1000;
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, callback, 0);
    }
    for (int i = 0; i < batch; ++i) {
        tickwheel_mod_timer(&timers[i], tick);
    }
    tickwheel_mod_timer(&timers[batch], far);
    (void)unit::skip_to(tick - 1);
    (void)unit::pass(1200);

    const bool was_pending = target > actor;
    CHECK_EQ(returned, was_pending ? 1 : 0);
    CHECK_EQ(unit::misused, unit::reports(what == action::add && was_pending));
    for (int i = 0; i <= batch; ++i) {
        unsigned calls = 1;
        jiffies_t last = i == batch ? far : tick;
        if (i == target) {
            if (what == action::del) {
                calls = was_pending ? 0 : 1;
            } else if (what != action::add || !was_pending) {
                calls = was_pending ? 1 : 2;
                last = moved_to(tick);
            }
        }
        unsigned seen = 0;
        jiffies_t seen_at = last;
        for (unsigned f = 0; f < unit::fired; ++f) {
            if (unit::log[f].timer == &timers[i]) {
                ++seen;
                seen_at = unit::log[f].at;
            }
        }
        const jiffies_t id = static_cast<jiffies_t>((static_cast<int>(what) * 10 + actor) * 10 + target);
        CHECK_EQ(unit::moment{tick, id, seen}, unit::moment{tick, id, calls});
        CHECK_EQ(unit::moment{tick, id, seen_at}, unit::moment{tick, id, last});
    }
    // Whoever fired in the common tick did so in order of arming.
    ptrdiff_t before = -1;
    for (unsigned f = 0; f < unit::fired && unit::log[f].at == tick; ++f) {
        CHECK(unit::log[f].timer - timers > before);
        before = unit::log[f].timer - timers;
    }
}

} // namespace

TEST_CASE("B3: one of four of a tick deletes, moves or adds itself, an earlier, a later, the last or another level's")
{
    constexpr action actions[] = {action::del, action::mod_to_past, action::mod_to_soon, action::mod_to_far,
                                  action::add};
    // In tv1, down from tv2, and in the first and the last tick of a block.
    struct start {
        jiffies_t base;
        jiffies_t delay;
    };
    constexpr start starts[] = {{1000, 5}, {1000, 600}, {250, 5}, {250, 6}, {0u - 3u, 2}, {0u - 300u, 300}};
    for (const action wanted : actions) {
        what = wanted;
        for (actor = 0; actor < batch; ++actor) {
            for (target = 0; target <= batch; ++target) {
                for (const start &from : starts) {
                    check_batch(from.base, from.delay);
                }
            }
        }
    }
}

namespace
{

void delete_all(timer_list *self)
{
    unit::note(self);
    for (timer_list &timer : timers) {
        (void)tickwheel_timer_delete(&timer);
    }
}

void move_all_to_next_tick(timer_list *self)
{
    unit::note(self);
    for (timer_list &timer : timers) {
        (void)tickwheel_mod_timer(&timer, jiffies + 1);
    }
}

} // namespace

TEST_CASE("B3: the first of a tick deletes all others: it alone fires")
{
    const unit::fresh wheel(1000);
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, delete_all, 0);
        tickwheel_mod_timer(&timer, 1001);
    }
    CHECK_EQ(unit::pass(10), 1u);
}

TEST_CASE("B3: each callback moves all to the next tick: the first of each tick fires, for ever in turn")
{
    const unit::fresh wheel(250);
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, move_all_to_next_tick, 0);
        tickwheel_mod_timer(&timer, 251);
    }
    // timers[0] is re-armed first by whoever fires, so it stays the oldest of each tick.
    CHECK_EQ(unit::pass(100), 100u);
    for (unsigned i = 0; i < 100; ++i) {
        CHECK(unit::log[i].timer == &timers[0]);
        CHECK_EQ(unit::log[i].at, 251 + i);
    }
    for (timer_list &timer : timers) {
        CHECK_EQ(tickwheel_timer_delete(&timer), 1);
    }
}
