// SPDX-License-Identifier: MIT
// std::multimap: a red-black tree with a node from the heap for each pending timer.
#ifndef TICKWHEEL_BENCH_STD_MULTIMAP_HPP
#define TICKWHEEL_BENCH_STD_MULTIMAP_HPP

#include <map>

#include "baseline.hpp"

namespace baselines
{

struct earlier_tick {
    bool operator()(jiffies_t a, jiffies_t b) const
    {
        return tickwheel_time_before(a, b);
    }
};

struct map_timer {
    jiffies_t expires;
    bool pending;
    std::multimap<jiffies_t, map_timer *, earlier_tick>::iterator place;
    void (*function)(map_timer *);
};

class std_multimap : public baseline<std_multimap, map_timer> {
    friend baseline;

public:
    static constexpr const char *name = "std::multimap";
    static constexpr bool skips = true;
    /// A node: the four words of the tree, and the pair.
    static constexpr size_t bytes_beside = 4 * sizeof(void *) + 2 * sizeof(void *);

    void init(jiffies_t start)
    {
        now_ = start;
        timers.clear();
    }

    static bool pending(const timer_type *timer)
    {
        return timer->pending;
    }

    void tick()
    {
        advance(1);
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (!timers.empty() && !tickwheel_time_after(timers.begin()->first, now)) {
            timer_type *const due = timers.begin()->second;
            remove(due);
            lock.call(due);
        }
    }

private:
    void insert(timer_type *timer)
    {
        timer->place = timers.emplace(timer->expires, timer);
        timer->pending = true;
    }
    void remove(timer_type *timer)
    {
        timers.erase(timer->place);
        timer->pending = false;
    }

    std::multimap<jiffies_t, timer_type *, earlier_tick> timers;
};

} // namespace baselines

#endif
