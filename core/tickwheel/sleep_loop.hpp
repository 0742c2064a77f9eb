// SPDX-License-Identifier: MIT
/// @file
/// Sleeping until the next event or for a time, the same for each kind of tick.
#ifndef TICKWHEEL_SLEEP_LOOP_HPP
#define TICKWHEEL_SLEEP_LOOP_HPP

#include <stdint.h>

#include <tickwheel/hooks.hpp>
#include <tickwheel/tickwheel.h>

// All sources of the library must be compiled with the same hooks, because otherwise some events would call none.
/// @cond
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_HOOKS);
/// @endcond

namespace tickwheel
{

/// The one idle loop. Core has mask() and unmask(state) of PRIMASK. Tick makes this struct a friend and has
///   catch_up()     counts the ticks that have passed, so that jiffies is right
///   can_stop()     whether the tick has been started
///   stop(ticks)    stops the core until an interrupt, at most `ticks` ticks; jiffies is right when it returns
///   idle(work)     calls until_event()
/// Interrupts are masked when the first three are called.
struct sleep_loop {
    /// A tick that is further ahead looks like a past one.
    static constexpr jiffies_t longest_sleep = 0x7FFFFFFF;

    /// Sleeps until the wheel's next event, or any other interrupt. Does not sleep while `*work` is not 0.
    template <class Core, class Tick>
    static void until_event(Tick &tick, const volatile int *work)
    {
        const uint32_t state = Core::mask();
        tick.catch_up();
        jiffies_t event = 0;
        const jiffies_t ahead = tickwheel_next_event(&event) != 0 ? event - jiffies : longest_sleep;
        // No interrupt may change the event or `*work` before the sleep begins, so all of this is masked. If the
        // event is due, `ahead` - 1 is longest_sleep or more. Then the core does not sleep, and the softirq runs the
        // event once interrupts are on.
        if (tick.can_stop() && (work == nullptr || *work == 0) && ahead - 1 < longest_sleep) {
            program_hooks::sleeps(ahead);
            tick.stop(ahead);
            program_hooks::wakes();
        }
        Core::unmask(state);
    }

    /// Sleeps for at least `ticks` whole ticks.
    template <class Core, class Tick>
    static void for_ticks(Tick &tick, jiffies_t ticks)
    {
        if (TICKWHEEL_DEBUG && ticks >= longest_sleep) {
            tickwheel_bug("tickwheel_sleep: more than 2^31 - 2 ticks", nullptr);
        }
        // One tick more, since the current tick has partly passed.
        struct sleeper : timer_list {
            volatile int awake;
        } sleeper;
        sleeper.awake = 0;
        tickwheel_timer_setup(
            &sleeper, [](timer_list *timer) { static_cast<struct sleeper *>(timer)->awake = 1; }, 0);
        (void)tickwheel_mod_timer(&sleeper, jiffies + (ticks < longest_sleep ? ticks + 1 : longest_sleep));
        while (sleeper.awake == 0) {
            tick.idle(&sleeper.awake);
        }
    }
};

} // namespace tickwheel

#endif
