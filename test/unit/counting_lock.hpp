// SPDX-License-Identifier: MIT
// The port's lock, which knows whether it is held, and counts. It is strict: nobody masks or opens it twice.
#pragma once

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
    static void irq_mask_all()
    {
        CHECK_EQ(held, 0u);
        ++held;
        ++masks;
        tickwheel::port_lock::irq_mask_all();
    }
    template <class State>
    static void irq_restore(State state)
    {
        CHECK(held != 0);
        --held;
        tickwheel::port_lock::irq_restore(state);
    }
    template <class State>
    static void interrupt_window(State state)
    {
        CHECK_EQ(held, 1u);
        ++points;
        tickwheel::port_lock::interrupt_window(state);
    }

    static inline unsigned held;
    static inline unsigned masks;
    static inline unsigned points;
};

} // namespace unit
