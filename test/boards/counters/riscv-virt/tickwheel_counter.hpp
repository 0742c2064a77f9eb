// SPDX-License-Identifier: MIT
// QEMU's mtime counts at 10 MHz, which is too fast for a tick: a count is eight of it.
#pragma once

#include <tickwheel/clint.hpp>

struct tickwheel_counter : tickwheel::clint<10000000, tickwheel::sifive_clint<>, 3> {};

#define COUNTER_HANDLER MTI_Handler
