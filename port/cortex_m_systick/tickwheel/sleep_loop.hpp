// SPDX-License-Identifier: MIT
/// @file
/// The loop of a program that sleeps, for every tick that can stop.
#ifndef TICKWHEEL_SLEEP_LOOP_HPP
#define TICKWHEEL_SLEEP_LOOP_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// Tick has, as a friend: update(), which counts what has passed; can_stop(); stop(ahead), which stops the core for
/// `ahead` ticks at most. Core has mask() and unmask(state).
struct sleep_loop {
    static constexpr jiffies_t most_ahead = 0x7FFFFFFF;

    /// Sleeps until an interrupt, or the wheel's next event.
    template <class Core, class Tick>
    static void until_event(Tick &tick, const volatile int *work)
    {
        const uint32_t state = Core::mask();
        tick.update();
        jiffies_t event = 0;
        const jiffies_t ahead = tickwheel_next_event(&event) != 0 ? event - jiffies : most_ahead;
        // Not when it is due: it runs as soon as interrupts are on.
        if (tick.can_stop() && (work == nullptr || *work == 0) && ahead - 1 < most_ahead) {
            tick.stop(ahead);
        }
        Core::unmask(state);
    }

    /// At least `ticks` whole ticks from now.
    template <class Core, class Tick>
    static void for_ticks(Tick &tick, jiffies_t ticks)
    {
        struct sleeper : timer_list {
            volatile int awake;
        } sleeper;
        sleeper.awake = 0;
        tickwheel_timer_setup(
            &sleeper, [](timer_list *timer) { static_cast<struct sleeper *>(timer)->awake = 1; }, 0);
        (void)tickwheel_mod_timer(&sleeper, jiffies + (ticks < most_ahead ? ticks + 1 : most_ahead));
        while (sleeper.awake == 0) {
            tick.idle(&sleeper.awake);
        }
    }
};

} // namespace tickwheel

#endif
