// SPDX-License-Identifier: MIT
// One mark a slot: the runner, the jump and a sleeper find the next timer by the marks, without walking lists.
#ifndef TICKWHEEL_BITMAP_HPP
#define TICKWHEEL_BITMAP_HPP

#include <stdint.h>

#include <tickwheel/geometry.hpp>
#include <tickwheel/shared_word.hpp>

namespace tickwheel
{

/// How many zero bits stand above the highest one bit; `bits` must not be 0.
constexpr unsigned count_leading_zeros(uint32_t bits)
{
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__) || defined(__riscv_zbb) || \
    (defined(__ARM_FEATURE_CLZ) && !defined(__ARM_ARCH_8M_BASE__))
    return static_cast<unsigned>(__builtin_clz(bits));
#else
    // Without the instruction __builtin_clz asks for __clzsi2 of libgcc. Clang 14 says that v8-M Baseline has it.
    unsigned count = 0;
    for (unsigned half = 16; half != 0; half /= 2) {
        if (bits >> (32 - half) == 0) {
            bits <<= half;
            count += half;
        }
    }
    return count;
#endif
}

/// The lowest slot of a word is its highest bit. A mark is 0 only if the slot is empty (I2). It may be stale: a
/// removal leaves it, and the runner clears it in passing.
template <class Geometry>
struct bitmap {
    using level = typename Geometry::level;

    /// Searches read them with the lock open, so each access is one load.
    shared_word words[Geometry::map_words];

    /// The slot got its first timer.
    void mark(unsigned slot)
    {
        words[slot / 32] = words[slot / 32] | bit(slot);
    }

    /// The slot is empty. Returns the rest of its word, with the slot's own bit as bit 31.
    uint32_t clear_mark(unsigned slot)
    {
        const uint32_t bits = words[slot / 32] & ~bit(slot);
        words[slot / 32] = bits;
        return bits << slot % 32;
    }

    /// Never false while the slot holds a timer.
    bool is_marked(unsigned slot) const
    {
        // As a sign: an instruction less than by the bit's mask.
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

    /// False only if a level is empty. It has one word or two, or shares one.
    bool level_has_mark(level lv) const
    {
        return (words[lv.first_slot / 32] | words[(lv.end() - 1) / 32]) != 0;
    }

    /// How many slots after `slot` the next marked one of its level lies, around the end of the level. 1 to the
    /// level's size, which is the slot itself; 0 when there is none.
    unsigned marked_after(level lv, unsigned slot) const
    {
        const unsigned word = slot / 32;
        const unsigned place = slot % 32;
        // First the rest of the slot's own word, then the level's other word, then the own word from its start.
        uint32_t own = words[word];
        if (lv.size() < 32) {
            own &= ~0u << (32 - lv.size()) >> lv.first_slot % 32;
        }
        uint32_t bits = own & ~0u >> 1 >> place;
        unsigned steps = 0 - place;
        if (bits == 0 && lv.size() > 32) {
            bits = words[2u * (lv.first_slot / 32) + 1 - word];
            steps += 32;
        }
        if (bits == 0) {
            bits = own;
            steps = lv.size() - place;
        }
        return bits == 0 ? 0 : steps + count_leading_zeros(bits);
    }

private:
    static constexpr uint32_t bit(unsigned slot)
    {
        return 1u << 31 >> slot % 32;
    }
};

} // namespace tickwheel

#endif
