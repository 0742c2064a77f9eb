// SPDX-License-Identifier: MIT
// Where the state of a wheel lies.
#ifndef TICKWHEEL_STORAGE_HPP
#define TICKWHEEL_STORAGE_HPP

#include <tickwheel/state.hpp>

namespace tickwheel
{

/// Keeps a wheel's state inside the wheel. A static wheel then has an image in flash, all zeros but for 20 bytes. A
/// Storage that returns two separate objects avoids that image: tickwheel.cpp has one.
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

private:
    wheel_clock clock_ = wheel_clock::at(TICKWHEEL_INITIAL_JIFFIES, Geometry::block_mask);
    wheel_slots<Geometry> lists_ = {};
};

} // namespace tickwheel

#endif
