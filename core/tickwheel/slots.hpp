// SPDX-License-Identifier: MIT
// The slots of a wheel: FIFO lists with a head of one word. Only this file changes lists. Each call takes constant
// time and needs the lock, but for reset() and oldest_of().
//
//   first[s] -> oldest -> ... -> youngest -> null     (next)
//               oldest->prev == youngest              (prev of the others: the next older timer)
//
// An empty slot is a null word. Slots of zeros are therefore valid: they lie in .bss, and work before any constructor
// has run.
#ifndef TICKWHEEL_SLOTS_HPP
#define TICKWHEEL_SLOTS_HPP

#include <stdint.h>

#include <tickwheel/bitmap.hpp>
#include <tickwheel/seal.hpp>
#include <tickwheel/tickwheel.h>

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
    /// Every change of a list writes a timer's address here. Before a search opens the lock it writes an address of
    /// its own, and the runner its mark. If that address is still there later, no list has changed (I8).
    const void *changed_by;
    /// In a run, the timer whose callback runs or is about to, or runner_mark(). Between two runs null.
    timer_list *running;
    /// Not 0 while timers of the next block may still be above tv1.
    uint32_t coming_down;
#if TICKWHEEL_SMALL_CORE
    timer_list *first[Geometry::slot_count];
#endif

    /// What `running` is in a run, between two callbacks.
    timer_list *runner_mark()
    {
        return reinterpret_cast<timer_list *>(this);
    }

    /// Makes an idle timer the youngest of a slot.
    [[gnu::always_inline]] void append(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        changed_by = timer;
        if (oldest == nullptr) {
            // `oldest` is null, and in a register already.
            timer->next = oldest;
            begin(slot, timer);
        } else {
            timer_list *const youngest = oldest->prev;
            timer->next = nullptr;
            youngest->next = timer;
            timer->prev = youngest;
            oldest->prev = timer;
            seal(youngest, this);
            seal(oldest, this);
            seal(timer, this);
        }
    }

    /// Makes a timer the oldest of a slot, in a cascade.
    void prepend(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        timer->next = oldest;
        changed_by = timer;
        if (oldest == nullptr) {
            begin(slot, timer);
        } else {
            timer->prev = oldest->prev;
            oldest->prev = timer;
            first[slot] = timer;
            seal(oldest, this);
            seal(timer, this);
        }
    }

    /// Makes the oldest timer of a slot idle.
    void detach_oldest(unsigned slot, timer_list *oldest)
    {
        timer_list *const younger = oldest->next;
        first[slot] = younger;
        if (younger != nullptr) {
            younger->prev = oldest->prev;
            seal(younger, this);
        }
        oldest->prev = nullptr;
        changed_by = oldest;
    }

    /// Unlinks the youngest timer of a slot. `oldest` is the slot's oldest. The caller prepends it to another slot
    /// next.
    timer_list *take_youngest(unsigned slot, timer_list *oldest)
    {
        timer_list *const youngest = oldest->prev;
        if (youngest == oldest) {
            first[slot] = nullptr;
        } else {
            timer_list *const older = youngest->prev;
            oldest->prev = older;
            older->next = nullptr;
            seal(older, this);
            seal(oldest, this);
        }
        return youngest;
    }

    /// Makes a pending timer idle.
    void detach(timer_list *timer)
    {
        unlink_for_requeue(timer);
        timer->prev = nullptr;
        changed_by = timer;
    }

    /// Unlinks a pending timer. The caller appends it to another slot next.
    [[gnu::always_inline]] void unlink_for_requeue(timer_list *timer)
    {
        timer_list *const older = timer->prev;
        timer_list *const younger = timer->next;
        // Only the youngest has no next, and only the oldest has the youngest as its prev.
        if (older->next == nullptr) {
            first[timer->slot] = younger;
            if (younger != nullptr) {
                younger->prev = older;
                seal(younger, this);
            } else {
                // A stale mark would wake a sleeper in vain.
                marks.clear_mark(timer->slot);
            }
        } else {
            older->next = younger;
            // The tail case is the longest path, so it is the fall-through.
            timer_list *const follower = __builtin_expect(younger != nullptr, 0) ? younger : first[timer->slot];
            follower->prev = older;
            seal(older, this);
            seal(follower, this);
        }
    }

    /// Debug builds: empties a slot whose links are overwritten, without following one. Returns its oldest timer.
    const timer_list *drop(unsigned slot)
    {
        const timer_list *const oldest = first[slot];
        first[slot] = nullptr;
        changed_by = oldest;
        return oldest;
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
        coming_down = 0;
    }

    /// The oldest timer of a slot, by one load: the lock may be open.
    timer_list *oldest_of(unsigned slot) const
    {
        return *const_cast<timer_list *const volatile *>(&first[slot]);
    }

private:
    void begin(unsigned slot, timer_list *timer)
    {
        first[slot] = timer;
        timer->prev = timer;
        seal(timer, this);
        marks.mark(slot);
    }
};

} // namespace tickwheel

#endif
