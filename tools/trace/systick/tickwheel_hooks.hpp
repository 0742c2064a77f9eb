// SPDX-License-Identifier: MIT
/// @file
/// Ready-made hooks for the wheel behind the C face, in a program whose tick is SysTick: a recorder and statistics.
/// Build the library and your own files with -DTICKWHEEL_HOOKS=1 -Itools/trace -Itools/trace/systick.

// hooks.hpp includes this file and needs its class. It comes before the guard, so that either may be included first.
#include <tickwheel/hooks.hpp>

#ifndef TICKWHEEL_READY_MADE_HOOKS_HPP
#define TICKWHEEL_READY_MADE_HOOKS_HPP

#include <tickwheel/each_of.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/recorder.hpp>
#include <tickwheel/statistics.hpp>
#include <tickwheel/systick_core.hpp>

namespace tickwheel
{

/// What has happened last.
inline recorder<port_lock, systick_core, 256> wheel_trace;
/// What has happened since reset.
inline statistics<port_lock, systick_core> wheel_statistics;

/// Call this with the clock of SysTick before the first record.
inline void start_trace(uint32_t clock_hz)
{
    systick_core::counts_per_tick = clock_hz / TICKWHEEL_HZ;
    wheel_trace.start(systick_core::counts_per_tick * TICKWHEEL_HZ, systick_core::counts_per_tick);
}

} // namespace tickwheel

/// The hooks of the wheel behind the C face.
using tickwheel_hooks = tickwheel::each_of<tickwheel::wheel_trace, tickwheel::wheel_statistics>;

#endif
