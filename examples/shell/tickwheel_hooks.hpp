// SPDX-License-Identifier: MIT
// The shell of `make trace` and `make run TRACE=1` records what its wheel does, and counts it.
#ifndef TICKWHEEL_HOOKS_HPP_OF_SHELL
#define TICKWHEEL_HOOKS_HPP_OF_SHELL

#include <tickwheel/each_of.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/recorder.hpp>
#include <tickwheel/statistics.hpp>
#include <tickwheel/systick_core.hpp>

namespace tickwheel
{

inline recorder<port_lock, systick_core, 256> shell_trace;
inline statistics<port_lock, systick_core> shell_statistics;

using program_hooks = each_of<shell_trace, shell_statistics>;

} // namespace tickwheel

#endif
