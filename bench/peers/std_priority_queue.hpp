// SPDX-License-Identifier: MIT
// std::priority_queue can take out only the first. A cancelled timer stays in it until
// its time comes, and is skipped then.
#ifndef TICKWHEEL_BENCH_STD_PRIORITY_QUEUE_HPP
#define TICKWHEEL_BENCH_STD_PRIORITY_QUEUE_HPP

#include <queue>
#include <vector>

#include "peer.hpp"

namespace peers
{

struct queue_timer {
    jiffies_t expires;
    /// The number of the entry that will fire; 0 while idle.
    uint32_t arming;
    void (*function)(queue_timer *);
};

class std_priority_queue : public peer<std_priority_queue, queue_timer> {
    friend peer;

    struct entry {
        jiffies_t expires;
        uint32_t arming;
        timer_type *timer;
    };
    struct later {
        bool operator()(const entry &a, const entry &b) const
        {
            return a.expires == b.expires ? static_cast<int32_t>(a.arming - b.arming) > 0
                                          : tickwheel_time_after(a.expires, b.expires);
        }
    };

public:
    static constexpr const char *name = "std::priority_queue";
    static constexpr bool skips = true;
    /// An entry. Each cancelled timer keeps one for as long as it would have waited.
    static constexpr size_t bytes_beside = sizeof(entry);

    void clear()
    {
        armings = 0;
        timers = {};
    }

    static bool pending(const timer_type *timer)
    {
        return timer->arming != 0;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (!timers.empty() && !tickwheel_time_after(timers.top().expires, now)) {
            const entry first = timers.top();
            timers.pop();
            if (first.timer->arming == first.arming) {
                first.timer->arming = 0;
                lock.call(first.timer);
            }
        }
    }

private:
    void insert(timer_type *timer)
    {
        armings = armings == ~0u ? 1 : armings + 1;
        timer->arming = armings;
        timers.push({timer->expires, timer->arming, timer});
    }
    static void remove(timer_type *timer)
    {
        timer->arming = 0;
    }

    uint32_t armings;
    std::priority_queue<entry, std::vector<entry>, later> timers;
};

} // namespace peers

#endif
