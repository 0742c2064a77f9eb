// SPDX-License-Identifier: MIT
// The wheel that Linux had before 4.8. Written from a description of what the kernel does.
// None of its text is here.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/jiffies.h>
#include <tickwheel/port.hpp>

namespace peers
{

/// Part of a timer. `next` is null while the timer is in no list.
struct link {
    link *next;
    link *prev;

    [[gnu::always_inline]] void insert_before(link *later)
    {
        next = later;
        prev = later->prev;
        later->prev->next = this;
        later->prev = this;
    }
};

class linux_slots;

/// A timer names its slots. The lowest bit of `base` would say that the timer is deferrable.
struct kernel_timer : link {
    jiffies_t expires;
    void (*function)(kernel_timer *);
    kernel_timer *data;
    uintptr_t base;

    static linux_slots *slots_of(uintptr_t base)
    {
        return reinterpret_cast<linux_slots *>(base & ~uintptr_t{1});
    }
};

/// A doubly linked ring with a head of two words.
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
    kernel_timer *first()
    {
        return static_cast<kernel_timer *>(head.next);
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

private:
    link head;
};

/// The slots: tv1 to tv5, lists with heads of two words. A timer's distance from timer_jiffies chooses its level. A
/// younger timer may be in tv1 before an older one cascades, so the timers of one tick fire in any order.
class linux_slots {
    static constexpr unsigned tvr_size = 256;
    static constexpr unsigned tvn_size = 64;

public:
    void init(jiffies_t now)
    {
        timer_jiffies = now + 1;
        for (list &slot : tv1) {
            slot.init();
        }
        for (auto &level : tvn) {
            for (list &slot : level) {
                slot.init();
            }
        }
    }

    /// The timer must be in no list, or in one that is not read again. It may be overdue, and fires in the next
    /// tick.
    void insert(kernel_timer *timer)
    {
        slot_of(timer->expires).append(timer);
    }

    /// Cascades if tv1 begins again, moves the slot of timer_jiffies to `due`, and advances by a tick. A callback may
    /// arm a timer 256 ticks ahead, which is the same slot.
    [[gnu::always_inline]] void take_due(list &due)
    {
        const unsigned index = timer_jiffies % tvr_size;
        if (index == 0) {
            // A level advances when the one below it wraps.
            for (unsigned level = 0; level < 4 && cascade(level) == 0; ++level) {
            }
        }
        ++timer_jiffies;
        due.init();
        due.append_all(tv1[index]);
    }

    /// The first tick that was not run.
    jiffies_t timer_jiffies;

private:
    static constexpr unsigned shift(unsigned level)
    {
        return 8 + 6 * level;
    }

    list &slot_of(jiffies_t expires)
    {
        const jiffies_t distance = expires - timer_jiffies;
        if (distance < tvr_size) {
            return tv1[expires % tvr_size];
        }
        const unsigned level = distance < 1u << 14 ? 0 : distance < 1u << 20 ? 1 : distance < 1u << 26 ? 2 : 3;
        if (level == 3 && static_cast<int32_t>(distance) < 0) {
            return tv1[timer_jiffies % tvr_size];
        }
        return tvn[level][expires >> shift(level) & (tvn_size - 1)];
    }

    /// Puts each timer of the level's slot that begins now into a list below. Returns the slot's index.
    unsigned cascade(unsigned level)
    {
        const unsigned index = timer_jiffies >> shift(level) & (tvn_size - 1);
        list moved;
        moved.init();
        moved.append_all(tvn[level][index]);
        for (link *each = moved.first(); each != moved.end();) {
            kernel_timer *const timer = static_cast<kernel_timer *>(each);
            each = each->next;
            if (kernel_timer::slots_of(timer->base) != this) {
                __builtin_trap();
            }
            insert(timer);
        }
        return index;
    }

    list tv1[tvr_size];
    list tvn[4][tvn_size];
};

/// Linux 2.6.24, built for one core: its spin lock is "interrupts off". A timer may move to the slots of another
/// core, so a call that has locked the slots of a timer compares them again.
class linux_2_6_24 {
    using irq_state = decltype(tickwheel::port_lock::irq_save());

public:
    using timer_type = kernel_timer;

