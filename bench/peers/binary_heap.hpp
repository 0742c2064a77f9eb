// SPDX-License-Identifier: MIT
// Scheme 3, as in Java's DelayQueue. Equal keys come out in any order.
#ifndef TICKWHEEL_BENCH_BINARY_HEAP_HPP
#define TICKWHEEL_BENCH_BINARY_HEAP_HPP

#include "heap.hpp"

namespace peers
{

struct heap_timer {
    unsigned place;
    jiffies_t expires;
    void (*function)(heap_timer *);
};

class binary_heap : public peer<binary_heap, heap_timer> {
    friend peer;

public:
    static constexpr const char *name = "binary heap";
    static constexpr bool in_order = false;
    static constexpr bool skips = true;
    static constexpr unsigned most_pending = most_timers;

    void init(jiffies_t start)
    {
        now_ = start;
        timers.init();
    }

    static bool pending(const timer_type *timer)
    {
        return timer->place != 0;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (!timers.empty() && !tickwheel_time_after(timers.first().key, now)) {
            lock.call(timers.remove_first());
        }
    }

private:
    bool full() const
    {
        return timers.full();
    }
    void insert(timer_type *timer)
    {
        timers.insert(timer->expires, timer);
    }
    void move(timer_type *timer, jiffies_t expires)
    {
        timer->expires = expires;
        timers.move(expires, timer);
    }
    void remove(timer_type *timer)
    {
        timers.remove(timer);
    }

    heap<timer_type, most_pending> timers;

public:
    static constexpr size_t bytes_beside = sizeof(decltype(timers)::entry);
};

} // namespace peers

#endif
