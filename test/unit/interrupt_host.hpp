// SPDX-License-Identifier: MIT
// An "interrupt" on the host: something done wherever the lock becomes free.
#ifndef TICKWHEEL_TEST_INTERRUPT_HOST_HPP
#define TICKWHEEL_TEST_INTERRUPT_HOST_HPP

#include <functional>
#include <utility>

#include <tickwheel/port.hpp>

namespace unit
{

/// Calls `handler` at every opening of the lock while it lives; not from within the handler itself.
class interrupt_at_openings {
public:
    explicit interrupt_at_openings(std::function<void()> handler)
    {
        current = std::move(handler);
        tickwheel::interrupts.on_open = enter;
    }
    ~interrupt_at_openings()
    {
        tickwheel::interrupts.on_open = nullptr;
        current = nullptr;
    }
    interrupt_at_openings(const interrupt_at_openings &) = delete;
    interrupt_at_openings &operator=(const interrupt_at_openings &) = delete;

private:
    static void enter()
    {
        if (!inside) {
            inside = true;
            current();
            inside = false;
        }
    }

    static inline std::function<void()> current;
    static inline bool inside = false;
};

/// Runs `work` again and again, interrupted by `handler` at its first, its second, ... opening of the lock, until it
/// has no more. Before each time `prepare` starts afresh, and after it `check` looks at what came of it; after the
/// last time, which no interrupt has met, it does so too. Returns how many openings there were.
template <class Prepare, class Work, class Handler, class Check>
unsigned at_every_opening(Prepare prepare, Work work, Handler handler, Check check)
{
    for (unsigned place = 0;; ++place) {
        prepare();
        unsigned opening = 0;
        bool taken = false;
        {
            const interrupt_at_openings interrupt([&] {
                if (opening++ == place) {
                    taken = true;
                    handler();
                }
            });
            work();
        }
        check(taken);
        if (!taken) {
            return place;
        }
    }
}

} // namespace unit

#endif
