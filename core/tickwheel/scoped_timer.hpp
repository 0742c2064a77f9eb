// SPDX-License-Identifier: MIT
/// @file
/// A timer that ends with its storage, and may move while it is pending.
#ifndef TICKWHEEL_SCOPED_TIMER_HPP
#define TICKWHEEL_SCOPED_TIMER_HPP

#include <tickwheel/timer.hpp>

namespace tickwheel
{

/// A closure_timer, periodic_timer or long_timer with a destructor that cancels, and a move that takes constant time.
/// As a closure_timer by deduction: `scoped_timer pause{[&motor] { motor.go(); }};`.
///
/// Its life must not end, nor be moved, while its callback is running: not in that callback, and not in an interrupt
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
    /// Pending as `from` was, in the same place; `from` is idle and takes no start, which with TICKWHEEL_DEBUG=1 is
    /// reported. A call that falls due during the move comes a tick later. Nobody may start or stop it during the
    /// move: no interrupt, and not the move of the closure.
    scoped_timer(scoped_timer &&from) noexcept : Timer(static_cast<Timer &&>(from))
    {
    }
    /// A closure cannot be assigned.
    scoped_timer &operator=(scoped_timer &&) = delete;
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
