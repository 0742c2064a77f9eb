// SPDX-License-Identifier: MIT
// The slots of a wheel: FIFO lists with a head of one word, and a bitmap of
// which are occupied. All pointer surgery of the library is here; every member
// function is called with the lock held and takes constant time.
//
//   first[s] -> oldest -> ... -> youngest -> null     (next)
//               oldest->prev == youngest              (prev, else to the next older one)
//
// An empty slot is a null word, so slots of zeros are valid: they lie in .bss
// and work before any constructor has run.
#ifndef TICKWHEEL_SLOTS_HPP
#define TICKWHEEL_SLOTS_HPP

#include <stdint.h>

#include <tickwheel/geometry.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// How many zero bits stand below the lowest one bit; `bits` must not be 0.
constexpr unsigned count_trailing_zeros(uint32_t bits)
{
#if defined(__arm__) && !defined(__ARM_FEATURE_CLZ)
    // v6-M and v8-M Baseline have no CLZ, and __builtin_ctz would ask libgcc.
    unsigned count = 0;
    for (unsigned half = 16; half != 0; half /= 2) {
        if ((bits & ((1u << half) - 1)) == 0) {
            bits >>= half;
            count += half;
        }
    }
    return count;
#else
    return static_cast<unsigned>(__builtin_ctz(bits));
#endif
}

template <class Geometry>
struct slots {
    /// The oldest timer of each slot.
    timer_list *first[Geometry::slot_count];
    /// One bit a slot: 0 only if the slot is empty (I2). A removal leaves its bit, the runner clears it in passing.
    uint32_t map[Geometry::map_words];
    /// Overwritten by every change of a list. A walk that opens the lock on its way leaves the address of a local
    /// of its own here, and knows by it whether what it has seen still holds (I8).
    const void *changed_by;

    /// The youngest timer of a slot; null when it is empty.
    timer_list *last(unsigned slot) const
    {
        timer_list *const oldest = first[slot];
        return oldest == nullptr ? nullptr : oldest->prev;
    }

    /// Makes an idle timer the youngest of a slot.
    void append(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        timer->next = nullptr;
        changed_by = timer;
        if (oldest == nullptr) {
            begin(slot, timer);
        } else {
            timer_list *const youngest = oldest->prev;
            youngest->next = timer;
            timer->prev = youngest;
            oldest->prev = timer;
        }
    }

    /// Makes an idle timer the oldest of a slot.
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
        }
    }

    /// Makes a pending timer idle.
    void remove(timer_list *timer)
    {
        timer_list *const older = timer->prev;
        timer_list *const younger = timer->next;
        timer->prev = nullptr;
        changed_by = timer;
        // Only the youngest has no next, and only the oldest has the youngest as its prev.
        if (older->next == nullptr) {
            first[timer->slot] = younger;
            if (younger != nullptr) {
                younger->prev = older;
            }
        } else {
            older->next = younger;
            (younger != nullptr ? younger : first[timer->slot])->prev = older;
        }
    }

    /// Says that a slot is empty, which it must be.
    void clear(unsigned slot)
    {
        map[slot / 32] &= ~(1u << slot % 32);
    }

    /// The first occupied slot of tv1 at or after `slot`; the last one of tv1 when there is none. May be stale.
    unsigned occupied_in_tv1(unsigned slot) const
    {
        unsigned word = slot / 32;
        uint32_t bits = map[word] & (~0u << slot % 32);
        while (bits == 0) {
            if (++word == Geometry::tvr_size / 32) {
                return Geometry::tvr_mask;
            }
            bits = map[word];
        }
        return word * 32 + count_trailing_zeros(bits);
    }

    /// How many slots after `index` the next occupied one of a level above tv1 lies, around the end of the level:
    /// 1 to its size, which means the slot itself; 0 when there is none. May be stale.
    unsigned occupied_after(unsigned level, unsigned index) const
    {
        const unsigned base = Geometry::base(level);
        if (Geometry::tvn_size == 64 && level != Geometry::beyond) {
            return steps(map[base / 32], map[base / 32 + 1], index);
        }
        // A narrower level is repeated until it fills the words: the nearest bit is the same.
        const uint32_t ones = 0xFFFFFFFFu >> (32 - Geometry::size(level));
        const uint32_t row = (map[base / 32] >> base % 32 & ones) * (0xFFFFFFFFu / ones);
        return steps(row, row, index);
    }

private:
    void begin(unsigned slot, timer_list *timer)
    {
        first[slot] = timer;
        timer->prev = timer;
        map[slot / 32] |= 1u << slot % 32;
    }

    // The place, from 1, of the lowest one bit after the 64 bits high:low are rotated right by index + 1.
    static unsigned steps(uint32_t low, uint32_t high, unsigned index)
    {
        if ((low | high) == 0) {
            return 0;
        }
        const unsigned rotation = (index + 1) % 64;
        if (rotation >= 32) {
            const uint32_t swap = low;
            low = high;
            high = swap;
        }
        // x << 1 << (31 - r) is x << (32 - r) for r of 1 to 31, and 0 for r = 0, where << 32 would be undefined.
        const unsigned part = rotation % 32;
        const uint32_t rotated_low = low >> part | high << 1 << (31 - part);
        const uint32_t rotated_high = high >> part | low << 1 << (31 - part);
        return rotated_low != 0 ? count_trailing_zeros(rotated_low) + 1 : count_trailing_zeros(rotated_high) + 33;
    }
};

} // namespace tickwheel

#endif
