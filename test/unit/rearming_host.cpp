// SPDX-License-Identifier: MIT
// Periodic and long timers, and an interrupt at both ends of every stretch with the lock open. The outcome must be
// one that the same calls have one after another: the interrupt's before, after or between those that it interrupts.
// periodic.cpp and long.cpp show what the calls do without an interrupt.
#include <algorithm>
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

void tick_and_run()
{
    if (wheel.tick()) {
        (void)wheel.run();
    }
}

/// Called at each place between two steps. Only the calls one after another have something to do there.
std::function<void()> at_place;

void pass_place()
{
    if (at_place) {
        at_place();
    }
}

template <class Timer>
using steps = std::vector<std::function<void(Timer &)>>;

// A start stops the timer first. One after another, these are two steps.
template <class Timer>
void stop_before_start(Timer &is)
{
    if (at_place) {
        is.stop_unnoted();
        pass_place();
    }
}

template <class Timer>
void perform(const steps<Timer> &all, Timer &is)
{
    for (const auto &step : all) {
        pass_place();
        step(is);
    }
}

template <class Timer>
steps<Timer> both(steps<Timer> first, const steps<Timer> &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The interrupt's steps are being performed.
bool interrupting;

template <class Timer>
void perform_interrupt(const steps<Timer> &all, Timer &is)
{
    interrupting = true;
    perform(all, is);
    interrupting = false;
}

/// What is seen of a timer, when it is called afterwards, and how many stops returned true: those of the work, and
/// those of the interrupt.
struct outcome {
    bool pending;
    uint64_t tick;
    jiffies_t behind;
    jiffies_t period;
    unsigned calls;
    std::vector<uint64_t> later_calls;
    unsigned stopped[2];

    friend bool operator==(const outcome &a, const outcome &b)
    {
        return a.pending == b.pending && (!a.pending || (a.tick == b.tick && a.behind == b.behind)) &&
               a.period == b.period && a.calls == b.calls && a.later_calls == b.later_calls &&
               a.stopped[0] == b.stopped[0] && a.stopped[1] == b.stopped[1];
    }
};

/// A timer's object, without the timer.
template <class Self>
struct called {
    std::vector<uint64_t> calls;
    unsigned stopped[2] = {};
    bool called_by_interrupt = false;
    void note_stop(bool was_pending)
    {
        stopped[interrupting] += was_pending;
    }
    // What the next callback does.
    steps<Self> then;

    void note()
    {
        calls.push_back(wheel.get_jiffies_64());
        perform(std::exchange(then, {}), static_cast<Self &>(*this));
        pass_place();
    }
};

/// A periodic timer. With a Slack, its calls may come up to three ticks late.
template <class... Slack>
struct repeating : called<repeating<Slack...>> {
    void fired()
    {
        this->note();
    }
    struct periodic : tickwheel::periodic_timer<tickwheel::member<&repeating::fired>, tickwheel::missed_periods::skip,
                                                wheel, Slack...> {
        using base = tickwheel::periodic_timer<tickwheel::member<&repeating::fired>, tickwheel::missed_periods::skip,
                                               wheel, Slack...>;
        using base::base;
        using base::slack_used;
    };
    periodic timer{this, Slack{3}...};

    void stop_unnoted()
    {
        (void)timer.stop();
    }
    outcome seen() const
    {
        return {timer.pending(), timer.expires(), timer.slack_used(), timer.period(), 0, {}, {}};
    }
    void live_on()
    {
        for (unsigned ticks = 0; ticks < 40; ++ticks) {
            tick_and_run();
        }
        CHECK_EQ(timer.missed(), 0u);
        (void)timer.stop();
    }
};

struct reaching : called<reaching> {
    void stop_unnoted()
    {
        (void)timer.cancel();
    }
    void fired()
    {
        note();
    }
    tickwheel::long_timer<tickwheel::member<&reaching::fired>, wheel> timer{this};

    outcome seen() const
    {
        return {timer.pending(), timer.expires(), 0, 0, 0, {}, {}};
    }
    // Sleeps from event to event, until the timer is called, at most until this tick, or while a timer is pending.
    void sleep(uint64_t until)
    {
        const size_t before = calls.size();
        jiffies_t next = 0;
        while (calls.size() == before && wheel.get_jiffies_64() != until) {
            const bool pending = wheel.next_expiry(&next);
            if (!pending && until == 0) {
                return;
            }
            const uint64_t left = until - wheel.get_jiffies_64();
            const uint64_t limit = pending ? next - wheel.jiffies() : unit::longest_delay;
            if (wheel.advance(static_cast<uint32_t>(left < limit ? left : limit))) {
                (void)wheel.run();
            }
        }
    }
    void live_on()
    {
        sleep(0);
        CHECK(!timer.cancel());
    }
};

template <class Timer>
outcome outcome_of(Timer &is)
{
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
    CHECK_EQ(unit::misused, 0u);
    is.then.clear();
    outcome seen = is.seen();
    seen.calls = static_cast<unsigned>(is.calls.size());
    is.calls.clear();
    if (!is.called_by_interrupt) {
        std::copy_n(is.stopped, 2, seen.stopped);
    }
    is.live_on();
    seen.later_calls = is.calls;
    return seen;
}

// The runner comes to the timer in the next tick. It calls a callback that does `inside`, or parks the timer.
template <class Timer>
steps<Timer> fire(const steps<Timer> &inside = {})
{
    return {[=](Timer &is) {
        is.then = inside;
        // A call in the middle of a stop comes before it, but its re-arm does not: no order of the two has that.
        is.called_by_interrupt |= interrupting;
        tick_and_run();
    }};
}

// The outcomes of all orders of the work's steps and the interrupt. The last one is that without the interrupt.
template <class Timer, class Prepare>
std::vector<outcome> in_every_order(const steps<Timer> &work, const steps<Timer> &interrupt, Prepare prepare)
{
    std::vector<outcome> outcomes;
    bool taken = true;
    for (unsigned place = 0; taken; ++place) {
        Timer is;
        prepare(is);
        unsigned passed = 0;
        taken = false;
        at_place = [&] {
            if (passed++ == place) {
                taken = true;
                perform_interrupt(interrupt, is);
            }
        };
        perform(work, is);
        pass_place();
        at_place = nullptr;
        outcomes.push_back(outcome_of(is));
    }
    return outcomes;
}

// `prepare` makes a timer. Returns how many edges of the lock the work has.
template <class Timer, class Prepare>
unsigned interrupt_everywhere(const steps<Timer> &work, const steps<Timer> &interrupt, Prepare prepare)
{
    unit::forget();
    const std::vector<outcome> legal = in_every_order(work, interrupt, prepare);
    std::unique_ptr<Timer> is;
    return unit::at_every_preemption_point(
        [&] {
            is = std::make_unique<Timer>();
            prepare(*is);
        },
        [&] { perform(work, *is); }, [&] { perform_interrupt(interrupt, *is); },
        [&](bool taken, bool /*last*/) {
            const outcome seen = outcome_of(*is);
            CHECK(
                (taken ? std::find(legal.begin(), legal.end() - 1, seen) != legal.end() - 1 : seen == legal.back()));
        });
}

template <class Timer, class Prepare>
void interrupt_each(const std::vector<steps<Timer>> &works, const std::vector<steps<Timer>> &interrupts,
                    Prepare prepare)
{
    size_t edges = 0;
    for (const auto &work : works) {
        for (const auto &interrupt : interrupts) {
            edges += interrupt_everywhere(work, interrupt, prepare);
        }
    }
    CHECK(edges > works.size() * interrupts.size());
}

template <class Periodic>
void check_periodic()
{
    using deed = steps<Periodic>;
    constexpr jiffies_t now = 1000;
    const deed start_again = {[](Periodic &is) {
        stop_before_start(is);
        is.timer.start_at(now + 4, 6);
    }};
    const deed start_other = {[](Periodic &is) {
        stop_before_start(is);
        is.timer.start_at(now + 7, 9);
    }};
    const deed stop_it = {[](Periodic &is) { is.note_stop(is.timer.stop()); }};
    const deed change = {[](Periodic &is) { is.timer.set_period(8); }};
    const deed fire_it = fire<Periodic>();
    const auto idle = [](Periodic & /*is*/) { wheel.init(now); };
    const auto started = [](Periodic &is) {
        wheel.init(now);
        is.timer.start_at(now + 1, 10);
    };
    std::vector<deed> interrupts = {start_other, stop_it, both(stop_it, start_other), both(start_other, stop_it)};
    interrupt_each({fire_it, fire(stop_it), fire(start_again), fire(change)}, interrupts, started);
    interrupt_each<Periodic>({fire_it}, {change}, started);
    interrupts.push_back(change);
    interrupts.push_back(fire_it);
    const std::vector<deed> works = {start_again, stop_it, both(stop_it, start_again), both(start_again, stop_it)};
    interrupt_each(works, interrupts, started);
    interrupt_each(works, interrupts, idle);
}

} // namespace

