// SPDX-License-Identifier: MIT
// Inactivity time-outs in C++, and in C what c_face.c leaves out. rearming_host.cpp interrupts them.
#include <initializer_list>

#include <tickwheel/inactivity_timer.hpp>

#include "support.hpp"

namespace
{

/// When it was called last, for which deadline, and how often.
struct watched {
    jiffies_t at = 0;
    jiffies_t deadline = 0;
    unsigned calls = 0;

    void note()
    {
        at = jiffies;
        deadline = timer.expires();
        ++calls;
        CHECK(!timer.pending());
    }
    tickwheel::inactivity_timer<tickwheel::member<&watched::note>> timer{this};
};

static_assert(sizeof(void *) != 4 || sizeof(watched::timer) == sizeof(timer_list) + 4 + 4,
              "a word, and the closure's");
static_assert(sizeof(void *) != 4 || sizeof(tickwheel_inactivity_timer) == sizeof(timer_list) + 8, "");

/// A timer of C that counts its calls.
struct in_c : tickwheel_inactivity_timer {
    explicit in_c(unsigned flags = 0) : tickwheel_inactivity_timer()
    {
        tickwheel_inactivity_setup(
            this, [](tickwheel_inactivity_timer *self) { ++static_cast<in_c *>(self)->calls; }, flags);
    }
    unsigned calls = 0;
};

// Single ticks, until the timer was called. Returns how many, or 0.
jiffies_t ticks_to_call(const watched &object, jiffies_t limit)
{
    const unsigned calls = object.calls;
    for (jiffies_t ticks = 1; ticks <= limit; ++ticks) {
        (void)unit::pass(1);
        if (object.calls != calls) {
            return ticks;
        }
    }
    return 0;
}

} // namespace

// requirement: TW-41
TEST_CASE("a timer that is restarted in time is never called, and moves in the wheel once in its time-out")
{
    for (const jiffies_t start : {0u - 500u, 0x80000000u - 500u, 1000u}) {
        const unit::fresh wheel(start);
        watched object;
        constexpr jiffies_t time_out = 100;
        unsigned moves = 0;
        for (unsigned ticks = 0; ticks < 1000; ++ticks) {
            object.timer.restart_after_ticks(time_out);
            CHECK_EQ(object.timer.expires(), unit::now() + time_out);
            moves += unit::pass(1);
        }
        CHECK_EQ(object.calls, 0u);
        CHECK_EQ(moves, 1000 / time_out);
        CHECK_EQ(ticks_to_call(object, time_out), time_out - 1);
        CHECK_EQ(object.deadline, start + 999 + time_out);
        CHECK_EQ(unit::pass(2 * time_out), 0u);
    }
}

TEST_CASE("a restart may bring the deadline forward, also to a tick that has begun or is past")
{
    const unit::fresh wheel(1000);
    watched object;
    object.timer.restart_at(1500);
    object.timer.restart_at(1400);
    object.timer.restart_at(1003);
    object.timer.restart_at(1005);
    CHECK_EQ(unit::pass(4), 1u);
    CHECK((object.calls == 0 && object.timer.pending()));
    CHECK_EQ(ticks_to_call(object, 10), 1u);
    CHECK_EQ(object.at, 1005u);
    for (const jiffies_t back : {0u, 1u, 1000u}) {
        const jiffies_t now = unit::now();
        object.timer.restart_after_ticks(500);
        object.timer.restart_at(now - back);
        CHECK_EQ(ticks_to_call(object, 10), 1u);
        CHECK((object.at == now + 1 && object.deadline == now - back));
    }
}

TEST_CASE("a stop disarms an inactivity timer, and says whether it was pending")
{
    const unit::fresh wheel(1000);
    watched object;
    CHECK(!object.timer.stop());
    object.timer.restart_at(1010);
    CHECK(object.timer.stop());
    CHECK((!object.timer.stop() && !object.timer.pending()));
    CHECK_EQ(object.timer.expires(), 1010u);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(unit::pass(20), 0u);
    object.timer.restart_at(1030);
    object.timer.restart_at(1040);
    CHECK(object.timer.stop());
    CHECK_EQ(object.timer.expires(), 1040u);
    object.timer.restart_at(1050);
    CHECK_EQ(ticks_to_call(object, 100), 30u);
    CHECK_EQ(object.calls, 1u);
}

TEST_CASE("an inactivity timer may be restarted, stopped and ended by its own function")
{
    const unit::fresh wheel(1000);
    unsigned calls = 0;
    bool was_pending = false;
    tickwheel::inactivity_timer again{[&](auto &self) {
        ++calls;
        was_pending |= self.pending();
        self.restart_at(self.expires() + 10);
    }};
    tickwheel::inactivity_timer stopped{[&](auto &self) {
        ++calls;
        was_pending |= self.stop();
        self.restart_after_ticks(5);
        was_pending |= !self.stop();
    }};
    again.restart_at(1010);
    stopped.restart_at(1011);
    CHECK_EQ(unit::pass(30), 4u);
    CHECK_EQ(calls, 4u);
    CHECK(!was_pending);
    CHECK((again.expires() == 1040 && again.stop()));
    struct short_lived : tickwheel_inactivity_timer {
        bool called = false;
    } ends = {};
    tickwheel_inactivity_setup(
        &ends,
        [](tickwheel_inactivity_timer *self) {
            __builtin_memset(self, 0xA5, sizeof *self);
            static_cast<short_lived *>(self)->called = true;
        },
        0);
    tickwheel_inactivity_restart_at(&ends, 1035);
    CHECK_EQ(unit::pass(10), 1u);
    CHECK(ends.called);
}

