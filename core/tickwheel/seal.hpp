// SPDX-License-Identifier: MIT
// Debug builds seal each pending timer: a sum over its links, tick, slot, function, address and wheel. The wheel
// follows a link only if the timer's seal is right. It never follows a link that somebody has overwritten.
#ifndef TICKWHEEL_SEAL_HPP
#define TICKWHEEL_SEAL_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

#if TICKWHEEL_DEBUG

/// An address as 32 bits. On a 64-bit host the upper half counts too. Two shifts: one by 32 is undefined on 32 bits.
inline uint32_t address_bits(uintptr_t address)
{
    return static_cast<uint32_t>(address) ^ static_cast<uint32_t>(address >> 16 >> 16);
}

/// The seal of a timer that is pending in the wheel at `wheel`.
inline uint32_t seal_of(const timer_list *timer, const void *wheel)
{
    const uint32_t words[] = {
        address_bits(reinterpret_cast<uintptr_t>(wheel)),
        address_bits(reinterpret_cast<uintptr_t>(timer)),
        address_bits(reinterpret_cast<uintptr_t>(timer->next)),
        address_bits(reinterpret_cast<uintptr_t>(timer->prev)),
        address_bits(reinterpret_cast<uintptr_t>(timer->function)),
        timer->expires,
        // Not `enabled`: a shutdown clears that without the lock.
        static_cast<uint32_t>(timer->slot) | static_cast<uint32_t>(timer->deferrable) << 16,
    };
    uint32_t sum = 0;
    for (const uint32_t word : words) {
        sum = (sum << 7 | sum >> 25) + word;
    }
    return sum;
}

/// True if the wheel wrote this timer last.
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