TEST_CASE("an interrupt may start, stop and change a periodic timer at every edge of the lock in each of its calls")
{
    check_periodic<repeating<>>();
}

TEST_CASE("an interrupt may do so to a periodic timer with a slack")
{
    check_periodic<repeating<tickwheel::slack>>();
}

namespace
{

// The wheel stands at near_tick - 1 when the work is done.
uint64_t near_tick;

steps<reaching> start_long(uint64_t tick)
{
    return {[=](reaching &is) {
        bool was_pending = false;
        // As stop_before_start(), but a start returns what its cancel does.
        if (at_place) {
            was_pending = is.timer.cancel();
            pass_place();
        }
        is.note_stop(is.timer.start_at(tick) || was_pending);
    }};
}
const steps<reaching> cancel_it = {[](reaching &is) { is.note_stop(is.timer.cancel()); }};

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
    // Its last 30 bits are those of restart_far.
    const auto other_turn = start_long(near_tick + (uint64_t{3} << 30) + 5);
    const auto fire_near = fire<reaching>();
    const std::vector<steps<reaching>> works = {
        restart,   restart_far,   cancel_it,         both(restart_far, cancel_it),
        fire_near, fire(restart), fire(restart_far), fire(cancel_it)};
    // The last one is started and called within the work.
    const std::vector<steps<reaching>> interrupts = {other,
                                                     other_far,
                                                     other_reach,
                                                     cancel_it,
                                                     both(other, cancel_it),
                                                     both(other_far, cancel_it),
                                                     other_turn,
                                                     both(cancel_it, other),
                                                     both(cancel_it, other_turn),
                                                     both(other_far, other),
                                                     fire_near,
                                                     both(start_long(near_tick), fire_near)};
    for (const uint64_t started_for : starts) {
        const auto prepare = [&](reaching &is) {
            wheel.init(1000);
            if (started_for != 0) {
                (void)is.timer.start_at(started_for);
            }
            is.sleep(near_tick - 1);
            CHECK(is.calls.empty());
        };
        interrupt_each(works, interrupts, prepare);
    }
}

} // namespace

