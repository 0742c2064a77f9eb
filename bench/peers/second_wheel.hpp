// SPDX-License-Identifier: MIT
// The ring of sixty slots of xxl-job. Each second takes its own slot and the one
// before it, so a missed second loses nothing.
#ifndef TICKWHEEL_BENCH_SECOND_WHEEL_HPP
#define TICKWHEEL_BENCH_SECOND_WHEEL_HPP

#include "list.hpp"

namespace peers
{

class second_wheel : public peer<second_wheel, list_timer> {
    friend peer;

    static constexpr unsigned slot_count = 60;

public:
    static constexpr const char *name = "60-slot wheel";
    static constexpr jiffies_t longest_delay = slot_count - 1;
    static constexpr jiffies_t makes_up = 2;

    void init(jiffies_t start)
    {
        now_ = start;
        second = 0;
        due.init();
        for (list<> &each : slots) {
            each.init();
        }
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        now_ += ticks;
        second = turned(second, ticks % slot_count);
        due.append_all(slots[turned(second, slot_count - 1)]);
        due.append_all(slots[second]);
        due.call_all(lock);
    }

private:
    static unsigned turned(unsigned from, unsigned by)
    {
        return from + by < slot_count ? from + by : from + by - slot_count;
    }

    void insert(timer_type *timer)
    {
        slots[turned(second, timer->expires - now_)].append(timer);
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    unsigned second;
    list<> due;
    list<> slots[slot_count];
};

} // namespace peers

#endif
