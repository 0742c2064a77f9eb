// SPDX-License-Identifier: MIT
/// @file
/// The wheel's hooks: the kernel's lock is open in each function of a timeout, and its tick is right there.

// hooks.hpp includes this file and needs its class. It comes before the guard, so that either may be included first.
#include <tickwheel/hooks.hpp>

#ifndef TICKWHEEL_ZEPHYR_HOOKS_HPP
#define TICKWHEEL_ZEPHYR_HOOKS_HPP

#include <tickwheel/zephyr.h>

/// The hooks of the default wheel.
struct tickwheel_hooks : tickwheel::no_hooks {
    static void callback_begins(const timer_list *timer)
    {
        tickwheel_zephyr_callback_begins(const_cast<timer_list *>(timer));
    }
    static void callback_ends(const timer_list * /*timer*/)
    {
        tickwheel_zephyr_callback_ends();
    }
};

#endif
