// SPDX-License-Identifier: MIT
/// @file
/// What timers that re-arm themselves have in common. An interrupt may start or stop such a timer at any moment
/// between the runner's detaching it and its re-arm. The interrupt must win.
#ifndef TICKWHEEL_REARM_HPP
#define TICKWHEEL_REARM_HPP

#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// The steps of a start and a stop. They use `enabled`, the mark of tickwheel_timer_shutdown().
template <auto &Wheel>
class rearming_timer : protected basic_timer<Wheel> {
protected:
    using basic_timer<Wheel>::basic_timer;

    /// Stops a timer that re-arms itself. Until make_idle() the wheel ignores every arm, also the re-arm of a
    /// callback below the caller. Returns true if the timer was pending.
    bool stop_rearming()
    {
        bool was_pending = false;
        do {
            was_pending |= Wheel.timer_shutdown(this) != 0;
            // An interrupt may start the timer between the two steps of a shutdown: then shut down again.
        } while (takes_arms());
        return was_pending;
    }
    /// False while the timer is shut down.
    bool takes_arms() const
    {
        return *static_cast<const volatile uint8_t *>(&this->enabled) != 0;
    }

    /// The first step of a start. The second step writes the other words of the start, and the third one is
    /// mod_timer_idle(). If the third finds the timer pending, an interrupt has started it. It may have written the
    /// same words, so the caller repeats all three. Returns true if the timer was pending.
    bool make_idle()
    {
        const bool was_pending = stop_rearming();
        *static_cast<volatile uint8_t *>(&this->enabled) = 1;
        return was_pending;
    }
};

} // namespace tickwheel

#endif
