// SPDX-License-Identifier: MIT
// A list as a wheel of a program's own, whose callbacks may arm for their own tick. With TICKWHEEL_GEOMETRY=1 all
// other tests have a list too.
#define TICKWHEEL_ARM_RUNNING_TICK 1
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

tickwheel::wheel<tickwheel::port_lock, tickwheel::ordered_list> list;
static_assert(!__is_constructible(decltype(list), const decltype(list) &), "a copy's links would lead into the list");

struct listed : timer_list {
    explicit listed(jiffies_t tick, void (*callback)(timer_list *) = unit::note)
        : timer_list(tickwheel::timer_initializer(callback, 0))
    {
        (void)list.mod_timer(this, tick);
    }
    ~listed()
    {
        (void)list.timer_delete(this);
    }
    listed(const listed &) = delete;
    listed &operator=(const listed &) = delete;
};

uint64_t next_event()
{
    jiffies_t tick = 0;
    return list.next_event(&tick) ? tick : unit::none;
}

timer_list *armed_in_callback;

void arm(timer_list *self)
{
    unit::note(self);
    list.add_timer(armed_in_callback);
}

} // namespace

TEST_CASE("a list's next event is exact: of a late timer, after a deletion, and far from the quarter's end")
{
    const unit::fresh reports(0);
    list.init(1000);
    CHECK_EQ(next_event(), unit::none);
    {
        const listed far(1000 + unit::longest_delay);
        CHECK_EQ(next_event(), far.expires);
        const listed late(7);
        CHECK_EQ(next_event(), 1001u);
        CHECK_EQ(late.expires, 7u);
    }
    CHECK_EQ(next_event(), unit::none);
    CHECK_EQ(list.interrupt(), 0u);
}

TEST_CASE("a timer that a callback arms for the current tick fires in that tick, after the others")
{
    const unit::fresh reports(0);
    list.init(1000);
    timer_list now = tickwheel::timer_initializer(unit::note, 0);
    now.expires = 1001;
    armed_in_callback = &now;
    listed first(1001, arm);
    listed second(1001);
    CHECK_EQ(list.interrupt(), 3u);
    CHECK(unit::fired_in_order({&first, &second, &now}));
}

TEST_CASE("a list orders timers that are more than 2^31 ticks apart, and catches up over two quarters")
{
    const unit::fresh reports(0);
    for (const jiffies_t start : unit::starts) {
        list.init(start);
        CHECK_EQ(list.tick(), 0);
        list.init(start);
        const uint64_t began = list.get_jiffies_64();
        unit::forget();
        listed sooner(start + 5);
        CHECK_EQ(list.advance(unit::longest_delay), 1);
        CHECK_EQ(list.get_jiffies_64(), began + unit::longest_delay);
        listed later(list.jiffies() + unit::longest_delay);
        CHECK_EQ(next_event(), sooner.expires);
        CHECK_EQ(list.run(), 1u);
        CHECK_EQ(list.advance(unit::longest_delay), 1);
        CHECK_EQ(list.run(), 1u);
        CHECK(unit::fired_in_order({&sooner, &later}));
        CHECK_EQ(list.get_jiffies_64(), began + 2 * uint64_t{unit::longest_delay});
    }
}

#if TICKWHEEL_DEBUG

TEST_CASE("a list with an overwritten timer is dropped by the next arm, and works again")
{
    const unit::fresh reports(0);
    list.init(1000);
    timer_list timers[3];
    for (timer_list &timer : timers) {
        timer = tickwheel::timer_initializer(unit::note, 0);
        (void)list.mod_timer(&timer, 1005);
    }
    timers[1].expires = 1;
    listed next(1003);
    CHECK_EQ(unit::misused, 1u);
    CHECK_EQ(unit::misused_timer, &timers[0]);
    for (unsigned i = 0; i != 9; ++i) {
        (void)list.interrupt();
    }
    CHECK(unit::fired_in_order({&next}));
    list.init(5000);
    CHECK_EQ(list.jiffies(), 5000u);
    const listed pending(5001);
    list.init(9000);
    CHECK_EQ(list.jiffies(), 5000u);
    CHECK_EQ(unit::misused, 2u);
}

#endif
