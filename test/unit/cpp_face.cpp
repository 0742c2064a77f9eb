// SPDX-License-Identifier: MIT
// The C++ face, and the C face as C programs see it.
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

struct lamp {
    void toggle()
    {
        on = !on;
        ++toggles;
    }
    bool on = false;
    unsigned toggles = 0;
    tickwheel::closure_timer<tickwheel::member<&lamp::toggle>> blink{this};
};

tickwheel::timer static_timer{unit::note};

// Static ones must need neither a constructor nor an entry in a table of destructors. (With the checks for undefined
// behaviour GCC takes no comparison with a function's address for a constant.)
#ifdef TICKWHEEL_TEST_HOST
const tickwheel::timer constant{unit::note};
#else
constexpr tickwheel::timer constant{unit::note};
#endif
static_assert(__has_trivial_destructor(tickwheel::timer), "a timer must not need exit code");
static_assert(sizeof(tickwheel::timer) == sizeof(timer_list), "a timer is a timer_list with members");

} // namespace

TEST_CASE("C++: start_at, start_after_ticks and start_after_at_least say which tick they mean")
{
    const unit::fresh wheel(1000);
    CHECK(!static_timer.start_at(1005));
    CHECK(static_timer.pending());
    CHECK_EQ(static_timer.expires(), 1005u);
    CHECK_EQ(static_timer.remaining(), 5u);
    CHECK_EQ(unit::ticks_to_next_firing(10), 5u);
    CHECK(!static_timer.pending());
    CHECK_EQ(static_timer.remaining(), 0u);
    CHECK(!static_timer.start_after_ticks(3));
    CHECK(static_timer.start_after_ticks(4));
    CHECK_EQ(unit::ticks_to_next_firing(10), 4u);
    // Whole ticks: the one under way does not count.
    CHECK(!static_timer.start_after_at_least(3));
    CHECK_EQ(unit::ticks_to_next_firing(10), 4u);
    CHECK(!static_timer.start_after_ticks(3));
    CHECK(static_timer.cancel());
    CHECK(!static_timer.cancel());
    CHECK_EQ(unit::pass(20), 0u);
    CHECK(!constant.pending());
}

TEST_CASE("C++: a member function as the callback, the closure inside the timer")
{
    const unit::fresh wheel(1000);
    lamp front;
    lamp rear;
    front.blink.start_after_ticks(2);
    rear.blink.start_after_ticks(3);
    CHECK_EQ(unit::pass(2), 1u);
    CHECK((front.on && !rear.on));
    front.blink.start_after_ticks(1);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK((!front.on && rear.on));
    CHECK_EQ(front.toggles, 2u);
}

TEST_CASE("C++: a capturing lambda as the callback")
{
    const unit::fresh wheel(1000);
    unsigned count = 0;
    unsigned step = 3;
    const auto add = [&count, step] { count += step; };
    tickwheel::closure_timer<decltype(add)> timer{add};
    step = 100;
    timer.start_after_ticks(2);
    CHECK_EQ(unit::pass(2), 1u);
    timer.start_after_ticks(2);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(count, 6u);
}

TEST_CASE("C++: what is past or due has nothing remaining")
{
    const unit::fresh wheel(1000);
    tickwheel::timer timer{unit::note};
    timer.start_at(1002);
    (void)tickwheel_tick();
    CHECK_EQ(timer.remaining(), 1u);
    (void)tickwheel_tick();
    CHECK_EQ(timer.remaining(), 0u);
    CHECK(timer.pending());
    (void)tickwheel_tick();
    CHECK_EQ(timer.remaining(), 0u);
    CHECK_EQ(tickwheel_run(), 1u);
}

TEST_CASE("C++: a deferrable timer ends no sleep")
{
    const unit::fresh wheel(1000);
    tickwheel::timer timer{unit::note, TICKWHEEL_TIMER_DEFERRABLE};
    timer.start_after_ticks(5);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(unit::pass(5), 1u);
}
