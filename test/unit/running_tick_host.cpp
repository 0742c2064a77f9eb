// SPDX-License-Identifier: MIT
// A wheel whose callbacks may arm for the tick that runs, as the timeouts of a kernel do.
#define TICKWHEEL_ARM_RUNNING_TICK 1
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

// A lock of its own makes the wheel's code another than that of the other tests.
struct running_tick_lock : tickwheel::port_lock {};
tickwheel::wheel<running_tick_lock, tickwheel::geometry<6, 2>> wheel;

timer_list first;
timer_list second;
unsigned calls_left;
char order[8];
unsigned calls;

void call_first(timer_list *)
{
    order[calls++ % sizeof order] = '1';
    if (calls_left != 0) {
        --calls_left;
        wheel.mod_timer(&first, wheel.jiffies());
    }
}

void call_second(timer_list *)
{
    order[calls++ % sizeof order] = '2';
}

} // namespace

TEST_CASE("a callback arms for its own tick, and is called in it behind the others")
{
    for (const jiffies_t start : unit::bases) {
        wheel.init(start);
        first = tickwheel::timer_initializer(call_first, 0);
        second = tickwheel::timer_initializer(call_second, 0);
        calls = 0;
        calls_left = 2;
        wheel.mod_timer(&first, start + 1);
        wheel.mod_timer(&second, start + 1);
        CHECK_EQ(wheel.interrupt(), 4u);
        CHECK((order[0] == '1' && order[1] == '2' && order[2] == '1' && order[3] == '1'));
        // A budget ends such a run, and the tick is due again.
        calls_left = 3;
        wheel.mod_timer(&first, start + 2);
        CHECK_EQ(wheel.tick(), 1);
        CHECK_EQ(wheel.run_budget(2), 2u);
        CHECK_EQ(wheel.due(), 1);
        CHECK_EQ(wheel.run(), 2u);
    }
}

TEST_CASE("an interrupt between two callbacks arms for the next tick, in the last of a block too")
{
    for (const jiffies_t start : unit::bases) {
        wheel.init(start);
        first = tickwheel::timer_initializer(call_first, 0);
        second = tickwheel::timer_initializer(call_second, 0);
        calls = 0;
        calls_left = 0;
        wheel.mod_timer(&first, start + 1);
        CHECK_EQ(wheel.tick(), 1);
        // Where the lock opens after the callback: the tick is over.
        tickwheel::interrupts.on_open = [] {
            if (calls == 1 && wheel.slots().running == wheel.slots().between_callbacks()) {
                tickwheel::interrupts.on_open = nullptr;
                wheel.mod_timer(&second, wheel.jiffies());
            }
        };
        const unsigned ran = wheel.run();
        const bool opened = tickwheel::interrupts.on_open == nullptr;
        tickwheel::interrupts.on_open = nullptr;
        CHECK_EQ(ran, 1u);
        CHECK_EQ(wheel.interrupt(), opened ? 1u : 0u);
    }
}

TEST_CASE("outside a callback a timer for the tick that was run waits for the next one")
{
    wheel.init(100);
    first = tickwheel::timer_initializer(call_first, 0);
    second = tickwheel::timer_initializer(call_second, 0);
    calls = 0;
    calls_left = 0;
    CHECK_EQ(wheel.interrupt(), 0u);
    // The next tick has work, so the runner stands right behind the tick that was run.
    wheel.mod_timer(&first, wheel.jiffies() + 1);
    wheel.mod_timer(&second, wheel.jiffies());
    CHECK_EQ(wheel.run(), 0u);
    CHECK_EQ(calls, 0u);
    CHECK_EQ(wheel.interrupt(), 2u);
    // So does one for an earlier tick.
    wheel.mod_timer(&second, wheel.jiffies() - 3);
    CHECK_EQ(wheel.run(), 0u);
    CHECK_EQ(wheel.interrupt(), 1u);
}
