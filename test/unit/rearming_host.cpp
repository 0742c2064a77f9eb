// SPDX-License-Identifier: MIT
// Timers that re-arm themselves, met by an interrupt at both ends of every
// stretch with the lock open. What comes of it must be what would have come of
// the interrupt before, after, or between the steps of what it met, told by a model.
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

/// The interrupt comes as well where a timer asks for the time.
struct watched_wheel : tickwheel::wheel<unit::watched_lock, tickwheel::linux_small_geometry> {
    uint64_t get_jiffies_64()
    {
        unit::watched_lock::look();
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
    // Taken by the runner for its callback, and not started or stopped since.
    bool taken = false;

    friend bool operator==(const model &a, const model &b)
    {
        return a.pending == b.pending && (!a.pending || a.tick == b.tick) && a.period == b.period &&
               a.calls == b.calls;
    }
};

using step = std::function<void(model &)>;

step start(uint64_t tick, jiffies_t period = 0)
{
    return [=](model &is) {
        is.pending = true;
        is.tick = tick;
        is.period = period;
        is.taken = false;
    };
}
void stop(model &is)
{
    is.pending = is.taken = false;
}
// In `tick` the runner comes by.
step take(uint64_t tick)
{
    return [=](model &is) {
        is.taken = is.pending && is.tick == tick;
        is.pending = is.pending && !is.taken;
    };
}
// What was taken is called, whatever became of it since.
step take_and_call(uint64_t tick)
{
    return [=](model &is) {
        take(tick)(is);
        is.calls += is.taken;
    };
}
void rearm(model &is)
{
    if (is.taken) {
        start(is.tick + is.period, is.period)(is);
    }
}

// What may come of these steps with the interrupt somewhere among them.
std::vector<model> outcomes(const model &before, const std::vector<step> &steps, const step &interrupt)
{
    std::vector<model> all;
    for (size_t place = 0; place <= steps.size(); ++place) {
        model is = before;
        for (size_t i = 0; i < steps.size(); ++i) {
            if (i == place) {
                interrupt(is);
            }
            steps[i](is);
        }
        if (place == steps.size()) {
            interrupt(is);
        }
        all.push_back(is);
    }
    return all;
}

bool among(const std::vector<model> &allowed, const model &is)
{
    for (const model &one : allowed) {
        if (one == is) {
            return true;
        }
    }
    return false;
}

constexpr jiffies_t now = 1000;

void tick_and_run()
{
    if (wheel.tick()) {
        (void)wheel.run();
    }
}

struct periodic {
    unsigned calls = 0;
    jiffies_t called_at = 0;
    // What the next callback does.
    std::function<void(periodic &)> then;

    void fired()
    {
        ++calls;
        called_at = wheel.jiffies();
        if (then) {
            std::exchange(then, nullptr)(*this);
        }
    }
    tickwheel::periodic_timer<tickwheel::member<&periodic::fired>, tickwheel::missed_periods::skip, wheel> timer{
        this};

    model seen() const
    {
        return {timer.pending(), timer.expires(), timer.period(), calls};
    }
};

// Something done to a periodic timer, and what the model makes of it.
struct deed {
    const char *name;
    std::function<void(periodic &)> real;
    std::vector<step> steps;
};

const deed start_again = {"start", [](periodic &is) { is.timer.start_at(now + 4, 6); }, {start(now + 4, 6)}};
const deed start_other = {"start", [](periodic &is) { is.timer.start_at(now + 7, 9); }, {start(now + 7, 9)}};
const deed stop_it = {"stop", [](periodic &is) { (void)is.timer.stop(); }, {stop}};
const deed change = {"set_period", [](periodic &is) { is.timer.set_period(8); }, {[](model &is) { is.period = 8; }}};

step all_of(const std::vector<step> &steps)
{
    return [=](model &is) {
        for (const step &one : steps) {
            one(is);
        }
    };
}

deed both(const deed &first, const deed &second)
{
    return {"both",
            [=](periodic &is) {
                first.real(is);
                second.real(is);
            },
            {all_of(first.steps), all_of(second.steps)}};
}

// The timer fires in the next tick, and its callback does that.
deed fire(const deed *in_callback = nullptr)
{
    std::vector<step> steps = {take_and_call(now + 1)};
    if (in_callback != nullptr) {
        steps.push_back([=](model &is) {
            // It is its callback only if it is called.
            if (is.calls != 0) {
                all_of(in_callback->steps)(is);
            }
        });
    }
    steps.push_back(rearm);
    return {"fire",
            [=](periodic &is) {
                if (in_callback != nullptr) {
                    is.then = in_callback->real;
                }
                tick_and_run();
            },
            steps};
}

// Whether it is called from now on as it should be.
void check_grid(periodic &is, const model &should)
{
    for (jiffies_t ticks = 0; ticks < 40; ++ticks) {
        const unsigned before = is.calls;
        tick_and_run();
        const jiffies_t ahead = wheel.jiffies() - static_cast<jiffies_t>(should.tick);
        const bool due = should.pending && static_cast<int32_t>(ahead) >= 0 && ahead % should.period == 0;
        CHECK_EQ(is.calls - before, due ? 1u : 0u);
    }
    CHECK_EQ(is.timer.missed(), 0u);
}

void check_periodic(const deed &work, const deed &interrupt, bool started)
{
    std::vector<model> allowed;
    std::unique_ptr<periodic> is;
    const unsigned edges = unit::at_every_opening<unit::interrupt_at_edges>(
        [&] {
            wheel.init(now);
            is = std::make_unique<periodic>();
            unit::forget();
            if (started) {
                is->timer.start_at(now + 1, 10);
            }
            allowed = outcomes(is->seen(), work.steps, all_of(interrupt.steps));
        },
        [&] { work.real(*is); }, [&] { interrupt.real(*is); },
        [&](bool taken) {
            const model seen = is->seen();
            CHECK(
                among(taken ? allowed : outcomes({started, now + 1, started ? 10u : 0u}, work.steps, [](model &) {}),
                      seen));
            CHECK_EQ(unit::watched_lock::depth, 0u);
            CHECK_EQ(unit::misused, 0u);
            is->then = nullptr;
            check_grid(*is, seen);
            (void)is->timer.stop();
        });
    CHECK(edges > 0);
}

} // namespace

