// SPDX-License-Identifier: MIT
// What one-shot mode costs. Without the mode the same workloads run by a tick of a millisecond.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../wheel/measure.hpp"
#include "tickwheel_counter.hpp"

namespace
{

using namespace bench;

constexpr jiffies_t ms = TICKWHEEL_HZ / 1000;
constexpr unsigned rounds = 256;
constexpr unsigned most = 1000;
timer_list timers[most + 1];
timer_list &timeout = timers[most];
unsigned calls;

void pass_a_millisecond()
{
#if TICKWHEEL_ONE_SHOT
    tickwheel_counter::count = tickwheel_counter::count + ms;
    check(!tickwheel_counter::pending &&
          static_cast<int32_t>(tickwheel_counter::alarm - tickwheel_counter::count) > 0);
#else
    check(tickwheel_interrupt() == 0);
#endif
}

void pass_to_alarm()
{
#if TICKWHEEL_ONE_SHOT
    tickwheel_counter::count = tickwheel_counter::alarm;
#endif
}

void arm_again(timer_list *timer)
{
    mark_end<op_one_shot_tick>();
    mark_begin<op_period_tick>();
    ++calls;
    tickwheel_mod_timer(timer, timer->expires + ms);
}

/// A timer of 1 ms. Counts from the interrupt to its callback, and from there to the end of the interrupt.
void one_period()
{
    timeout.function = arm_again;
    tickwheel_mod_timer(&timeout, tickwheel_current_tick() + ms);
    for (unsigned i = 0; i < rounds; ++i) {
        pass_to_alarm();
        const unsigned before = calls;
        mark_begin<op_one_shot_tick>();
        tickwheel_interrupt();
        mark_end<op_period_tick>();
        check(calls == before + 1);
    }
    check(tickwheel_timer_delete(&timeout) == 1);
    // Its alarm comes once more.
    pass_to_alarm();
    check(tickwheel_interrupt() == 0);
    timeout.function = timers[0].function;
}

} // namespace

int main()
{
    board::init();
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, [](timer_list *) { check(false); }, 0);
    }
#if TICKWHEEL_ONE_SHOT
    tickwheel_counter::count = 12345678;
    tickwheel_start();
    tickwheel_counter::pending = false;
    tickwheel_interrupt();
#endif
    one_period();
    // As many ticks with the mode as without, and no alarm moves.
    tickwheel_mod_timer(&timers[0], tickwheel_current_tick() + 5000);
    for (unsigned i = 0; i < rounds; ++i) {
        call<op_arm, tickwheel_mod_timer>(&timeout, tickwheel_current_tick() + 10000 + i);
        check(tickwheel_timer_delete(&timeout) == 1);
    }
    check(tickwheel_timer_delete(&timers[0]) == 1);
    pass_to_alarm();
    check(tickwheel_interrupt() == 0);
    // The others wait for 20 s to 10 minutes.
    const unsigned count = timers_wanted();
    check(count <= most);
    const jiffies_t start = tickwheel_current_tick();
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_mod_timer(&timers[i], start + numbers.between(20000, 600000) * ms);
    }
    // Each of these is for an earlier tick than the alarm.
    for (unsigned i = 0; i < rounds; ++i) {
        call<op_move, tickwheel_mod_timer>(&timeout, start + (19000 - i) * ms);
        check(tickwheel_timer_delete(&timeout) == 1);
    }
    for (unsigned i = 0; i < rounds; ++i) {
        call<op_single_timeout_arm, tickwheel_mod_timer>(&timeout, tickwheel_current_tick() + 10000 * ms);
        check(call<op_single_timeout_cancel, tickwheel_timer_delete>(&timeout) == 1);
        pass_a_millisecond();
    }
    return 0;
}
