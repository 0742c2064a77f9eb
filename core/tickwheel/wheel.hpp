// SPDX-License-Identifier: MIT
/// @file
/// The timer wheel. tickwheel.h says what each call does and returns; this file
/// is how. DESIGN.md has the picture and the invariants that are cited as (I3).
///
/// A Lock has three static functions: irq_save(), irq_restore(state) and
/// irq_window(state); port/README.md says what they must do.
#ifndef TICKWHEEL_WHEEL_HPP
#define TICKWHEEL_WHEEL_HPP

#include <stdint.h>

#include <tickwheel/checks.hpp>
#include <tickwheel/shared_word.hpp>
#include <tickwheel/slots.hpp>

namespace tickwheel
{

/// What a wheel knows of time. Constant-initialised: the only part of a wheel that is not zero at reset.
struct wheel_clock {
    /// Ticks counted. Written by tick, advance and init alone.
    shared_word jiffies;
    /// No later than the next tick with work, nor than the last tick of the block (I3).
    shared_word next;
    /// The first tick of the current block: the tvr_size ticks whose timers are in tv1 (I4).
    jiffies_t block;
    /// How often the top bit of `block` has changed, counting from tick 0; its lowest bit is that top bit (I9).
    shared_word half_wraps;

    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t block = (start + 1) & ~block_mask;
        return {start, block + block_mask, block, (start >> 31) + ((start ^ (start + 1)) >> 31)};
    }
};

/// Lists and marks: all zero at reset.
template <class Geometry>
struct wheel_slots : slots<Geometry> {
    /// Null while nobody runs the wheel; else the timer whose callback runs or is about to, or runner_mark().
    timer_list *running;

    /// A runner that is between two callbacks: no timer's address.
    timer_list *runner_mark()
    {
        return reinterpret_cast<timer_list *>(this);
    }
};

/// Where a wheel keeps its state: in itself. A static one has its image in flash, of which all but 16 bytes are
/// zeros; a Storage that hands out two objects, as tickwheel.cpp does for the default wheel, avoids that.
template <class Geometry>
class wheel_storage {
protected:
    /// @{ The two parts of it.
    wheel_clock &clock()
    {
        return clock_;
    }
    wheel_slots<Geometry> &lists()
    {
        return lists_;
    }
    /// @}

private:
    wheel_clock clock_ = wheel_clock::at(TICKWHEEL_INITIAL_JIFFIES, Geometry::tvr_mask);
    wheel_slots<Geometry> lists_ = {};
};

/// A wheel that does not count its pending timers, and takes any number.
struct uncounted {
protected:
    /// @{ Called with the lock held: before a timer is armed (false refuses it), after one went, and by init().
    static constexpr bool enter()
    {
        return true;
    }
    static constexpr void leave()
    {
    }
    static constexpr void empty()
    {
    }
    /// @}
};

/// A wheel that counts its pending timers and takes at most Limit: an arm of one more is refused with -1, and leaves
/// that timer idle. One that re-arms itself is not pending in its callback: where others may take its place, it
/// stops.
template <uint32_t Limit = ~uint32_t{0}>
class counted {
public:
    /// How many timers are pending. A snapshot, from any context.
    uint32_t pending_timers() const
    {
        return count;
    }

protected:
    /// @{ As those of uncounted.
    bool enter()
    {
        const uint32_t before = count;
        count = before == Limit ? before : before + 1;
        return before != Limit;
    }
    void leave()
    {
        count = count - 1;
    }
    void empty()
    {
        count = 0;
    }
    /// @}

private:
    shared_word count = 0;
};

/// A wheel of its own, for one core and one lock. Every function is the one of tickwheel.h with its name and the
/// prefix tickwheel_: the same returns, from the same contexts; -1 of an arm that a counted<> refuses comes on top. A
/// static one is a constant and works before any constructor. Timers of it name it: basic_timer<wheel>,
/// closure_timer<.., wheel>.
template <class Lock, class Geometry = linux_geometry, class Storage = wheel_storage<Geometry>,
          class Population = uncounted>
class wheel : private Storage, public Population {
    using irq_state = decltype(Lock::irq_save());

public:
    /// @{ As the function of tickwheel.h.
    jiffies_t jiffies()
    {
        return clock().jiffies;
    }

