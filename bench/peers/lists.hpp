// SPDX-License-Identifier: MIT
// Lists: what every peer with lists or slots uses, and the systems that are one list.
#pragma once

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

/// A doubly linked ring with a head of two words, as most kernels have it.
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
    /// The head of the ring, which is no timer, lies after the last one and before the first.
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

template <class List, size_t Count>
void init_all(List (&lists)[Count])
{
    for (List &each : lists) {
        each.init();
    }
}

/// Scheme 6, a hashed wheel with unsorted lists. The low bits of its expiry choose the list of a timer, and a tick
/// looks at every timer of its list. Netty has one, whose timers count their rounds.
class hashed_wheel : public peer<hashed_wheel, list_timer> {
    friend peer;
    static constexpr unsigned count = 512;

public:
    void clear()
    {
        init_all(lists);
        due.init();
    }

    void tick()
    {
        locked lock;
        const jiffies_t now = ++now_;
        list<> &here = lists[now % count];
        for (link *each = here.first(); each != here.end();) {
            timer_type *const timer = static_cast<timer_type *>(each);
            each = each->next;
            if (timer->expires == now) {
                timer->unlink();
                due.append(timer);
            }
        }
        due.call_all(lock);
    }

private:
    void insert(timer_type *timer)
    {
        lists[timer->expires % count].append(timer);
    }

    list<> lists[count];
    list<> due;
};

} // namespace peers