TEST_CASE("a timer that is shut down ignores every restart, and so does one of zeros")
{
    const unit::fresh wheel(1000);
    watched object;
    object.timer.restart_at(1010);
    CHECK(object.timer.shutdown());
    object.timer.restart_at(1011);
    CHECK((!object.timer.pending() && !object.timer.stop() && !object.timer.shutdown()));
    in_c other;
    tickwheel_inactivity_restart_at(&other, 1010);
    CHECK_EQ(tickwheel_timer_shutdown(&other.timer), 1);
    tickwheel_inactivity_restart_at(&other, 1010);
    CHECK_EQ(tickwheel_inactivity_pending(&other), 0);
    CHECK_EQ(unit::misused, 0u);
    tickwheel_inactivity_timer zeros = {};
    tickwheel_inactivity_restart_at(&zeros, 1010);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_inactivity_pending(&zeros), 0);
    CHECK_EQ(tickwheel_inactivity_stop(&zeros), 0);
    in_c nothing;
    tickwheel_inactivity_setup(&nothing, nullptr, 0);
    CHECK_EQ(unit::misused, unit::reports(2));
    tickwheel_inactivity_restart_at(&nothing, 1010);
    CHECK_EQ(tickwheel_inactivity_pending(&nothing), 0);
    CHECK_EQ(unit::pass(20), 0u);
    CHECK((object.calls == 0 && other.calls == 0));
}

TEST_CASE("a restart reports a timer that was overwritten, though it would not move it")
{
    const unit::fresh wheel(1000);
    in_c object;
    tickwheel_inactivity_restart_at(&object, 1010);
    object.timer.slot ^= 1;
    tickwheel_inactivity_restart_at(&object, 1020);
    CHECK_EQ(unit::misused, unit::reports(1));
    if (TICKWHEEL_DEBUG) {
        CHECK_EQ(tickwheel_inactivity_stop(&object), 0);
        CHECK_EQ(unit::misused, 2u);
    }
    object.timer.slot ^= 1;
    CHECK_EQ(tickwheel_inactivity_stop(&object), 1);
}

TEST_CASE("behind a lag a restart by an earlier timer counts, though the deadline has passed")
{
    const unit::fresh wheel(1000);
    static watched object;
    object.calls = 0;
    // The timer waits in the wheel at 1010, for 1030. The feeder comes at 1020.
    object.timer.restart_at(1010);
    object.timer.restart_at(1030);
    unit::armed feeder(1020, [](timer_list *) { object.timer.restart_after_ticks(50); });
    (void)tickwheel_advance(100);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK((object.calls == 0 && object.timer.pending()));
    CHECK_EQ(ticks_to_call(object, 100), 50u);
    // Without a feeder it comes in the run that catches up, in its turn among the others.
    object.timer.restart_at(1160);
    object.timer.restart_at(1180);
    static unsigned before;
    before = 0;
    unit::armed earlier(1175, [](timer_list *) { before = object.calls; });
    unit::armed later(1185, [](timer_list *) { before = 10 * before + object.calls; });
    (void)tickwheel_advance(100);
    CHECK_EQ(tickwheel_run(), 4u);
    CHECK_EQ(before, 12u);
    CHECK_EQ(object.deadline, 1180u);
}

TEST_CASE("a deferrable inactivity timer does not end a sleep")
{
    const unit::fresh wheel(1000);
    tickwheel::inactivity_timer quiet{[] {}, TICKWHEEL_TIMER_DEFERRABLE};
    quiet.restart_at(1010);
    in_c too(TICKWHEEL_TIMER_DEFERRABLE);
    tickwheel_inactivity_restart_at(&too, 1010);
    CHECK_EQ(unit::next_from_now(), unit::none);
    quiet.restart_at(1020);
    CHECK_EQ(unit::pass(15), 2u);
    CHECK_EQ(too.calls, 1u);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK(quiet.stop());
}

TEST_CASE("a sleeper wakes for an inactivity timer once in vain, which then is the last one of its new tick")
{
    const unit::fresh wheel(1000);
    static watched object;
    object.calls = 0;
    object.timer.restart_at(1100);
    static unsigned before;
    unit::armed other(1150, [](timer_list *) { before = object.calls; });
    object.timer.restart_at(1150);
    jiffies_t next = 0;
    CHECK((tickwheel_next_expiry(&next) == 1 && next == 1100));
    (void)unit::skip_to(1100);
    CHECK((object.calls == 0 && tickwheel_next_expiry(&next) == 1 && next == 1150));
    (void)unit::skip_to(1150);
    CHECK((before == 0 && object.calls == 1));
}

TEST_CASE("an inactivity timer's restart_after_at_least passes whole ticks, and limits the delay")
{
    const unit::fresh wheel(1000);
    watched object;
    object.timer.restart_after_at_least(5);
    CHECK_EQ(object.timer.expires(), 1006u);
    object.timer.restart_after_at_least(~uint64_t{0});
    CHECK_EQ(object.timer.expires(), 1000 + unit::longest_delay);
    object.timer.restart_after_ticks(~jiffies_t{0});
    CHECK_EQ(object.timer.expires(), unit::now() + unit::longest_delay);
    CHECK(object.timer.stop());
    object.timer.restart_at(1005);
    (void)tickwheel_advance(7);
    CHECK((object.timer.pending() && object.timer.expires() == 1005));
    CHECK_EQ(tickwheel_run(), 1u);
}
