// SPDX-License-Identifier: MIT
// The wheel behind the interface of linux_wheel.hpp. A program has only one.
#pragma once

#include <tickwheel/tickwheel.h>

namespace peers
{

struct tickwheel_wheel {
    using timer_type = timer_list;

    static void init(jiffies_t start)
    {
        tickwheel_init(start);
    }
    static jiffies_t now()
    {
        return jiffies;
    }
    static void setup(timer_type *timer, void (*function)(timer_list *))
    {
        tickwheel_timer_setup(timer, function, 0);
    }
    static void arm(timer_type *timer, jiffies_t expires)
    {
        tickwheel_mod_timer(timer, expires);
    }
    static bool cancel(timer_type *timer)
    {
        return tickwheel_timer_delete(timer) != 0;
    }
    static bool pending(const timer_type *timer)
    {
        return tickwheel_timer_pending(timer) != 0;
    }
    static void tick()
    {
        if (tickwheel_tick()) {
            tickwheel_run();
        }
    }
};

} // namespace peers
