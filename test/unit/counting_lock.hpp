// SPDX-License-Identifier: MIT
// The port's lock, which knows whether it is held.
#ifndef TICKWHEEL_TEST_UNIT_COUNTING_LOCK_HPP
#define TICKWHEEL_TEST_UNIT_COUNTING_LOCK_HPP

#include <tickwheel/port.hpp>

namespace unit
{

struct counting_lock : tickwheel::port_lock {
    static auto irq_save()
    {
        ++held;
        return tickwheel::port_lock::irq_save();
    }
    static void irq_mask()
    {
        ++held;
        tickwheel::port_lock::irq_mask();
    }
    template <class State>
    static void irq_restore(State state)
    {
        --held;
        tickwheel::port_lock::irq_restore(state);
    }

    static inline int held;
};

} // namespace unit

#endif
