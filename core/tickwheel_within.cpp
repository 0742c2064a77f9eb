// SPDX-License-Identifier: MIT
// tickwheel_mod_timer_within(), for timers that may fire a little later.
#include <tickwheel/default_wheel.hpp>

extern "C" int tickwheel_mod_timer_within(timer_list *timer, jiffies_t first, jiffies_t last)
{
    return wheel.mod_timer_within(timer, first, last);
}
