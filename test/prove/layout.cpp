// SPDX-License-Identifier: MIT
// Where a compiler puts the words of a wheel and of a timer. binary.py reads the section in this order.
#include <stddef.h>

#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

using tickwheel::wheel_clock;
using slots = tickwheel::slots_of<tickwheel::default_geometry>;

#pragma GCC diagnostic ignored "-Winvalid-offsetof"
extern "C" [[gnu::used, gnu::section(".layout")]] const uint32_t layout[] = {
    offsetof(wheel_clock, jiffies), offsetof(wheel_clock, next_run),   offsetof(wheel_clock, tv1_end),
    offsetof(wheel_clock, base),    offsetof(wheel_clock, half_wraps), offsetof(slots, first),
    offsetof(slots, marks),         offsetof(slots, changed_by),       sizeof(slots),
    offsetof(timer_list, prev),     offsetof(timer_list, next),        offsetof(timer_list, expires),
    offsetof(timer_list, slot),     offsetof(timer_list, enabled),     sizeof(timer_list)};
