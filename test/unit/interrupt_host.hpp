// SPDX-License-Identifier: MIT
// An "interrupt" on the host: something done wherever the lock becomes free.
#ifndef TICKWHEEL_TEST_INTERRUPT_HOST_HPP
#define TICKWHEEL_TEST_INTERRUPT_HOST_HPP

#include <functional>
#include <utility>

#include <tickwheel/port.hpp>

namespace unit
{

inline std::function<void()> handler;
inline bool in_handler;

/// Lets the interrupt in, if there is one and the lock is free; not from within the handler itself.
inline void let_in()
{
    if (tickwheel::interrupts.depth == 0 && !in_handler && handler) {
        in_handler = true;
        handler();
        in_handler = false;
    }
}

/// Calls the handler at the beginning of every preemption point of the port's lock while it lives.
class interrupt_at_preemption_points {
public:
    explicit interrupt_at_preemption_points(std::function<void()> what)
    {
        handler = std::move(what);
        tickwheel::interrupts.on_open = let_in;
    }
    ~interrupt_at_preemption_points()
    {
        tickwheel::interrupts.on_open = nullptr;
        handler = nullptr;
    }
    interrupt_at_preemption_points(const interrupt_at_preemption_points &) = delete;
    interrupt_at_preemption_points &operator=(const interrupt_at_preemption_points &) = delete;
};

/// The port's lock for wheels of a test's own. The interrupt also comes at the end of every preemption point.
struct watched_lock : tickwheel::port_lock {
    static uint32_t irq_save()
    {
        let_in();
        return port_lock::irq_save();
    }
    static void irq_mask()
    {
        (void)irq_save();
    }
    static void preemption_point(uint32_t depth)
    {
        irq_restore(depth);
        irq_mask();
    }
};

/// Runs `work` again and again. `act` interrupts it at its first, second, ... preemption point, until it has no
/// more. `prepare` comes before each time. `check` comes after each time, also after the last one, which no interrupt
/// has met: its arguments say whether the interrupt came, and whether that was at the last preemption point. Returns
/// how many points there were.
template <class Prepare, class Work, class Act, class Check>
unsigned at_every_preemption_point(Prepare prepare, Work work, Act act, Check check)
{
    for (unsigned place = 0;; ++place) {
        prepare();
        unsigned point = 0;
        bool taken = false;
        {
            const interrupt_at_preemption_points interrupt([&] {
                if (point++ == place) {
                    taken = true;
                    act();
                }
            });
            work();
        }
        check(taken, point == place + 1);
        if (!taken) {
            return place;
        }
    }
}

} // namespace unit

#endif
