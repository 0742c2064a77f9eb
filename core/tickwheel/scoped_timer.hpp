// SPDX-License-Identifier: MIT
/// @file
/// A timer that is cancelled when its storage ends.
#ifndef TICKWHEEL_SCOPED_TIMER_HPP
#define TICKWHEEL_SCOPED_TIMER_HPP

#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer, periodic_timer or long_timer with a destructor that cancels. As a closure_timer by deduction:
/// `scoped_timer pause{[&motor] { motor.go(); }};`.
///
/// Its life must not end while its callback is running: not in that callback, and not in an interrupt
/// above it. From thread code below the runner, or when the runner is the same thread, there is no such moment. With
/// TICKWHEEL_DEBUG=1 it is reported; without, the callback goes on with the storage as it then is, and nothing arms
/// the timer any more.
///
/// Not for static storage: its end would be registered to run after main(), by functions that bare metal does not
/// have. A timer of any other kind is for that; it needs no end.
template <class Timer>
class scoped_timer : public Timer {
public:
    /// An idle timer; `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    template <class Closure>
    constexpr explicit scoped_timer(Closure closure, unsigned flags = 0)
        : Timer(static_cast<Closure &&>(closure), flags)
    {
    }
    /// A timer is neither copied nor moved.
    scoped_timer(const scoped_timer &) = delete;
    scoped_timer &operator=(const scoped_timer &) = delete;
    /// Cancels it. Any context, but for what is said above.
    ~scoped_timer()
    {
        this->end();
    }
};

/// What a scoped_timer of a closure is.
template <class Closure>
scoped_timer(Closure) -> scoped_timer<closure_timer<Closure>>;
/// The same, with flags.
template <class Closure>
scoped_timer(Closure, unsigned) -> scoped_timer<closure_timer<Closure>>;

} // namespace tickwheel

#endif