TEST_CASE("an interrupt may start and cancel a long timer at every edge of the lock in a stop, a firing, a start")
{
    check_long_at((uint64_t{1} << 32) + 100);
    // In the first 2^32 ticks no tick can be mistaken for one that lies 2^32 before.
    check_long_at((uint64_t{3} << 30) + 100);
}

namespace
{

// What a timer's calls have returned.
struct account {
    unsigned starts = 0;
    unsigned cancels = 0;
    unsigned removed = 0;

    void start(reaching &is, uint64_t tick)
    {
        removed += is.timer.start_at(tick);
        ++starts;
    }
    void cancel(reaching &is)
    {
        const bool pending = is.timer.pending();
        const bool cancelled = is.timer.cancel();
        // Nothing interrupts the second interrupt.
        CHECK((!unit::in_handler || cancelled == pending));
        removed += cancelled;
        ++cancels;
    }
};

} // namespace

TEST_CASE(
    "two interrupts in a long timer's calls, one after or within the other: each start is removed or called once")
{
    unit::forget();
    using deed = void (*)(account &, reaching &);
    constexpr deed deeds[] = {
        [](account &all, reaching &is) { all.cancel(is); },
        [](account &all, reaching &is) { all.start(is, uint64_t{1} << 33); },
        [](account &all, reaching &is) { all.start(is, (uint64_t{1} << 30) + 5000); },
    };
    constexpr deed works[] = {
        [](account &all, reaching &is) { all.start(is, (uint64_t{1} << 33) + (uint64_t{1} << 30)); },
        [](account &all, reaching &is) { all.cancel(is); },
        // The runner parks the timer.
        [](account &, reaching &) { tick_and_run(); },
    };
    // The second one comes at a later preemption point: of the work, or of the first one.
    const auto interrupted = [&](deed work, unsigned first, deed first_deed, unsigned second, deed second_deed) {
        account all;
        reaching is;
        wheel.init(1000);
        const bool parks = work == works[2];
        all.start(is, parks ? (uint64_t{2} << 30) + 1001 : 1001);
        if (parks) {
            is.sleep((uint64_t{1} << 30) + 1000);
        }
        unsigned points = 0;
        const auto interrupt_work = [&](reaching &) {
            const unit::interrupt_at_preemption_points interrupt([&] {
                const unsigned point = points++;
                if (point == first) {
                    unit::in_handler = false;
                    first_deed(all, is);
                } else if (point == second) {
                    second_deed(all, is);
                }
            });
            work(all, is);
        };
        if (parks) {
            interrupt_work(is);
        } else {
            is.then = {interrupt_work};
            tick_and_run();
        }
        const unsigned pending = is.timer.pending();
        const unsigned gone = static_cast<unsigned>(is.calls.size()) + all.removed + pending;
        // A start that an interrupt's start or cancel removes may leave one removal unsaid.
        CHECK((all.starts == 1 ? gone == 1 : gone <= all.starts));
        CHECK((pending == 1 || all.cancels != 0));
        CHECK_EQ(is.timer.cancel(), pending == 1);
        return points;
    };
    unsigned max_points = 0;
    for (const deed work : works) {
        for (const deed first_deed : deeds) {
            for (const deed second_deed : deeds) {
                unsigned points = 2;
                for (unsigned second = 1; second < points; ++second) {
                    for (unsigned first = 0; first < second; ++first) {
                        points = std::max(points, interrupted(work, first, first_deed, second, second_deed));
                    }
                }
                max_points = std::max(max_points, points);
            }
        }
    }
    CHECK(max_points > 5);
    CHECK_EQ(unit::misused, 0u);
}
