// SPDX-License-Identifier: MIT
// The sleep of a free-running counter's tick, and interrupts at each access of it.
#include "counter_model_host.hpp"

using namespace counter_model;

// requirement: TW-35
TEST_CASE("counter tick: a timer that an interrupt arms between any two accesses of idle fires in its tick")
{
    static timer_list *soon;
    bool reached = true;
    for (unsigned access = 1; reached; ++access) {
        const slow start(0);
        unit::noted near;
        tickwheel_timer_setup(&near, note_time, 0);
        soon = &near;
        unit::armed far(unit::now() + 5000);
        model.on_foreign = [] { (void)tickwheel_mod_timer(soon, unit::now() + 3); };
        model.foreign_access = access;
        while (unit::fired == 0) {
            slow::tick.idle();
        }
        reached = unit::log[0].timer == &near;
        if (reached) {
            CHECK_EQ(unit::log[0].at, near.expires);
            CHECK(slow::ticks_at(fired_at) <= near.expires - slow::first + 1);
        } else {
            // More accesses than a sleep has.
            CHECK(access >= 6);
        }
        (void)tickwheel_timer_delete(&far);
    }
}

// requirement: TW-35
TEST_CASE("counter tick: idle does not sleep over work that an interrupt sets at any of its accesses")
{
    static volatile int work;
    static uint64_t set_at;
    unsigned slept = 0;
    for (unsigned access = 1; access < 20; ++access) {
        const slow start(0);
        unit::armed far(unit::now() + 5000);
        work = 0;
        model.on_foreign = [] {
            work = 1;
            set_at = model.time;
        };
        model.foreign_access = access;
        slow::tick.idle(&work);
        slept += model.waits;
        CHECK((work == 0 || model.time - set_at < 33));
        (void)tickwheel_timer_delete(&far);
        if (work != 0) {
            const unsigned waits = model.waits;
            slow::tick.idle(&work);
            CHECK_EQ(model.waits, waits);
        }
    }
    CHECK(slept != 0);
}
