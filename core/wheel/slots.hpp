// SPDX-License-Identifier: MIT
// The slots of a wheel: FIFO lists with a head of one word. Only this file changes lists, and debug.hpp
// after an overwrite. Each call takes constant time and needs the lock, but for reset() and oldest_of().
//
//   first[s] -> oldest -> ... -> youngest -> null     (next)
//               oldest->prev == youngest              (prev of the others: the next older timer)
//
// An empty slot is a null word. Slots of zeros are therefore valid: they lie in .bss, and work before any constructor
// has run.
#ifndef TICKWHEEL_SLOTS_HPP
#define TICKWHEEL_SLOTS_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>
#include <tickwheel/tickwheel.h>

#include "geometry.hpp"

/// A small core, of Armv6-M or Armv8-M Baseline: it has no clz, and most instructions reach only r0 to r7.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TICKWHEEL_SMALL_CORE 1
#else
#define TICKWHEEL_SMALL_CORE 0
#endif

namespace tickwheel
{

/// The time of a wheel. It is constant-initialised, and the only part of a wheel that is not zero at reset.
struct wheel_clock {
    /// Ticks counted. Only tick, advance and init write it.
    shared_word jiffies;
    /// No later than the next tick with work, nor than the last tick of the block (I3).
    shared_word next_run;
    /// The first tick that tv1 must not take: a turn after the last tick that was begun, and at least two blocks
    /// after the first tick of the current block. Only the runner writes it, and it only grows (I4).
    jiffies_t tv1_end;
    /// The first tick of the next block. The upper levels are measured from here. The current block is the one
    /// before.
    jiffies_t base;
    /// How often the top bit of the block's ticks has changed, counting from tick 0; its lowest bit is that top bit
    /// (I9).
    shared_word half_wraps;

    /// The clock of an empty wheel that has counted up to `start`.
    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t base = ((start + 1) | block_mask) + 1;
        return {start, base - 1, base + block_mask + 1, base, (start >> 31) + ((start ^ (start + 1)) >> 31)};
    }

    /// True when the runner has work: its next event is a tick that was counted.
    bool due() const
    {
        return tickwheel_time_after_eq(jiffies, next_run);
    }

    /// The tick in 64 bits, from any context. It takes no lock.
    uint64_t jiffies_64() const
    {
        // The half-wraps are read first. If the runner passes another one before the tick is read, the tick is in the
        // half that was read or in the next one (I9). The tick after `jiffies` is never before the block.
        const uint32_t halves = half_wraps;
        const jiffies_t upcoming = jiffies + 1;
        const uint32_t upper = (halves + ((halves ^ upcoming >> 31) & 1)) >> 1;
        return (static_cast<uint64_t>(upper) << 32 | upcoming) - 1;
    }

    /// The block moves on by `ticks`, a whole number of blocks, at most 2^31. Its top bit flips at most once.
    void move_block(jiffies_t ticks, jiffies_t block_mask)
    {
        const jiffies_t before = base;
        const jiffies_t after = before + ticks;
        base = after;
        tv1_end = after + block_mask + 1;
        if (((before - 1) ^ (after - 1)) >> 31 != 0) {
            half_wraps = half_wraps + 1;
        }
    }
};

/// The lowest slot of a word is its highest bit. A mark is 0 only if the slot is empty (I2).
template <class Geometry>
struct bitmap {
    static_assert(levels_fit_words<Geometry>(), "no level lies in a part of two words");
    /// Searches read the words with the lock open. Each access is one load.
    shared_word words[Geometry::map_words];

    /// Called when a slot gets its first timer.
    [[gnu::always_inline]] void mark(unsigned slot)
    {
        words[slot / 32] = words[slot / 32] | bit(slot);
    }

    /// Clears the mark of an empty slot. Returns the other marks of its word.
    [[gnu::always_inline]] uint32_t clear_mark(unsigned slot)
    {
        const uint32_t others = words[slot / 32] & ~bit(slot);
        words[slot / 32] = others;
        return others;
    }

    /// Never false while the slot holds a timer.
    bool is_marked(unsigned slot) const
    {
        // Testing the sign takes one instruction less than testing a bit.
        return static_cast<int32_t>(words[slot / 32] << slot % 32) < 0;
    }

