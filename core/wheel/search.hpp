// SPDX-License-Identifier: MIT
// The two searches. One looks at marks only, in constant time: for next_event(), and for the jump over empty blocks.
// The other finds the exact next expiry of a timer that is not deferrable, and walks lists.
#ifndef TICKWHEEL_SEARCH_HPP
#define TICKWHEEL_SEARCH_HPP

#include <stdint.h>

#include "debug.hpp"
#include "slots.hpp"

namespace tickwheel
{

/// The search of the marks.
template <class Geometry>
struct search {
    using level = typename Geometry::level;

    /// No slot is marked.
    static constexpr jiffies_t none = ~jiffies_t{0};

    /// As tickwheel_next_event(), with the lock held.
    static int answer(const wheel_clock &clock, const wheel_slots<Geometry> &slots, jiffies_t *tick)
    {
        const jiffies_t next = clock.next_run;
        if (slots.running != nullptr) {
            // A run is under way. A callback runs in tick `next_run` - 1 (I5). Between callbacks no work is before
            // `next_run`.
            *tick = next - 1;
            return 1;
        }
        const unsigned slot = Geometry::tv1_slot(next);
        // Between two runs `next_run` is the first mark of the block (I3), or else the last tick of the block. The
        // slot of that one is the last of its word: `| 31` only tells the compiler.
        if ((~slot & Geometry::block_mask) != 0 || slots.marks.is_marked(slot | 31) || slots.coming_down != 0) {
            *tick = next;
            return 1;
        }
        const jiffies_t distance = distance_to_work(slots.marks, clock.base);
        if (distance == none) {
            return 0;
        }
        *tick = clock.base + distance;
        return 1;
    }

    /// The ticks from the base to the next one with work, when every tick of the current block is done and the next
    /// block has come down.
    static jiffies_t distance_to_work(const bitmap<Geometry> &marks, jiffies_t base)
    {
        // Every tick of the current block is done, so its half of tv1 holds the ticks of the block after the next
        // one. No mark is `none` here.
        const jiffies_t near = marks.marked_after(Geometry::tv1(), Geometry::tv1_slot(base - 1)) - 1;
        if (near < Geometry::block_size) {
            return near;
        }
        const jiffies_t cascade = distance_to_cascade(marks, base);
        return near < cascade ? near : cascade;
    }

    /// The ticks from the base to the nearest start of a marked slot of tv2 or above. bring_down() has cleared the
    /// marks of the slots that start at the base.
    template <unsigned Number = 2>
    [[gnu::always_inline]] static jiffies_t distance_to_cascade(const bitmap<Geometry> &marks, jiffies_t base)
    {
        constexpr auto here = Geometry::template tv<Number>();
        const unsigned own = here.index(base);
        const unsigned steps = marks.marked_after(here, own);
        const jiffies_t distance = steps == 0 ? none : distance_to_slot(here, base, steps);
        if constexpr (here.above().exists()) {
            // No level above cascades before this one has reached its end.
            if (steps == 0 || own + steps >= here.size()) {
                const jiffies_t above = distance_to_cascade<Number + 1>(marks, base);
                return above < distance ? above : distance;
            }
        }
        return distance;
    }

    /// The ticks from the base to the start of the slot that is `steps` slots after its own.
    template <class Level>
    static jiffies_t distance_to_slot(Level lv, jiffies_t base, unsigned steps)
    {
        return (((base >> lv.shift) + steps) << lv.shift) - base;
    }
};

/// The lock of a caller who holds one already.
struct held_lock {
    static int irq_save()
    {
        return 0;
    }
    static void irq_restore(int)
    {
    }
    static void preemption_point(int)
    {
    }
};

/// A search for the exact next expiry. It writes its own address to `changed_by` to see later whether a slot has
/// changed (I8). Two searches at the same time have two addresses, so neither mistakes the other's address for its
/// own.
template <class Lock, class Geometry>
class expiry_search {
    using level = typename Geometry::level;
    using checks = checks_of<Geometry>;

public:
    // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): walk() writes the rest first.
    expiry_search(const wheel_clock &clock, wheel_slots<Geometry> &slots) : clock_(clock), slots_(slots)
    {
    }
    expiry_search(const expiry_search &) = delete;
    expiry_search &operator=(const expiry_search &) = delete;

    /// As tickwheel_next_expiry().
    int answer(jiffies_t *expires)
    {
        // The lock is held only while a timer is read. The result counts only if no slot has changed meanwhile.
        for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
            walk();
            const locked<Lock> lock;
            if (slots_.changed_by == this) {
                return found(expires);
            }
        }
        // Interrupts change the slots faster than this can walk them. No timer is earlier than `next_run` (I3).
        // During a run the limit is the tick before (I5).
        const locked<Lock> lock;
        *expires = clock_.next_run - (slots_.running != nullptr ? 1 : 0);
        return 1;
    }

