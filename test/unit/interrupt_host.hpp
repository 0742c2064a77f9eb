// SPDX-License-Identifier: MIT
// An "interrupt" on the host: something done wherever the lock becomes free.
#ifndef TICKWHEEL_TEST_INTERRUPT_HOST_HPP
#define TICKWHEEL_TEST_INTERRUPT_HOST_HPP

#include <functional>
#include <type_traits>
#include <utility>

#include <tickwheel/port.hpp>

namespace unit
{

/// A lock for wheels of a test's own: calls `handler` where it has become free, and again just before it is taken.
struct watched_lock {
    static uint32_t irq_save()
    {
        look();
        return depth++;
    }
    static void irq_restore(uint32_t state)
    {
        depth = state;
        look();
    }
    static void irq_mask()
    {
        (void)irq_save();
    }
    static void preemption_point(uint32_t state)
    {
        irq_restore(state);
        irq_mask();
    }

    static void look()
    {
        if (depth == 0 && !inside && handler) {
            inside = true;
            handler();
            inside = false;
        }
    }

    static inline std::function<void()> handler;
    static inline uint32_t depth;
    static inline bool inside;
};

/// Calls `handler` at both ends of every opening of a watched_lock while it lives; not from within the handler
/// itself.
class interrupt_at_edges {
public:
    explicit interrupt_at_edges(std::function<void()> handler)
    {
        watched_lock::handler = std::move(handler);
    }
    ~interrupt_at_edges()
    {
        watched_lock::handler = nullptr;
    }
    interrupt_at_edges(const interrupt_at_edges &) = delete;
    interrupt_at_edges &operator=(const interrupt_at_edges &) = delete;
};

/// The same at the beginning of every opening of the port's lock.
struct interrupt_at_openings : interrupt_at_edges {
    explicit interrupt_at_openings(std::function<void()> handler) : interrupt_at_edges(std::move(handler))
    {
        tickwheel::interrupts.on_open = watched_lock::look;
    }
    ~interrupt_at_openings()
    {
        tickwheel::interrupts.on_open = nullptr;
    }
};

/// Runs `work` again and again. `handler` interrupts it at its first, second, ... opening of the lock, until it has
/// no more. `prepare` comes before each time. `check` comes after each time, also after the last one, which no
/// interrupt has met: its first argument says whether the interrupt came, a second one whether that was at the last
/// opening. Returns how many openings there were. `Interrupt` says which: interrupt_at_openings those of the port's
/// lock, interrupt_at_edges both ends of those of a watched_lock.
template <class Interrupt = interrupt_at_openings, class Prepare, class Work, class Handler, class Check>
unsigned at_every_opening(Prepare prepare, Work work, Handler handler, Check check)
{
    for (unsigned place = 0;; ++place) {
        prepare();
        unsigned opening = 0;
        bool taken = false;
        {
            const Interrupt interrupt([&] {
                if (opening++ == place) {
                    taken = true;
                    handler();
                }
            });
            work();
        }
        if constexpr (std::is_invocable_v<Check, bool, bool>) {
            check(taken, opening == place + 1);
        } else {
            check(taken);
        }
        if (!taken) {
            return place;
        }
    }
}

} // namespace unit

#endif