    void init(jiffies_t start)
    {
        now_ = start;
        slots.init(now_);
        running = nullptr;
        slots_of_this_core = &slots;
    }

    jiffies_t now() const
    {
        return now_;
    }

    void setup(timer_type *timer, void (*function)(timer_type *))
    {
        *timer = timer_type();
        timer->function = function;
        timer->data = timer;
        timer->base = reinterpret_cast<uintptr_t>(&slots);
    }

    static bool pending(const timer_type *timer)
    {
        return timer->next != nullptr;
    }

    [[gnu::always_inline]] void arm(timer_type *timer, jiffies_t expires)
    {
        if (timer->expires != expires || !pending(timer)) {
            modify(timer, expires);
        }
    }

    [[gnu::always_inline]] bool cancel(timer_type *timer)
    {
        bool was_pending = false;
        // The first look needs no lock, so a cancel of an idle timer takes none.
        if (pending(timer)) {
            irq_state irq;
            lock_slots_of(timer, irq);
            if (pending(timer)) {
                detach(timer, true);
                was_pending = true;
            }
            tickwheel::port_lock::irq_restore(irq);
        }
        return was_pending;
    }

    void tick()
    {
        ++now_;
        if (tickwheel_time_after_eq(clock(), slots.timer_jiffies)) {
            run();
        }
    }

private:
    /// The kernel reads its clock again each time, because an interrupt may have counted a tick.
    jiffies_t clock() const
    {
        return *static_cast<const volatile jiffies_t *>(&now_);
    }

    [[gnu::always_inline]] static linux_slots *lock_slots_of(const timer_type *timer, irq_state &irq)
    {
        for (;;) {
            const uintptr_t base = *static_cast<const volatile uintptr_t *>(&timer->base);
            linux_slots *const found = kernel_timer::slots_of(base);
            if (found != nullptr) {
                irq = tickwheel::port_lock::irq_save();
                if (base == *static_cast<const volatile uintptr_t *>(&timer->base)) {
                    return found;
                }
                tickwheel::port_lock::irq_restore(irq);
            }
        }
    }

    /// A timer that is armed again at once stays "pending" meanwhile. In both cases one link points nowhere.
    [[gnu::always_inline]] static void detach(timer_type *timer, bool clear_pending)
    {
        timer->next->prev = timer->prev;
        timer->prev->next = timer->next;
        timer->next = clear_pending ? nullptr : timer->next;
        timer->prev = reinterpret_cast<link *>(0x200200);
    }

    [[gnu::noinline]] void modify(timer_type *timer, jiffies_t expires)
    {
        irq_state irq;
        linux_slots *found = lock_slots_of(timer, irq);
        if (pending(timer)) {
            detach(timer, false);
        }
        // On one core they are always the same, but the kernel compares them.
        if (found != slots_of_this_core) {
            found = slots_of_this_core;
            timer->base = reinterpret_cast<uintptr_t>(found);
        }
        timer->expires = expires;
        found->insert(timer);
        tickwheel::port_lock::irq_restore(irq);
    }

    [[gnu::noinline]] void run()
    {
        const irq_state irq = tickwheel::port_lock::irq_save();
        while (tickwheel_time_after_eq(clock(), slots.timer_jiffies)) {
            list due;
            slots.take_due(due);
            while (!due.empty()) {
                timer_type *const timer = due.first();
                // The callback may free its timer.
                void (*const function)(timer_type *) = timer->function;
                timer_type *const data = timer->data;
                detach(timer, true);
                tickwheel::port_lock::irq_restore(irq);
                function(data);
                tickwheel::port_lock::irq_mask_all();
            }
        }
        tickwheel::port_lock::irq_restore(irq);
    }

    jiffies_t now_;
    linux_slots slots;
    /// A kernel for one core has this too, but writes it nowhere else.
    timer_type *running;
    static inline linux_slots *slots_of_this_core;
};

} // namespace peers
