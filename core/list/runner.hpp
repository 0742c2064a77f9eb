// SPDX-License-Identifier: MIT
// The runner of a list.
#ifndef TICKWHEEL_LIST_RUNNER_HPP
#define TICKWHEEL_LIST_RUNNER_HPP

#include <stdint.h>

#include "../wheel/runner.hpp"
#include "debug.hpp"
#include "ordered_list.hpp"

namespace tickwheel
{

/// The functions of a run. Wheel provides clock(), slots() and the hooks.
template <class Lock, class Wheel>
class runner<Lock, ordered_list, Wheel> {
public:
    /// 31 bits, so that the sign shows that no step is left.
    static constexpr unsigned max_steps = ~0u >> 1;

    /// A list has no blocks to jump over.
    static void link_jump(Wheel & /*wheel*/)
    {
    }

    /// As tickwheel_run_budget(), with at most that many steps.
    [[gnu::noinline]] static unsigned run_budget(Wheel &wheel, unsigned steps_left)
    {
        list_clock &clock = wheel.clock();
        auto &list = wheel.slots();
        unsigned ran = 0;
        const timer_list *overwritten = nullptr;
        const auto irq = Lock::irq_save();
        if (list.running_timer == nullptr) {
            // No timer fires before this tick.
            jiffies_t tick = clock.next_run;
            for (;;) {
                if (const timer_list *const first = checks_of<ordered_list>::drop_overwritten_oldest(list, 0)) {
                    overwritten = first;
                }
                timer_list *const timer = list.ends.next;
                const jiffies_t end = clock.quarter_end();
                // If no timer is pending, this is `ends`.
                list.ends.expires = end;
                const jiffies_t distance = list.distance(timer, tick);
                tick = distance < end - tick ? tick + distance : end;
                clock.next_run = tick;
                if (tickwheel_time_before(clock.jiffies, tick) || static_cast<int32_t>(--steps_left) < 0) {
                    break;
                }
                if (tick == end) {
                    clock.jiffies_quarters = clock.jiffies_quarters + 1;
                    continue;
                }
                // From here on a timer for this tick is late.
                clock.next_run = tick + 1;
                // Nothing reads the timer after the unlock, because its owner may free it then.
                void (*const function)(timer_list *) = timer->function;
                list.detach(timer);
                list.running_timer = timer;
                wheel.callback_begins(timer);
                Lock::irq_restore(irq);
                function(timer);
                wheel.callback_ends(timer);
                ++ran;
                Lock::irq_mask_all();
            }
            list.running_timer = nullptr;
        }
        Lock::irq_restore(irq);
        report_dropped(overwritten);
        return ran;
    }
};

} // namespace tickwheel

#endif
