// SPDX-License-Identifier: MIT
// What the measuring firmwares share. The emulator's loader writes N, the number of
// pending timers, to a word that nothing else touches.
#ifndef TICKWHEEL_BENCH_WORKLOAD_HPP
#define TICKWHEEL_BENCH_WORKLOAD_HPP

#include <stdint.h>

#include "../../boards/board.hpp"
#include "random.hpp"

namespace bench
{

/// The words that the loader writes lie in the second RAM of the MPS2, where no section is.
constexpr uintptr_t loaded = 0x21000000;

inline uint32_t timers_wanted()
{
    return *reinterpret_cast<const volatile uint32_t *>(loaded);
}

inline void check(bool holds)
{
    if (!holds) {
        board::exit(1);
    }
}

inline void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

inline void print(uint32_t value)
{
    char digits[11];
    char *out = digits + sizeof digits;
    *--out = 0;
    do {
        *--out = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    print(out);
}

} // namespace bench

#endif
