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

namespace
{

/// Armed by a handler that only knows `jiffies`, and when that was.
struct handed : tickwheel::timer {
    handed() : timer(fire)
    {
    }
    void arm(jiffies_t ticks, bool whole)
    {
        armed_at = model.time;
        least = (ticks - !whole) * hz / TICKWHEEL_HZ;
        if (whole) {
            start_after_at_least(ticks);
        } else {
            start_at(::jiffies + ticks);
        }
    }
    static void fire(timer_list *timer)
    {
        const auto &self = *static_cast<handed *>(timer);
        early += model.time - self.armed_at < self.least;
        ++fired;
    }
    uint64_t armed_at = 0;
    uint64_t least = 0;
    static inline uint64_t hz;
    static inline unsigned early;
    static inline unsigned fired;
};

handed plain[4];
handed whole[4];
unsigned handed_count;
uint64_t handed_apart;

/// A first interrupt ends the sleep in any phase of a tick; three more come while the program works.
template <class Counter>
void arm_after_a_sleep(uint32_t counts)
{
    using fixture_type = fixture<Counter>;
    const uint64_t tick = Counter::hz / TICKWHEEL_HZ;
    const uint64_t step = tick < 200 ? 1 : tick / 200;
    handed::hz = Counter::hz;
    for (uint64_t phase = 0; phase < 3 * tick; phase += step) {
        const fixture_type start(counts);
        handed::early = handed::fired = 0;
        handed_count = 0;
        handed_apart = 1 + phase * 7 % (2 * tick);
        unit::armed far(unit::now() + 100);
        model.on_foreign = [] {
            plain[handed_count].arm(3 + handed_count, false);
            whole[handed_count].arm(3 + handed_count, true);
            if (++handed_count < 4) {
                model.foreign = model.time + handed_apart;
            }
        };
        model.foreign = model.time + 10 * tick + phase;
        while (handed_count == 0) {
            fixture_type::tick.idle();
        }
        for (uint64_t i = 0; i < 10 * tick; ++i) {
            model.access();
        }
        while (handed::fired < 8) {
            fixture_type::tick.idle();
        }
        CHECK_EQ(handed::early, 0u);
        (void)tickwheel_timer_delete(&far);
    }
}

} // namespace

TEST_CASE("counter tick: no timer that a handler arms after a sleep fires early")
{
    arm_after_a_sleep<counter<24, 32768, 2>>(0);
    arm_after_a_sleep<counter<16, 32768, 2>>(1);
    arm_after_a_sleep<counter<16, 1000000, 3>>(3);
    arm_after_a_sleep<counter<32, 300007, 8>>(2);
    // The shortest tick, `ahead` + 2 counts.
    arm_after_a_sleep<counter<16, 4000, 2>>(0);
    arm_after_a_sleep<counter<24, 10000, 8>>(0);
}
