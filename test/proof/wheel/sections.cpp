// SPDX-License-Identifier: MIT
// Sections of the core, alone, on a wheel whose slots only keep the number that they are told, or on lists. binary.py
// compiles this file with `private` made public, to reach those of the runner.
#include <stddef.h>

#include <tickwheel/config.h>
#include <tickwheel/hooks.hpp>

#include "wheel/arm.hpp"
#include "wheel/next_expiry.hpp"
#include "wheel/runner.hpp"

namespace
{

using tickwheel::wheel_clock;
static_assert(offsetof(wheel_clock, jiffies) == 0 && offsetof(wheel_clock, next_run) == 4 &&
                  offsetof(wheel_clock, tv1_limit) == 8 && offsetof(wheel_clock, next_block) == 12 &&
                  offsetof(wheel_clock, jiffies_halves) == 16,
              "binary.py has the clock's words in this order");

struct no_lock : tickwheel::no_lock {
    static void irq_mask_all()
    {
    }
};

struct fake_marks {
    uint32_t others;
    const tickwheel::shared_word *words;

    uint32_t clear_mark(unsigned)
    {
        return others;
    }
    bool is_marked(unsigned) const
    {
        return true;
    }
};

struct fake_heads {
    timer_list *oldest;

    timer_list *&operator[](unsigned)
    {
        return oldest;
    }
};

struct fake_wheel : tickwheel::no_hooks {
    explicit fake_wheel(wheel_clock &clock) : time(clock)
    {
    }
    wheel_clock &time;
    unsigned chosen;
    fake_heads first;
    fake_marks marks;
    uint32_t cascade_unfinished;
    const void *change_token;
    void (*linked_jump)();

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
    timer_list *take_youngest(unsigned, timer_list *timer)
    {
        return timer;
    }
    void prepend(unsigned slot, timer_list *)
    {
        chosen = slot;
    }
};

using geometry = tickwheel::geometry<TVR_BITS, TVN_BITS>;

struct wheel_of_lists : tickwheel::no_hooks {
    tickwheel::wheel_slots<geometry> &lists;

    tickwheel::wheel_slots<geometry> &slots()
    {
        return lists;
    }
};

using runner = tickwheel::runner<no_lock, geometry, fake_wheel>;
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

extern "C" unsigned cascaded_slot(const wheel_clock *clock, jiffies_t expires)
{
    wheel_clock unused;
    timer_list timer;
    timer.expires = expires;
    fake_wheel wheel{unused};
    wheel.first.oldest = &timer;
    (void)runner::cascade_slot(wheel, 0, clock->next_block, 1, 0);
    return wheel.chosen;
}

extern "C" void passed_blocks(wheel_clock *clock, jiffies_t ticks)
{
    clock->pass_blocks(ticks, geometry::block_mask);
}

extern "C" int cancelled(timer_list *timer, tickwheel::wheel_slots<geometry> *lists)
{
    wheel_of_lists wheel{{}, *lists};
    return tickwheel::arming<no_lock, geometry, wheel_of_lists>::cancel(wheel, timer);
}

// Ends with a call of update_next_run() or of end_block(), or returns.
extern "C" void finished_tick(wheel_clock *clock, jiffies_t tick, uint32_t others)
{
    fake_wheel wheel{*clock};
    wheel.marks.others = others;
    unsigned steps = 1;
    runner::finish_tick(wheel, tick, steps, 0);
}
