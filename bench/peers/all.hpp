// SPDX-License-Identifier: MIT
// The headers of all systems that systems.def names.
#ifndef TICKWHEEL_BENCH_ALL_HPP
#define TICKWHEEL_BENCH_ALL_HPP

#include "hierarchies.hpp"
#include "linux_wheels.hpp"
#include "red_black_tree.hpp"
#include "skip_list.hpp"
#include "tickwheel_wheel.hpp"
#include "wheels.hpp"

#endif