    /// The steps from a slot of a level to the next marked one, past the end of the level and around. The level's
    /// size means the slot itself. 0 means that no slot is marked.
    template <class Level>
    unsigned marked_after(Level lv, unsigned index) const
    {
        const unsigned size_in_words = (lv.size() + 31) / 32;
        unsigned word = index / 32;
        // First the marks behind the slot in its word, then the other words, then all of its word.
        const uint32_t own = marks_of(lv, word);
        uint32_t bits = own & ~0u >> 1 >> index % 32;
        for (unsigned left = size_in_words - 1; bits == 0 && left != 0; --left) {
            word = (word + 1) & (size_in_words - 1);
            bits = marks_of(lv, word);
        }
        if (bits == 0) {
            word = index / 32;
            bits = own;
        }
        return bits == 0 ? 0 : ((word * 32 + count_leading_zeros(bits) - index - 1) & (lv.size() - 1)) + 1;
    }

private:
    /// A word of the marks of a level. A level of less than 32 slots lies in one word of the bitmap.
    template <class Level>
    uint32_t marks_of(Level lv, unsigned word) const
    {
        const uint32_t bits = words[lv.first_slot / 32 + word];
        return lv.size() < 32 ? bits << lv.first_slot % 32 & ~0u << (32 - lv.size()) : bits;
    }

    static uint32_t bit(unsigned slot)
    {
#if defined(__arm__)
        // The instruction takes its count modulo 32. The compilers do that once more, which every arm of an empty
        // slot would pay. In Thumb-1 it has only low registers.
        uint32_t rotated = 1u << 31;
#if TICKWHEEL_SMALL_CORE
        __asm__(".syntax unified\n\trors %0, %0, %1" : "+l"(rotated) : "l"(slot) : "cc");
#else
        __asm__(".syntax unified\n\trors %0, %0, %1" : "+r"(rotated) : "r"(slot) : "cc");
#endif
        return rotated;
#else
        return 1u << 31 >> slot % 32;
#endif
    }
};

/// Lists and marks: all zero at reset.
template <class Geometry>
struct wheel_slots {
#if !TICKWHEEL_SMALL_CORE
    /// The oldest timer of each slot. A small core reaches only 128 bytes from an address, so there it comes last.
    timer_list *first[Geometry::slot_count];
#endif
    /// Which slots may hold a timer.
    bitmap<Geometry> marks;
    /// Every change of a slot writes a timer's address here. Before a search opens the lock it writes an address of
    /// its own, and the jump that of the slots. If that address is still there later, no slot has changed (I8).
    const void *changed_by;
    /// In a run, the timer whose callback runs or is about to, or between_callbacks(). Between two runs null.
    timer_list *running;
    /// Not 0 while timers of the next block may still be above tv1.
    uint32_t coming_down;
    /// search::distance_to_work(), or null in a program that has never called advance().
    jiffies_t (*jump)(const bitmap<Geometry> &marks, jiffies_t base);
#if TICKWHEEL_SMALL_CORE
    timer_list *first[Geometry::slot_count];
#endif

    /// What `running` is in a run, between two callbacks: an address that no timer has.
    timer_list *between_callbacks()
    {
        return reinterpret_cast<timer_list *>(this);
    }

    /// `first[slot]`, for an arm. A small core keeps the address of the slots anyway, and reaches `first` by the
    /// offset of a load. For an element of an array GCC adds that offset to the number of the slot first.
    [[gnu::always_inline]] timer_list *&head(unsigned slot)
    {
        return reinterpret_cast<wheel_slots *>(reinterpret_cast<uintptr_t>(this) + slot * sizeof(uintptr_t))
            ->first[0];
    }

    /// Makes an idle timer the youngest of a slot.
    [[gnu::always_inline]] void append(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = head(slot);
        timer->slot = static_cast<uint16_t>(slot);
        changed_by = timer;
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
        changed_by = timer;
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
        first[slot] = younger;
        if (younger != nullptr) {
            younger->prev = oldest->prev;
        }
        oldest->prev = nullptr;
        changed_by = oldest;
    }

    /// Unlinks the youngest timer of a slot. `oldest` is the slot's oldest. The caller prepends it to another slot
    /// next.
    timer_list *take_youngest(unsigned slot, timer_list *oldest)
    {
        timer_list *const youngest = oldest->prev;
        // The older one of a lone timer is itself: these links are overwritten then.
        timer_list *const older = youngest->prev;
        oldest->prev = older;
        older->next = nullptr;
        if (youngest == oldest) {
            first[slot] = nullptr;
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
            head(timer->slot) = younger;
            if (younger != nullptr) {
                younger->prev = older;
            } else {
                // A stale mark would wake a sleeper in vain.
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
        timer->prev = timer;
        marks.mark(slot);
    }
};

} // namespace tickwheel

#endif
