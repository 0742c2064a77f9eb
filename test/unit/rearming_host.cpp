// SPDX-License-Identifier: MIT
// Periodic, long and inactivity timers, and an interrupt at both ends of every stretch with the lock open, or two,
// the second after the first or within it. The outcome must be one that the same calls have one after another: the
// interrupt's before, after or between those that it interrupts. periodic.cpp, long.cpp and inactivity.cpp show what
// the calls do without an interrupt.
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/wheel.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

/// Whether the interrupt also comes before and after a look whether a timer is pending. A restart may do no more.
bool looks_are_places;

/// The interrupt also comes where a timer asks for the time.
struct watched_wheel : tickwheel::wheel<unit::watched_lock, tickwheel::linux_small_geometry> {
    uint64_t get_jiffies_64()
    {
        unit::let_in();
        return wheel::get_jiffies_64();
    }
    static int timer_pending(const timer_list *timer)
    {
        if (looks_are_places) {
            unit::let_in();
        }
        const int pending = wheel::timer_pending(timer);
        if (looks_are_places) {
            unit::let_in();
        }
        return pending;
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
void stop_before_start(Timer &object)
{
    if (at_place) {
        object.stop_unnoted();
        pass_place();
    }
}

template <class Timer>
void perform(const steps<Timer> &all, Timer &object)
{
    for (const auto &step : all) {
        pass_place();
        step(object);
    }
    pass_place();
}

template <class Timer>
steps<Timer> both(steps<Timer> first, const steps<Timer> &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// An interrupt's steps are being performed.
bool interrupting;

/// Two interrupts, of which the second may have no steps. The first comes at the place with the first number, the
/// second at a later one, which may be in the first.
template <class Timer>
struct interrupts {
    const steps<Timer> &first;
    const steps<Timer> &second;
    unsigned places[2];
    unsigned passed = 0;
    unsigned came = 0;
    bool first_is_under_way = false;
    bool second_came_within = false;

    void pass(Timer &object)
    {
        const unsigned place = passed++;
        const bool is_second = came == 1 && place == places[1] && !second.empty();
        if (is_second || (came == 0 && place == places[0])) {
            ++came;
            second_came_within = first_is_under_way;
            first_is_under_way = !is_second;
            unit::in_handler = false;
            const bool outer = std::exchange(interrupting, true);
            perform(is_second ? second : first, object);
            interrupting = outer;
            first_is_under_way = false;
        }
    }
};

/// Calls `run` with each pair of places, until so many do not come. It returns how many interrupts have come.
template <class Run>
void at_each_pair_of_places(Run run)
{
    unsigned came = 0;
    unsigned place = 0;
    do {
        unsigned later = place;
        do {
            came = run(place, ++later);
        } while (came == 2);
        ++place;
    } while (came != 0);
}

/// What a test sees of a timer, when it is called afterwards, and how many stops of the work and how many of the
/// interrupt returned true.
struct outcome {
    bool pending;
    uint64_t tick;
    jiffies_t slack_used;
    jiffies_t period;
    unsigned calls;
    std::vector<uint64_t> later_calls;
    unsigned stopped[2];

    friend bool operator==(const outcome &a, const outcome &b)
    {
        return a.pending == b.pending && (!a.pending || (a.tick == b.tick && a.slack_used == b.slack_used)) &&
               a.period == b.period && a.calls == b.calls && a.later_calls == b.later_calls &&
               a.stopped[0] == b.stopped[0] && a.stopped[1] == b.stopped[1];
    }
};

/// A timer's object, without the timer.
template <class Self>
struct called {
    std::vector<uint64_t> calls;
    unsigned stopped[2] = {};
    /// What its stops return depends on more than the order of the calls.
    bool any_stops = false;
    void note_stop(bool was_pending)
    {
        stopped[interrupting] += was_pending;
    }
    // The steps of the next callback.
    steps<Self> then;

    void note()
    {
        calls.push_back(wheel.get_jiffies_64());
        perform(std::exchange(then, {}), static_cast<Self &>(*this));
    }
};

/// A periodic timer. With a Slack, its calls may come up to three ticks late.
template <class... Slack>
struct periodic_object : called<periodic_object<Slack...>> {
    void fired()
    {
        this->note();
    }
    struct periodic : tickwheel::periodic_timer<tickwheel::member<&periodic_object::fired>,
                                                tickwheel::missed_periods::skip, wheel, Slack...> {
        using base = tickwheel::periodic_timer<tickwheel::member<&periodic_object::fired>,
                                               tickwheel::missed_periods::skip, wheel, Slack...>;
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
    void run_to_the_end()
    {
        for (unsigned ticks = 0; ticks < 40; ++ticks) {
            tick_and_run();
        }
        CHECK_EQ(timer.missed(), 0u);
        (void)timer.stop();
    }
};

struct long_object : called<long_object> {
    void stop_unnoted()
    {
        (void)timer.cancel();
    }
    void fired()
    {
        note();
    }
    tickwheel::long_timer<tickwheel::member<&long_object::fired>, wheel> timer{this};

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
    void run_to_the_end()
    {
        sleep(0);
        CHECK(!timer.cancel());
    }
};

struct inactivity_object : called<inactivity_object> {
    void fired()
    {
        note();
    }
    tickwheel::inactivity_timer<tickwheel::member<&inactivity_object::fired>, wheel> timer{this};
    bool is_shut_down = false;

    outcome seen() const
    {
        return {timer.pending(), timer.expires(), 0, 0, 0, {}, {}};
    }
    void run_to_the_end()
    {
        const size_t before = calls.size();
        jiffies_t left = 0;
        if (is_shut_down) {
            timer.restart_at(wheel.jiffies() + 5);
            CHECK((!timer.pending() && wheel.next_expiry(&left) == 0));
        }
        const bool pending = timer.pending();
        (void)wheel.run();
        while (wheel.next_expiry(&left) != 0) {
            (void)wheel.advance(left - wheel.jiffies());
            (void)wheel.run();
        }
        CHECK_EQ(calls.size(), before + pending);
        CHECK((!timer.pending() && !timer.stop()));
        CHECK_EQ(wheel.next_expiry(&left), 0);
    }
};

template <class Timer>
outcome outcome_of(Timer &object)
{
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
    CHECK_EQ(unit::misused, 0u);
    object.then.clear();
    outcome seen = object.seen();
    seen.calls = static_cast<unsigned>(object.calls.size());
    object.calls.clear();
    if (!object.any_stops) {
        std::copy_n(object.stopped, 2, seen.stopped);
    }
    object.run_to_the_end();
    seen.later_calls = object.calls;
    return seen;
}

// The runner comes to the timer in the next tick. It calls a callback that does `inside`, or parks the timer.
template <class Timer>
steps<Timer> fire(const steps<Timer> &inside = {})
{
    return {[=](Timer &object) {
        object.then = inside;
        // In the middle of a stop, the call comes before it and the re-arm after it, which no order of the two has.
        object.any_stops |= interrupting;
        tick_and_run();
    }};
}

// Adds the outcomes of all orders of the steps to those of no interrupt, of one and of two.
template <class Timer, class Prepare>
void add_every_order(const steps<Timer> &work, const steps<Timer> &first, const steps<Timer> &second, Prepare prepare,
                     std::vector<outcome> (&outcomes)[3])
{
    at_each_pair_of_places([&](unsigned place, unsigned later) {
        Timer object;
        prepare(object);
        interrupts<Timer> both = {first, second, {place, later}};
        at_place = [&] { both.pass(object); };
        perform(work, object);
        at_place = nullptr;
        outcomes[both.came].push_back(outcome_of(object));
        return both.came;
    });
}

// `prepare` makes a timer. Returns how many interrupts have come.
template <class Timer, class Prepare>
unsigned interrupt_everywhere(const steps<Timer> &work, const steps<Timer> &first, const steps<Timer> &second,
                              Prepare prepare)
{
    unit::forget();
    std::vector<outcome> legal[3];
    add_every_order(work, first, second, prepare, legal);
    // An interrupt within the first one may take effect before it.
    std::vector<outcome> nested[3];
    if (!second.empty()) {
        std::copy(legal[2].begin(), legal[2].end(), std::back_inserter(nested[2]));
        add_every_order(work, second, first, prepare, nested);
    }
    unsigned all = 0;
    at_each_pair_of_places([&](unsigned place, unsigned later) {
        Timer object;
        prepare(object);
        interrupts<Timer> both = {first, second, {place, later}};
        {
            const unit::interrupt_at_interrupt_windows interrupt([&] { both.pass(object); });
            perform(work, object);
        }
        const std::vector<outcome> &those = (both.second_came_within ? nested : legal)[both.came];
        CHECK(std::find(those.begin(), those.end(), outcome_of(object)) != those.end());
        all += both.came;
        return both.came;
    });
    return all;
}

template <class Timer, class Prepare>
void interrupt_each(const std::vector<steps<Timer>> &works, const std::vector<steps<Timer>> &interrupts,
                    Prepare prepare, const std::vector<steps<Timer>> &later = {{}})
{
    size_t came = 0;
    for (const auto &work : works) {
        for (const auto &first : interrupts) {
            for (const auto &second : later) {
                came += interrupt_everywhere(work, first, second, prepare);
            }
        }
    }
    CHECK(came > works.size() * interrupts.size() * later.size());
}

template <class Periodic>
void check_periodic()
{
    using action = steps<Periodic>;
    constexpr jiffies_t now = 1000;
    const action start_again = {[](Periodic &object) {
        stop_before_start(object);
        object.timer.start_at(now + 4, 6);
    }};
    const action start_other = {[](Periodic &object) {
        stop_before_start(object);
        object.timer.start_at(now + 7, 9);
    }};
    const action stop_it = {[](Periodic &object) { object.note_stop(object.timer.stop()); }};
    const action change = {[](Periodic &object) { object.timer.set_period(8); }};
    const action fire_it = fire<Periodic>();
    const auto idle = [](Periodic & /*object*/) { wheel.init(now); };
    const auto started = [](Periodic &object) {
        wheel.init(now);
        object.timer.start_at(now + 1, 10);
    };
    std::vector<action> interrupts = {start_other, stop_it, both(stop_it, start_other), both(start_other, stop_it)};
    interrupt_each({fire_it, fire(stop_it), fire(start_again), fire(change)}, interrupts, started);
    interrupt_each<Periodic>({fire_it}, {change}, started);
    interrupts.push_back(change);
    interrupts.push_back(fire_it);
    const std::vector<action> works = {start_again, stop_it, both(stop_it, start_again), both(start_again, stop_it)};
    interrupt_each(works, interrupts, started);
    interrupt_each(works, interrupts, idle);
}

} // namespace

TEST_CASE("an interrupt may start, stop and change a periodic timer at every interrupt window in its calls")
{
    check_periodic<periodic_object<>>();
}

TEST_CASE("an interrupt may do so to a periodic timer with a slack")
{
    check_periodic<periodic_object<tickwheel::slack>>();
}

namespace
{

// jiffies is near_tick - 1 before the work.
uint64_t near_tick;

steps<long_object> start_long(uint64_t tick)
{
    return {[=](long_object &object) {
        bool was_pending = false;
        // This is stop_before_start(), but a start returns what its cancel does.
        if (at_place) {
            was_pending = object.timer.cancel();
            pass_place();
        }
        object.note_stop(object.timer.start_at(tick) || was_pending);
    }};
}
const steps<long_object> cancel_it = {[](long_object &object) { object.note_stop(object.timer.cancel()); }};

// It is pending while the runner parks it.
const steps<long_object> look = {[](long_object &object) { object.note_stop(object.timer.pending()); }};

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
    const auto fire_near = fire<long_object>();
    const std::vector<steps<long_object>> works = {
        restart,   restart_far,   cancel_it,         both(restart_far, cancel_it),
        fire_near, fire(restart), fire(restart_far), fire(cancel_it)};
    // The last one is started and called within the work.
    const std::vector<steps<long_object>> interrupts = {other,
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
    const auto started_for = [](uint64_t start) {
        return [=](long_object &object) {
            wheel.init(1000);
            if (start != 0) {
                (void)object.timer.start_at(start);
            }
            object.sleep(near_tick - 1);
            CHECK(object.calls.empty());
        };
    };
    for (const uint64_t start : starts) {
        interrupt_each(works, interrupts, started_for(start));
    }
    const auto parked = started_for(starts[0]);
    interrupt_each<long_object>({fire_near}, {look}, parked, {other});
    // An interrupt in an interrupt: which of them removes the timer may stay unreported.
    const auto unreported = [&](long_object &object) {
        parked(object);
        object.any_stops = true;
    };
    interrupt_each<long_object>({cancel_it, restart_far, fire_near}, {cancel_it, other, other_far}, unreported,
                                {cancel_it, other, other_far});
}

} // namespace

TEST_CASE("an interrupt may start and cancel a long timer at every interrupt window in a stop, a firing, a start")
{
    check_long_at((uint64_t{1} << 32) + 100);
    // In the first 2^32 ticks no tick can be mistaken for one that lies 2^32 before.
    check_long_at((uint64_t{3} << 30) + 100);
}

// requirement: TW-41
TEST_CASE("no interrupt, nor one within it, makes an inactivity timer bark while it is fed, after a stop, or twice")
{
    using action = steps<inactivity_object>;
    constexpr jiffies_t now = 0xFFFFFFFE;
    const auto restart = [](jiffies_t tick) {
        return action{[=](inactivity_object &object) { object.timer.restart_at(tick); }};
    };
    const action stop_it = {[](inactivity_object &object) { object.note_stop(object.timer.stop()); }};
    const action shut_down = {[](inactivity_object &object) {
        object.note_stop(object.timer.shutdown());
        object.is_shut_down = true;
    }};
    const action fire_it = fire<inactivity_object>();
    looks_are_places = true;
    for (const action &started :
         {action{}, restart(now + 1), restart(now + 3), both(restart(now + 1), restart(now + 3))}) {
        const auto prepare = [&](inactivity_object &object) {
            wheel.init(now);
            perform(started, object);
        };
        const std::vector<action> interrupts = {fire_it,          stop_it,          restart(now),
                                                restart(now + 1), restart(now + 2), restart(now + 4)};
        std::vector<action> works = interrupts;
        works.push_back(both(fire_it, fire_it));
        interrupt_each(works, interrupts, prepare, interrupts);
        interrupt_each(works, {shut_down}, prepare);
    }
    // The longest restart, however late the wheel is.
    for (jiffies_t late = 1; late <= 4; ++late) {
        interrupt_each<inactivity_object>({restart(now + late + unit::longest_delay)}, {stop_it},
                                          [&](inactivity_object &object) {
                                              wheel.init(now);
                                              object.timer.restart_at(now + 1);
                                              (void)wheel.advance(late);
                                          });
    }
    looks_are_places = false;
}

// A signal for each instruction takes long, so one variant is enough.
#if defined(__x86_64__) && TICKWHEEL_GEOMETRY == 86 && !TICKWHEEL_DEBUG
namespace
{

struct repeating {
    static constexpr jiffies_t period = 10;
    void fired()
    {
        (void)distant.start_after_ticks(period);
    }
    static void nothing()
    {
    }
    tickwheel::periodic_timer<void (*)(), tickwheel::missed_periods::skip, wheel> periodic{nothing};
    tickwheel::long_timer<tickwheel::member<&repeating::fired>, wheel> distant{this};
};

} // namespace

TEST_CASE("no tick makes more remain of a timer that repeats than its period")
{
    // The next tick is the last one of a period, and the long timer's next tick has other upper bits.
    constexpr jiffies_t start = (1u << 30) - 15;
    std::unique_ptr<repeating> object;
    uint64_t left = 0;
    using reading = uint64_t (*)(const repeating &);
    const reading readings[] = {[](const repeating &of) -> uint64_t { return of.periodic.remaining(); },
                                [](const repeating &of) { return of.distant.remaining(); }};
    for (const reading read : readings) {
        const unsigned instructions = unit::after_every_instruction(
            [&] {
                object = std::make_unique<repeating>();
                wheel.init(start);
                object->periodic.start_after_ticks(repeating::period, repeating::period);
                (void)object->distant.start_after_ticks(repeating::period);
                (void)wheel.advance(repeating::period - 1);
                (void)wheel.run();
            },
            [&] { left = read(*object); }, [] { (void)wheel.interrupt(); },
            [&] {
                CHECK(left <= repeating::period);
                (void)object->periodic.stop();
                (void)object->distant.cancel();
            });
        CHECK(instructions > 20);
    }
}
#endif
