// SPDX-License-Identifier: MIT
// The three searches for the next work against a look at every timer, in states that nobody has thought of: slots
// that are half moved or half run, deferrable timers, crowds of one slot.
#include "../support/random.hpp"
#include "support.hpp"

namespace
{

constexpr unsigned count = 24;
constexpr jiffies_t untouched = 0x5A5A5A5A;
random_numbers chance = {1};

struct next {
    bool found;
    jiffies_t tick;
};

// Not one of them is armed for the past, so each fires in the tick of its name.
next earliest(const unit::noted *timers, bool deferrable_too)
{
    next is = {false, untouched};
    for (unsigned i = 0; i < count; ++i) {
        if (tickwheel_timer_pending(&timers[i]) && (deferrable_too || !timers[i].deferrable) &&
            (!is.found ||
             static_cast<int32_t>(timers[i].expires - unit::now()) < static_cast<int32_t>(is.tick - unit::now()))) {
            is = {true, timers[i].expires};
        }
    }
    return is;
}

void compare(const unit::noted *timers)
{
    const next wanted = earliest(timers, false);
    jiffies_t tick = untouched;
    CHECK_EQ(tickwheel_next_expiry(&tick), wanted.found ? 1 : 0);
    CHECK_EQ(tick, wanted.tick);

    const unsigned most = chance.below(2) != 0 ? chance.below(6) : ~0u;
    tick = untouched;
    const int found = tickwheel_next_expiry_locked(&tick, most);
    CHECK((found == 2 ? most != ~0u : found == (wanted.found ? 1 : 0)));
    // A lower bound may be one for deferrable timers alone.
    CHECK((found == 2 ? !wanted.found || tickwheel_time_before_eq(tick, wanted.tick) : tick == wanted.tick));

    const next any = earliest(timers, true);
    tick = untouched;
    if (tickwheel_next_event(&tick) != 0) {
        CHECK((!any.found || tickwheel_time_before_eq(tick, any.tick)));
    } else {
        CHECK(!any.found);
    }
}

jiffies_t some_delay()
{
    switch (chance.below(4)) {
    case 0:
        return 1 + chance.below(3 * unit::tv1_ticks);
    case 1:
        // A few ticks of one far slot.
        return (1u << 16) - (unit::now() & 0xFFFF) + chance.below(4);
    default:
        return 1 + (chance.next() >> (2 + chance.below(30)));
    }
}

void step(unit::noted *timers)
{
    unit::noted &timer = timers[chance.below(count)];
    switch (chance.below(6)) {
    case 0:
        tickwheel_timer_delete(&timer);
        break;
    case 1:
        if (tickwheel_advance(chance.next() >> (14 + chance.below(18)))) {
            // The slot of a tick is left half run, and the next block half down.
            tickwheel_run_budget(chance.below(12));
        }
        break;
    case 2:
        (void)unit::pass(1);
        break;
    default:
        tickwheel_mod_timer(&timer, unit::now() + some_delay());
    }
}

} // namespace

TEST_CASE("each search agrees with a look at every timer, whatever was done to the wheel before")
{
    for (const jiffies_t start : unit::bases) {
        const unit::fresh wheel(start);
        unit::noted timers[count];
        for (unsigned i = 0; i < count; i += 3) {
            tickwheel_timer_setup(&timers[i], unit::note, TICKWHEEL_TIMER_DEFERRABLE);
        }
        for (unsigned i = 0; i < 400; ++i) {
            step(timers);
            compare(timers);
        }
        (void)tickwheel_run();
    }
}
