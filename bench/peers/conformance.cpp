// SPDX-License-Identifier: MIT
// One test for this wheel and that of Linux: each does the same work as a model that knows only the tick of each timer.
// "Interrupts" arm and cancel whenever the lock opens.
#include <initializer_list>

#include "../../test/support/random.hpp"
#include "../../test/unit/unit_test.hpp"
#include "linux_wheel.hpp"
#include "tickwheel_wheel.hpp"

// Every system is started by init().
void unit::look_before_main()
{
}

namespace
{

using tickwheel::interrupts;

/// "Interrupts" have the timers behind those of the thread.
constexpr unsigned threads_timers = 64;
constexpr unsigned all_timers = 80;

template <class System>
class trial {
    using timer_type = typename System::timer_type;

    struct noted : timer_type {
        /// The tick in which it must fire, and the number of its arm.
        jiffies_t due;
        unsigned arming;
        bool pending;
    };

    static inline System system;
    static inline noted pool[all_timers];
    static inline random_numbers numbers;
    static inline unsigned armings;
    static inline unsigned wrong_state;
    static inline unsigned wrong_tick;
    static inline unsigned wrong_order;
    static inline jiffies_t last_fired_at;
    static inline unsigned last_fired_arming;

    /// Up to 2^22 ticks ahead, and a multiple of four, so that many timers share a tick.
    static jiffies_t random_expiry()
    {
        const uint32_t bits = numbers.next();
        const jiffies_t delay = 1 + (bits >> 8) % (1u << bits % 23);
        return (system.now() + delay + 3) & ~jiffies_t{3};
    }

    static void arm(noted &here, jiffies_t expires)
    {
        const jiffies_t now = system.now();
        if (here.pending && here.expires == expires) {
            // The wheel keeps the place of a timer that stays in its tick.
            system.cancel(&here);
        }
        here.due = tickwheel_time_after(expires, now) ? expires : now + 1;
        here.pending = true;
        // Before the call: an arm at the interrupt window comes after this one.
        here.arming = ++armings;
        system.arm(&here, expires);
    }

    static void arm_or_cancel(noted &here)
    {
        wrong_state += system.pending(&here) != here.pending;
        wrong_tick += here.pending && tickwheel_time_before(here.due, system.now());
        if (numbers.next() % 2 == 0) {
            wrong_state += system.cancel(&here) != here.pending;
            here.pending = false;
        } else {
            arm(here, numbers.next() % 8 == 0 ? system.now() - numbers.next() % 1000 : random_expiry());
        }
    }

    static void fired(timer_type *timer)
    {
        noted &here = *static_cast<noted *>(timer);
        const jiffies_t now = system.now();
        wrong_state += interrupts.depth != 0 || system.pending(timer);
        wrong_tick += !here.pending || here.due != now;
        wrong_order += now == last_fired_at && here.arming < last_fired_arming;
        last_fired_at = now;
        last_fired_arming = here.arming;
        here.pending = false;
        // A callback re-arms its timer, or cancels or moves one of the same tick.
        if (numbers.next() % 4 == 0) {
            arm(here, numbers.next() % 4 == 0 ? now - 2 : random_expiry());
        } else if (numbers.next() % 4 == 0) {
            arm_or_cancel(pool[numbers.next() % threads_timers]);
        }
    }

    /// An interrupt with timers of its own. It leaves a timer alone that the run may have detached to call it.
    static void interrupt()
    {
        static bool inside;
        noted &here = pool[threads_timers + numbers.next() % (all_timers - threads_timers)];
        if (!inside && numbers.next() % 4 == 0 && (!here.pending || tickwheel_time_after(here.due, system.now()))) {
            inside = true;
            arm_or_cancel(here);
            inside = false;
        }
    }

    static void from(jiffies_t start)
    {
        system.init(start);
        last_fired_at = start;
        for (noted &each : pool) {
            each = noted();
            system.setup(&each, fired);
        }
        // Most timers fire between two operations on them. A few pauses without interrupts cross every level.
        for (unsigned step = 0; step < 5000; ++step) {
            const bool is_long = step % 500 == 499;
            interrupts.on_open = is_long ? nullptr : interrupt;
            arm_or_cancel(pool[numbers.next() % threads_timers]);
            for (unsigned ticks = numbers.next() % (is_long ? 1u << 23 : 32); ticks != 0; --ticks) {
                system.tick();
            }
        }
        interrupts.on_open = nullptr;
        // The ticks have left no timer behind.
        for (const noted &each : pool) {
            wrong_state += each.pending != system.pending(&each);
            wrong_tick += each.pending && !tickwheel_time_after(each.due, system.now());
        }
    }

public:
    static void all(bool in_order)
    {
        for (const jiffies_t start : {0u, 1u, 0x12345678u, 0x7FFFFFF0u, 0u - 300000, 0u - 1000}) {
            from(start);
        }
        CHECK_EQ(wrong_state, 0u);
        CHECK_EQ(wrong_tick, 0u);
        // Linux's must fire some timers out of order.
        CHECK_EQ(wrong_order == 0, in_order);
        // The program destroys the pool before the system.
        system.init(0);
    }
};

} // namespace

TEST_CASE("this wheel, in order")
{
    trial<peers::tickwheel_wheel>::all(true);
}

TEST_CASE("the wheel of Linux 2.6.24")
{
    trial<peers::linux_2_6_24>::all(false);
}
