// SPDX-License-Identifier: MIT
// A binary heap in an array. Each entry has its key beside it, so a comparison reads
// nothing else. Each item knows its place, so it can be removed from the middle.
#ifndef TICKWHEEL_BENCH_HEAP_HPP
#define TICKWHEEL_BENCH_HEAP_HPP

#include "peer.hpp"

namespace peers
{

/// Item has a member `place`, 0 while it is not in the heap.
template <class Item, unsigned Capacity>
class heap {
public:
    struct entry {
        jiffies_t key;
        Item *item;
    };

    void init()
    {
        size = 0;
    }
    bool empty() const
    {
        return size == 0;
    }
    bool full() const
    {
        return size == Capacity;
    }
    const entry &first() const
    {
        return entries[1];
    }

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

    unsigned size;
    /// From 1.
    entry entries[Capacity + 1];
};

} // namespace peers

#endif
