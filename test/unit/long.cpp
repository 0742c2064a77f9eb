// SPDX-License-Identifier: MIT
// Timers for a 64-bit tick. rearming_host.cpp has what an interrupt does to them.
#include <initializer_list>

#include <tickwheel/long_timer.hpp>

#include "support.hpp"

namespace
{

/// When it was called last, and how often.
struct reached {
    uint64_t at = 0;
    unsigned calls = 0;

    void note()
    {
        at = tickwheel_get_jiffies_64();
        ++calls;
    }
};

using far_timer = tickwheel::long_timer<tickwheel::member<&reached::note>>;

static_assert(sizeof(void *) != 4 || sizeof(far_timer) == sizeof(timer_list) + 4 + 4, "a word, and the closure's");

// Sleeps from event to event, as a tickless sleeper does, until the callback was called. Returns how many events
// there were.
unsigned sleep(const reached &timer)
{
    const unsigned calls = timer.calls;
    unsigned wakes = 0;
    jiffies_t next = 0;
    while (timer.calls == calls && tickwheel_next_expiry(&next)) {
        ++wakes;
        (void)unit::skip_to(next);
    }
    return wakes;
}

// Every 2^30 ticks, the first one within reach.
unsigned stops_before(uint64_t delay)
{
    constexpr uint64_t reach = unit::longest_delay;
    return delay <= reach ? 0 : static_cast<unsigned>((delay - reach + (1u << 30) - 1) >> 30);
}

// Whether it fires in the next tick and in no other of the next few.
bool fires_in_the_next_tick(uint64_t tick)
{
    unsigned calls = 0;
    tickwheel::long_timer timer{[&calls] { ++calls; }};
    (void)timer.start_at(tick);
    if (!timer.pending() || tickwheel_interrupt() != 1 || calls != 1 || timer.pending()) {
        (void)timer.cancel();
        return false;
    }
    (void)tickwheel_interrupt();
    return calls == 1;
}

} // namespace

TEST_CASE("a long timer fires in its tick, over 2^31, 2^32 and up to a year, at the stops and around them")
{
    for (const jiffies_t start : unit::starts) {
        for (const uint64_t stop : {uint64_t{2}, uint64_t{1} << 30, uint64_t{1} << 31, uint64_t{3} << 30,
                                    uint64_t{1} << 32, uint64_t{1} << 34, uint64_t{31536000000}}) {
            if (unit::has_short_range && stop > uint64_t{1} << 30) {
                break;
            }
            for (uint64_t delay = stop - 1; delay <= stop + 1; ++delay) {
                const unit::fresh wheel(start);
                reached target;
                far_timer timer{&target};
                CHECK(!timer.start_at(start + delay));
                CHECK((timer.pending() && timer.expires() == start + delay));
                CHECK_EQ(sleep(target), stops_before(delay) + 1);
                CHECK_EQ(target.at, start + delay);
                CHECK((!timer.pending() && target.calls == 1));
            }
        }
    }
}

TEST_CASE("a long timer tells the ticks that remain, while it parks too, and 0 when it is due or idle")
{
    const unit::fresh wheel(0u - 7u);
    reached target;
    far_timer timer{&target};
    CHECK((timer.remaining() == 0 && timer.expires() == 0));
    CHECK(!timer.start_after_ticks((uint64_t{1} << 33) + 5));
    CHECK_EQ(timer.remaining(), (uint64_t{1} << 33) + 5);
    jiffies_t stop = 0;
    CHECK_EQ(tickwheel_next_expiry(&stop), 1);
    const jiffies_t passed = stop - unit::now();
    (void)tickwheel_advance(passed);
    // Due where it parks, and then parked again.
    CHECK_EQ(timer.remaining(), (uint64_t{1} << 33) + 5 - passed);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(timer.remaining(), (uint64_t{1} << 33) + 5 - passed);
    CHECK(timer.start_after_ticks(2));
    (void)tickwheel_advance(2);
    CHECK((timer.pending() && timer.remaining() == 0));
    CHECK_EQ(tickwheel_run(), 1u);
    (void)timer.start_after_ticks(1000);
    CHECK(timer.cancel());
    CHECK_EQ(timer.remaining(), uint64_t{0});
}

