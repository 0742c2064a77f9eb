// SPDX-License-Identifier: MIT
/// @file
/// The highest one bit of a word, and the roundest tick of a range.
#ifndef TICKWHEEL_BITS_HPP
#define TICKWHEEL_BITS_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>

namespace tickwheel
{

/// How many zero bits stand above the highest one bit; `bits` must not be 0.
constexpr unsigned count_leading_zeros(uint32_t bits)
{
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__) || defined(__riscv_zbb) || \
    (defined(__ARM_FEATURE_CLZ) && !defined(__ARM_ARCH_8M_BASE__))
    return static_cast<unsigned>(__builtin_clz(bits));
#else
    // Without a clz instruction __builtin_clz calls __clzsi2 of libgcc. v8-M Baseline has none, though clang
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
    // has a 1, since it is the later one: all bits below it become 0. Across the wrap that bit is bit 31, and the
    // result is tick 0.
    return last & ~(~jiffies_t{0} >> 1 >> count_leading_zeros((first - 1) ^ last));
}

} // namespace tickwheel

#endif
