// SPDX-License-Identifier: MIT
// A wheel of one level.
#ifndef TICKWHEEL_BENCH_ROUNDS_WHEEL_HPP
#define TICKWHEEL_BENCH_ROUNDS_WHEEL_HPP

#include "lists.hpp"

namespace peers
{

/// The link in the queue, and the link in a slot.
struct queue_link : link {};
struct slot_link : link {};

struct rounds_timer : queue_link, slot_link {
    jiffies_t expires;
    void (*function)(rounds_timer *);
    uint32_t rounds;
    bool armed;

    bool queued() const
    {
        return queue_link::linked();
    }
    bool in_slot() const
    {
        return slot_link::linked();
    }
};

/// Scheme 6 as in Netty's HashedWheelTimer: each timer of a slot counts down the rounds
/// that it still has to wait. Only the tick touches the slots. An arm or a cancel
/// enters a queue, and the next tick puts the timer in or takes it out. Only the queue
/// needs the lock.
///
/// Netty makes a new object for each arm. Here a timer is used again: it may be in a
/// slot and in the queue, and then the queue is right. A cancelled timer must stay
/// where it is until the next tick.
class rounds_wheel : public peer<rounds_wheel, rounds_timer> {
    friend peer;

    static constexpr unsigned slot_count = 512;

public:
    static constexpr const char *name = "wheel with rounds";
    static constexpr unsigned most_pending = most_timers;

    void clear()
    {
        armed = 0;
        changed.init();
        init_all(slots);
    }

    static bool pending(const timer_type *timer)
    {
        return timer->armed;
    }

    void tick()
    {
        const jiffies_t now = now_ + 1;
        now_ = now;
        while (take_from_queue(now)) {
        }
        list<slot_link> &slot = slots[now % slot_count];
        for (link *each = slot.first(); each != slot.end();) {
            timer_type *const here = static_cast<timer_type *>(static_cast<slot_link *>(each));
            each = each->next;
            if (here->rounds != 0) {
                --here->rounds;
                continue;
            }
            locked lock;
            if (!here->queued()) {
                here->slot_link::unlink();
                here->armed = false;
                --armed;
                lock.call(here);
            }
        }
    }

private:
    bool take_from_queue(jiffies_t now)
    {
        const locked lock;
        if (changed.empty()) {
            return false;
        }
        timer_type *const here = static_cast<timer_type *>(changed.remove_first());
        if (here->in_slot()) {
            here->slot_link::unlink();
        }
        if (here->armed) {
            here->rounds = (here->expires - now) / slot_count;
            slots[here->expires % slot_count].append(static_cast<slot_link *>(here));
        }
        return true;
    }

    bool full() const
    {
        return armed == most_pending;
    }

    void insert(timer_type *timer)
    {
        ++armed;
        timer->armed = true;
        // Even if its cancel is still in the queue: the timer is now younger than those queued in between.
        if (timer->queued()) {
            timer->queue_link::unlink();
        }
        changed.append(static_cast<queue_link *>(timer));
    }

    void remove(timer_type *timer)
    {
        --armed;
        timer->armed = false;
        if (timer->queued()) {
            timer->queue_link::unlink();
        }
        if (timer->in_slot()) {
            changed.append(static_cast<queue_link *>(timer));
        }
    }

    unsigned armed;
    list<queue_link> changed;
    list<slot_link> slots[slot_count];
};

} // namespace peers

#endif
