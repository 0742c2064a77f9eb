// SPDX-License-Identifier: MIT
// The wheel of Linux 2.6: tv1 to tv5, lists with heads of two words. A timer's distance
// from timer_jiffies chooses its level. A cascade moves a whole slot with interrupts
// off. A younger timer may be in tv1 before an older one cascades, so the timers of
// one tick fire in any order.
#ifndef TICKWHEEL_BENCH_LINUX_WHEEL_HPP
#define TICKWHEEL_BENCH_LINUX_WHEEL_HPP

#include "list.hpp"

namespace peers
{

class linux_wheel : public peer<linux_wheel, list_timer> {
    friend peer;

    static constexpr unsigned tvr_size = 256;
    static constexpr unsigned tvn_size = 64;

public:
    static constexpr const char *name = "Linux 2.6 wheel";
    static constexpr bool in_order = false;

    void init(jiffies_t start)
    {
        now_ = start;
        timer_jiffies = start + 1;
        due.init();
        for (list<> &each : tv1) {
            each.init();
        }
        for (auto &level : tvn) {
            for (list<> &each : level) {
                each.init();
            }
        }
    }

    void tick()
    {
        locked lock;
        ++now_;
        const unsigned index = timer_jiffies % tvr_size;
        if (index == 0) {
            // A level advances when the one below it wraps.
            for (unsigned level = 0; level < 4 && cascade(level) == 0; ++level) {
            }
        }
        ++timer_jiffies;
        // A callback may arm a timer 256 ticks ahead: that is this slot.
        due.append_all(tv1[index]);
        due.call_all(lock);
    }

private:
    static constexpr unsigned shift(unsigned level)
    {
        return 8 + 6 * level;
    }

    /// Moves the slot of this level that begins now to the levels below. Returns the slot's index.
    unsigned cascade(unsigned level)
    {
        const unsigned index = timer_jiffies >> shift(level) & (tvn_size - 1);
        list<> moved;
        moved.init();
        moved.append_all(tvn[level][index]);
        while (!moved.empty()) {
            insert(moved.remove_first());
        }
        return index;
    }

    void insert(timer_type *timer)
    {
        const jiffies_t expires = timer->expires;
        const jiffies_t distance = expires - timer_jiffies;
        if (distance < tvr_size) {
            tv1[expires % tvr_size].append(timer);
        } else {
            const unsigned level = distance < 1u << 14 ? 0 : distance < 1u << 20 ? 1 : distance < 1u << 26 ? 2 : 3;
            tvn[level][expires >> shift(level) & (tvn_size - 1)].append(timer);
        }
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    jiffies_t timer_jiffies;
    list<> due;
    list<> tv1[tvr_size];
    list<> tvn[4][tvn_size];
};

} // namespace peers

#endif
