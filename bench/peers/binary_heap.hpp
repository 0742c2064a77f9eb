// SPDX-License-Identifier: MIT
// A system that is a binary heap in an array.
#pragma once

#include "peer.hpp"

namespace peers
{

struct heap_timer {
    /// 0 while it is not in the heap.
    unsigned place;
    jiffies_t expires;
    void (*function)(heap_timer *);
};

/// Scheme 3, as in Java's DelayQueue. Equal keys come out in any order. Each entry has its key beside it, so a
/// comparison reads nothing else. Each timer knows its place, so it can be removed from the middle.
class binary_heap : public peer<binary_heap, heap_timer> {
    friend peer;

    struct entry {
        jiffies_t key;
        heap_timer *timer;
    };

public:
    static constexpr bool in_order = false;
    static constexpr size_t bytes_beside = sizeof(entry);

    void clear()
    {
        size = 0;
    }

    static bool pending(const timer_type *timer)
    {
        return timer->place != 0;
    }

    void tick()
    {
        locked lock;
        const jiffies_t now = ++now_;
        while (size != 0 && !tickwheel_time_after(entries[1].key, now)) {
            lock.call(remove_first());
        }
    }

private:
    void insert(timer_type *timer)
    {
        rise(++size, {timer->expires, timer});
    }

    void move(timer_type *timer, jiffies_t expires)
    {
        timer->expires = expires;
        place_anew(timer->place, {expires, timer});
    }

    void remove(timer_type *timer)
    {
        const unsigned hole = timer->place;
        timer->place = 0;
        const entry last = entries[size];
        --size;
        if (hole <= size) {
            place_anew(hole, last);
        }
    }

    timer_type *remove_first()
    {
        timer_type *const timer = entries[1].timer;
        timer->place = 0;
        const entry last = entries[size];
        if (--size != 0) {
            sink(1, last);
        }
        return timer;
    }

    void put(unsigned place, const entry &what)
    {
        entries[place] = what;
        what.timer->place = place;
    }

    void place_anew(unsigned place, const entry &what)
    {
        if (place > 1 && tickwheel_time_before(what.key, entries[place / 2].key)) {
            rise(place, what);
        } else {
            sink(place, what);
        }
    }

    void rise(unsigned place, const entry &what)
    {
        while (place > 1 && tickwheel_time_before(what.key, entries[place / 2].key)) {
            put(place, entries[place / 2]);
            place /= 2;
        }
        put(place, what);
    }

    void sink(unsigned place, const entry &what)
    {
        while (2 * place <= size) {
            unsigned child = 2 * place;
            if (child < size && tickwheel_time_before(entries[child + 1].key, entries[child].key)) {
                ++child;
            }
            if (!tickwheel_time_before(entries[child].key, what.key)) {
                break;
            }
            put(place, entries[child]);
            place = child;
        }
        put(place, what);
    }

    unsigned size;
    /// The first is entries[1].
    entry entries[max_timers + 1];
};

} // namespace peers
