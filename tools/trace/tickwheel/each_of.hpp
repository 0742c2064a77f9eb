// SPDX-License-Identifier: MIT
/// @file
/// Several hooks behind one wheel.

// Before the guard: it includes the program's hooks, which need this file.
#include <tickwheel/hooks.hpp>

#ifndef TICKWHEEL_EACH_OF_HPP
#define TICKWHEEL_EACH_OF_HPP

namespace tickwheel
{

/// Calls the hook of each of these objects: a recorder and statistics, say. Each has all hooks, its own or those of
/// no_hooks.
template <auto &...Objects>
struct each_of {
    /// @{ As those of no_hooks.
    static void armed(const timer_list *timer)
    {
        (Objects.armed(timer), ...);
    }
    static void moved(const timer_list *timer)
    {
        (Objects.moved(timer), ...);
    }
    static void cancelled(const timer_list *timer)
    {
        (Objects.cancelled(timer), ...);
    }
    static void callback_begins(const timer_list *timer)
    {
        (Objects.callback_begins(timer), ...);
    }
    static void callback_ends(const timer_list *timer)
    {
        (Objects.callback_ends(timer), ...);
    }
    static void cascade_begins(unsigned slot)
    {
        (Objects.cascade_begins(slot), ...);
    }
    static void cascaded(const timer_list *timer)
    {
        (Objects.cascaded(timer), ...);
    }
    static void cascade_ends(unsigned slot)
    {
        (Objects.cascade_ends(slot), ...);
    }
    static void tick_with_work(jiffies_t now, jiffies_t next)
    {
        (Objects.tick_with_work(now, next), ...);
    }
    static void sleeps(jiffies_t ahead)
    {
        (Objects.sleeps(ahead), ...);
    }
    static void wakes()
    {
        (Objects.wakes(), ...);
    }
    /// @}
};

} // namespace tickwheel

#endif
