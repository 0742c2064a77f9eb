// SPDX-License-Identifier: MIT
// Where the state of a wheel lies, and how its runner finds the next cascade.
#ifndef TICKWHEEL_STORAGE_HPP
#define TICKWHEEL_STORAGE_HPP

#include <tickwheel/next_event.hpp>
#include <tickwheel/state.hpp>

namespace tickwheel
{

/// Keeps a wheel's state inside the wheel. A static wheel then has an image in flash, all zeros but for 16 bytes. A
/// Storage that returns two separate objects avoids that image: default_wheel.hpp has one.
template <class Geometry>
class wheel_storage {
protected:
    /// The time.
    wheel_clock &clock()
    {
        return clock_;
    }
    /// The slots.
    wheel_slots<Geometry> &lists()
    {
        return lists_;
    }

    /// The ticks from the block to the next cascade, for the jump over empty blocks. A Storage without the jump
    /// returns 0. Called with the lock open.
    jiffies_t distance_to_cascade()
    {
        return event_search<Geometry>::distance_to_cascade(lists_.marks, clock_.block);
    }

private:
    wheel_clock clock_ = wheel_clock::at(TICKWHEEL_INITIAL_JIFFIES, Geometry::tvr_mask);
    wheel_slots<Geometry> lists_ = {};
};

} // namespace tickwheel

#endif
