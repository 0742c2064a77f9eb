// SPDX-License-Identifier: MIT
// A wheel with a slot for each tick of the current cycle. Later timers wait in a
// sorted list. When a cycle begins, its timers move from the list to the wheel.
#ifndef TICKWHEEL_BENCH_OVERFLOW_LIST_WHEEL_HPP
#define TICKWHEEL_BENCH_OVERFLOW_LIST_WHEEL_HPP

#include "ordered_list.hpp"

namespace peers
{

class overflow_list_wheel : public peer<overflow_list_wheel, list_timer> {
    friend peer;

    static constexpr unsigned slot_count = 512;

public:
    static constexpr const char *name = "wheel, overflow list";
    static constexpr bool linear = true;

    void init(jiffies_t start)
    {
        now_ = start;
        overflow.init();
        for (list<> &each : slots) {
            each.init();
        }
    }

    void tick()
    {
        locked lock;
        const jiffies_t now = ++now_;
        if (now % slot_count == 0) {
            while (!overflow.empty() && in_this_cycle(overflow.first()->expires)) {
                timer_type *const moved = overflow.remove_first();
                slots[moved->expires % slot_count].append(moved);
            }
        }
        slots[now % slot_count].call_all(lock);
    }

private:
    bool in_this_cycle(jiffies_t expires) const
    {
        return (expires ^ now_) < slot_count;
    }

    void insert(timer_type *timer)
    {
        if (in_this_cycle(timer->expires)) {
            slots[timer->expires % slot_count].append(timer);
        } else {
            overflow.insert(timer);
        }
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    sorted_list overflow;
    list<> slots[slot_count];
};

} // namespace peers

#endif
