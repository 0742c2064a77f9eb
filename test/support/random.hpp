// SPDX-License-Identifier: MIT
// Random numbers, the same in every run: an xorshift of 32 bits.
#pragma once

#include <stdint.h>

struct random_numbers {
    /// Never 0.
    uint32_t state = 1;

    uint32_t next()
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }

    /// A number from 0 to limit - 1. limit is at most 2^16.
    uint32_t below(uint32_t limit)
    {
        return (next() >> 16) * limit >> 16;
    }

    /// A number from `from` to `to`, both included.
    uint32_t between(uint32_t from, uint32_t to)
    {
        return from + next() % (to - from + 1);
    }
};