TEST_CASE("a long timer for a tick that has passed fires in the next tick, also where its low word lies ahead")
{
    for (const jiffies_t start : {0u - 300u * TICKWHEEL_HZ, 0u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu}) {
        unit::restart(start);
        CHECK(fires_in_the_next_tick(0));
        // Past the second wrap, so that every distance below is in the past.
        for (unsigned i = 0; i < 4; ++i) {
            (void)tickwheel_advance(0x7FFFFFFF);
            (void)tickwheel_run();
        }
        for (const uint64_t distance : {1u, 2u, 300000u, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFFu}) {
            CHECK(fires_in_the_next_tick(tickwheel_get_jiffies_64() - distance));
        }
        CHECK(fires_in_the_next_tick(0));
    }
}

TEST_CASE("a long timer for a tick beyond the last one waits for the last tick")
{
    const unit::fresh wheel(1000);
    reached target;
    far_timer timer{&target};
    void (*const starts[])(far_timer &) = {
        [](far_timer &started) { (void)started.start_at(far_timer::last_tick + 1); },
        [](far_timer &started) { (void)started.start_at(~uint64_t{0}); },
        [](far_timer &started) { (void)started.start_after_ticks(~uint64_t{0}); },
        [](far_timer &started) { (void)started.start_after_at_least(~uint64_t{0}); },
        [](far_timer &started) { (void)started.start_after_at_least(far_timer::last_tick); },
    };
    for (const auto start : starts) {
        start(timer);
        CHECK_EQ(timer.expires(), far_timer::last_tick);
        (void)timer.start_at(2000);
    }
    (void)timer.start_at(~uint64_t{0});
    // It parks, again and again.
    for (unsigned stop = 0; stop < 40; ++stop) {
        jiffies_t next = 0;
        CHECK_EQ(tickwheel_next_expiry(&next), 1);
        CHECK(next - unit::now() >= 1u << 29);
        CHECK_EQ(unit::skip_to(next), 1u);
    }
    CHECK_EQ(target.calls, 0u);
    CHECK(timer.cancel());
}

TEST_CASE("a long timer for a past tick tells that tick, at most 2^30 ticks back")
{
    constexpr uint64_t limit = 1u << 30;
    tickwheel::long_timer timer{[] {}};
    for (const uint64_t now : {uint64_t{0}, uint64_t{1000}, limit, limit + 1, limit + 1000}) {
        const unit::fresh wheel(static_cast<jiffies_t>(now));
        (void)timer.start_at(0);
        CHECK_EQ(timer.expires(), now < limit ? 0 : now - limit);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("a pending timer may be given another function, which a debug build does not take for an overwritten one")
{
    const unit::fresh wheel(0);
    unit::misused = 0;
    static unsigned calls;
    calls = 0;
    timer_list timer = tickwheel::timer_initializer(unit::note, 0);
    (void)tickwheel_mod_timer(&timer, 1);
    tickwheel::default_wheel.set_function(&timer, [](timer_list *) { ++calls; });
    CHECK_EQ(unit::pass(1), 1u);
    CHECK((calls == 1 && unit::misused == 0));
}

TEST_CASE("a long timer may be started while the runner lags by almost 2^31 ticks")
{
    constexpr jiffies_t lag = 0x7FFFFF00;
    for (const uint64_t delay : {uint64_t{3} << 29, uint64_t{0x7FFFFFFF}, uint64_t{0xBFFFFFFF}}) {
        const unit::fresh wheel(1000);
        unit::misused = 0;
        reached target;
        far_timer timer{&target};
        tickwheel::closure_timer starter{[&] { (void)timer.start_after_ticks(delay); }};
        (void)starter.start_at(1010);
        const uint64_t now = 1010 + lag;
        (void)tickwheel_advance(10 + lag);
        (void)tickwheel_run();
        (void)sleep(target);
        CHECK_EQ(target.at, now + delay);
        CHECK_EQ(unit::misused, 0u);
    }
}
