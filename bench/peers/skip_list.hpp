// SPDX-License-Identifier: MIT
// A sorted list with express lanes. A random quarter of each lane's timers is in the
// lane above too. The search goes from the top lane down. A count of arms tells equal
// timers apart.
//
// There is no heap, so each timer has room for all lanes. One with only the lanes that
// it is in would have 1.33 links on average.
#ifndef TICKWHEEL_BENCH_SKIP_LIST_HPP
#define TICKWHEEL_BENCH_SKIP_LIST_HPP

#include "peer.hpp"

namespace peers
{

/// For 4^8 timers, or 4^10 if a system may have more.
constexpr unsigned skip_lanes = most_timers > 65536 ? 10 : 8;

struct skip_timer {
    jiffies_t expires;
    uint32_t arming;
    /// How many lanes it is in, 0 while idle.
    unsigned height;
    void (*function)(skip_timer *);
    skip_timer *next[skip_lanes];
};

class skip_list : public peer<skip_list, skip_timer> {
    friend peer;

public:
    static constexpr const char *name = "skip list";
    static constexpr bool skips = true;

    void clear()
    {
        armings = 0;
        random = 2463534242;
        lanes = 1;
        for (timer_type *&each : head) {
            each = nullptr;
        }
    }

    static bool pending(const timer_type *timer)
    {
        return timer->height != 0;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (head[0] != nullptr && !tickwheel_time_after(head[0]->expires, now)) {
            timer_type *const due = head[0];
            for (unsigned lane = 0; lane < due->height; ++lane) {
                head[lane] = due->next[lane];
            }
            due->height = 0;
            lock.call(due);
        }
    }

private:
    unsigned draw_height()
    {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        unsigned height = 1;
        for (uint32_t bits = random; (bits & 3) == 0 && height < skip_lanes; bits >>= 2) {
            ++height;
        }
        return height;
    }

    void insert(timer_type *inserted)
    {
        const jiffies_t expires = inserted->expires;
        const unsigned height = draw_height();
        inserted->height = height;
        inserted->arming = ++armings;
        lanes = lanes < height ? height : lanes;
        timer_type **links = head;
        for (unsigned lane = lanes; lane-- != 0;) {
            while (links[lane] != nullptr && !tickwheel_time_after(links[lane]->expires, expires)) {
                links = links[lane]->next;
            }
            if (lane < height) {
                inserted->next[lane] = links[lane];
                links[lane] = inserted;
            }
        }
    }

    static bool before(const timer_type *a, const timer_type *b)
    {
        return a->expires == b->expires ? static_cast<int32_t>(a->arming - b->arming) < 0
                                        : tickwheel_time_before(a->expires, b->expires);
    }

    void remove(timer_type *removed)
    {
        timer_type **links = head;
        for (unsigned lane = lanes; lane-- != 0;) {
            while (links[lane] != nullptr && before(links[lane], removed)) {
                links = links[lane]->next;
            }
            if (links[lane] == removed) {
                links[lane] = removed->next[lane];
            }
        }
        removed->height = 0;
    }

    uint32_t armings;
    uint32_t random;
    /// How many lanes have ever been in use.
    unsigned lanes;
    timer_type *head[skip_lanes];
};

} // namespace peers

#endif
