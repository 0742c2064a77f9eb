// SPDX-License-Identifier: MIT
/// @file
/// The geometry and the state of the default wheel, for its source file and for tools. Debuggers read the state by
/// these names.
#ifndef TICKWHEEL_DEFAULT_WHEEL_HPP
#define TICKWHEEL_DEFAULT_WHEEL_HPP

#include <tickwheel/wheel.hpp>

namespace tickwheel
{

/// The geometry of the default wheel.
#if TICKWHEEL_GEOMETRY == 1
using default_geometry = ordered_list;
#else
using default_geometry = geometry<TICKWHEEL_GEOMETRY / 10, TICKWHEEL_GEOMETRY % 10>;
#endif

} // namespace tickwheel

/// The state. `jiffies` is the clock's first word.
extern "C" {
extern tickwheel::clock_of<tickwheel::default_geometry> tickwheel_clock;
extern tickwheel::slots_of<tickwheel::default_geometry> tickwheel_slots;
}

#endif
