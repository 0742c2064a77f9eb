// SPDX-License-Identifier: MIT
// Debug builds of a wheel with a lock of the program's own: the lock is asked who calls a tick.
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

#if TICKWHEEL_DEBUG

namespace
{

struct checked_lock : tickwheel::port_lock {
    static void check_caller()
    {
        ++callers;
    }

    static void check_preemption(uint32_t &ticked_in, bool in_run)
    {
        kept = ticked_in;
        ticked_in = in_run ? 0 : 7;
        runs += in_run;
    }

    static inline unsigned callers;
    static inline uint32_t kept;
    static inline unsigned runs;
};

using geometry = tickwheel::geometry<6, 2>;
tickwheel::wheel<checked_lock, geometry> wheel;

} // namespace

TEST_CASE("a tick asks the lock who calls, and so do several")
{
    const unit::fresh reports(0);
    checked_lock::callers = 0;
    (void)wheel.tick();
    CHECK_EQ(checked_lock::callers, 1u);
    (void)wheel.advance(2);
    CHECK_EQ(checked_lock::callers, 2u);
    (void)wheel.run();
}

TEST_CASE("a run hands the lock what the lock has kept of the wheel's last tick")
{
    const unit::fresh reports(0);
    static tickwheel::wheel<checked_lock, geometry> other;
    checked_lock::runs = 0;
    (void)other.run();
    CHECK_EQ(checked_lock::kept, 0u);
    CHECK_EQ(checked_lock::runs, 1u);
    (void)wheel.tick();
    CHECK_EQ(checked_lock::runs, 1u);
    (void)other.run();
    CHECK_EQ(checked_lock::kept, 0u);
    (void)wheel.run_budget(1);
    CHECK_EQ(checked_lock::kept, 7u);
    CHECK_EQ(checked_lock::runs, 3u);
}

#endif
