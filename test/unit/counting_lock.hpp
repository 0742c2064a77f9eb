// SPDX-License-Identifier: MIT
// The port's lock, which knows whether it is held, and counts. It is strict: nobody masks or opens it twice.
#ifndef TICKWHEEL_TEST_UNIT_COUNTING_LOCK_HPP
#define TICKWHEEL_TEST_UNIT_COUNTING_LOCK_HPP

#include <tickwheel/port.hpp>

#include "unit_test.hpp"

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
        CHECK_EQ(held, 0u);
        ++held;
        ++masks;
        tickwheel::port_lock::irq_mask();
    }
    template <class State>
    static void irq_restore(State state)
    {
        CHECK(held != 0);
        --held;
        tickwheel::port_lock::irq_restore(state);
    }
    template <class State>
    static void preemption_point(State state)
    {
        CHECK_EQ(held, 1u);
        ++points;
        tickwheel::port_lock::preemption_point(state);
    }

    static inline unsigned held;
    static inline unsigned masks;
    static inline unsigned points;
};

} // namespace unit

#endif
