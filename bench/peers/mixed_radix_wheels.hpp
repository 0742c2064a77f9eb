// SPDX-License-Identifier: MIT
// Wheels of 24 hours, 60 minutes and 60 seconds. A timer waits in the hour wheel until
// its hour begins, then in the minute wheel, then in the second wheel.
#ifndef TICKWHEEL_BENCH_MIXED_RADIX_WHEELS_HPP
#define TICKWHEEL_BENCH_MIXED_RADIX_WHEELS_HPP

#include "list.hpp"

namespace peers
{

class mixed_radix_wheels : public peer<mixed_radix_wheels, list_timer> {
    friend peer;

public:
    static constexpr const char *name = "24, 60 and 60 slots";
    static constexpr jiffies_t longest_delay = 24 * 60 * 60 - 1;

    void init(jiffies_t start)
    {
        now_ = start;
        hour = 0;
        minute = 0;
        second = 0;
        for (list<> &each : hours) {
            each.init();
        }
        for (list<> &each : minutes) {
            each.init();
        }
        for (list<> &each : seconds) {
            each.init();
        }
    }

    void tick()
    {
        locked lock;
        ++now_;
        if (++second == 60) {
            second = 0;
            if (++minute == 60) {
                minute = 0;
                hour = hour == 23 ? 0 : hour + 1;
                cascade(hours[hour]);
            }
            cascade(minutes[minute]);
        }
        seconds[second].call_all(lock);
    }

private:
    /// Chooses the wheel of the largest unit that the delay crosses. The current hour's slot is tomorrow's.
    void insert(timer_type *timer)
    {
        const jiffies_t delay = timer->expires - now_;
        if (second + delay < 60) {
            seconds[second + delay].append(timer);
        } else if (minute * 60 + second + delay < 3600) {
            minutes[(minute * 60 + second + delay) / 60].append(timer);
        } else {
            hours[(hour + (minute * 60 + second + delay) / 3600) % 24].append(timer);
        }
    }
    void remove(timer_type *timer)
    {
        timer->unlink();
    }

    void cascade(list<> &slot)
    {
        while (!slot.empty()) {
            insert(slot.remove_first());
        }
    }

    unsigned hour;
    unsigned minute;
    unsigned second;
    list<> hours[24];
    list<> minutes[60];
    list<> seconds[60];
};

} // namespace peers

#endif
