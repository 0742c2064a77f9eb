// SPDX-License-Identifier: MIT
// Timers that end with their storage, and that move while they are pending.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/scoped_timer.hpp>

#include "support.hpp"

namespace
{

/// A callback that writes down its name. Constants in it, so that it is the same wherever it is.
struct named {
    unsigned name;
    unsigned *log;
    unsigned *count;

    void operator()() const
    {
        log[(*count)++] = name;
    }
};
using scoped_closure = tickwheel::scoped_timer<tickwheel::closure_timer<named>>;
using scoped_periodic = tickwheel::scoped_timer<tickwheel::periodic_timer<named>>;
using scoped_long = tickwheel::scoped_timer<tickwheel::long_timer<named>>;

static_assert(sizeof(scoped_closure) == sizeof(tickwheel::closure_timer<named>), "a scope costs no byte");
static_assert(sizeof(void *) != 4 || sizeof(scoped_closure) == 20 + sizeof(named), "");
static_assert(sizeof(void *) != 4 || sizeof(scoped_periodic) == 28 + sizeof(named), "");
static_assert(sizeof(void *) != 4 || sizeof(scoped_long) == 24 + sizeof(named), "");
static_assert(__is_constructible(scoped_closure, scoped_closure &&), "it moves");
static_assert(!__is_constructible(scoped_closure, const scoped_closure &), "and is not copied");
static_assert(!__is_assignable(scoped_closure &, scoped_closure &&), "");
static_assert(!__is_constructible(tickwheel::timer, tickwheel::timer &&), "others do not move");
static_assert(!__is_constructible(tickwheel::closure_timer<named>, tickwheel::closure_timer<named> &&), "");
static_assert(!__is_constructible(tickwheel::periodic_timer<named>, tickwheel::periodic_timer<named> &&), "");
static_assert(!__is_constructible(tickwheel::long_timer<named>, tickwheel::long_timer<named> &&), "");

struct fixture {
    unsigned log[16] = {};
    unsigned count = 0;

    named say(unsigned name)
    {
        return {name, log, &count};
    }
    // The names, as digits.
    unsigned said() const
    {
        unsigned digits = 0;
        for (unsigned i = 0; i < count; ++i) {
            digits = digits * 10 + log[i];
        }
        return digits;
    }
};

template <class Type>
Type &&move(Type &from)
{
    return static_cast<Type &&>(from);
}

/// A callback that can only be moved, and during whose move a tick passes: the interrupt that finds half of an
/// object.
struct slowly_moved {
    unsigned *calls;
    unsigned *calls_before;
    bool whole = true;

    slowly_moved(unsigned *count, unsigned *before) : calls(count), calls_before(before)
    {
    }
    slowly_moved(slowly_moved &&from) : calls(from.calls), calls_before(from.calls_before)
    {
        from.whole = false;
        (void)unit::pass(1);
        *calls_before = *calls;
    }
    void operator()() const
    {
        CHECK(whole);
        ++*calls;
    }
};

} // namespace

