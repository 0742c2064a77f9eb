// SPDX-License-Identifier: MIT
/// @file
/// A spin lock of the RP2040, whose Armv6-M cores have no exclusive access: "RP2040 Datasheet", 2.3.1.3. A template
/// for chips with hardware semaphores. NOT RUN ON HARDWARE: ../DESIGN.md lists what must be shown there.
#ifndef TICKWHEEL_SIO_LOCK_HPP
#define TICKWHEEL_SIO_LOCK_HPP

#include <stdint.h>

namespace tickwheel
{

/// Spin lock `Number`, 0 to 31, of the single-cycle IO block. The boot ROM and other libraries may use some.
template <class Cores, unsigned Number>
class sio_lock {
    static_assert(Number < 32, "the RP2040 has 32 spin locks");

public:
    /// Called with the interrupts of this core masked.
    static void take()
    {
        // A read that is not 0 has taken the lock.
        while (reg() == 0) {
            Cores::wait();
        }
        __asm__ volatile("dmb" ::: "memory");
    }

    /// Called by the core that has taken it.
    static void release()
    {
        __asm__ volatile("dmb" ::: "memory");
        reg() = 0;
    }

private:
    static volatile uint32_t &reg()
    {
        return *reinterpret_cast<volatile uint32_t *>(0xD0000100 + 4 * Number);
    }
};

} // namespace tickwheel

#endif
