// SPDX-License-Identifier: MIT
// The C++ face: which tick a start means, and what may be a callback.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

tickwheel::timer static_timer{unit::note};

// Static ones must need neither a constructor nor an entry in a table of destructors. (With the checks for undefined
// behaviour GCC takes no comparison with a function's address for a constant.)
#ifdef TICKWHEEL_TEST_HOST
const tickwheel::timer constant{unit::note};
#else
constexpr tickwheel::timer constant{unit::note};
#endif
/// Every kind of member function that may be a callback.
struct observer {
    mutable unsigned calls = 0;
    mutable timer_list *fired = nullptr;

    void plain()
    {
        ++calls;
    }
    void constant() const
    {
        ++calls;
    }
    void that_throws_nothing() const noexcept
    {
        ++calls;
    }
    void of_the_timer(timer_list &timer) const
    {
        ++calls;
        fired = &timer;
    }
};
/// An observer that inherits its callbacks.
struct derived : observer {};

using closure = tickwheel::closure_timer<tickwheel::member<&observer::plain>>;
static_assert(__has_trivial_destructor(tickwheel::timer), "a timer must not need exit code");
static_assert(__has_trivial_destructor(closure), "");
static_assert(sizeof(tickwheel::timer) == sizeof(timer_list), "a timer is a timer_list with members");
static_assert(sizeof(void *) != 4 || sizeof(closure) == sizeof(timer_list) + 4, "");
static_assert(!__is_constructible(tickwheel::timer, decltype(nullptr)), "a timer has a callback");

template <auto Function, class Object>
void check_member(Object &object)
{
    const unsigned before = object.calls;
    tickwheel::closure_timer deduced{tickwheel::member<Function, Object>{&object}};
    tickwheel::closure_timer<tickwheel::member<Function, Object>> named{&object};
    CHECK(!deduced.start_after_ticks(1));
    CHECK(!named.start_after_ticks(1));
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(object.calls, before + 2);
}

TEST_CASE("start_at, start_after_ticks and start_after_at_least say which tick they mean")
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

TEST_CASE("a callback may be a member function that is const, noexcept, inherited, or takes the timer")
{
    const unit::fresh wheel(1000);
    observer any;
    const observer unchanging;
    derived child;
    check_member<&observer::plain>(any);
    check_member<&observer::constant>(any);
    check_member<&observer::constant>(unchanging);
    check_member<&observer::that_throws_nothing>(unchanging);
    check_member<&observer::plain>(child);
    check_member<&derived::constant>(child);
    tickwheel::closure_timer timer{tickwheel::member<&observer::of_the_timer>{&any}};
    CHECK(!timer.start_after_ticks(1));
    CHECK_EQ(unit::pass(1), 1u);
    CHECK(any.fired == &timer);
}

TEST_CASE("a lambda that takes the timer may re-arm it, and change copies that it captured")
{
    const unit::fresh wheel(1000);
    unsigned sum = 0;
    unsigned delay = 1;
    tickwheel::closure_timer back_off{[&sum, delay](auto &self) mutable {
        CHECK((!self.pending() && self.remaining() == 0 && !self.cancel()));
        sum += delay;
        delay *= 2;
        if (delay <= 8) {
            CHECK(!self.start_after_ticks(delay));
        }
    }};
    delay = 100;
    CHECK(!back_off.start_after_ticks(1));
    CHECK_EQ(unit::pass(1 + 2 + 4 + 8), 4u);
    CHECK_EQ(sum, 15u);
    CHECK_EQ(unit::pass(100), 0u);
}

// requirement: TW-11
TEST_CASE("move_to moves only a pending timer, start_no_later_than makes nothing later")
{
    const unit::fresh wheel(0u - 3u);
    tickwheel::timer timer{unit::note};
    CHECK(!timer.move_to(5));
    CHECK(!timer.pending());
    CHECK(!timer.start_no_later_than(5));
    CHECK_EQ(timer.remaining(), 8u);
    CHECK(timer.start_no_later_than(6));
    CHECK_EQ(timer.expires(), 5u);
    CHECK(timer.start_no_later_than(0u - 1u));
    CHECK_EQ(timer.expires(), 0u - 1u);
    CHECK(timer.move_to(2));
    CHECK_EQ(timer.remaining(), 5u);
    CHECK_EQ(unit::ticks_to_next_firing(10), 5u);
    CHECK(!timer.move_to(20));
    CHECK_EQ(unit::pass(20), 0u);
}

