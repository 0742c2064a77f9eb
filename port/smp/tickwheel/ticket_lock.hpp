// SPDX-License-Identifier: MIT
/// @file
/// A fair spin lock for cores with exclusive access to memory: LDREX and STREX, Armv7-M and Armv8-M.
#ifndef TICKWHEEL_TICKET_LOCK_HPP
#define TICKWHEEL_TICKET_LOCK_HPP

#include <stdint.h>

namespace tickwheel
{

/// A core takes a number, and waits until it is served. A lock without numbers starves a core. `Number` makes several
/// locks. `Cores` has wait(), which a waiting core calls again and again: `yield` on Arm.
template <class Cores, unsigned Number>
class ticket_lock {
    static_assert(__atomic_always_lock_free(sizeof(uint32_t), nullptr),
                  "this core has no LDREX: take a hardware spin lock, as sio_lock.hpp does");

public:
    /// Called with the interrupts of this core masked. An interrupt between the number and the turn would make the
    /// other cores wait for it.
    static void take()
    {
        const uint32_t mine = __atomic_fetch_add(&next, 1u, __ATOMIC_RELAXED);
        // Acquire: nothing that the lock protects is read before the turn has come.
        while (__atomic_load_n(&serving, __ATOMIC_ACQUIRE) != mine) {
            Cores::wait();
        }
    }

    /// Called by the core that has taken it.
    static void release()
    {
        // Release: all that was written under the lock is visible before the next core's turn comes.
        __atomic_store_n(&serving, serving + 1, __ATOMIC_RELEASE);
    }

private:
    inline static uint32_t next = 0;
    inline static uint32_t serving = 0;
};

} // namespace tickwheel

#endif
