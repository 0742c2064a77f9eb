// SPDX-License-Identifier: MIT
// TICKWHEEL_SYSTICK_FITS says of each clock what tickwheel_systick_start() finds, on
// both sides of both bounds.
#include <tickwheel/systick.h>

#include "../../boards/board.hpp"

static_assert(TICKWHEEL_HZ == 7, "a rate that divides no power of two, and leaves the bounds within 32 bits");

int main()
{
    board::init();
    // The shortest ticks would leave little time for anything else.
    __asm__ volatile("cpsid i");
    constexpr uint32_t shortest = 7 * TICKWHEEL_SYSTICK_MIN_COUNTS;
    constexpr uint32_t longest = 7u << 24;
    constexpr uint32_t clocks[] = {0,       1,           7,           shortest - 1, shortest,    shortest + 1,
                                   1000000, longest - 7, longest - 1, longest,      longest + 1, ~0u};
    constexpr bool fits[] = {false, false, false, false, true, true, true, true, true, true, false, false};
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; ++i) {
        const bool started = tickwheel_systick_start(clocks[i]) == 0;
        if (started != fits[i] || TICKWHEEL_SYSTICK_FITS(clocks[i]) != fits[i]) {
            ++wrong;
        }
    }
    return wrong == 0 ? 0 : 1;
}