TEST_CASE("start_within takes the roundest tick of its range, and moves a timer that is pending outside of it")
{
    const unit::fresh wheel(1000);
    tickwheel::timer timer{unit::note};
    CHECK(!timer.start_within(1010, 1030));
    CHECK_EQ(timer.expires(), 1024u);
    CHECK(timer.start_within(1020, 1040));
    CHECK_EQ(timer.expires(), 1024u);
    CHECK(timer.start_within(1025, 1039));
    CHECK_EQ(unit::ticks_to_next_firing(50), 32u);
}

TEST_CASE("a relative delay that is too long waits the longest delay")
{
    constexpr jiffies_t too_long[] = {unit::longest_delay, unit::longest_delay + 1, unit::longest_delay + 6, 0u - 2u,
                                      0u - 1u};
    for (const jiffies_t start : unit::starts) {
        const unit::fresh wheel(start);
        tickwheel::timer timer{unit::note};
        (void)timer.start_after_at_least(unit::longest_delay - 1);
        CHECK_EQ(timer.expires(), start + unit::longest_delay);
        for (const jiffies_t ticks : too_long) {
            (void)timer.cancel();
            (void)timer.start_after_ticks(ticks);
            CHECK_EQ(timer.remaining(), unit::longest_delay);
            (void)timer.cancel();
            (void)timer.start_after_at_least(ticks);
            CHECK_EQ(timer.remaining(), unit::longest_delay);
        }
        // Other types: a number that jiffies_t does not hold, and negative variables.
        (void)timer.start_after_ticks((uint64_t{1} << 32) + 5);
        CHECK_EQ(timer.remaining(), unit::longest_delay);
        const volatile int negative = -5;
        (void)timer.start_after_at_least(int{negative});
        CHECK_EQ(timer.remaining(), unit::longest_delay);
        const volatile int64_t negative_of_64_bits = -5;
        (void)timer.start_after_ticks(int64_t{negative_of_64_bits});
        CHECK_EQ(timer.remaining(), unit::longest_delay);
        CHECK_EQ(unit::skip_to(start + unit::longest_delay - 1), 0u);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK_EQ(unit::misused, 0u);
    }
}

// A timer of each kind, made with these flags or without any. Whether a search for the next expiry finds them.
template <class... Flags>
void check_sleep(bool ends, Flags... flags)
{
    const unit::fresh wheel(1000);
    const auto nothing = [] {};
    tickwheel::timer plain{unit::note, flags...};
    tickwheel::closure_timer with_closure{nothing, flags...};
    tickwheel::scoped_timer scoped{nothing, flags...};
    tickwheel::long_timer far{nothing, flags...};
    tickwheel::periodic_timer periodic{nothing, flags...};
    tickwheel::periodic_timer with_slack{nothing, tickwheel::slack{1}, flags...};
    (void)plain.start_after_ticks(1);
    (void)with_closure.start_after_ticks(2);
    (void)scoped.start_after_ticks(3);
    (void)far.start_after_ticks(4);
    periodic.start_after_ticks(5, 100);
    with_slack.start_after_ticks(6, 100);
    for (unsigned kind = 0; kind < 6; ++kind) {
        CHECK_EQ(unit::next_from_now(), ends ? 1 : unit::none);
        CHECK_EQ(unit::pass(1), 1u);
    }
    CHECK((periodic.stop() && with_slack.stop()));
}

// requirement: TW-33
TEST_CASE("a timer of each kind ends a sleep, and a deferrable one does not")
{
    check_sleep(true);
    check_sleep(false, unsigned{TICKWHEEL_TIMER_DEFERRABLE});
}

TEST_CASE("a timer that is due or late has nothing remaining, and can be cancelled")
{
    const unit::fresh wheel(1000);
    tickwheel::timer timer{unit::note};
    timer.start_at(1002);
    constexpr jiffies_t remainders[] = {1, 0, 0};
    for (const jiffies_t remaining : remainders) {
        (void)tickwheel_tick();
        CHECK_EQ(timer.remaining(), remaining);
        CHECK(timer.pending());
    }
    CHECK((timer.cancel() && !timer.cancel()));
    CHECK_EQ(tickwheel_run(), 0u);
}

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

} // namespace
