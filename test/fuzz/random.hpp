// SPDX-License-Identifier: MIT
// splitmix64: every seed gives another sequence, the same on every machine.
#pragma once

#include <stdint.h>

namespace fuzz
{

inline uint64_t random_state;

inline uint32_t random_bits()
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 16);
}

inline uint32_t below(uint32_t end)
{
    return static_cast<uint32_t>(uint64_t{random_bits()} * end >> 32);
}

inline bool one_in(uint32_t n)
{
    return below(n) == 0;
}

} // namespace fuzz
