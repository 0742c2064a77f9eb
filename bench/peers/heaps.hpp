// SPDX-License-Identifier: MIT
// A binary heap, and the system that is one.
#ifndef TICKWHEEL_BENCH_HEAPS_HPP
#define TICKWHEEL_BENCH_HEAPS_HPP

#include "peer.hpp"

namespace peers
{

/// A binary heap in an array. Each entry has its key beside it, so a comparison reads
/// nothing else. Each item knows its place, so it can be removed from the middle.
/// Item has a member `place`, 0 while it is not in the heap.
template <class Item, unsigned Capacity>
class heap {
public:
    struct entry {
        jiffies_t key;
        Item *item;
    };

    unsigned size;
    /// The first is entries[1].
    entry entries[Capacity + 1];

    void insert(jiffies_t key, Item *item)
    {
        rise(++size, {key, item});
    }

    void remove(Item *item)
    {
        const unsigned hole = item->place;
        item->place = 0;
        const entry last = entries[size];
        --size;
        if (hole <= size) {
            place_anew(hole, last);
        }
    }

    void move(jiffies_t key, Item *item)
    {
        place_anew(item->place, {key, item});
    }

    Item *remove_first()
    {
        Item *const item = entries[1].item;
        item->place = 0;
        const entry last = entries[size];
        if (--size != 0) {
            sink(1, last);
        }
        return item;
    }

private:
    void put(unsigned place, const entry &what)
    {
        entries[place] = what;
        what.item->place = place;
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
};

struct heap_timer {
    unsigned place;
    jiffies_t expires;
    void (*function)(heap_timer *);
};

/// Scheme 3, as in Java's DelayQueue. Equal keys come out in any order.
class binary_heap : public peer<binary_heap, heap_timer> {
    friend peer;

public:
    static constexpr const char *name = "binary heap";
    static constexpr bool in_order = false;
    static constexpr bool skips = true;
    static constexpr unsigned most_pending = most_timers;

    void clear()
    {
        timers.size = 0;
    }

    static bool pending(const timer_type *timer)
    {
        return timer->place != 0;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (timers.size != 0 && !tickwheel_time_after(timers.entries[1].key, now)) {
            lock.call(timers.remove_first());
        }
    }

    /// Prefetches what a remove() reads first: its entry and the children of that.
    void prefetch(const timer_type *timer) const
    {
        __builtin_prefetch(&timers.entries[timer->place], 1);
        __builtin_prefetch(&timers.entries[2 * timer->place], 1);
    }

private:
    bool full() const
    {
        return timers.size == most_pending;
    }
    void insert(timer_type *timer)
    {
        timers.insert(timer->expires, timer);
    }
    void move(timer_type *timer, jiffies_t expires)
    {
        timer->expires = expires;
        timers.move(expires, timer);
    }
    void remove(timer_type *timer)
    {
        timers.remove(timer);
    }

    heap<timer_type, most_pending> timers;

public:
    static constexpr size_t bytes_beside = sizeof(decltype(timers)::entry);
};

} // namespace peers

#endif
