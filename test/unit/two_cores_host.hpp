// SPDX-License-Identifier: MIT
// Two simulated cores and their wheels: a test says which core it is.
#pragma once

#include <setjmp.h>
#include <stdlib.h>

#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace two_cores
{

/// The place where a test goes on when a core waits for the other one, which cannot go on in one thread. The build
/// for coverage has no exceptions.
inline jmp_buf waits_for_ever;
inline bool may_wait_for_ever;

/// Each test has cores of its own, since some leave callbacks that never end.
template <int Test>
struct simulated_cores {
    using mask = tickwheel::port_lock;
    static constexpr unsigned count = 2;

    inline static unsigned core = 0;
    /// How often core 0 was interrupted.
    inline static unsigned interrupted = 0;
    inline static void (*on_wait)() = nullptr;

    static unsigned here()
    {
        return core;
    }
    static void wait()
    {
        if (on_wait == nullptr) {
            if (!may_wait_for_ever) {
                abort();
            }
            may_wait_for_ever = false;
            longjmp(waits_for_ever, 1);
        }
        void (*const once)() = on_wait;
        on_wait = nullptr;
        once();
    }
    static void interrupt(unsigned other)
    {
        CHECK_EQ(other, 0u);
        CHECK(tickwheel::interrupts.depth != 0);
        ++interrupted;
    }

    /// The other core may go on while this one waits for the lock, or as soon as this one has released it.
    template <unsigned Number>
    struct spin {
        inline static bool held = false;
        inline static unsigned taken = 0;
        inline static void (*before_take)() = nullptr;
        inline static void (*after_release)() = nullptr;

        static void take()
        {
            other_core_goes_on(before_take);
            CHECK(!held);
            CHECK(tickwheel::interrupts.depth != 0);
            held = true;
            ++taken;
        }
        static void release()
        {
            CHECK(held);
            held = false;
            other_core_goes_on(after_release);
        }
        static void other_core_goes_on(void (*&step)())
        {
            void (*const once)() = step;
            step = nullptr;
            if (once != nullptr) {
                core = 1 - core;
                once();
                core = 1 - core;
            }
        }
    };
};

template <int Test>
struct wheels {
    using cores = simulated_cores<Test>;
    inline static tickwheel::core_wheel<cores, 0> of_0;
    inline static tickwheel::core_wheel<cores, 1> of_1;
};

/// Runs a wheel until a timer that is armed for the next tick has been called.
template <class Wheel>
void call_next(Wheel &wheel, timer_list &timer)
{
    (void)wheel.mod_timer(&timer, wheel.jiffies() + 1);
    (void)wheel.interrupt();
}

} // namespace two_cores
