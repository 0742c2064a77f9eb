// SPDX-License-Identifier: MIT
// Scheme 2: a list sorted by expiry. The search begins at the far end: time-outs of
// similar length find their place soon, and equal ones keep their order.
#ifndef TICKWHEEL_BENCH_ORDERED_LIST_HPP
#define TICKWHEEL_BENCH_ORDERED_LIST_HPP

#include "list.hpp"

namespace peers
{

class sorted_list : public list<> {
public:
    void insert(list_timer *timer)
    {
        const jiffies_t expires = timer->expires;
        link *older = last();
        while (older != end() && tickwheel_time_after(static_cast<list_timer *>(older)->expires, expires)) {
            older = older->prev;
        }
        timer->insert_before(older->next);
    }
};

class ordered_list : public peer<ordered_list, list_timer> {
    friend peer;

public:
    static constexpr const char *name = "ordered list";
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
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (!timers.empty() && !tickwheel_time_after(timers.first()->expires, now)) {
            lock.call(timers.remove_first());
        }
    }

private:
    void insert(timer_type *timer)
    {
        timers.insert(timer);
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    sorted_list timers;
};

} // namespace peers

#endif
