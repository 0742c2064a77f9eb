// SPDX-License-Identifier: MIT
// The slots of a wheel: FIFO lists with a head of one word. Only this file changes lists, except that debug.hpp
// empties a slot whose links are overwritten. Each call but reset() takes constant time, and each but reset() and
// oldest_of() needs the lock.
//
//   first[s] -> oldest -> ... -> youngest -> null     (next)
//               oldest->prev == youngest              (prev of the others: the next older timer)
//
// An empty slot is a null word. Slots of zeros are therefore valid: they lie in .bss, and work before any constructor
// has run.
#ifndef TICKWHEEL_SLOTS_HPP
#define TICKWHEEL_SLOTS_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "bitmap.hpp"
#include "clock.hpp"

namespace tickwheel
{

/// Lists and marks: all zero at reset.
template <class Geometry>
struct wheel_slots {
#if !TICKWHEEL_SMALL_CORE
    /// The oldest timer of each slot. A small core reaches only 128 bytes from an address, so there it comes last.
    timer_list *first[Geometry::slot_count];
#endif
    /// Which slots may hold a timer.
    bitmap<Geometry> marks;
    /// Every change of a slot writes a timer's address here. Before a search opens the lock, it writes its own
    /// address, and a jump writes the address of the slots. If that address is still there later, no slot has
    /// changed (I8).
    const void *change_token;
    /// In a run, the timer whose callback runs or is about to, or between_callbacks(). Between two runs null.
    timer_list *running_timer;
    /// Not 0 while timers of the next block may still be above tv1.
    uint32_t cascade_unfinished;
    /// The address of runner::jump_over_blocks(), which has another type, or null in a program that has never called
    /// advance().
    void (*linked_jump)();
#if TICKWHEEL_SMALL_CORE
    timer_list *first[Geometry::slot_count];
#endif

    /// What `running_timer` is in a run, between two callbacks: an address that no timer has.
    timer_list *between_callbacks()
    {
        return reinterpret_cast<timer_list *>(this);
    }

    /// `first[slot]`. A small core keeps the address of the slots anyway, and reaches `first` by the offset of a
    /// load. For an element of an array GCC adds that offset to the number of the slot first, which makes mod_timer()
    /// on a Cortex-M0 five instructions longer at -Os, and twelve at -O2. The other cores reach the element as well.
    [[gnu::always_inline]] timer_list *&head(unsigned slot)
    {
#if TICKWHEEL_SMALL_CORE
        return reinterpret_cast<wheel_slots *>(reinterpret_cast<uintptr_t>(this) + slot * sizeof(uintptr_t))
            ->first[0];
#else
        return first[slot];
#endif
    }

    /// Makes an idle timer the youngest of a slot.
    [[gnu::always_inline]] void append(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = head(slot);
        timer->slot = static_cast<uint16_t>(slot);
        change_token = timer;
        if (oldest == nullptr) {
            // `oldest` is null, and in a register already.
            timer->next = oldest;
            head(slot) = timer;
            begin(slot, timer);
        } else {
            timer_list *const youngest = oldest->prev;
            timer->next = nullptr;
            youngest->next = timer;
            timer->prev = youngest;
            oldest->prev = timer;
        }
    }

    /// Makes a timer the oldest of a slot, in a cascade.
    void prepend(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        timer->next = oldest;
        change_token = timer;
        first[slot] = timer;
        if (oldest == nullptr) {
            begin(slot, timer);
        } else {
            timer->prev = oldest->prev;
            oldest->prev = timer;
        }
    }

    /// Makes the oldest timer of a slot idle.
    void detach_oldest(unsigned slot, timer_list *oldest)
    {
        timer_list *const younger = oldest->next;
        head(slot) = younger;
        if (younger != nullptr) {
            younger->prev = oldest->prev;
        }
        oldest->prev = nullptr;
        change_token = oldest;
    }

    /// Unlinks the youngest timer of a slot. `oldest` is the slot's oldest. The caller prepends it to another slot
    /// next.
    timer_list *take_youngest(unsigned slot, timer_list *oldest)
    {
        timer_list *const youngest = oldest->prev;
        // If the timer is alone, `older` is the timer itself, and prepend() overwrites these links.
        timer_list *const older = youngest->prev;
        oldest->prev = older;
        older->next = nullptr;
        if (youngest == oldest) {
            first[slot] = nullptr;
        }
        return youngest;
    }

    /// Moves the only timer of a slot to an empty slot. Its links stay as they are.
    void move_lone(unsigned from, unsigned to, timer_list *timer)
    {
        head(from) = nullptr;
        marks.clear_mark(from);
        head(to) = timer;
        marks.mark(to);
        timer->slot = static_cast<uint16_t>(to);
        change_token = timer;
    }

    /// Makes a pending timer idle.
    void detach(timer_list *timer)
    {
        unlink_for_requeue(timer);
        timer->prev = nullptr;
        change_token = timer;
    }

    /// Unlinks a pending timer. The caller appends it to another slot next.
    [[gnu::always_inline]] void unlink_for_requeue(timer_list *timer)
    {
        timer_list *const older = timer->prev;
        timer_list *const younger = timer->next;
        // Only the youngest has no next, and only the oldest has the youngest as its prev.
        if (older->next == nullptr) {
            head(timer->slot) = younger;
            if (younger != nullptr) {
                younger->prev = older;
            } else {
                // A stale mark would wake a sleeper for nothing.
                marks.clear_mark(timer->slot);
            }
        } else {
            older->next = younger;
            // The tail case is the longest path, so it is the fall-through.
            timer_list *const follower = __builtin_expect(younger != nullptr, 0) ? younger : head(timer->slot);
            follower->prev = older;
        }
    }

    /// Forgets every timer. None may be pending or running, so it needs no lock.
    void reset()
    {
        // volatile keeps the compiler from turning the loop into memset().
        for (timer_list *volatile &oldest : first) {
            oldest = nullptr;
        }
        for (shared_word &word : marks.words) {
            word = 0;
        }
        cascade_unfinished = 0;
    }

    /// The oldest timer of a slot, by one load: the lock may be open.
    timer_list *oldest_of(unsigned slot) const
    {
        return *const_cast<timer_list *const volatile *>(&first[slot]);
    }

private:
    void begin(unsigned slot, timer_list *timer)
    {
        timer->prev = timer;
        marks.mark(slot);
    }
};

} // namespace tickwheel

#endif
