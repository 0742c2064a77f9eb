// SPDX-License-Identifier: MIT
// A doubly linked ring with a head of two words, as most kernels have it. Every peer
// with lists or slots uses it.
#ifndef TICKWHEEL_BENCH_LIST_HPP
#define TICKWHEEL_BENCH_LIST_HPP

#include "peer.hpp"

namespace peers
{

/// Part of a timer. `next` is null while the timer is in no list.
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

/// A timer that is in at most one list.
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
    /// The head of the ring, no timer: after the last one and before the first.
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

    /// Appends all timers of another list, and empties it.
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

    /// Calls each timer, the oldest first. A timer that is cancelled before its turn is not called.
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
