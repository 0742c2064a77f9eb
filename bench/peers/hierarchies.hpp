// SPDX-License-Identifier: MIT
// Systems with several wheels, each coarser than the one below.
#ifndef TICKWHEEL_BENCH_HIERARCHIES_HPP
#define TICKWHEEL_BENCH_HIERARCHIES_HPP

#include "heaps.hpp"
#include "lists.hpp"

namespace peers
{

/// Wheels of 24 hours, 60 minutes and 60 seconds. A timer waits in the hour wheel until
/// its hour begins, then in the minute wheel, then in the second wheel.
class mixed_radix_wheels : public peer<mixed_radix_wheels, list_timer> {
    friend peer;

public:
    static constexpr const char *name = "24, 60 and 60 slots";
    static constexpr jiffies_t longest_delay = 24 * 60 * 60 - 1;

    void clear()
    {
        hour = minute = second = 0;
        init_all(hours);
        init_all(minutes);
        init_all(seconds);
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

/// Kafka's timer: wheels of 20 slots, each 20 times as coarse as the one below. A
/// wheel comes into use when a delay first needs it. A queue of the slots that hold
/// timers, the earliest first, drives the clock, so empty ticks cost nothing. When a
/// slot is due, its timers fire or go to a lower wheel.
///
/// The clock counts from the start in 32 bits, and the wheels divide by it. After 2^32
/// ticks the timer must start again. Kafka's own clock has 64 bits.
class delay_queue_wheels : public peer<delay_queue_wheels, list_timer> {
    friend peer;

    static constexpr unsigned slot_count = 20;
    /// 20^7 ticks are less than 2^31, and 20^8 more than 2^32.
    static constexpr unsigned most_levels = 8;

    struct slot {
        list<> timers;
        /// The first tick of its span, since the start.
        jiffies_t begins;
        unsigned place;
    };

    struct level {
        /// The ticks of a slot, and of all slots. Where 32 bits are too few, the latter is more than any delay.
        jiffies_t span;
        jiffies_t interval;
        /// Its clock: the last multiple of the span.
        jiffies_t now;
        slot slots[slot_count];
    };

public:
    static constexpr const char *name = "wheels, delay queue";
    static constexpr bool in_order = false;
    static constexpr bool skips = true;

    void clear()
    {
        start_ = now_;
        queue.size = 0;
        for (level &each : levels) {
            for (slot &here : each.slots) {
                here.timers.init();
                here.place = 0;
            }
        }
        level_count = 1;
        levels[0].span = 1;
        levels[0].interval = slot_count;
        levels[0].now = 0;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        now_ += ticks;
        const jiffies_t now = now_ - start_;
        while (queue.size != 0 && queue.entries[1].key <= now) {
            slot *const due = queue.remove_first();
            turn(due->begins);
            while (!due->timers.empty()) {
                timer_type *const timer = due->timers.remove_first();
                if (timer->expires - start_ <= levels[0].now) {
                    lock.call(timer);
                } else {
                    insert(timer);
                    lock.window();
                }
            }
        }
    }

private:
    /// Sets the clocks of all levels to the start of a slot that is due.
    void turn(jiffies_t now)
    {
        for (unsigned i = 0; i < level_count && now - levels[i].now >= levels[i].span; ++i) {
            levels[i].now = now - now % levels[i].span;
        }
    }

    void insert(timer_type *timer)
    {
        const jiffies_t expires = timer->expires - start_;
        unsigned i = 0;
        // It divides only to take a level into use, and for the slot.
        while (expires - levels[i].now >= levels[i].interval) {
            if (++i == level_count) {
                levels[i].span = levels[i - 1].interval;
                levels[i].interval = i == most_levels - 1 ? ~jiffies_t{0} : levels[i].span * slot_count;
                levels[i].now = levels[i - 1].now - levels[i - 1].now % levels[i].span;
                ++level_count;
            }
        }
        const jiffies_t number = expires / levels[i].span;
        slot &here = levels[i].slots[number % slot_count];
        here.timers.append(timer);
        if (here.place == 0) {
            here.begins = number * levels[i].span;
            queue.insert(here.begins, &here);
        }
    }

    jiffies_t start_;
    unsigned level_count;
    level levels[most_levels];
    heap<slot, most_levels * slot_count> queue;
};

} // namespace peers

#endif
