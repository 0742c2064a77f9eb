// SPDX-License-Identifier: MIT
// A sorted list. Each timer holds the ticks after the one before it, so a tick only
// counts down the first.
#ifndef TICKWHEEL_BENCH_DELTA_LIST_HPP
#define TICKWHEEL_BENCH_DELTA_LIST_HPP

#include "list.hpp"

namespace peers
{

struct delta_timer : link {
    jiffies_t expires;
    void (*function)(delta_timer *);
    jiffies_t delta;
};

class delta_list : public peer<delta_list, delta_timer> {
    friend peer;

public:
    static constexpr const char *name = "delta list";
    static constexpr bool linear = true;
    static constexpr bool skips = true;

    void init(jiffies_t start)
    {
        now_ = start;
        timers.init();
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        while (ticks != 0) {
            jiffies_t step = ticks;
            if (!timers.empty()) {
                timer_type *const first = timers.first();
                step = step < first->delta ? step : first->delta;
                first->delta -= step;
            }
            now_ += step;
            ticks -= step;
            while (!timers.empty() && timers.first()->delta == 0) {
                lock.call(timers.remove_first());
            }
        }
    }

private:
    void insert(timer_type *inserted)
    {
        jiffies_t delta = inserted->expires - now_;
        link *later = timers.first();
        while (later != timers.end() && static_cast<timer_type *>(later)->delta <= delta) {
            delta -= static_cast<timer_type *>(later)->delta;
            later = later->next;
        }
        if (later != timers.end()) {
            static_cast<timer_type *>(later)->delta -= delta;
        }
        inserted->delta = delta;
        inserted->insert_before(later);
    }

    void remove(timer_type *removed)
    {
        if (removed->next != timers.end()) {
            static_cast<timer_type *>(removed->next)->delta += removed->delta;
        }
        removed->unlink();
    }

    list<timer_type> timers;
};

} // namespace peers

#endif
