// SPDX-License-Identifier: MIT
// Timers that are cancelled when their storage ends.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

/// A callback that counts its calls.
struct counted {
    unsigned *calls;

    void operator()() const
    {
        ++*calls;
    }
};
using scoped_closure = tickwheel::scoped_timer<tickwheel::closure_timer<counted>>;
using scoped_periodic = tickwheel::scoped_timer<tickwheel::periodic_timer<counted>>;
using scoped_slack = tickwheel::scoped_timer<
    tickwheel::periodic_timer<counted, tickwheel::missed_periods::skip, tickwheel::default_wheel, tickwheel::slack>>;
using scoped_long = tickwheel::scoped_timer<tickwheel::long_timer<counted>>;

static_assert(sizeof(scoped_closure) == sizeof(tickwheel::closure_timer<counted>), "a scope costs no byte");
static_assert(sizeof(void *) != 4 || sizeof(scoped_closure) == sizeof(timer_list) + sizeof(counted), "");
static_assert(sizeof(void *) != 4 || sizeof(scoped_periodic) == sizeof(timer_list) + 8 + sizeof(counted), "");
static_assert(sizeof(void *) != 4 || sizeof(scoped_long) == sizeof(timer_list) + 4 + sizeof(counted), "");

/// A timer stays where it is, as a mutex does.
template <class Timer>
constexpr bool stays = !__is_constructible(Timer, Timer &&) && !__is_constructible(Timer, const Timer &) &&
                       !__is_assignable(Timer &, Timer &&) && !__is_assignable(Timer &, const Timer &);
static_assert(stays<tickwheel::timer> && stays<tickwheel::closure_timer<counted>>, "");
static_assert(stays<tickwheel::periodic_timer<counted>> && stays<tickwheel::long_timer<counted>>, "");
static_assert(stays<scoped_closure> && stays<scoped_periodic> && stays<scoped_long>, "");

} // namespace

TEST_CASE("the end of its scope cancels a scoped timer of each kind")
{
    const unit::fresh wheel(1000);
    unsigned calls = 0;
    const counted count{&calls};
    {
        tickwheel::scoped_timer a{count};
        scoped_periodic b{count};
        scoped_long c{count};
        tickwheel::scoped_timer idle{count};
        tickwheel::scoped_timer deferrable{count, TICKWHEEL_TIMER_DEFERRABLE};
        (void)a.start_after_ticks(1);
        b.start_after_ticks(1, 1);
        (void)c.start_after_ticks(1);
        scoped_slack d{count, tickwheel::slack{5}};
        d.start_after_ticks(2, 10);
        CHECK_EQ(unit::pass(1), 3u);
        (void)deferrable.start_after_ticks(3);
        CHECK_EQ(unit::next_from_now(), uint64_t{1});
        (void)a.start_after_ticks(2);
        (void)c.start_after_ticks(uint64_t{1} << 40);
        CHECK_EQ(unit::walk_wheel(true).timers, 5u);
    }
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(300), 0u);
    CHECK_EQ(calls, 3u);
    CHECK_EQ(unit::misused, 0u);
}
