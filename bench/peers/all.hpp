// SPDX-License-Identifier: MIT
// The headers of all systems that systems.def names.
#pragma once

#include "binary_heap.hpp"
#include "linux_wheel.hpp"
#include "lists.hpp"
#include "tickwheel_wheel.hpp"
