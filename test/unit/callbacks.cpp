// SPDX-License-Identifier: MIT
// Callbacks that arm, move and delete themselves and each other within one tick.
#include "support.hpp"

namespace
{

constexpr int batch = 4;
// Four of one tick, and one in another level.
timer_list timers[batch + 1];
int actor;
int target;
int returned;

struct action {
    int (*make)(timer_list *victim);
    // The victim fires so many ticks after the call, or never.
    int fires_after;
    bool refuses_pending = false;
};
constexpr int never = -1;
constexpr action actions[] = {
    {tickwheel_timer_delete, never},
    {[](timer_list *victim) { return tickwheel_mod_timer(victim, jiffies - 5); }, 1},
    {[](timer_list *victim) { return tickwheel_mod_timer(victim, jiffies + 2); }, 2},
    {[](timer_list *victim) { return tickwheel_mod_timer(victim, jiffies + 600); }, 600},
    {[](timer_list *victim) {
         const int pending = tickwheel_timer_pending(victim);
         victim->expires = pending ? victim->expires : jiffies + 2;
         tickwheel_add_timer(victim);
         return pending;
     },
     2, true},
};
const action *what;

void callback(timer_list *self)
{
    unit::note(self);
    if (self == &timers[actor] && unit::fired <= batch) {
        returned = what->make(&timers[target]);
    }
}

// How often each timer must fire, and when it fires last, by the contract alone.
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
    CHECK_EQ(unit::misused, unit::reports(what->refuses_pending && was_pending));
    for (int i = 0; i <= batch; ++i) {
        unsigned calls = 1;
        jiffies_t last = i == batch ? far : tick;
        if (i == target) {
            if (what->fires_after == never) {
                calls = was_pending ? 0 : 1;
            } else if (!what->refuses_pending || !was_pending) {
                calls = was_pending ? 1 : 2;
                last = tick + static_cast<jiffies_t>(what->fires_after);
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
        const jiffies_t id = static_cast<jiffies_t>(((what - actions) * 10 + actor) * 10 + target);
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

// requirement: TW-18
TEST_CASE("a callback may delete, move or add itself, any timer of its tick, or one of another level")
{
    // In tv1, down from tv2, and in the first and the last tick of a block.
    struct start {
        jiffies_t base;
        jiffies_t delay;
    };
    constexpr start starts[] = {{1000, 5}, {1000, 600}, {250, 5}, {250, 6}, {0u - 3u, 2}, {0u - 300u, 300}};
    for (const action &wanted : actions) {
        what = &wanted;
        for (actor = 0; actor < batch; ++actor) {
            for (target = 0; target <= batch; ++target) {
                for (const start &from : starts) {
                    check_batch(from.base, from.delay);
                }
            }
        }
    }
}
