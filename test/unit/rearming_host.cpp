// SPDX-License-Identifier: MIT
// Periodic and long timers, with an interrupt at every edge of the lock.
#include "rearming_host.hpp"

namespace
{

using namespace rearming;

constexpr jiffies_t now = 1000;

// What is done to a timer of this kind, and what comes in between.
template <class Periodic>
struct deeds_of {
    using deed = rearming::deed<Periodic>;
    const deed start_again = {[](Periodic &is) { is.timer.start_at(now + 4, 6); }, {start(now + 4, 6)}};
    const deed start_other = {[](Periodic &is) { is.timer.start_at(now + 7, 9); }, {start(now + 7, 9)}};
    const deed stop_it = {[](Periodic &is) { (void)is.timer.stop(); }, {stop}};
    const deed change = {[](Periodic &is) { is.timer.set_period(8); }, {[](model &is) { is.period = 8; }}};
    const deed fire_it = fire<Periodic>(now + 1);
};

template <class Periodic>
void check_periodic(const deed<Periodic> &work, const deed<Periodic> &interrupt, bool started)
{
    const unsigned edges = interrupt_everywhere(
        work, interrupt,
        [&](Periodic &is) {
            wheel.init(now);
            if (started) {
                is.timer.start_at(now + 1, 10);
            }
        },
        [](Periodic &is, model should) {
            for (jiffies_t ticks = 0; ticks < 40; ++ticks) {
                const unsigned before = is.calls;
                tick_and_run();
                const bool due = should.pending && wheel.jiffies() == should.tick;
                CHECK_EQ(is.calls - before, due ? 1u : 0u);
                should.popped = due;
                rearm(should);
            }
            CHECK_EQ(is.timer.missed(), 0u);
            (void)is.timer.stop();
        });
    CHECK(edges > 0);
}

template <class Periodic>
void check_in_a_firing()
{
    const deeds_of<Periodic> of;
    const deed<Periodic> works[] = {of.fire_it, fire(now + 1, of.stop_it), fire(now + 1, of.start_again),
                                    fire(now + 1, of.change)};
    const deed<Periodic> interrupts[] = {of.start_other, of.stop_it, both(of.stop_it, of.start_other),
                                         both(of.start_other, of.stop_it)};
    for (const auto &work : works) {
        for (const auto &interrupt : interrupts) {
            check_periodic(work, interrupt, true);
        }
    }
    check_periodic(of.fire_it, of.change, true);
}

template <class Periodic>
void check_in_a_start_or_stop()
{
    const deeds_of<Periodic> of;
    const deed<Periodic> works[] = {of.start_again, of.stop_it, both(of.stop_it, of.start_again),
                                    both(of.start_again, of.stop_it)};
    const deed<Periodic> interrupts[] = {
        of.start_other, of.stop_it, both(of.stop_it, of.start_other), both(of.start_other, of.stop_it),
        of.change,      of.fire_it};
    for (const auto &work : works) {
        for (const auto &interrupt : interrupts) {
            check_periodic(work, interrupt, true);
            check_periodic(work, interrupt, false);
        }
    }
}

} // namespace

TEST_CASE("an interrupt may start, stop and change a periodic timer at every edge of the lock in a firing")
{
    check_in_a_firing<periodic>();
    check_in_a_firing<slacking>();
}

TEST_CASE(
    "an interrupt may start, stop, change and fire a periodic timer at every edge of the lock in a start or stop")
{
    check_in_a_start_or_stop<periodic>();
    check_in_a_start_or_stop<slacking>();
}

namespace
{

// The wheel stands at near_tick - 1 when the work is done.
uint64_t near_tick;

deed<reaching> start_long(uint64_t tick)
{
    return {[=](reaching &is) { (void)is.timer.start_at(tick); }, {start(tick)}};
}
const deed<reaching> cancel_it = {[](reaching &is) { (void)is.timer.cancel(); }, {stop}};

// Sleeps from event to event, `most` ticks at most, until the timer is called or the wheel is empty.
void sleep(const reaching &is, uint64_t until)
{
    const unsigned before = is.calls;
    jiffies_t next = 0;
    while (is.calls == before && wheel.get_jiffies_64() != until) {
        const bool pending = wheel.next_expiry(&next);
        if (!pending && until == 0) {
            return;
        }
        const uint64_t left = until - wheel.get_jiffies_64();
        const uint64_t most = pending ? next - wheel.jiffies() : unit::longest_delay;
        if (wheel.advance(static_cast<uint32_t>(left < most ? left : most))) {
            (void)wheel.run();
        }
    }
}

void check_long(uint64_t started_for, const deed<reaching> &work, const deed<reaching> &interrupt)
{
    (void)interrupt_everywhere(
        work, interrupt,
        [&](reaching &is) {
            wheel.init(1000);
            if (started_for != 0) {
                (void)is.timer.start_at(started_for);
            }
            sleep(is, near_tick - 1);
            CHECK_EQ(is.calls, 0u);
        },
        [](reaching &is, const model &should) {
            // What has passed by now fires in the next tick.
            const uint64_t now_64 = wheel.get_jiffies_64();
            const uint64_t tick = should.tick > now_64 ? should.tick : now_64 + 1;
            is.called_at = 0;
            sleep(is, 0);
            CHECK_EQ(is.called_at, should.pending ? tick : 0);
            CHECK(!is.timer.cancel());
        });
}

void check_long_at(uint64_t tick)
{
    near_tick = tick;
    // Parked at near_tick, with two stops before it; due at near_tick; idle.
    const uint64_t starts[] = {near_tick + (uint64_t{3} << 30), near_tick, 0};
    const auto restart = start_long(near_tick + 7);
    const auto restart_far = start_long(near_tick + (uint64_t{1} << 31) + 5);
    const auto other = start_long(near_tick + 9);
    const auto other_far = start_long(near_tick + (uint64_t{5} << 30) + 6);
    // The last tick within reach, two stops further on.
    const auto other_reach = start_long(near_tick + (uint64_t{1} << 31) - 50);
    const auto fire_near = fire<reaching>(near_tick);
    const deed<reaching> starts_and_cancels[] = {restart, restart_far, cancel_it, both(restart_far, cancel_it)};
    const deed<reaching> firings[] = {fire_near, fire(near_tick, restart), fire(near_tick, restart_far),
                                      fire(near_tick, cancel_it)};
    const deed<reaching> interrupts[] = {other,
                                         other_far,
                                         other_reach,
                                         cancel_it,
                                         both(other, cancel_it),
                                         both(other_far, cancel_it),
                                         both(cancel_it, other),
                                         both(other_far, other),
                                         fire_near};
    for (const uint64_t started_for : starts) {
        for (const auto &interrupt : interrupts) {
            for (const auto &work : firings) {
                check_long(started_for, work, interrupt);
            }
            for (const auto &work : starts_and_cancels) {
                check_long(started_for, work, interrupt);
            }
        }
        // Started and called within a start or cancel.
        for (const auto &work : starts_and_cancels) {
            check_long(started_for, work, both(start_long(near_tick), fire_near));
        }
    }
}

} // namespace

TEST_CASE("an interrupt may start and cancel a long timer at every edge of the lock in a stop, a firing, a start")
{
    check_long_at((uint64_t{1} << 32) + 100);
    // In the first 2^32 ticks no tick can be mistaken for one that lies 2^32 before.
    check_long_at((uint64_t{3} << 30) + 100);
}
