// SPDX-License-Identifier: MIT
// Random numbers, the same in every run: an xorshift of 32 bits.
#ifndef TICKWHEEL_BENCH_RANDOM_HPP
#define TICKWHEEL_BENCH_RANDOM_HPP

#include <stdint.h>

namespace bench
{

/// Any value but 0.
inline uint32_t random_state = 2463534242;

inline uint32_t random()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/// From `from` to `to`, both included.
inline uint32_t random(uint32_t from, uint32_t to)
{
    return from + random() % (to - from + 1);
}

} // namespace bench

#endif
