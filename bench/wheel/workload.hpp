// SPDX-License-Identifier: MIT
// What the firmwares that measure have in common. N, the number of pending timers,
// is written by the emulator's loader to a word that nothing else touches;
// everything that is drawn at random comes from one xorshift, so every run
// executes the same instructions.
#ifndef TICKWHEEL_BENCH_WORKLOAD_HPP
#define TICKWHEEL_BENCH_WORKLOAD_HPP

#include <stdint.h>

#include "../../boards/board.hpp"

namespace bench
{

/// N, as the loader left it: in the second RAM of the MPS2, where no section lies.
inline uint32_t timers_wanted()
{
    return *reinterpret_cast<const volatile uint32_t *>(0x21000000);
}

inline uint32_t random_state;

inline uint32_t random()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/// Of [from, to].
inline uint32_t random(uint32_t from, uint32_t to)
{
    return from + random() % (to - from + 1);
}

inline void check(bool holds)
{
    if (!holds) {
        board::exit(1);
    }
}

} // namespace bench

#endif
