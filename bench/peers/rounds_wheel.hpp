// SPDX-License-Identifier: MIT
// Scheme 6 as Netty's HashedWheelTimer has it: a slot's timers count down the
// rounds that they still have to wait. Only the tick touches the slots: what is
// armed or cancelled enters a queue, and the next tick puts it in or takes it
// out. So nothing but the queue needs the lock.
//
// There each arming makes a new object; here a timer is used again, so one that
// hangs in a slot may be in the queue as well, and then the queue is right. A
// cancelled timer must stay where it is until the next tick.
#ifndef TICKWHEEL_BENCH_ROUNDS_WHEEL_HPP
#define TICKWHEEL_BENCH_ROUNDS_WHEEL_HPP

#include "list.hpp"

namespace peers
{

/// What hangs in the queue, and what hangs in a slot.
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

class rounds_wheel : public peer<rounds_wheel, rounds_timer> {
    friend peer;

    static constexpr unsigned slot_count = 512;

public:
    static constexpr const char *name = "wheel with rounds";
    static constexpr unsigned most_pending = most_timers;

    void init(jiffies_t start)
    {
        now_ = start;
        armed = 0;
        changed.init();
        for (auto &each : slots) {
            each.init();
        }
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
        // Also when its cancellation waits there: from now on it is younger than those that came in between.
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
