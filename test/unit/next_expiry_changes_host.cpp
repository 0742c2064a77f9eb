// SPDX-License-Identifier: MIT
// next_expiry() while an interrupt changes a list at any opening of its search. A change that the list does not note
// leaves the search with the tick of a timer that has gone.
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

// The answer of next_expiry() from now; unit::longest_delay when there is none.
jiffies_t next_from(jiffies_t base)
{
    jiffies_t tick = 0;
    return tickwheel_next_expiry(&tick) ? tick - base : unit::longest_delay;
}

template <class Work>
unsigned openings_of(Work work)
{
    const unsigned long before = tickwheel::interrupts.opened;
    work();
    return static_cast<unsigned>(tickwheel::interrupts.opened - before);
}

// A search at one opening of a run, and in it a deletion at one of its own openings.
struct nested {
    unsigned outer;
    unsigned inner;
    void (*change)();
    jiffies_t base;
    const timer_list *first;

    jiffies_t answer = 0;
    bool searched = false;
    bool first_pending = false;
    bool changed = false;
    unsigned outer_seen = 0;
    unsigned inner_seen = 0;
    unsigned level = 0;
};
nested *current;

void on_open()
{
    nested &now = *current;
    if (now.level == 0 && now.outer_seen++ == now.outer) {
        now.level = 1;
        now.searched = true;
        now.first_pending = tickwheel_timer_pending(now.first) != 0;
        now.answer = next_from(now.base);
        now.level = 0;
    } else if (now.level == 1 && now.inner_seen++ == now.inner) {
        now.level = 2;
        now.changed = true;
        now.change();
        now.level = 1;
    }
}

timer_list *victim;

void delete_victim()
{
    (void)tickwheel_timer_delete(victim);
}

// The earliest tick of the pending timers, from the base.
template <unsigned N>
jiffies_t earliest(const unit::noted (&timers)[N], jiffies_t base)
{
    jiffies_t found = unit::longest_delay;
    for (const unit::noted &timer : timers) {
        if (tickwheel_timer_pending(&timer) && timer.expires - base < found) {
            found = timer.expires - base;
        }
    }
    return found;
}

} // namespace

TEST_CASE("B7: next_expiry: a firing at any opening of the search, of the timer that it has found")
{
    for (const jiffies_t base : unit::bases) {
        for (const jiffies_t later : {2u, 100u, 5000u}) {
            unsigned openings = 1;
            for (unsigned place = 0; place < openings; ++place) {
                const unit::fresh wheel(base);
                unit::noted first;
                unit::noted second;
                tickwheel_mod_timer(&first, base + 1);
                tickwheel_mod_timer(&second, base + later);
                openings = openings_of([base] { (void)next_from(base); });
                unsigned opening = 0;
                jiffies_t answer = 0;
                {
                    const unit::interrupt_at_openings interrupt([&opening, place] {
                        if (opening++ == place) {
                            (void)tickwheel_interrupt();
                        }
                    });
                    answer = next_from(base);
                }
                CHECK_EQ(unit::fired, 1u);
                // After the last opening nothing is looked at any more.
                CHECK_EQ(answer, place + 1 == openings ? 1 : later);
            }
        }
    }
}

TEST_CASE("B7: next_expiry: above any opening of a run that cascades, a deletion at any opening of the search")
{
    // A run of the last tick of a block: a callback, the turn of the block, a cascade of two timers out of tv2.
    constexpr jiffies_t base = 8 * unit::block_ticks - 2;
    constexpr jiffies_t delays[] = {1, 7, 11, 3 * unit::block_ticks, 70000};
    unsigned deletions = 0;
    for (unsigned which = 1; which < 4; ++which) {
        nested plan = {};
        do {
            do {
                const unit::fresh wheel(base);
                unit::noted timers[5];
                for (unsigned i = 0; i < 5; ++i) {
                    tickwheel_mod_timer(&timers[i], base + delays[i]);
                }
                victim = &timers[which];
                plan = {plan.outer, plan.inner, delete_victim, base, &timers[0]};
                current = &plan;
                CHECK_EQ(tickwheel_tick(), 1);
                tickwheel::interrupts.on_open = on_open;
                (void)tickwheel_run();
                tickwheel::interrupts.on_open = nullptr;
                if (!plan.searched) {
                    break;
                }
                if (plan.changed) {
                    ++deletions;
                    // The search that began before the callback is right with 1. Behind its last opening it looks no
                    // more, and so answers with the victim.
                    const bool too_late = plan.inner + 1 == plan.inner_seen;
                    const jiffies_t left = which == 1 && !too_late ? delays[2] : delays[1];
                    CHECK_EQ(plan.answer, plan.first_pending ? 1 : left);
                    CHECK_EQ(earliest(timers, base), which == 1 ? delays[2] : delays[1]);
                }
                ++plan.inner;
            } while (plan.changed);
            plan.inner = 0;
            ++plan.outer;
        } while (plan.searched);
    }
    CHECK(deletions > 30);
}
