// SPDX-License-Identifier: MIT
// What a C++ timer is before its first start, and a timer without flags.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

void do_nothing()
{
}

using closure = void (*)();

// Whether a search for the next expiry sees a timer that is made without flags.
template <class Timer>
bool ends_a_sleep()
{
    const unit::fresh wheel(1000);
    Timer timer(do_nothing);
    (void)timer.start_after_ticks(1);
    const bool seen = unit::next_from_now() == 1;
    (void)unit::pass(1);
    return seen;
}

template <class Option>
bool ends_a_sleep_with(Option option)
{
    const unit::fresh wheel(1000);
    tickwheel::periodic_timer timer(closure{do_nothing}, option);
    timer.start_after_ticks(1, 5);
    const bool seen = unit::next_from_now() == 1;
    (void)timer.stop();
    return seen;
}

} // namespace

TEST_CASE("a timer that is made without flags ends a sleep")
{
    CHECK(ends_a_sleep_with(tickwheel::slack(0)));
    CHECK(ends_a_sleep_with(tickwheel::call_count()));
    CHECK(ends_a_sleep<tickwheel::closure_timer<closure>>());
    CHECK(ends_a_sleep<tickwheel::long_timer<closure>>());
    CHECK(ends_a_sleep<tickwheel::scoped_timer<tickwheel::closure_timer<closure>>>());
    const unit::fresh wheel(1000);
    tickwheel::timer plain(unit::note);
    (void)plain.start_after_ticks(1);
    tickwheel::periodic_timer<closure> periodic(do_nothing);
    periodic.start_after_ticks(2, 5);
    CHECK_EQ(unit::next_from_now(), 1u);
    (void)unit::pass(1);
    CHECK_EQ(unit::next_from_now(), 1u);
    CHECK(periodic.stop());
}

TEST_CASE("a periodic timer is made without a period, and a long timer at tick 0")
{
    const tickwheel::periodic_timer<closure> periodic(do_nothing);
    CHECK_EQ(periodic.period(), 0u);
    CHECK_EQ(periodic.missed(), 0u);
    const tickwheel::long_timer<closure> far(do_nothing);
    CHECK_EQ(far.expires(), 0u);
}