TEST_CASE("periodic: started, stopped and changed by an interrupt at every edge of the lock, in a firing")
{
    const deed works[] = {fire(), fire(&stop_it), fire(&start_again), fire(&change)};
    const deed interrupts[] = {start_other, stop_it, both(stop_it, start_other), both(start_other, stop_it)};
    for (const deed &work : works) {
        for (const deed &interrupt : interrupts) {
            check_periodic(work, interrupt, true);
        }
    }
    check_periodic(fire(), change, true);
}

TEST_CASE(
    "periodic: started, stopped, changed and fired by an interrupt at every edge of the lock, in a start or stop")
{
    const deed works[] = {start_again, stop_it, both(stop_it, start_again), both(start_again, stop_it)};
    const deed interrupts[] = {start_other, stop_it, both(stop_it, start_other), both(start_other, stop_it),
                               change,      fire()};
    for (const deed &work : works) {
        for (const deed &interrupt : interrupts) {
            check_periodic(work, interrupt, true);
            check_periodic(work, interrupt, false);
        }
    }
}

namespace
{

// Where the clock stands and what is a stop on the way to later ticks.
uint64_t near_tick;

struct reaching {
    unsigned calls = 0;
    uint64_t called_at = 0;
    std::function<void(reaching &)> then;

    void fired()
    {
        ++calls;
        called_at = wheel.get_jiffies_64();
        if (then) {
            std::exchange(then, nullptr)(*this);
        }
    }
    tickwheel::long_timer<tickwheel::member<&reaching::fired>, wheel> timer{this};

