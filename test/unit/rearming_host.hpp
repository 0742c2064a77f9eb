// SPDX-License-Identifier: MIT
// Timers that re-arm themselves, and an interrupt at both ends of every stretch with the lock open. The result must
// be one that a model gives for an interrupt before, after or between the steps of what is interrupted.
#ifndef TICKWHEEL_TEST_REARMING_HOST_HPP
#define TICKWHEEL_TEST_REARMING_HOST_HPP

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/wheel.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace rearming
{

/// The interrupt also comes where a timer asks for the time.
struct watched_wheel : tickwheel::wheel<unit::watched_lock, tickwheel::linux_small_geometry> {
    uint64_t get_jiffies_64()
    {
        unit::let_in();
        return wheel::get_jiffies_64();
    }
};
inline watched_wheel wheel;

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

inline step start(uint64_t tick, jiffies_t period = 0)
{
    return [=](model &is) {
        is.pending = true;
        is.tick = tick;
        is.period = period;
        is.popped = false;
        is.behind = 0;
    };
}
inline void stop(model &is)
{
    is.pending = is.popped = false;
}
// The runner pops and calls what is due in `tick`.
inline step call(uint64_t tick)
{
    return [=](model &is) {
        is.popped = is.pending && is.tick == tick;
        is.pending = is.pending && !is.popped;
        is.calls += is.popped;
    };
}
inline void rearm(model &is)
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
inline step all_of(const std::vector<step> &steps)
{
    return [=](model &is) {
        for (const step &one : steps) {
            one(is);
        }
    };
}

// Whether these steps, with the interrupt somewhere among them, may lead to `after`.
inline bool may_lead(const model &before, const std::vector<step> &steps, const step &interrupt, const model &after)
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

inline void tick_and_run()
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

} // namespace rearming

#endif
