// SPDX-License-Identifier: MIT
// One mark for each slot. The runner and next_event find the next timer by the marks, without walking a list.
#ifndef TICKWHEEL_BITMAP_HPP
#define TICKWHEEL_BITMAP_HPP

#include <stdint.h>

#include <tickwheel/geometry.hpp>
#include <tickwheel/shared_word.hpp>

/// A core that is built for little: no clz, eight registers that most instructions reach, short offsets.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TICKWHEEL_SMALL_CORE 1
#else
#define TICKWHEEL_SMALL_CORE 0
#endif

namespace tickwheel
{

/// How many zero bits stand above the highest one bit; `bits` must not be 0.
constexpr unsigned count_leading_zeros(uint32_t bits)
{
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__) || defined(__riscv_zbb) || \
    (defined(__ARM_FEATURE_CLZ) && !defined(__ARM_ARCH_8M_BASE__))
    return static_cast<unsigned>(__builtin_clz(bits));
#else
    // Without a clz instruction __builtin_clz calls __clzsi2 of libgcc. v8-M Baseline has none, though clang 14
    // defines __ARM_FEATURE_CLZ for it. A loop would take 60 instructions more.
    unsigned count = 0;
    if (bits >> 16 == 0) {
        bits <<= 16;
        count += 16;
    }
    if (bits >> 24 == 0) {
        bits <<= 8;
        count += 8;
    }
    if (bits >> 28 == 0) {
        bits <<= 4;
        count += 4;
    }
    if (bits >> 30 == 0) {
        bits <<= 2;
        count += 2;
    }
    return count + (bits >> 31 ^ 1);
#endif
}

/// The tick of [first, last] with the most trailing zero bits. `first` is not after `last`.
constexpr jiffies_t roundest_tick(jiffies_t first, jiffies_t last)
{
    // Above the highest bit in which they differ, `last` and the tick before `first` are equal. In that bit `last`
    // has a 1, since it is the later one: all bits below it become 0. Across the wrap it is bit 31, and tick 0 comes
    // out.
    return last & ~(~jiffies_t{0} >> 1 >> count_leading_zeros((first - 1) ^ last));
}

/// The lowest slot of a word is its highest bit. A mark is 0 only if the slot is empty (I2).
template <class Geometry>
struct bitmap {
    /// Searches read the words with the lock open. Each access is one load.
    shared_word words[Geometry::map_words];

    /// Called when a slot gets its first timer.
    void mark(unsigned slot)
    {
        words[slot / 32] = words[slot / 32] | bit(slot);
    }

    /// Clears the mark of an empty slot.
    [[gnu::always_inline]] void clear_mark(unsigned slot)
    {
        words[slot / 32] = words[slot / 32] & ~bit(slot);
    }

    /// The marks of the slots after this one in its word, with the slot's own bit, which is 0, as bit 31.
    uint32_t marks_after(unsigned slot) const
    {
        return words[slot / 32] << slot % 32 & ~0u >> 1;
    }

    /// Never false while the slot holds a timer.
    bool is_marked(unsigned slot) const
    {
        // Testing the sign takes one instruction less than testing a bit.
        return static_cast<int32_t>(words[slot / 32] << slot % 32) < 0;
    }

    /// The first marked slot of tv1 that is not below `slot`; tvr_size when there is none.
    unsigned first_marked_from(unsigned slot) const
    {
        uint32_t above = ~0u >> slot % 32;
        for (unsigned word = slot / 32; word < Geometry::tvr_size / 32; ++word) {
            const uint32_t bits = words[word] & above;
            if (bits != 0) {
                return word * 32 + count_leading_zeros(bits);
            }
            above = ~0u;
        }
        return Geometry::tvr_size;
    }

    /// The steps from `slot` to the next marked slot of its level, past the end of the level and around. The level's
    /// size means the slot itself. 0 means that no slot is marked.
    template <class Level>
    unsigned marked_after(Level lv, unsigned slot) const
    {
        const unsigned place = slot % 32;
        const unsigned first_word = lv.first_slot / 32;
        // First the rest of the slot's own word, then the level's other words, then its own word from the start.
        uint32_t own = words[slot / 32];
        if (lv.size() < 32) {
            own &= ~0u << (32 - lv.size()) >> lv.first_slot % 32;
        }
        uint32_t bits = own & ~0u >> 1 >> place;
        unsigned steps = 0 - place;
        for (unsigned word = 1; bits == 0 && word < lv.size() / 32; ++word) {
            // A level of several words begins at a multiple of 32 slots.
            bits = words[first_word + ((slot / 32 - first_word + word) & (lv.size() / 32 - 1))];
            steps += 32;
            // Otherwise GCC counts by `steps`, and `make masked` finds no constant that ends the loop.
            __asm__("" : "+r"(word));
        }
        if (bits == 0) {
            bits = own;
            steps = lv.size() - place;
        }
        return bits == 0 ? 0 : steps + count_leading_zeros(bits);
    }

private:
    static uint32_t bit(unsigned slot)
    {
#if defined(__arm__)
        // The instruction takes its count modulo 32. The compilers do that once more, which every arm of an empty
        // slot would pay.
        uint32_t rotated = 1u << 31;
        __asm__(".syntax unified\n\trors %0, %0, %1" : "+l"(rotated) : "l"(slot) : "cc");
        return rotated;
#else
        return 1u << 31 >> slot % 32;
#endif
    }
};

} // namespace tickwheel

#endif
