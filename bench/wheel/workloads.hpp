// SPDX-License-Identifier: MIT
// What the measuring firmwares share: N, which the emulator's loader writes, and the
// workloads of ticks and time-outs.
#pragma once

#include <stdint.h>

#include "../../boards/print.hpp"
#include "measure.hpp"

namespace bench
{

/// The words that the loader writes lie where no section is, on the MPS2 in its second RAM.
#if defined(__riscv)
constexpr uintptr_t loaded = 0x80800000;
#else
constexpr uintptr_t loaded = 0x21000000;
#endif

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

/// The measured calls of the wheel.
struct wheel_calls {
    static constexpr auto *arm = tickwheel_mod_timer;
    static constexpr auto *cancel = tickwheel_timer_delete;
    template <operation Operation>
    static void tick()
    {
        bench::tick<Operation>();
    }
};

/// The workloads of a system with the interface of peers/peer.hpp, for at most Max timers. Measured has the system,
/// its measured calls, and the lengths of the workloads.
template <class Measured, unsigned Max>
class workloads {
public:
    using measured = Measured;
    static constexpr auto &system = Measured::system;
    using System = typename Measured::system_type;
    using timer_type = typename System::timer_type;

    /// A timer that its callback may re-arm.
    struct periodic : timer_type {
        jiffies_t period;
    };

    /// N timers, and one more that is idle between operations.
    static inline periodic timers[Max + 1];

    static void do_nothing(timer_type * /*timer*/)
    {
    }

    static constexpr jiffies_t longest = 0xFFFF;

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
            Measured::arm(&timers[i], system.now() + numbers.between(from, to));
        }
    }

    /// Arm, cancel: a timer is armed while N others are pending, then one of the N + 1 is cancelled.
    static void arms_and_cancels(unsigned count)
    {
        for (unsigned n = 0; n < Measured::rounds; ++n) {
            start_afresh(Measured::start_of(n), do_nothing);
            arm_all(count, 1, longest);
            timer_type *idle = &timers[count];
            for (unsigned i = 0; i < Measured::operations_a_round; ++i) {
                call<op_arm, Measured::arm>(idle, system.now() + numbers.between(1, longest));
                check(system.pending(idle));
                idle = &timers[numbers.between(0, count)];
                check(call<op_cancel, Measured::cancel>(idle) == 1);
            }
        }
    }

    /// Move: a pending timer moves. `more` works on the timers after each round.
    static void moves(unsigned count, void (*more)(unsigned count))
    {
        for (unsigned n = 0; n < Measured::rounds; ++n) {
            start_afresh(Measured::start_of(n), do_nothing);
            arm_all(count, 1, longest);
            for (unsigned i = 0; i < Measured::operations_a_round; ++i) {
                timer_type *const timer = &timers[numbers.between(0, count - 1)];
                call<op_move, Measured::arm>(timer, system.now() + numbers.between(1, longest));
                check(system.pending(timer));
            }
            more(count);
        }
    }

    /// Busy tick: N periodic timers.
    static void busy_ticks(unsigned count)
    {
        // A few short periods decide how much a tick has to do. This seed draws them as the distribution promises: at
        // every N within 4 % of 0.000627 N expiries a tick.
        numbers.state = 861565;
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
        for (unsigned i = 0; i < count; ++i) {
            timers[i].period = numbers.between(1, (1u << 14) - 1);
            Measured::arm(&timers[i], system.now() + timers[i].period);
        }
        ticks<op_busy_tick>();
    }

    /// Idle tick: ticks in which nothing is due.
    static void idle_ticks(unsigned count)
    {
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        for (unsigned i = 0; i < Measured::ticks; ++i) {
            Measured::template tick<op_idle_tick>();
        }
        constexpr jiffies_t far = 1u << 22;
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        arm_all(count, far, far + 0xFFFF);
        ticks<op_far_tick>();
    }

    /// Burst: N timers of one tick.
    static void burst(unsigned count, jiffies_t delay)
    {
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        arm_all(count, delay, delay);
        const jiffies_t expires = timers[0].expires;
        while (system.now() != expires) {
            Measured::template tick<op_burst_tick>();
        }
        check(!system.pending(&timers[count - 1]));
    }

    /// Crowd: N timers wait in one slot, of tv2 or tv3 by the delay. One of them is alone in the first tick.
    static void crowd(unsigned count, jiffies_t delay)
    {
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        system.setup(&timers[0], [](timer_type *) { mark_end<op_crowd_callback>(); });
        const jiffies_t first = (system.now() + delay) & ~0xFFFu;
        for (unsigned i = 0; i < count; ++i) {
            Measured::arm(&timers[i], first + (i == 0 ? 0 : 1 + i % 255));
        }
        while (system.now() != first - 1) {
            Measured::template tick<op_crowd_tick>();
        }
        mark_begin<op_crowd_callback>();
        system.tick();
        check(!system.pending(&timers[0]));
        check(count == 1 || system.pending(&timers[1]));
    }

    /// Time-out: ten time-outs a tick, of Shortest to Longest ticks. Nine of them are cancelled `After` ticks later.
    template <operation Arm, operation Cancel, operation Tick, unsigned Shortest, unsigned Longest, unsigned After>
    static void timeouts()
    {
        static timer_type cancelled[After][9];
        static timer_type kept[Longest + 1];
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
            const jiffies_t expires = system.now() + numbers.between(Shortest, Longest);
            if (counts) {
                call<Arm, Measured::arm>(timer, expires);
            } else {
                Measured::arm(timer, expires);
            }
        };
        // The number of pending timers is steady after the longest delay.
        for (unsigned i = 0; i < Longest + Measured::timeout_ticks; ++i) {
            const bool counts = i >= Longest;
            for (timer_type &timer : cancelled[i % After]) {
                if (i >= After) {
                    check(counts ? call<Cancel, Measured::cancel>(&timer) == 1 : system.cancel(&timer));
                }
                arm(&timer, counts);
            }
            arm(&kept[i % (Longest + 1)], counts);
            if (counts) {
                Measured::template tick<Tick>();
            } else {
                system.tick();
            }
        }
    }

    /// Time-out, short time-out.
    static void all_timeouts()
    {
        timeouts<op_timeout_arm, op_timeout_cancel, op_timeout_tick, 1000, 5000, 100>();
        timeouts<op_short_arm, op_short_cancel, op_short_tick, 50, 250, 5>();
    }

private:
    static void arm_again(timer_type *timer)
    {
        Measured::arm(timer, timer->expires + static_cast<periodic *>(timer)->period);
    }

    /// The measured busy and idle ticks. A peer may defer the work of the arms until the next tick. That work does
    /// not count.
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
