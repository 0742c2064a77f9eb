// SPDX-License-Identifier: MIT
// Periodic and long timers, and an interrupt at both ends of every stretch with the lock open. The result must be one
// that a model gives for an interrupt before, after or between the steps of what is interrupted.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/wheel.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

/// The interrupt also comes where a timer asks for the time.
struct watched_wheel : tickwheel::wheel<unit::watched_lock, tickwheel::linux_small_geometry> {
    uint64_t get_jiffies_64()
    {
        unit::let_in();
        return wheel::get_jiffies_64();
    }
};
watched_wheel wheel;

/// What a periodic or a long timer should be. A long one has a period of 0.
struct model {
    bool pending;
    uint64_t tick;
    jiffies_t period;
    unsigned calls = 0;
    // Popped by the runner, and not started or stopped since.
    bool popped = false;
    // The timer has this slack, and is armed for so many ticks after the end of its period.
    jiffies_t slack = 0;
    jiffies_t behind = 0;

    friend bool operator==(const model &a, const model &b)
    {
        return a.pending == b.pending && (!a.pending || (a.tick == b.tick && a.behind == b.behind)) &&
               a.period == b.period && a.calls == b.calls;
    }
};

using step = std::function<void(model &)>;

step start(uint64_t tick, jiffies_t period = 0)
{
    return [=](model &is) {
        is.pending = true;
        is.tick = tick;
        is.period = period;
        is.popped = false;
        is.behind = 0;
    };
}
void stop(model &is)
{
    is.pending = is.popped = false;
}
// The runner pops and calls what is due in `tick`.
step call(uint64_t tick)
{
    return [=](model &is) {
        is.popped = is.pending && is.tick == tick;
        is.pending = is.pending && !is.popped;
        is.calls += is.popped;
    };
}
void rearm(model &is)
{
    if (is.popped && is.period != 0) {
        const uint64_t due = is.tick - is.behind + is.period;
        start(due, is.period)(is);
        for (uint64_t tick = due + 1; tick <= due + is.slack; ++tick) {
            is.tick = (tick & (0 - tick)) > (is.tick & (0 - is.tick)) ? tick : is.tick;
        }
        is.behind = static_cast<jiffies_t>(is.tick - due);
    }
}
step all_of(const std::vector<step> &steps)
{
    return [=](model &is) {
        for (const step &one : steps) {
            one(is);
        }
    };
}

// Whether these steps, with the interrupt somewhere among them, may lead to `after`.
bool may_lead(const model &before, const std::vector<step> &steps, const step &interrupt, const model &after)
{
    for (size_t place = 0; place <= steps.size(); ++place) {
        std::vector<step> order = steps;
        order.insert(order.begin() + static_cast<ptrdiff_t>(place), interrupt);
        model is = before;
        all_of(order)(is);
        if (is == after) {
            return true;
        }
    }
    return false;
}

void tick_and_run()
{
    if (wheel.tick()) {
        (void)wheel.run();
    }
}

/// A timer's object, without the timer.
template <class Self>
struct called {
    unsigned calls = 0;
    uint64_t called_at = 0;
    // What the next callback does.
    std::function<void(Self &)> then;

    void note()
    {
        ++calls;
        called_at = wheel.get_jiffies_64();
        if (then) {
            std::exchange(then, nullptr)(static_cast<Self &>(*this));
        }
    }
};

struct periodic : called<periodic> {
    void fired()
    {
        note();
    }
    tickwheel::periodic_timer<tickwheel::member<&periodic::fired>, tickwheel::missed_periods::skip, wheel> timer{
        this};

    model seen() const
    {
        return {timer.pending(), timer.expires(), timer.period(), calls};
    }
};

struct slacking : called<slacking> {
    static constexpr jiffies_t ticks = 3;
    void fired()
    {
        note();
    }
    struct slack_timer : tickwheel::periodic_timer<tickwheel::member<&slacking::fired>,
                                                   tickwheel::missed_periods::skip, wheel, tickwheel::slack> {
        using periodic_timer::periodic_timer;
        using slack::behind_period;
    };
    slack_timer timer{this, tickwheel::slack{ticks}};

    model seen() const
    {
        return {timer.pending(), timer.expires(), timer.period(), calls, false, ticks, timer.behind_period()};
    }
};

struct reaching : called<reaching> {
    void fired()
    {
        note();
    }
    tickwheel::long_timer<tickwheel::member<&reaching::fired>, wheel> timer{this};

    model seen() const
    {
        return {timer.pending(), timer.expires(), 0, calls};
    }
};

/// Something done to a timer, and the model's steps for it.
template <class Timer>
struct deed {
    std::function<void(Timer &)> real;
    std::vector<step> steps;
};

template <class Timer>
deed<Timer> both(const deed<Timer> &first, const deed<Timer> &second)
{
    return {[=](Timer &is) {
                first.real(is);
                second.real(is);
            },
            {all_of(first.steps), all_of(second.steps)}};
}

// The runner comes to the timer in the next tick, `tick`. It calls a callback that does `inside`, or parks the timer.
template <class Timer>
deed<Timer> fire(uint64_t tick, const deed<Timer> &inside = {})
{
    const auto if_called = [=](model &is) {
        if (is.calls != 0) {
            all_of(inside.steps)(is);
        }
    };
    return {[=](Timer &is) {
                if (inside.real) {
                    is.then = inside.real;
                }
                tick_and_run();
            },
            {call(tick), if_called, rearm}};
}

// `prepare` makes a timer. `check` looks at what comes after the work and the interrupt, told what is seen of it.
// Returns how many edges the work has.
template <class Timer, class Prepare, class Check>
unsigned interrupt_everywhere(const deed<Timer> &work, const deed<Timer> &interrupt, Prepare prepare, Check check)
{
    std::unique_ptr<Timer> is;
    model before = {};
    return unit::at_every_opening(
        [&] {
            unit::forget();
            is = std::make_unique<Timer>();
            prepare(*is);
            before = is->seen();
        },
        [&] { work.real(*is); }, [&] { interrupt.real(*is); },
        [&](bool taken, bool /*last*/) {
            const model after = is->seen();
            CHECK(may_lead(before, work.steps, taken ? all_of(interrupt.steps) : all_of({}), after));
            CHECK_EQ(tickwheel::interrupts.depth, 0u);
            CHECK_EQ(unit::misused, 0u);
            is->then = nullptr;
            check(*is, after);
        });
}

constexpr jiffies_t now = 1000;

// What is done to a timer of this kind, and what comes in between.
template <class Periodic>
struct deeds_of {
    using deed = ::deed<Periodic>;
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
