// SPDX-License-Identifier: MIT
// Debug builds seal each pending timer: a sum over its links, its slot, its function, its address and its wheel. A
// link is followed only from a timer whose seal is right, so memory that somebody has overwritten is never followed.
#ifndef TICKWHEEL_SEAL_HPP
#define TICKWHEEL_SEAL_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

#if TICKWHEEL_DEBUG

/// An address as 32 bits. The upper half of a host's 64 bits counts too; two shifts, since one of 32 may be too far.
inline uint32_t address_bits(uintptr_t address)
{
    return static_cast<uint32_t>(address) ^ static_cast<uint32_t>(address >> 16 >> 16);
}

/// The sum that belongs to a timer that hangs in the wheel at `wheel`.
inline uint32_t seal_of(const timer_list *timer, const void *wheel)
{
    const uint32_t words[] = {
        address_bits(reinterpret_cast<uintptr_t>(wheel)),
        address_bits(reinterpret_cast<uintptr_t>(timer)),
        address_bits(reinterpret_cast<uintptr_t>(timer->next)),
        address_bits(reinterpret_cast<uintptr_t>(timer->prev)),
        address_bits(reinterpret_cast<uintptr_t>(timer->function)),
        timer->slot,
    };
    uint32_t sum = 0;
    for (const uint32_t word : words) {
        sum = (sum << 7 | sum >> 25) + word;
    }
    return sum;
}

/// True for a timer that the wheel wrote last, and nobody since.
inline bool is_sealed(const timer_list *timer, const void *wheel)
{
    return timer->prev != nullptr && timer->seal == seal_of(timer, wheel);
}

#endif

/// Called after each change of a pending timer.
inline void seal(timer_list *timer, const void *wheel)
{
#if TICKWHEEL_DEBUG
    timer->seal = seal_of(timer, wheel);
#else
    (void)timer;
    (void)wheel;
#endif
}

} // namespace tickwheel

#endif
