// SPDX-License-Identifier: MIT
// Code that --gc-sections discards. The linker keeps the debug information of a whole file, so these functions seem
// to be at address 0, where this firmware has its code.
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

extern tickwheel::wheel<tickwheel::port_lock> discarded_wheel;
tickwheel::wheel<tickwheel::port_lock> discarded_wheel;

extern "C" void kept();
extern "C" void discarded();
extern "C" void discarded_too(timer_list *);

void kept()
{
}

/// It is larger than all code of the firmware.
void discarded()
{
    __asm__ volatile(".space 0x10000");
}

/// A static variable, and functions that are inlined.
void discarded_too(timer_list *timer)
{
    static tickwheel::periodic_timer again{[] { discarded_too(nullptr); }};
    (void)again.start_after_ticks(1, 1);
    for (unsigned i = 0; discarded_wheel.timer_pending(timer) == 0; ++i) {
        (void)discarded_wheel.mod_timer(timer, i);
    }
}