    uint64_t get_jiffies_64()
    {
        // The count first: when the runner passes a half-wrap between the two reads, the newer tick still lies less
        // than 2^31 after the half that was read (I9). The tick after `jiffies` is never before the block.
        const uint32_t half_wraps = clock().half_wraps;
        const jiffies_t tomorrow = clock().jiffies + 1;
        const uint32_t upper = (half_wraps + ((half_wraps ^ tomorrow >> 31) & 1)) >> 1;
        return (static_cast<uint64_t>(upper) << 32 | tomorrow) - 1;
    }

    int tick()
    {
        return advance(1);
    }

    int advance(uint32_t ticks)
    {
        if (TICKWHEEL_DEBUG) {
            check_caller<Lock>(0);
        }
        // Reported and counted: the ticks have passed.
        (void)reported(checks::fault_of_advance(clock(), ticks), nullptr);
        // Count, then look, both volatile: an interrupt between the two that arms for the tick just counted
        // lowers `next` before it is looked at; one that arms for a later tick is seen by that tick (F7).
        const jiffies_t now = clock().jiffies + ticks;
        clock().jiffies = now;
        return tickwheel_time_after_eq(now, clock().next);
    }

    int mod_timer(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        return refused_arm(timer, expires, irq) ? 0 : modify(timer, expires, irq);
    }

    void add_timer(timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (refused_arm(timer, timer == nullptr ? 0 : timer->expires, irq)) {
            return;
        }
        if (pending(timer)) {
            Lock::irq_restore(irq);
            if (TICKWHEEL_DEBUG) {
                tickwheel_bug("tickwheel_add_timer: pending", timer);
            }
            return;
        }
        modify(timer, timer->expires, irq);
    }

    int mod_timer_idle(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        // Arming after a shutdown is no misuse here: a timer that re-arms itself relies on it.
        if (refused_arm(timer, expires, irq, false)) {
            return 0;
        }
        if (pending(timer)) {
            Lock::irq_restore(irq);
            return 1;
        }
        return modify(timer, expires, irq);
    }

    int mod_timer_pending(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        if (refused_arm(timer, expires, irq, false)) {
            return 0;
        }
        if (!pending(timer)) {
            Lock::irq_restore(irq);
            return 0;
        }
        return modify(timer, expires, irq);
    }