TEST_CASE("scoped: ends with its scope, and is not called any more")
{
    const unit::fresh wheel(1000);
    fixture is;
    {
        tickwheel::scoped_timer a{is.say(1)};
        scoped_periodic b{is.say(2)};
        scoped_long c{is.say(3)};
        tickwheel::scoped_timer idle{is.say(4)};
        tickwheel::scoped_timer deferrable{is.say(5), TICKWHEEL_TIMER_DEFERRABLE};
        (void)a.start_after_ticks(1);
        b.start_after_ticks(1, 1);
        (void)c.start_after_ticks(1);
        CHECK_EQ(unit::pass(1), 3u);
        (void)deferrable.start_after_ticks(3);
        CHECK_EQ(unit::next_from_now(), uint64_t{1});
        (void)a.start_after_ticks(2);
        (void)c.start_after_ticks(uint64_t{1} << 40);
        CHECK_EQ(unit::walk_wheel(true).timers, 4u);
    }
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(300), 0u);
    CHECK_EQ(is.said(), 123u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("scoped: moved while pending, the first, a middle one, the last and an only one of a tick")
{
    const unit::fresh wheel(1000);
    fixture is;
    scoped_closure a{is.say(1)};
    scoped_closure b{is.say(2)};
    scoped_closure c{is.say(3)};
    scoped_closure d{is.say(4)};
    (void)a.start_after_ticks(5);
    (void)b.start_after_ticks(5);
    (void)c.start_after_ticks(5);
    (void)d.start_after_ticks(6);
    {
        tickwheel::scoped_timer gone{move(b)};
        CHECK((gone.pending() && !b.pending()));
        const scoped_closure on{move(c)};
        const scoped_closure first{move(a)};
        const scoped_closure only{move(d)};
        const scoped_closure again{move(gone)};
        CHECK_EQ(unit::wheel_fault(), unit::no_fault);
        CHECK_EQ(unit::walk_wheel(true).timers, 4u);
        CHECK_EQ(unit::pass(6), 4u);
        CHECK_EQ(is.said(), 1234u);
    }
    // What was moved away takes no start.
    CHECK(!b.start_after_ticks(1));
    CHECK((!b.pending() && !b.cancel()));
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(unit::pass(5), 0u);
}

TEST_CASE("scoped: what was moved away takes no start, of each kind, nor after it is moved once more")
{
    const unit::fresh wheel(1000);
    fixture is;
    scoped_closure a{is.say(1)};
    scoped_periodic b{is.say(2)};
    scoped_long c{is.say(3)};
    (void)a.start_after_ticks(5);
    b.start_after_ticks(5, 10);
    (void)c.start_after_ticks(5);
    scoped_closure a_moved{move(a)};
    scoped_periodic b_moved{move(b)};
    scoped_long c_moved{move(c)};
    scoped_closure a_again{move(a)};
    scoped_periodic b_again{move(b)};
    scoped_long c_again{move(c)};
    scoped_closure *const closures[] = {&a, &a_again};
    scoped_periodic *const periodics[] = {&b, &b_again};
    scoped_long *const longs[] = {&c, &c_again};
    for (unsigned i = 0; i < 2; ++i) {
        CHECK(!closures[i]->start_after_ticks(3));
        periodics[i]->start_after_ticks(3, 10);
        CHECK(!longs[i]->start_after_ticks(3));
        CHECK((!closures[i]->pending() && !periodics[i]->pending() && !longs[i]->pending()));
        CHECK((!closures[i]->cancel() && !periodics[i]->stop() && !longs[i]->cancel()));
    }
    CHECK_EQ(unit::misused, unit::reports(6));
    CHECK_EQ(unit::pass(4), 0u);
    CHECK_EQ(unit::pass(30), 5u);
    CHECK_EQ(is.said(), 12322u);
}

TEST_CASE("scoped: a periodic and a long timer go on where they are now")
{
    const unit::fresh wheel(1000);
    fixture is;
    scoped_periodic tick{is.say(1)};
    tick.start_at(1010, 10);
    (void)tickwheel_advance(35);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tick.missed(), 2u);
    scoped_periodic on{move(tick)};
    CHECK((on.missed() == 2 && on.period() == 10 && on.expires() == 1040 && on.pending()));
    CHECK((!tick.pending() && !tick.stop()));
    CHECK_EQ(unit::pass(15), 2u);

    scoped_long year{is.say(2)};
    constexpr uint64_t tick_64 = (uint64_t{1} << 34) + 5;
    (void)year.start_at(tick_64);
    (void)on.stop();
    scoped_long parked{move(year)};
    CHECK((parked.expires() == tick_64 && parked.pending() && !year.pending()));
    jiffies_t next = 0;
    while (tickwheel_next_expiry(&next)) {
        (void)unit::skip_to(next);
    }
    CHECK_EQ(tickwheel_get_jiffies_64(), tick_64);
    CHECK_EQ(is.said(), 1112u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("scoped: a call that falls due during a move comes a tick later, to the new place")
{
    for (jiffies_t due = 1; due <= 3; ++due) {
        const unit::fresh wheel(1000);
        unsigned calls = 0;
        unsigned before = 0;
        using closure = tickwheel::scoped_timer<tickwheel::closure_timer<slowly_moved>>;
        using periodic = tickwheel::scoped_timer<tickwheel::periodic_timer<slowly_moved>>;
        using reaching = tickwheel::scoped_timer<tickwheel::long_timer<slowly_moved>>;
        closure a{slowly_moved{&calls, &before}};
        periodic b{slowly_moved{&calls, &before}};
        reaching c{slowly_moved{&calls, &before}};
        const jiffies_t now = unit::now();
        (void)a.start_at(now + due);
        const closure a_moved{move(a)};
        CHECK_EQ(before, 0u);
        CHECK_EQ(unit::pass(due), 1u);
        calls = 0;
        (void)c.start_at(tickwheel_get_jiffies_64() + due);
        const reaching c_moved{move(c)};
        CHECK_EQ(before, 0u);
        CHECK_EQ(unit::pass(due), 1u);
        calls = 0;
        // Late by a tick, not by a period; the next one is where it was.
        const jiffies_t first = unit::now() + due;
        b.start_at(first, 10);
        periodic b_moved{move(b)};
        CHECK_EQ(before, 0u);
        CHECK_EQ(unit::pass(due), 1u);
        CHECK_EQ(b_moved.expires(), first + 10);
        CHECK_EQ(b_moved.missed(), 0u);
        CHECK_EQ(calls, 1u);
        CHECK_EQ(unit::misused, 0u);
    }
}
