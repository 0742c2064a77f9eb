// SPDX-License-Identifier: MIT
// Scheme 4: one slot for each tick up to MaxInterval. It refuses a longer delay.
#ifndef TICKWHEEL_BENCH_SIMPLE_WHEEL_HPP
#define TICKWHEEL_BENCH_SIMPLE_WHEEL_HPP

#include "list.hpp"

namespace peers
{

class simple_wheel : public peer<simple_wheel, list_timer> {
    friend peer;

    static constexpr unsigned slot_count = 1u << 16;

public:
    static constexpr const char *name = "simple wheel";
    static constexpr jiffies_t longest_delay = slot_count - 1;

    void init(jiffies_t start)
    {
        now_ = start;
        for (list<> &each : slots) {
            each.init();
        }
    }

    void tick()
    {
        locked lock;
        // The longest delay leads to the slot before this one, so a callback never lengthens its own list.
        slots[++now_ % slot_count].call_all(lock);
    }

private:
    void insert(timer_type *timer)
    {
        slots[timer->expires % slot_count].append(timer);
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    list<> slots[slot_count];
};

} // namespace peers

#endif