    int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        if (refused_arm(timer, expires, irq)) {
            return 0;
        }
        // In this order the stretch is the shorter for a timer that moves.
        if (!tickwheel_time_before(expires, timer->expires) && pending(timer)) {
            Lock::irq_restore(irq);
            return 1;
        }
        return modify(timer, expires, irq);
    }

    int timer_delete(timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (refused(checks::fault_of_timer(lists(), timer), timer, irq)) {
            return 0;
        }
        if (!pending(timer)) {
            Lock::irq_restore(irq);
            return 0;
        }
        lists().remove(timer);
        Population::leave();
        Lock::irq_restore(irq);
        return 1;
    }

    [[gnu::noinline]] int try_to_del_timer_sync(timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (refused(checks::fault_of_timer(lists(), timer), timer, irq)) {
            return 0;
        }
        const int deleted = lists().running == timer ? -1 : timer_delete(timer);
        Lock::irq_restore(irq);
        return deleted;
    }

    int timer_delete_sync(timer_list *timer)
    {
        const int deleted = try_to_del_timer_sync(timer);
        (void)reported(checks::fault_of_sync(deleted), timer);
        return deleted;
    }

    int timer_shutdown(timer_list *timer)
    {
        // No lock: from this store on nobody arms it, so the deletion finds its last state.
        return shut_down(timer) ? timer_delete(timer) : 0;
    }

    int timer_shutdown_sync(timer_list *timer)
    {
        return shut_down(timer) ? timer_delete_sync(timer) : 0;
    }

    static int timer_pending(const timer_list *timer)
    {
        if (reported(checks::fault_of_pointer(timer), timer)) {
            return 0;
        }
        return *const_cast<timer_list *const volatile *>(&timer->prev) != nullptr;
    }

    unsigned interrupt()
    {
        return tick() ? run() : 0;
    }

    unsigned run()
    {
        return run_budget(~0u);
    }

    unsigned run_budget(unsigned budget)
    {
        wheel_clock &time = clock();
        wheel_slots<Geometry> &list = lists();
        unsigned ran = 0;
        const auto irq = Lock::irq_save();
        if (list.running != nullptr) {
            Lock::irq_restore(irq);
            return 0;
        }
        list.running = list.runner_mark();
        bool work = due();
        while (work) {
            const jiffies_t tick = time.next;
            const unsigned slot = Geometry::tv1_slot(tick);
            // From here on an overdue arm fires in the tick after this one, so this slot only shrinks (I5).
            time.next = tick + 1;
            while (timer_list *const timer = list.first[slot]) {
                if (ran == budget) {
                    time.next = tick;
                    list.running = nullptr;
                    Lock::irq_restore(irq);
                    return ran;
                }
                if (dropped(checks::fault_of_oldest(list, slot), slot, irq)) {
                    continue;
                }
                // All that is needed of the timer is taken now: it may be freed as soon as the lock is open (I6).
                void (*const function)(timer_list *) = timer->function;
                list.remove_oldest(slot, timer);
                Population::leave();
                list.running = timer;
                Lock::irq_restore(irq);
                function(timer);
                ++ran;
                (void)Lock::irq_save();
                list.running = list.runner_mark();
            }
            const uint32_t later = list.clear(slot);
            if (later != 0) {
                time.next = tick + count_leading_zeros(later);
            } else if (slot != Geometry::tvr_mask) {
                find_next(slot | 31, irq);
            } else {
                turn_block(irq);
            }
            work = due();
            if (work) {
                Lock::irq_window(irq);
            }
        }
        list.running = nullptr;
        Lock::irq_restore(irq);
        return ran;
    }

    int next_expiry(jiffies_t *expires)
    {
        if (reported(checks::fault_of_pointer(expires), nullptr)) {
            return 0;
        }
        // The lock is open but for the reading of a timer. The result counts only if no list has changed (I8).
        for (unsigned looks = 0; looks < most_looks; ++looks) {
            candidate best(clock().block);
            mark_unchanged(best);
            look seen = look_into_tv1(best);
            for (level row = Geometry::tv2(); row.exists() && seen != look::overtaken; row = row.above()) {
                const look here = look_into_row(row, best);
                seen = here == look::nothing ? seen : here;
            }
            const locked lock;
            if (seen != look::overtaken && lists().changed_by == &best) {
                if (seen == look::something) {
                    *expires = best.tick;
                }
                return seen == look::something;
            }
        }
        // Interrupts change lists faster than they can be walked. No timer is earlier than `next` (I3), but in the
        // tick that is being run, which is the one before it (I5).
        const locked lock;
        *expires = clock().next - (lists().running != nullptr ? 1 : 0);
        return 1;
    }

    int next_event(jiffies_t *tick)
    {
        if (reported(checks::fault_of_pointer(tick), nullptr)) {
            return 0;
        }
        const locked lock;
        const jiffies_t block = clock().block;
        if (lists().running != nullptr && clock().next == block) {
            // A cascade may be under way, and its timers may fire in the block's first tick.
            *tick = block;
            return 1;
        }
        // The mark of a slot that is empty is cleared. It is a constant number of attempts, so the last one believes
        // it.
        for (unsigned attempt = 1;; ++attempt) {
            jiffies_t distance = 0;
            const unsigned slot = nearest_mark(block, distance);
            if (slot == Geometry::slot_count) {
                return 0;
            }
            if (lists().first[slot] != nullptr || attempt == most_attempts) {
                *tick = block + distance;
                return 1;
            }
            (void)lists().clear(slot);
        }
    }

    void init(jiffies_t start)
    {
        wheel_slots<Geometry> &list = lists();
        if (reported(checks::fault_of_init(list), nullptr) || list.running != nullptr) {
            return;
        }
        // Volatile, or a compiler makes a call of memset of it.
        for (timer_list *volatile &oldest : list.first) {
            oldest = nullptr;
        }
        for (shared_word &word : list.map) {
            word = 0;
        }
        clock() = wheel_clock::at(start, Geometry::tvr_mask);
        Population::empty();
    }
    /// @}

    /// Debug builds: what is wrong with setting this timer up. Null: nothing, and always with TICKWHEEL_DEBUG=0.
    const char *fault_of_setup(const timer_list *timer)
    {
        const locked lock;
        return checks::fault_of_setup(lists(), timer);
    }

