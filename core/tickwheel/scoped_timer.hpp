// SPDX-License-Identifier: MIT
/// @file
/// A timer whose destructor cancels it.
#ifndef TICKWHEEL_SCOPED_TIMER_HPP
#define TICKWHEEL_SCOPED_TIMER_HPP

#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer, periodic_timer or long_timer whose destructor cancels it. C++ deduces a closure_timer:
/// `scoped_timer pause{[&motor] { motor.go(); }};`.
///
/// Do not destroy it in its own callback, or in an interrupt above that callback. Thread code outside callbacks is
/// always safe, if the runner interrupts it or is the same thread. A build with TICKWHEEL_DEBUG=1 reports this
/// misuse. Other builds let the callback go on in storage that has ended, and nothing arms the timer again.
///
/// Do not give it static storage. Its destructor would be registered to run after main(), by functions that bare
/// metal does not have. All other kinds of timer need no destructor.
template <class Timer>
class scoped_timer : public Timer {
public:
    /// Makes an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    template <class Closure>
    constexpr explicit scoped_timer(Closure closure, unsigned flags = 0)
        : Timer(static_cast<Closure &&>(closure), flags)
    {
    }
    /// A timer is neither copied nor moved.
    scoped_timer(const scoped_timer &) = delete;
    scoped_timer &operator=(const scoped_timer &) = delete;
    /// Cancels the timer.
    ~scoped_timer()
    {
        this->end();
    }
};

/// A closure makes a scoped closure_timer.
template <class Closure>
scoped_timer(Closure) -> scoped_timer<closure_timer<Closure>>;
/// The same, with flags.
template <class Closure>
scoped_timer(Closure, unsigned) -> scoped_timer<closure_timer<Closure>>;

} // namespace tickwheel

#endif
