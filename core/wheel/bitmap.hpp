// SPDX-License-Identifier: MIT
// The marks of a wheel: one bit for each slot, by which the searches find the next timer.
#ifndef TICKWHEEL_BITMAP_HPP
#define TICKWHEEL_BITMAP_HPP

#include <stdint.h>

#include <tickwheel/bits.hpp>
#include <tickwheel/lock.hpp>

#include "geometry.hpp"

/// A small core, of Armv6-M or Armv8-M Baseline: it has no clz, and most instructions reach only r0 to r7.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TICKWHEEL_SMALL_CORE 1
#else
#define TICKWHEEL_SMALL_CORE 0
#endif

namespace tickwheel
{

/// The lowest slot of a word is its highest bit. A mark is 0 only if the slot is empty (I2).
template <class Geometry>
struct bitmap {
    static_assert(levels_fit_words<Geometry>(), "no level lies in a part of two words");
    /// Searches read the words with the lock open. Each access is one load.
    shared_word words[Geometry::bitmap_words];

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
    unsigned steps_to_next_mark(Level lv, unsigned index) const
    {
        const unsigned size_in_words = (lv.size() + 31) / 32;
        unsigned word = index / 32;
        // First the marks after the slot in its word, then the other words, then all of its word.
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
        // The instruction takes its count modulo 32. The compilers would reduce the count a second time, in every
        // arm of an empty slot. In Thumb-1 the instruction reaches only low registers.
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

} // namespace tickwheel

#endif
