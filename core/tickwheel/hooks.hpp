// SPDX-License-Identifier: MIT
/// @file
/// What a wheel tells the program. docs/debugging.md has an example of such functions.
#ifndef TICKWHEEL_HOOKS_HPP
#define TICKWHEEL_HOOKS_HPP

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The hooks of a wheel. These are empty and cost nothing. Derive your class from this one, and redefine the
/// functions that you want.
///
/// "Masked" means that the wheel holds its lock: your code makes a masked section longer, and must not call the
/// wheel. A masked hook may read the timer. In callback_ends() the timer may no longer exist, so use only its
/// address.
struct no_hooks {
    /// Masked: an idle timer is pending now, for the tick `timer->expires`, in `timer->slot`.
    [[gnu::always_inline]] static void armed(const timer_list * /*timer*/)
    {
    }
    /// Masked: a pending timer has moved to another tick.
    [[gnu::always_inline]] static void moved(const timer_list * /*timer*/)
    {
    }
    /// @private Open: an arm for the tick `expires` returns next, and its timer is pending. For one-shot mode.
    [[gnu::always_inline]] static void arm_ends(jiffies_t /*expires*/)
    {
    }
    /// Masked: a pending timer is idle now, and will not fire.
    [[gnu::always_inline]] static void cancelled(const timer_list * /*timer*/)
    {
    }
    /// Masked: a timer has expired. It is idle now, and its callback is next.
    [[gnu::always_inline]] static void callback_begins(const timer_list * /*timer*/)
    {
    }
    /// Open: that callback has returned. Callbacks of one wheel never nest.
    [[gnu::always_inline]] static void callback_ends(const timer_list * /*timer*/)
    {
    }
    /// Masked: a slot of an upper level is about to cascade.
    [[gnu::always_inline]] static void cascade_begins(unsigned /*slot*/)
    {
    }
    /// Masked: one of its timers is in `timer->slot` now.
    [[gnu::always_inline]] static void cascaded(const timer_list * /*timer*/)
    {
    }
    /// Masked: the slot is empty, or this run must not move more timers.
    [[gnu::always_inline]] static void cascade_ends(unsigned /*slot*/)
    {
    }
    /// In the context of the tick, masked or open as its caller is: the tick `now` is counted, and the runner has
    /// work from tick `next` on. Its lag is `now - next + 1`.
    [[gnu::always_inline]] static void tick_with_work(jiffies_t /*now*/, jiffies_t /*next*/)
    {
    }
    /// Masked, as the sleep driver masks: the core is about to sleep, for at most `ticks` ticks. Only for the
    /// default wheel.
    [[gnu::always_inline]] static void sleeps(jiffies_t /*ticks*/)
    {
    }
    /// Masked, as the sleep driver masks: the core is awake, and jiffies is right.
    [[gnu::always_inline]] static void wakes()
    {
    }
};

} // namespace tickwheel

#if TICKWHEEL_HOOKS
// Your file, next to your copy of tickwheel.cpp or on your include path. It defines the class tickwheel_hooks.
#include "tickwheel_hooks.hpp"
#endif

namespace tickwheel
{

/// The hooks of the default wheel.
#if TICKWHEEL_HOOKS
using program_hooks = ::tickwheel_hooks;
#else
using program_hooks = no_hooks;
#endif

} // namespace tickwheel

#endif
