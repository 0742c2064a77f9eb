// SPDX-License-Identifier: MIT
// Scheme 1: every tick looks at every timer.
#ifndef TICKWHEEL_BENCH_UNORDERED_LIST_HPP
#define TICKWHEEL_BENCH_UNORDERED_LIST_HPP

#include "list.hpp"

namespace peers
{

class unordered_list : public peer<unordered_list, list_timer> {
    friend peer;

public:
    static constexpr const char *name = "unordered list";
    static constexpr bool linear = true;

    void init(jiffies_t start)
    {
        now_ = start;
        timers.init();
        due.init();
    }

    void tick()
    {
        locked lock;
        const jiffies_t now = ++now_;
        for (link *each = timers.first(); each != timers.end();) {
            timer_type *const here = static_cast<timer_type *>(each);
            each = each->next;
            if (here->expires == now) {
                here->unlink();
                due.append(here);
            }
        }
        due.call_all(lock);
    }

private:
    void insert(timer_type *timer)
    {
        timers.append(timer);
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    list<> timers;
    list<> due;
};

} // namespace peers

#endif
