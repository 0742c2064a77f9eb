// SPDX-License-Identifier: MIT
// What an arm chooses, alone: the wheel's own arm(), on a wheel whose slots only keep the number that they are told.
#include <stddef.h>

#include <tickwheel/config.h>

#include "wheel/arm.hpp"

namespace
{

using tickwheel::wheel_clock;
static_assert(offsetof(wheel_clock, jiffies) == 0 && offsetof(wheel_clock, next_run) == 4 &&
                  offsetof(wheel_clock, tv1_limit) == 8 && offsetof(wheel_clock, next_block) == 12,
              "binary.py has the clock's words in this order");

struct no_lock {
    static int irq_save()
    {
        return 0;
    }
    static void irq_restore(int)
    {
    }
};

struct fake_wheel {
    wheel_clock &time;
    unsigned chosen = 0;

    wheel_clock &clock()
    {
        return time;
    }
    fake_wheel &slots()
    {
        return *this;
    }
    void append(unsigned slot, timer_list *)
    {
        chosen = slot;
    }
    void unlink_for_requeue(timer_list *)
    {
    }
    void armed(timer_list *)
    {
    }
    void moved(timer_list *)
    {
    }
};

using geometry = tickwheel::geometry<TVR_BITS, TVN_BITS>;
using arming = tickwheel::arming<no_lock, geometry, fake_wheel>;

} // namespace

extern "C" unsigned chosen_slot(wheel_clock *clock, jiffies_t expires)
{
    fake_wheel wheel{*clock};
    timer_list timer = {};
    timer.enabled = 1;
    (void)arming::arm<tickwheel::arm_if::any>(wheel, &timer, expires, tickwheel::to_another_tick());
    return wheel.chosen;
}