    model seen() const
    {
        return {timer.pending(), timer.expires(), 0, calls};
    }
};

struct long_deed {
    std::function<void(reaching &)> real;
    std::vector<step> steps;
};

long_deed start_long(uint64_t tick)
{
    return {[=](reaching &is) { (void)is.timer.start_at(tick); }, {start(tick)}};
}
const long_deed cancel_it = {[](reaching &is) { (void)is.timer.cancel(); }, {stop}};
long_deed both(const long_deed &first, const long_deed &second)
{
    return {[=](reaching &is) {
                first.real(is);
                second.real(is);
            },
            {all_of(first.steps), all_of(second.steps)}};
}

// A tick in which the runner takes the timer: to call it if it is `tick`, else to let it park again.
long_deed pass_tick(uint64_t tick, const long_deed *in_callback = nullptr)
{
    std::vector<step> steps = {take_and_call(tick)};
    if (in_callback != nullptr) {
        steps.push_back([=](model &is) {
            if (is.calls != 0) {
                all_of(in_callback->steps)(is);
            }
        });
    }
    return {[=](reaching &is) {
                if (in_callback != nullptr) {
                    is.then = in_callback->real;
                }
                tick_and_run();
            },
            steps};
}

// Sleeps from event to event until it is called; in which tick that was, or 0 when it never is.
uint64_t sleep_until_called(const reaching &is)
{
    const unsigned before = is.calls;
    jiffies_t next = 0;
    while (is.calls == before && wheel.next_expiry(&next)) {
        if (wheel.advance(next - wheel.jiffies())) {
            (void)wheel.run();
        }
    }
    return is.calls != before ? is.called_at : 0;
}

// The clock stands at near_tick - 1, and the wheel has no work owed; the timer has been started long before.
void prepare(reaching &is, uint64_t started_for)
{
    wheel.init(1000);
    unit::forget();
    if (started_for != 0) {
        (void)is.timer.start_at(started_for);
    }
    while (wheel.get_jiffies_64() != near_tick - 1) {
        const uint64_t left = near_tick - 1 - wheel.get_jiffies_64();
        // No further than a stop of the timer.
        jiffies_t next = 0;
        const uint64_t most = wheel.next_expiry(&next) ? next - wheel.jiffies() : unit::longest_delay;
        if (wheel.advance(static_cast<uint32_t>(left < most ? left : most))) {
            (void)wheel.run();
        }
    }
    CHECK_EQ(is.calls, 0u);
}

void check_long(uint64_t started_for, const long_deed &work, const long_deed &interrupt)
{
    std::unique_ptr<reaching> is;
    model before = {};
    (void)unit::at_every_opening<unit::interrupt_at_edges>(
        [&] {
            is = std::make_unique<reaching>();
            prepare(*is, started_for);
            before = is->seen();
        },
        [&] { work.real(*is); }, [&] { interrupt.real(*is); },
        [&](bool taken) {
            const model seen = is->seen();
            const step nothing = [](model &) {};
            CHECK(among(outcomes(before, work.steps, taken ? all_of(interrupt.steps) : nothing), seen));
            CHECK_EQ(unit::watched_lock::depth, 0u);
            CHECK_EQ(unit::misused, 0u);
            is->then = nullptr;
            // What has passed by now fires in the next tick.
            const uint64_t now_64 = wheel.get_jiffies_64();
            const uint64_t tick = seen.tick > now_64 ? seen.tick : now_64 + 1;
            CHECK_EQ(sleep_until_called(*is), seen.pending ? tick : 0);
            CHECK(!is->timer.cancel());
        });
}

void check_long_at(uint64_t tick)
{
    near_tick = tick;
    // Parked at near_tick, with two stops before it; due at near_tick; idle.
    const uint64_t starts[] = {near_tick + (uint64_t{3} << 30), near_tick, 0};
    const long_deed restart = start_long(near_tick + 7);
    const long_deed restart_far = start_long(near_tick + (uint64_t{1} << 31) + 5);
    for (const uint64_t started_for : starts) {
        const long_deed other = start_long(near_tick + 9);
        const long_deed other_far = start_long(near_tick + (uint64_t{5} << 30) + 6);
        // The last tick within reach, two stops further on.
        const long_deed other_reach = start_long(near_tick + (uint64_t{1} << 31) - 50);
        const long_deed works[] = {pass_tick(near_tick),
                                   pass_tick(near_tick, &restart),
                                   pass_tick(near_tick, &restart_far),
                                   pass_tick(near_tick, &cancel_it),
                                   restart,
                                   restart_far,
                                   cancel_it,
                                   both(restart_far, cancel_it)};
        const long_deed interrupts[] = {other,
                                        other_far,
                                        other_reach,
                                        cancel_it,
                                        both(other, cancel_it),
                                        both(other_far, cancel_it),
                                        both(cancel_it, other),
                                        both(other_far, other),
                                        pass_tick(near_tick)};
        for (const long_deed &work : works) {
            for (const long_deed &interrupt : interrupts) {
                check_long(started_for, work, interrupt);
            }
        }
        // Started and called within a start or cancel.
        const long_deed near_and_over = both(start_long(near_tick), pass_tick(near_tick));
        const long_deed starts_and_cancels[] = {restart, restart_far, cancel_it, both(restart_far, cancel_it)};
        for (const long_deed &work : starts_and_cancels) {
            check_long(started_for, work, near_and_over);
        }
    }
}

} // namespace

TEST_CASE("long: started and cancelled by an interrupt at every edge of the lock, in a stop, a firing, a start")
{
    check_long_at((uint64_t{3} << 32) + 100);
    // In the first 2^32 ticks nothing can be taken for what lies 2^32 before.
    check_long_at((uint64_t{3} << 30) + 100);
}

TEST_CASE("long: refused by a full wheel while it is taken where it parks, it is not called for the tick refused")
{
    static tickwheel::wheel<unit::watched_lock, tickwheel::linux_small_geometry,
                            tickwheel::wheel_storage<tickwheel::linux_small_geometry>, tickwheel::limited<1>>
        full;
    for (const bool starts : {true, false}) {
        unsigned calls = 0;
        const auto count = [&] { ++calls; };
        tickwheel::long_timer<decltype(count), full> timer{count};
        tickwheel::basic_timer<full> other{[](timer_list *) {}};
        constexpr uint64_t stop = uint64_t{3} << 30;
        full.init(static_cast<jiffies_t>(stop - 1000));
        CHECK(!timer.start_at(stop + (uint64_t{4} << 30)));
        jiffies_t next = 0;
        CHECK_EQ(full.next_expiry(&next), 1);
        bool done = false;
        {
            const unit::interrupt_at_edges interrupt([&] {
                if (!done && full.pending_timers() == 0) {
                    done = true;
                    CHECK(!other.start_after_ticks(5));
                    CHECK((!starts || !timer.start_at(stop + 7)));
                }
            });
            (void)full.advance(next - full.jiffies());
            (void)full.run();
        }
        CHECK(done);
        CHECK((other.cancel() && !timer.pending()));
        CHECK(!timer.cancel());
        CHECK_EQ(calls, 0u);
    }
}
