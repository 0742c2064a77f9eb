// SPDX-License-Identifier: MIT
// What a wheel costs with the lock of one core and with that of two, counted on core 0 of
// the AN521. The other core stands still, so nothing waits for a lock.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#if BENCH_SHARED
#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/ticket_lock.hpp>
#endif

#include "../../boards/mps2-an521/cores.hpp"
#include "../wheel/measure.hpp"

namespace
{

using namespace bench;

#if BENCH_SHARED
struct cores : board::cores {
    using mask = tickwheel::port_lock;
    template <unsigned Number>
    using spin = tickwheel::ticket_lock<cores, Number>;
};
/// A wheel of the other core costs the same.
tickwheel::core_wheel<cores, 0> wheel;

[[gnu::noinline]] int mod_timer(timer_list *timer, jiffies_t expires)
{
    return wheel.mod_timer(timer, expires);
}
[[gnu::noinline]] int timer_delete(timer_list *timer)
{
    return wheel.timer_delete(timer);
}
[[gnu::noinline]] int tick()
{
    return wheel.tick();
}
unsigned run()
{
    return wheel.run();
}
#else
constexpr auto *mod_timer = tickwheel_mod_timer;
constexpr auto *timer_delete = tickwheel_timer_delete;
constexpr auto *tick = tickwheel_tick;
constexpr auto *run = tickwheel_run;
#endif

constexpr unsigned pending = 10;
timer_list timers[pending + 1];

/// The arms and cancels of bench/README.md.
void arms_and_cancels()
{
    for (unsigned i = 0; i < pending; ++i) {
        mod_timer(&timers[i], TICKWHEEL_INITIAL_JIFFIES + numbers.between(1, 0xFFFF));
    }
    timer_list *idle = &timers[pending];
    for (unsigned i = 0; i < 8192; ++i) {
        call<op_arm, mod_timer>(idle, TICKWHEEL_INITIAL_JIFFIES + numbers.between(1, 0xFFFF));
        idle = &timers[numbers.between(0, pending)];
        check(call<op_cancel, timer_delete>(idle) == 1);
    }
    for (timer_list &timer : timers) {
        timer_delete(&timer);
    }
}

/// Counts the tick alone, without the run at the end of a block.
void ticks()
{
    for (unsigned i = 0; i < 8192; ++i) {
        if (call<op_idle_tick, tick>() != 0) {
            run();
        }
    }
}

} // namespace

int main()
{
    board::init();
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, [](timer_list *) {}, 0);
    }
    arms_and_cancels();
    ticks();
    board::exit(0);
}
