// SPDX-License-Identifier: MIT
// What the measuring firmwares share: N, which the emulator's loader writes, and the
// workloads W4 to W6.
#ifndef TICKWHEEL_BENCH_WORKLOADS_HPP
#define TICKWHEEL_BENCH_WORKLOADS_HPP

#include <stdint.h>

#include "../../boards/print.hpp"
#include "measure.hpp"
#include "random.hpp"

namespace bench
{

/// The words that the loader writes lie in the second RAM of the MPS2, where no section is.
constexpr uintptr_t loaded = 0x21000000;

/// N, the number of pending timers.
inline uint32_t timers_wanted()
{
    return *reinterpret_cast<const volatile uint32_t *>(loaded);
}

inline void check(bool holds)
{
    if (!holds) {
        board::exit(1);
    }
}

/// The workloads of a system with the interface of peers/peer.hpp, for at most Most timers. Measured has the system,
/// its measured calls, and the lengths of the workloads.
template <class Measured, unsigned Most>
class workloads {
public:
    static constexpr auto &system = Measured::system;
    using System = typename Measured::system_type;
    using timer_type = typename System::timer_type;

    /// A timer that its callback may re-arm.
    struct periodic : timer_type {
        jiffies_t period;
    };

    /// N timers, and one more that is idle between operations.
    static inline periodic timers[Most + 1];

    static constexpr bool fits(jiffies_t delay)
    {
        return delay <= System::longest_delay;
    }

    /// The delay, or the longest that the system takes.
    static constexpr jiffies_t at_most(jiffies_t delay)
    {
        return fits(delay) ? delay : System::longest_delay;
    }

    static void do_nothing(timer_type * /*timer*/)
    {
    }

    /// Empties the system and makes all timers idle.
    static void start_afresh(jiffies_t start, void (*function)(timer_type *))
    {
        system.init(start);
        for (periodic &each : timers) {
            system.setup(&each, function);
        }
    }

    /// Arms `count` timers at random delays.
    static void arm_all(unsigned count, jiffies_t from, jiffies_t to)
    {
        for (unsigned i = 0; i < count; ++i) {
            Measured::arm(&timers[i], system.now() + random(from, to));
        }
    }

    /// W4: N periodic timers.
    static void busy_ticks(unsigned count)
    {
        // A few short periods decide how much a tick has to do. This seed draws them as the distribution promises: at
        // every N within 4 % of 0.000627 N expiries a tick.
        random_state = 861565;
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
        for (unsigned i = 0; i < count; ++i) {
            timers[i].period = random(1, at_most((1u << 14) - 1));
            Measured::arm(&timers[i], system.now() + timers[i].period);
        }
        ticks<op_busy_tick>();
    }

    /// W5: ticks in which nothing is due.
    static void idle_ticks(unsigned count)
    {
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        for (unsigned i = 0; i < Measured::ticks; ++i) {
            Measured::template tick<op_idle_tick>();
        }
        constexpr jiffies_t far = at_most(1u << 23) / 2;
        if (far > 1u << 14) {
            start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
            arm_all(count, far, far + Measured::far_spread);
            ticks<op_far_tick>();
        }
    }

    /// W6: ten time-outs a tick. Nine of them are cancelled a hundred ticks later.
    static void timeouts()
    {
        constexpr unsigned cancelled_a_tick = 9;
        constexpr unsigned cancelled_after = 100;
        constexpr unsigned longest = 5000;
        static timer_type cancelled[cancelled_after][cancelled_a_tick];
        static timer_type kept[longest + 1];
        if (!fits(longest)) {
            return;
        }
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        for (auto &row : cancelled) {
            for (timer_type &timer : row) {
                system.setup(&timer, do_nothing);
            }
        }
        for (timer_type &timer : kept) {
            system.setup(&timer, do_nothing);
        }
        const auto arm = [](timer_type *timer, bool counts) {
            check(!system.pending(timer));
            const jiffies_t expires = system.now() + random(1000, longest);
            if (counts) {
                call<op_timeout_arm, Measured::arm>(timer, expires);
            } else {
                Measured::arm(timer, expires);
            }
        };
        // The number of pending timers is steady after the longest delay.
        for (unsigned i = 0; i < longest + Measured::timeout_ticks; ++i) {
            const bool counts = i >= longest;
            for (timer_type &timer : cancelled[i % cancelled_after]) {
                if (i >= cancelled_after) {
                    check(counts ? call<op_timeout_cancel, Measured::cancel>(&timer) == 1 : system.cancel(&timer));
                }
                arm(&timer, counts);
            }
            arm(&kept[i % (longest + 1)], counts);
            if (counts) {
                Measured::template tick<op_timeout_tick>();
            } else {
                system.tick();
            }
        }
    }

private:
    static void arm_again(timer_type *timer)
    {
        note<op_rearmed>();
        Measured::arm(timer, timer->expires + static_cast<periodic *>(timer)->period);
    }

    /// The measured ticks of W4 and W5. A peer may defer the work of the arms until the next tick. That work does not
    /// count.
    template <operation Operation>
    static void ticks()
    {
        if (Measured::defers) {
            system.tick();
        }
        for (unsigned i = 0; i < Measured::ticks; ++i) {
            Measured::template tick<Operation>();
        }
    }
};

} // namespace bench

#endif
