// SPDX-License-Identifier: MIT
// The search for the exact next expiry of a timer that is not deferrable. It walks lists.
#ifndef TICKWHEEL_NEXT_EXPIRY_HPP
#define TICKWHEEL_NEXT_EXPIRY_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>

#include "debug.hpp"
#include "next_event.hpp"

namespace tickwheel
{

/// A search for the exact next expiry. It writes its own address to `change_token` to see later whether a slot has
/// changed (I8). Two searches at the same time have two addresses, so neither mistakes the other's address for its
/// own.
template <class Lock, class Geometry>
class expiry_search {
    using level = typename Geometry::level;
    using checks = checks_of<Geometry>;

public:
    // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): walk() writes the rest first.
    expiry_search(const wheel_clock &clock, slots_of<Geometry> &slots) : clock_(clock), slots_(slots)
    {
    }
    expiry_search(const expiry_search &) = delete;
    expiry_search &operator=(const expiry_search &) = delete;

    /// As tickwheel_next_expiry().
    int next_expiry(jiffies_t *expires)
    {
        // The lock is held only while a timer is read. The result counts only if no slot has changed meanwhile.
        for (unsigned attempt = 0; attempt < max_attempts; ++attempt) {
            walk();
            const lock_guard<Lock> lock;
            if (slots_.change_token == this) {
                return found(expires);
            }
        }
        // Interrupts change the slots faster than walk() reads them. No timer is earlier than `next_run` (I3).
        // During a run the limit is the tick before (I5).
        const lock_guard<Lock> lock;
        *expires = clock_.next_run - (slots_.running_timer != nullptr ? 1 : 0);
        return 1;
    }

    /// As tickwheel_next_expiry_locked().
    int next_expiry_locked(jiffies_t *tick, unsigned limit)
    {
        left_ = limit;
        walk();
        return found(tick);
    }

private:
    /// Attempts before the answer is a lower bound.
    static constexpr unsigned max_attempts = 16;
    static constexpr jiffies_t none = ~jiffies_t{0};

    int found(jiffies_t *tick) const
    {
        if (distance_ == none) {
            return 0;
        }
        *tick = origin_ + distance_;
        return exact_ ? 1 : 2;
    }

    // A function of its own. If it were inlined, its last unlock would be the instruction before the next lock,
    // and a pending interrupt might not run between the two.
    [[gnu::noinline]] void walk()
    {
        distance_ = none;
        {
            // All of these under one lock, because a run in between would change the block unnoticed.
            const lock_guard<Lock> lock;
            slots_.change_token = this;
            origin_ = clock_.tv1_limit - Geometry::tvr_size;
            next_block_ = clock_.next_block;
            cascading_ = slots_.cascade_unfinished != 0;
        }
        walk_tv1();
        const jiffies_t to_next_block = next_block_ - origin_;
        // No timer above tv1 is before the next block.
        if (distance_ < to_next_block) {
            return;
        }
        // From here on distances count from the next block: a timer may be 2^32 - 3 ticks after it, and its distance
        // from the start of tv1 would wrap.
        distance_ -= distance_ != none ? to_next_block : 0;
        origin_ = next_block_;
        bool further = walk_level(Geometry::tv2());
        for (level lv = Geometry::tv2().above(); further && lv.exists(); lv = lv.above()) {
            further = walk_level(lv);
        }
    }

    void walk_tv1()
    {
        // The turn of tv1 that ends at `tv1_limit`. The search starts one tick before it, because
        // steps_to_next_mark() looks only at later slots.
        jiffies_t start = ~jiffies_t{0};
        while (distance_ == none) {
            const unsigned steps =
                slots_.marks.steps_to_next_mark(Geometry::tv1(), Geometry::tv1_slot(origin_ + start));
            start += steps;
            if (steps == 0 || start >= Geometry::tvr_size ||
                !walk_slot(0, Geometry::tv1_slot(origin_ + start), start)) {
                return;
            }
        }
    }

    /// The slots of a level, in the order in which they cascade. Returns whether a level above may have an earlier
    /// timer.
    template <class Level>
    bool walk_level(Level lv)
    {
        const unsigned own = lv.index(next_block_);
        // If the next block is the start of its slot, that slot may cascade now, and is first. Otherwise it is a
        // whole turn ahead, and last.
        const bool own_is_first = cascading_ && next_block_ >> lv.shift << lv.shift == next_block_;
        if (own_is_first && !walk_slot(lv.shift, lv.first_slot + own, 0)) {
            return false;
        }
        // A search that began at its own slot must not visit that slot again.
        const unsigned last = own_is_first ? lv.size() - 1 : lv.size();
        unsigned steps = 0;
        jiffies_t start = 0;
        do {
            const unsigned more = slots_.marks.steps_to_next_mark(lv, lv.index(next_block_ + (steps << lv.shift)));
            steps += more;
            if (more == 0 || steps > last) {
                return true;
            }
            start = event_search<Geometry>::distance_to_slot(lv, next_block_, steps);
            // Later slots hold later timers.
            if (start >= distance_) {
                break;
            }
            if (!walk_slot(lv.shift, lv.first_slot + lv.index(next_block_ + (steps << lv.shift)), start)) {
                return false;
            }
            // A slot of the overflow level may hold timers that are later than the slot.
        } while ((distance_ - start) >> lv.shift != 0);
        // A slot of a level above begins where this level begins a turn, or now.
        return cascading_ || own + steps >= lv.size();
    }

    /// Takes the earliest timer of a slot that begins `start` ticks after the origin. Returns false if a slot has
    /// changed: then the search is over.
    bool walk_slot(unsigned shift, unsigned slot, jiffies_t start)
    {
        const timer_list *older = nullptr;
        const timer_list *timer = slots_.oldest_of(slot);
        const auto irq = Lock::irq_save();
        while (timer != nullptr) {
            if (slots_.change_token != this) {
                Lock::irq_restore(irq);
                return false;
            }
            if (left_ == 0) {
                // None of the other timers is before the slot's start.
                take(start, false);
                break;
            }
            --left_;
            const char *const fault = checks::misuse_of_step(slots_, timer, older, slot);
            if (fault != nullptr) {
                Lock::irq_restore(irq);
                (void)report_misuse(fault, timer);
                return true;
            }
            older = timer;
            timer = timer->next;
            if (!older->deferrable) {
                // All timers of a slot of tv1 fire in its tick. They may have been overdue when armed.
                take(shift == 0 ? start : older->expires - origin_, true);
                timer = shift == 0 ? nullptr : timer;
            }
            Lock::interrupt_window(irq);
        }
        Lock::irq_restore(irq);
        return true;
    }

    void take(jiffies_t distance, bool exact)
    {
        if (distance < distance_) {
            distance_ = distance;
            exact_ = exact;
        }
    }

    const wheel_clock &clock_;
    slots_of<Geometry> &slots_;
    /// How many timers it may still look at.
    unsigned left_ = ~0u;
    // walk() writes all of these before it reads them.
    /// Where distances count from: in tv1 a turn before `tv1_limit`, the first tick that a slot may hold; then the
    /// next block.
    jiffies_t origin_;
    jiffies_t next_block_;
    bool cascading_;
    /// The ticks from there to the earliest so far, and whether a timer is due there.
    jiffies_t distance_;
    bool exact_ = true;
};

} // namespace tickwheel

#endif