    /// As tickwheel_next_expiry_locked().
    int answer_locked(jiffies_t *tick, unsigned most)
    {
        left_ = most;
        walk();
        return found(tick);
    }

private:
    /// Attempts before the answer is a lower bound.
    static constexpr unsigned most_attempts = 16;
    static constexpr jiffies_t none = ~jiffies_t{0};

    int found(jiffies_t *tick) const
    {
        if (distance_ == none) {
            return 0;
        }
        *tick = origin_ + distance_;
        return exact_ ? 1 : 2;
    }

    // A function of its own: in answer() its last unlock would be the instruction before the next lock, and no
    // interrupt is sure to come between the two.
    [[gnu::noinline]] void walk()
    {
        distance_ = none;
        {
            // All under one lock: a run between them would move the block unnoticed.
            const locked<Lock> lock;
            slots_.changed_by = this;
            origin_ = clock_.tv1_end - Geometry::tvr_size;
            base_ = clock_.base;
            coming_down_ = slots_.coming_down != 0;
        }
        walk_tv1();
        const jiffies_t to_base = base_ - origin_;
        // No timer above tv1 is before the base.
        if (distance_ < to_base) {
            return;
        }
        // From here on distances count from the base: a timer may be 2^32 - 3 ticks after it, and its distance from
        // the start of tv1 would wrap.
        distance_ -= distance_ != none ? to_base : 0;
        origin_ = base_;
        bool further = walk_level(Geometry::tv2());
        for (level lv = Geometry::tv2().above(); further && lv.exists(); lv = lv.above()) {
            further = walk_level(lv);
        }
    }

    void walk_tv1()
    {
        // The turn that ends at `tv1_end`, from the tick before it on.
        jiffies_t start = ~jiffies_t{0};
        while (distance_ == none) {
            const unsigned steps = slots_.marks.marked_after(Geometry::tv1(), Geometry::tv1_slot(origin_ + start));
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
        const unsigned own = lv.index(base_);
        // If the base is the start of its slot, that slot may come down now, and is first. Otherwise it is a whole
        // turn ahead, and last.
        const bool own_is_first = coming_down_ && base_ >> lv.shift << lv.shift == base_;
        unsigned steps = own_is_first ? 0 : slots_.marks.marked_after(lv, own);
        while (steps != 0 || own_is_first) {
            const jiffies_t start = search<Geometry>::distance_to_slot(lv, base_, steps);
            // Later slots hold later timers.
            if (start >= distance_) {
                break;
            }
            const unsigned index = lv.index(base_ + (steps << lv.shift));
            if (!walk_slot(lv.shift, lv.first_slot + index, start)) {
                return false;
            }
            // The level beyond tv5 may have later timers than its slot.
            if ((distance_ - start) >> lv.shift == 0) {
                break;
            }
            const unsigned more = slots_.marks.marked_after(lv, index);
            // A search that began at its own slot must not visit that slot again.
            steps += more;
            if (more == 0 || steps + own_is_first > lv.size()) {
                return true;
            }
        }
        // A slot of a level above begins where this level begins a turn, or now.
        return coming_down_ || steps == 0 || own + steps >= lv.size();
    }

    /// Takes the earliest timer of a slot that begins `start` ticks after the origin. Returns false if a slot has
    /// changed: then the search is over.
    bool walk_slot(unsigned shift, unsigned slot, jiffies_t start)
    {
        const timer_list *older = nullptr;
        const timer_list *timer = slots_.oldest_of(slot);
        const auto irq = Lock::irq_save();
        while (timer != nullptr) {
            if (slots_.changed_by != this) {
                Lock::irq_restore(irq);
                return false;
            }
            if (left_ == 0) {
                // None of the other timers is before the slot's start.
                take(start, false);
                break;
            }
            --left_;
            const char *const fault = checks::fault_of_step(slots_, timer, older, slot);
            if (fault != nullptr) {
                Lock::irq_restore(irq);
                (void)report_fault(fault, timer);
                return true;
            }
            older = timer;
            timer = timer->next;
            if (!older->deferrable) {
                // All timers of a slot of tv1 fire in its tick. They may have been overdue when armed.
                take(shift == 0 ? start : older->expires - origin_, true);
                timer = shift == 0 ? nullptr : timer;
            }
            Lock::preemption_point(irq);
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
    wheel_slots<Geometry> &slots_;
    /// How many timers it may still look at.
    unsigned left_ = ~0u;
    // walk() writes all of these before it reads them.
    /// Where distances count from: in tv1 a turn before `tv1_end`, the first tick that a slot may hold; then the
    /// base.
    jiffies_t origin_;
    jiffies_t base_;
    bool coming_down_;
    /// The ticks from there to the earliest so far, and whether a timer is due there.
    jiffies_t distance_;
    bool exact_ = true;
};

} // namespace tickwheel

#endif
