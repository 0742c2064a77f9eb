// SPDX-License-Identifier: MIT
/// @file
/// A lock that two cores share: it masks interrupts on this core, then takes a spin lock. A core that holds it may
/// take it again. ../DESIGN.md says what a Spin and a Cores must do.
#ifndef TICKWHEEL_SHARED_LOCK_HPP
#define TICKWHEEL_SHARED_LOCK_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>

namespace tickwheel
{

/// Each set of arguments is one lock. `Spin` has take() and release(). `Cores` has here(), the number of this
/// core, and `mask`, which keeps the interrupts of this core away: port_lock, or another with the same four
/// functions. Only the tick of a wheel<> with this lock would be wrong, so use a core_wheel instead.
template <class Spin, class Cores>
class shared_lock {
    using mask = typename Cores::mask;
    /// In a state: this core held the lock before. A mask is below 2^31: PRIMASK has one bit, BASEPRI eight.
    static constexpr uint32_t nested = 1u << 31;

public:
    /// @{ As those of a port.
    static uint32_t irq_save()
    {
        const uint32_t state = mask::irq_save();
        return enter() ? state : state | nested;
    }

    static void irq_restore(uint32_t state)
    {
        if ((state & nested) == 0) {
            leave();
        }
        mask::irq_restore(state & ~nested);
    }

    static void irq_mask_all()
    {
        mask::irq_mask_all();
        (void)enter();
    }

    /// Opens only the outermost lock. The caller of a nested one relies on holding it.
    static void interrupt_window(uint32_t state)
    {
        if ((state & nested) == 0) {
            leave();
            mask::interrupt_window(state);
            (void)enter();
        }
    }
    /// @}

private:
    // Returns false if this core holds the lock already. Only this core writes its own number, and it is masked while
    // the number stands there. What another core writes meanwhile is never that number, so no order is needed.
    static bool enter()
    {
        const uint32_t here = Cores::here() + 1;
        if (owner == here) {
            return false;
        }
        Spin::take();
        owner = here;
        return true;
    }
    static void leave()
    {
        owner = nobody;
        Spin::release();
    }

    static constexpr uint32_t nobody = 0;
    /// The number of the core that holds the lock, plus one.
    inline static shared_word owner = nobody;
};

} // namespace tickwheel

#endif
