// SPDX-License-Identifier: MIT
// The doubly linked ring with a head of two words, as most kernels have it: what
// every peer hangs its timers in that has lists or slots.
#ifndef TICKWHEEL_BENCH_LIST_HPP
#define TICKWHEEL_BENCH_LIST_HPP

#include "peer.hpp"

namespace peers
{

/// Part of a timer. `next` is null exactly while it hangs nowhere.
struct link {
    link *next;
    link *prev;

    bool linked() const
    {
        return next != nullptr;
    }

    [[gnu::always_inline]] void insert_before(link *later)
    {
        next = later;
        prev = later->prev;
        later->prev->next = this;
        later->prev = this;
    }

    [[gnu::always_inline]] void unlink()
    {
        next->prev = prev;
        prev->next = next;
        next = nullptr;
    }
};

/// A timer that hangs in one list.
struct list_timer : link {
    jiffies_t expires;
    void (*function)(list_timer *);
};

template <class Timer = list_timer>
class list {
public:
    void init()
    {
        head.next = &head;
        head.prev = &head;
    }
    bool empty() const
    {
        return head.next == &head;
    }
    Timer *first()
    {
        return static_cast<Timer *>(head.next);
    }
    Timer *last()
    {
        return static_cast<Timer *>(head.prev);
    }
    /// Not a timer: what comes after the last one and before the first.
    link *end()
    {
        return &head;
    }

    [[gnu::always_inline]] void append(link *timer)
    {
        timer->insert_before(&head);
    }

    [[gnu::always_inline]] Timer *remove_first()
    {
        Timer *const timer = first();
        timer->unlink();
        return timer;
    }

    /// Takes over all that another list has.
    void append_all(list &other)
    {
        if (!other.empty()) {
            link *const oldest = other.head.next;
            link *const youngest = other.head.prev;
            oldest->prev = head.prev;
            head.prev->next = oldest;
            youngest->next = &head;
            head.prev = youngest;
            other.init();
        }
    }

    /// Calls each, the oldest first. One that is cancelled before its turn is not called.
    void call_all(locked &lock)
    {
        while (!empty()) {
            lock.call(remove_first());
        }
    }

private:
    link head;
};

} // namespace peers

#endif
