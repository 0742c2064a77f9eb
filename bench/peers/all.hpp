// SPDX-License-Identifier: MIT
// The headers of all systems that systems.def names.
#ifndef TICKWHEEL_BENCH_ALL_HPP
#define TICKWHEEL_BENCH_ALL_HPP

#include "binary_heap.hpp"
#include "linux_wheel.hpp"
#include "lists.hpp"
#include "tickwheel_wheel.hpp"

#endif