private:
#if TICKWHEEL_DEBUG
    using checks = list_checks<Geometry, wheel_clock, wheel_slots<Geometry>>;
#else
    using checks = no_checks;
#endif
    using Storage::clock;
    using Storage::lists;
    using level = typename Geometry::level;

    /// The lock, for a block of code.
    class locked {
    public:
        [[gnu::always_inline]] locked() : state(Lock::irq_save())
        {
        }
        [[gnu::always_inline]] ~locked()
        {
            Lock::irq_restore(state);
        }
        locked(const locked &) = delete;
        locked &operator=(const locked &) = delete;

    private:
        irq_state state;
    };

    static bool pending(const timer_list *timer)
    {
        return timer->prev != nullptr;
    }

    // A lock may have a check_caller() that reports a context which it does not keep out; it does so by itself
    // wherever it is taken, and a tick does not take it.
    template <class L>
    static auto check_caller(int) -> decltype(L::check_caller())
    {
        L::check_caller();
    }
    template <class L>
    static void check_caller(long)
    {
    }

    // Debug builds: reports a fault, unless it is null. Called with the lock open. Returns true if there was one.
    static bool reported(const char *fault, const timer_list *timer)
    {
        // At -O0 no call of tickwheel_bug() may stay where the checks are not built in.
        if (TICKWHEEL_DEBUG && fault != nullptr) {
            tickwheel_bug(fault, timer);
        }
        return fault != nullptr;
    }
    // The same with the lock held. Releases it if there was a fault.
    static bool refused(const char *fault, const timer_list *timer, irq_state irq)
    {
        if (fault != nullptr) {
            Lock::irq_restore(irq);
        }
        return reported(fault, timer);
    }
    bool refused_arm(const timer_list *timer, jiffies_t expires, irq_state irq, bool from_idle = true)
    {
        return refused(checks::fault_of_arm(clock(), lists(), timer, expires, from_idle), timer, irq);
    }
    // The same of a slot, which is empty afterwards: nobody knows where its links lead. Returns with the lock held.
    bool dropped(const char *fault, unsigned slot, irq_state irq)
    {
        if (fault != nullptr) {
            const timer_list *const oldest = drop(slot);
            Lock::irq_restore(irq);
            (void)reported(fault, oldest);
            (void)Lock::irq_save();
        }
        return fault != nullptr;
    }
    const timer_list *drop(unsigned slot)
    {
        const timer_list *const oldest = lists().first[slot];
        lists().first[slot] = nullptr;
        lists().changed_by = oldest;
        return oldest;
    }

    // False if there is no timer.
    static bool shut_down(timer_list *timer)
    {
        if (reported(checks::fault_of_pointer(timer), timer)) {
            return false;
        }
        *static_cast<volatile uint8_t *>(&timer->set_up) = 0;
        return true;
    }

    bool due()
    {
        return tickwheel_time_after_eq(clock().jiffies, clock().next);
    }

    // Entered with the lock held, left with it as `irq` says.
    [[gnu::noinline]] int modify(timer_list *timer, jiffies_t expires, irq_state irq)
    {
        int was_pending = 0;
        const timer_list *broken = nullptr;
        bool queue = timer->set_up;
        if (queue && __builtin_expect(pending(timer), 0)) {
            was_pending = 1;
            queue = timer->expires != expires;
            if (queue) {
                lists().unlink(timer);
            }
        } else if (queue && !Population::enter()) {
            was_pending = -1;
            queue = false;
        }
        if (queue) {
            broken = enqueue(timer, expires);
        }
        Lock::irq_restore(irq);
        if (broken != nullptr) {
            (void)reported(checks::overwritten_links, broken);
        }
        return was_pending;
    }

    // Debug builds: the oldest timer of the slot when the slot had to be dropped, else null.
    [[gnu::always_inline]] const timer_list *enqueue(timer_list *timer, jiffies_t expires)
    {
        timer->expires = expires;
        const jiffies_t block = clock().block;
        const jiffies_t distance = expires - block;
        // Signed: one compare sets apart all that wants a closer look. What is 2^8 to 2^31 - 1 ticks ahead of the
        // block is no earlier than `next` (I3), so it fires in its own tick, also when that is past.
        const bool upper = static_cast<int32_t>(distance) >= static_cast<int32_t>(Geometry::tvr_size);
        const unsigned slot =
            __builtin_expect(upper, 1) ? Geometry::upper_slot(expires, distance) : near_slot(expires);
        const timer_list *const broken = checks::fault_of_youngest(lists(), slot) == nullptr ? nullptr : drop(slot);
        lists().append(slot, timer);
        return broken;
    }

    // The slot for a tick of the current block, for one before it, and for one that is 2^31 ticks or more after its
    // start. Lowers `next` to what it returns a slot of tv1 for.
    [[gnu::always_inline]] unsigned near_slot(jiffies_t expires)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        const jiffies_t now = time.jiffies;
        const jiffies_t next = time.next;
        const jiffies_t distance = expires - block;
        // Past or future is measured from `jiffies`: a block that lags makes the far future look past (F5, F6).
        const int32_t behind = static_cast<int32_t>(now - expires);
        if (behind >= 0) {
            // It fires in max(expires, timer_jiffies), timer_jiffies = min(next, jiffies + 1). The lag is less than
            // 2^31, since so many ticks are never counted and not run, and more than -2^8 (I3).
            const int32_t lag = static_cast<int32_t>(now - next);
            if (lag < 0) {
                expires = now + 1;
                time.next = expires;
            } else if (behind > lag) {
                expires = next;
            }
            const jiffies_t clamped = expires - block;
            if (clamped < Geometry::tvr_size) {
                return clamped;
            }
            // The first tick of the next block, or one that is 2^31 ticks after a block which lags as much.
            return clamped == Geometry::tvr_size ? Geometry::tv2().slot(expires) : far_slot(expires, clamped);
        }
        if (distance >= Geometry::tvr_size) {
            return far_slot(expires, distance);
        }
        if (distance < next - block) {
            time.next = expires;
        }
        return distance;
    }

    // The same as upper_slot for a distance of 2^31 or more, of which the compiler is told.
    static unsigned far_slot(jiffies_t expires, jiffies_t distance)
    {
        return Geometry::upper_slot(expires, distance | jiffies_t{1} << 31);
    }

    // Sets `next` to the first occupied tick of the block after `slot`, the last one of a word of the bitmap (~0:
    // from the first on). A word at a time: while the lock is open `next` is the first tick of the next word, and an
    // arm lowers it or leaves its bit ahead.
    [[gnu::noinline]] void find_next(unsigned slot, irq_state irq)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        while (++slot != Geometry::tvr_size) {
            time.next = block + slot;
            Lock::irq_window(irq);
            if (time.next != block + slot) {
                return;
            }
            const uint32_t bits = lists().map[slot / 32];
            if (bits != 0) {
                time.next = block + slot + count_leading_zeros(bits);
                return;
            }
            slot |= 31;
        }
        time.next = block + Geometry::tvr_mask;
    }

    // Ends a block of which every tick is done, tv1 being empty (I4): moves the block on, past empty ones at once,
    // and brings the timers of the new one down. Once in tvr_size ticks, and kept out of the way of the others.
    [[gnu::noinline]] void turn_block(irq_state irq)
    {
        wheel_clock &time = clock();
        // There is one runner, so its mark tells whether a list has changed (I8).
        const void *const token = lists().runner_mark();
        lists().changed_by = token;
        jiffies_t ahead = Geometry::tvr_size;
        bool nothing_between = false;
        // Below 2^31 + tvr_size: what has been counted and not run, and the block.
        const jiffies_t behind = time.jiffies + 1 - time.block;
        if (behind >= 2 * Geometry::tvr_size) {
            const jiffies_t owed = behind & ~jiffies_t{Geometry::tvr_mask};
            // The search is long, so the lock is open meanwhile. When a list has changed, one block is right anyway.
            Lock::irq_restore(irq);
            const jiffies_t empty = distance_to_cascade(time.block);
            (void)Lock::irq_save();
            if (lists().changed_by == token) {
                ahead = empty < owed ? empty : owed;
                nothing_between = empty > owed;
            }
        }
        move_block(ahead);
        const jiffies_t block = time.block;
        time.next = block;
        // Nearer levels first, and each list from its tail to the front of the slots below: a timer of an upper level
        // is older than any of the same tick in a lower one, also than one that an interrupt arms meanwhile (I7).
        for (level row = Geometry::tv2(); row.exists() && !nothing_between; row = row.above()) {
            Lock::irq_window(irq);
            const unsigned slot = row.slot(block);
            if (lists().marked(slot)) {
                cascade(row, slot, block, irq);
            }
            if (slot != row.first_slot) {
                break;
            }
        }
        if (lists().changed_by == token) {
            lists().changed_by = nullptr;
            time.next = block + Geometry::tvr_mask;
        } else {
            find_next(~0u, irq);
        }
    }

    void move_block(jiffies_t ticks)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        time.block = block + ticks;
        // A flip of the top bit: blocks move by less than 2^31 + tvr_size ticks, so there is never a second one.
        if ((block ^ (block + ticks)) >> 31 != 0) {
            time.half_wraps = time.half_wraps + 1;
        }
    }

    void cascade(level row, unsigned slot, jiffies_t block, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        for (timer_list *oldest = list.first[slot]; oldest != nullptr; oldest = list.first[slot]) {
            if (dropped(checks::fault_of_youngest(list, slot), slot, irq)) {
                continue;
            }
            timer_list *const timer = list.remove_youngest(slot, oldest);
            const jiffies_t distance = timer->expires - block;
            // Out of tv2 all goes to tv1: what is further away can only be overdue since it was armed, in the last
            // tick of the block before, and is due in the first of this one.
            unsigned below = 0;
            if (distance < Geometry::tvr_size) {
                below = distance;
            } else if (row.shift != Geometry::tv2().shift) {
                below = Geometry::upper_slot(timer->expires, distance);
            }
            const timer_list *const broken = checks::fault_of_oldest(list, below) == nullptr ? nullptr : drop(below);
            list.prepend(below, timer);
            Lock::irq_window(irq);
            if (broken != nullptr) {
                Lock::irq_restore(irq);
                (void)reported(checks::overwritten_links, broken);
                (void)Lock::irq_save();
            }
        }
        list.clear(slot);
    }

    // From a block to the next one at which an occupied slot of tv2 or above cascades. Most rows are empty most of
    // the time: that is found out in line.
    template <unsigned Number = 2>
    [[gnu::always_inline]] jiffies_t distance_to_cascade(jiffies_t block)
    {
        constexpr level row = Geometry::template tv<Number>();
        if constexpr (row.exists()) {
            const jiffies_t above = distance_to_cascade<Number + 1>(block);
            const jiffies_t here = lists().any(row) ? distance_to_cascade(row, block) : ~jiffies_t{0};
            return here < above ? here : above;
        } else {
            return ~jiffies_t{0};
        }
    }
    jiffies_t distance_to_cascade(level row, jiffies_t block)
    {
        const unsigned steps = lists().steps_to_occupied(row, row.slot(block));
        return steps == 0 ? ~jiffies_t{0} : distance_to_slot(row.shift, block, steps);
    }

    // The marked slot with the earliest event, and the ticks from the block to it; slot_count when no slot is marked.
    // A slot of tv1 has its event in its tick. A slot of an upper level cascades in the first tick that it covers.
    unsigned nearest_mark(jiffies_t block, jiffies_t &distance)
    {
        // All marks of tv1 are of the block (I4), which ends before the first cascade.
        unsigned nearest = lists().occupied(0);
        distance = nearest;
        if (nearest != Geometry::tvr_size) {
            return nearest;
        }
        nearest = Geometry::slot_count;
        distance = ~jiffies_t{0};
        for (level row = Geometry::tv2(); row.exists(); row = row.above()) {
            const unsigned own = row.slot(block);
            const unsigned steps = lists().steps_to_occupied(row, own);
            const jiffies_t here = steps == 0 ? ~jiffies_t{0} : distance_to_slot(row.shift, block, steps);
            if (here < distance) {
                distance = here;
                nearest = row.first_slot + ((own - row.first_slot + steps) & (row.size() - 1));
            }
        }
        return nearest;
    }

    // From a block to the start of the slot that lies `steps` slots after its own. A whole turn of tv5 from the start
    // of its slot would give 0; but such a slot is empty (I4).
    static jiffies_t distance_to_slot(unsigned shift, jiffies_t block, unsigned steps)
    {
        return (((block >> shift) + steps) << shift) - block;
    }

    // How many marks next_event looks behind.
    static constexpr unsigned most_attempts = 4;

    // So often next_expiry looks for the exact answer.
    static constexpr unsigned most_looks = 16;

    // What a walk of next_expiry has come to.
    enum class look { nothing, something, overtaken };

    struct candidate {
        explicit candidate(jiffies_t from) : block(from)
        {
        }
        jiffies_t block;
        // Of the earliest tick seen so far from the block, and the tick.
        jiffies_t distance = ~jiffies_t{0};
        jiffies_t tick = 0;
    };

    // changed_by holds the address of the search's own candidate until a list changes (I8). Two searches at a time
    // have two candidates, so neither takes the other's mark for its own.
    void mark_unchanged(const candidate &best)
    {
        const locked lock;
        lists().changed_by = &best;
    }

    look look_into_tv1(candidate &best)
    {
        look seen = look::nothing;
        for (unsigned slot = 0; seen == look::nothing; ++slot) {
            slot = lists().occupied(slot);
            if (slot == Geometry::tvr_size) {
                break;
            }
            seen = look_into_slot(0, slot, slot, best);
        }
        return seen;
    }

    // The slots of a row, in the order in which they cascade.
    look look_into_row(level row, candidate &best)
    {
        const unsigned own = row.slot(best.block);
        // A block at the start of its own slot: what is in there a cascade under way below the caller has still to
        // bring down. Elsewhere it is a whole turn away, the last to be looked at.
        const bool at_start = best.block >> row.shift << row.shift == best.block;
        unsigned steps = at_start ? 0 : lists().steps_to_occupied(row, own);
        look seen = look::nothing;
        while (steps != 0 || at_start) {
            const jiffies_t start = distance_to_slot(row.shift, best.block, steps);
            if (start >= best.distance) {
                break;
            }
            const unsigned slot = row.first_slot + ((own - row.first_slot + steps) & (row.size() - 1));
            const look here = look_into_slot(row.shift, slot, start, best);
            seen = here == look::nothing ? seen : here;
            // Later slots hold later timers. But beyond the range both may hold the nearest.
            if (seen == look::overtaken || (seen == look::something && !row.beyond())) {
                break;
            }
            const unsigned more = lists().steps_to_occupied(row, slot);
            steps += more;
            if (more == 0 || steps + at_start > row.size()) {
                break;
            }
        }
        return seen;
    }

    look look_into_slot(unsigned shift, unsigned slot, jiffies_t start, candidate &best)
    {
        look seen = look::nothing;
        const timer_list *timer = lists().oldest_of(slot);
        const timer_list *older = nullptr;
        while (timer != nullptr) {
            jiffies_t tick = 0;
            bool deferrable = false;
            const timer_list *younger = nullptr;
            const char *fault = nullptr;
            {
                const locked lock;
                if (lists().changed_by != &best) {
                    return look::overtaken;
                }
                fault = checks::fault_of_step(lists(), timer, older, slot);
                if (fault == nullptr) {
                    tick = timer->expires;
                    deferrable = timer->deferrable;
                    younger = timer->next;
                }
            }
            if (reported(fault, timer)) {
                break;
            }
            older = timer;
            timer = younger;
            if (!deferrable) {
                const jiffies_t offset = tick - best.block - start;
                if (shift == 0 || (shift == Geometry::tv2().shift && offset >= Geometry::tvr_size)) {
                    // Overdue, perhaps: it fires in the tick of its slot. All of a slot of tv1 fire in one.
                    tick = best.block + start;
                    timer = shift == 0 ? nullptr : younger;
                }
                // Before the slot: further than 2^32 - 1 ticks from a lagging block.
                const jiffies_t distance = tick - best.block < start ? ~jiffies_t{0} : tick - best.block;
                if (distance <= best.distance) {
                    best.distance = distance;
                    best.tick = tick;
                }
                seen = look::something;
            }
        }
        return seen;
    }
};

/// The geometry of the wheel behind the C face.
using default_geometry = geometry<TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS>;

} // namespace tickwheel

/// The state of the wheel behind the C face, for debuggers and tests. `jiffies` is the clock's first word.
extern "C" {
extern tickwheel::wheel_clock tickwheel_clock;
extern tickwheel::wheel_slots<tickwheel::default_geometry> tickwheel_slots;
}

#endif
