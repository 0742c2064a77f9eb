// SPDX-License-Identifier: MIT
// Periodic, long and inactivity timers, and an interrupt at both ends of every stretch with the lock open, or two,
// the second after the first or within it. The outcome must be one that the same calls have one after another: the
// interrupt's before, after or between those that it interrupts. periodic.cpp, long.cpp and inactivity.cpp show what
// the calls do without an interrupt.
#include <functional>
#include <optional>
#include <set>
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
        pass_look();
        const int pending = wheel::timer_pending(timer);
        pass_look();
        return pending;
    }
    static void pass_look()
    {
        if (looks_are_places) {
            unit::let_in();
        }
    }
};
watched_wheel wheel;

void tick_and_run()
{
    if (wheel.tick()) {
        (void)wheel.run();
    }
}

using step = std::function<void()>;
using steps = std::vector<step>;

/// Called at each place between two steps. Only the calls one after another have something to do there.
step at_place;

void pass_place()
{
    if (at_place) {
        at_place();
    }
}

void perform(const steps &all)
{
    for (const step &each : all) {
        pass_place();
        each();
    }
    pass_place();
}

steps both(steps first, const steps &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// An interrupt's steps are being performed.
bool interrupting;

/// What a run has done.
struct {
    std::vector<uint64_t> calls;
    /// How many stops of the work and how many of the interrupt returned true.
    unsigned stopped[2];
    /// What its stops return depends on more than the order of the calls.
    bool any_stops;
    /// The steps of the next callback.
    steps then;
} done;

void note_stop(bool was_pending)
{
    done.stopped[interrupting] += was_pending;
}

/// The callback of all timers.
void note()
{
    done.calls.push_back(wheel.get_jiffies_64());
    perform(std::exchange(done.then, {}));
}

/// The runner comes to the timer in the next tick. It calls a callback that does `inside`, or parks the timer.
steps fire(const steps &inside = {})
{
    return {[=] {
        done.then = inside;
        // In the middle of a stop, the call comes before it and the re-arm after it, which no order of the two has.
        done.any_stops |= interrupting;
        tick_and_run();
    }};
}

/// Two interrupts, of which the second may have no steps. The first comes at the place with the first number, the
/// second at a later one, which may be in the first.
struct interrupts {
    const steps *calls[2];
    unsigned places[2];
    unsigned passed = 0;
    unsigned came = 0;
    bool first_is_under_way = false;
    bool second_came_within = false;

    void pass()
    {
        const unsigned place = passed++;
        if (came == 2 || place != places[came] || calls[came]->empty()) {
            return;
        }
        const steps &these = *calls[came++];
        second_came_within = first_is_under_way;
        first_is_under_way = came == 1;
        unit::in_handler = false;
        const bool outer = std::exchange(interrupting, true);
        perform(these);
        interrupting = outer;
        first_is_under_way = false;
    }
};

/// What a test sees of a timer, when it is called afterwards, and what its stops returned.
using outcome = std::vector<uint64_t>;

/// How a timer is made, what shows of it, and its calls afterwards.
struct subject {
    step prepare;
    std::function<outcome()> look;
    step run_to_the_end;
};

template <class Timer>
outcome look_at(const Timer &timer)
{
    return {timer.pending(), timer.pending() ? timer.expires() : 0};
}

outcome outcome_of(const subject &timer)
{
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
    CHECK_EQ(unit::misused, 0u);
    done.then.clear();
    outcome seen = timer.look();
    seen.push_back(done.calls.size());
    for (const unsigned stopped : done.stopped) {
        seen.push_back(done.any_stops ? 0 : stopped);
    }
    done.calls.clear();
    timer.run_to_the_end();
    seen.insert(seen.end(), done.calls.begin(), done.calls.end());
    return seen;
}

/// Does the work with interrupts at each pair of places, until so many do not come: between steps, or at interrupt
/// windows. `judge` gets the interrupts that came, and the outcome.
template <class Judge>
void at_each_pair_of_places(const subject &timer, const steps &work, const steps &first, const steps &second,
                            bool between_steps, Judge judge)
{
    unsigned came = 0;
    unsigned place = 0;
    do {
        unsigned later = place;
        do {
            done = {};
            timer.prepare();
            interrupts these = {{&first, &second}, {place, ++later}};
            const step pass = [&] { these.pass(); };
            if (between_steps) {
                at_place = pass;
                perform(work);
                at_place = nullptr;
            } else {
                const unit::interrupt_at_interrupt_windows interrupt(pass);
                perform(work);
            }
            judge(these, outcome_of(timer));
            came = these.came;
        } while (came == 2);
        ++place;
    } while (came != 0);
}

/// Returns how many interrupts have come.
unsigned interrupt_everywhere(const subject &timer, const steps &work, const steps &first, const steps &second)
{
    unit::forget();
    // The outcomes of all orders of no interrupt, of one and of two. The last are those of two, of which the second
    // comes within the first, and may take effect before it.
    std::set<outcome> legal[4];
    at_each_pair_of_places(timer, work, first, second, true,
                           [&](const interrupts &these, const outcome &seen) { legal[these.came].insert(seen); });
    legal[3] = legal[2];
    if (!second.empty()) {
        at_each_pair_of_places(timer, work, second, first, true, [&](const interrupts &these, const outcome &seen) {
            legal[these.came == 2 ? 3 : these.came].insert(seen);
        });
    }
    unsigned all = 0;
    at_each_pair_of_places(timer, work, first, second, false, [&](const interrupts &these, const outcome &seen) {
        CHECK(legal[these.second_came_within ? 3 : these.came].count(seen) != 0);
        all += these.came;
    });
    return all;
}

void interrupt_each(const subject &timer, const std::vector<steps> &works, const std::vector<steps> &interrupts,
                    const std::vector<steps> &later = {{}})
{
    size_t came = 0;
    for (const steps &work : works) {
        for (const steps &first : interrupts) {
            for (const steps &second : later) {
                came += interrupt_everywhere(timer, work, first, second);
            }
        }
    }
    CHECK(came > works.size() * interrupts.size() * later.size());
}

/// With a Slack, its calls may come up to three ticks late.
template <class... Slack>
void check_periodic()
{
    struct periodic : tickwheel::periodic_timer<void (*)(), tickwheel::missed_periods::skip, wheel, Slack...> {
        using periodic::periodic_timer::periodic_timer;
        using periodic::periodic_timer::slack_used;
    };
    static std::optional<periodic> timer;
    constexpr jiffies_t now = 1000;
    const auto start = [](jiffies_t tick, jiffies_t period) {
        return steps{[=] {
            // A start stops the timer first. One after another, these are two steps.
            if (at_place) {
                (void)timer->stop();
                pass_place();
            }
            timer->start_at(tick, period);
        }};
    };
    const steps start_again = start(now + 4, 6);
    const steps start_other = start(now + 7, 9);
    const steps stop_it = {[] { note_stop(timer->stop()); }};
    const steps change = {[] { timer->set_period(8); }};
    const steps fire_it = fire();
    const subject idle = {[] {
                              wheel.init(now);
                              timer.emplace(note, Slack{3}...);
                          },
                          [] {
                              outcome seen = look_at(*timer);
                              seen.push_back(timer->pending() ? timer->slack_used() : 0);
                              seen.push_back(timer->period());
                              return seen;
                          },
                          [] {
                              for (unsigned ticks = 0; ticks < 40; ++ticks) {
                                  tick_and_run();
                              }
                              CHECK_EQ(timer->missed(), 0u);
                              (void)timer->stop();
                          }};
    subject started = idle;
    started.prepare = [=] {
        idle.prepare();
        timer->start_at(now + 1, 10);
    };
    std::vector<steps> interrupts = {start_other, stop_it, both(stop_it, start_other), both(start_other, stop_it)};
    interrupt_each(started, {fire_it, fire(stop_it), fire(start_again), fire(change)}, interrupts);
    interrupt_each(started, {fire_it}, {change});
    interrupts.push_back(change);
    interrupts.push_back(fire_it);
    const std::vector<steps> works = {start_again, stop_it, both(stop_it, start_again), both(start_again, stop_it)};
    interrupt_each(started, works, interrupts);
    interrupt_each(idle, works, interrupts);
}

TEST_CASE("an interrupt may start, stop and change a periodic timer at every interrupt window in its calls")
{
    check_periodic<>();
}

TEST_CASE("an interrupt may do so to a periodic timer with a slack")
{
    check_periodic<tickwheel::slack>();
}

std::optional<tickwheel::long_timer<void (*)(), wheel>> far;

steps start_long(uint64_t tick)
{
    return {[=] {
        bool was_pending = false;
        // As that of a periodic timer, but a start returns what its cancel does.
        if (at_place) {
            was_pending = far->cancel();
            pass_place();
        }
        note_stop(far->start_at(tick) || was_pending);
    }};
}
const steps cancel_it = {[] { note_stop(far->cancel()); }};

// It is pending while the runner parks it.
const steps look = {[] { note_stop(far->pending()); }};

// Sleeps from event to event, until the timer is called, at most until this tick, or while a timer is pending.
void sleep(uint64_t until)
{
    const size_t before = done.calls.size();
    jiffies_t next = 0;
    while (done.calls.size() == before && wheel.get_jiffies_64() != until) {
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

// jiffies is near_tick - 1 before the work.
void check_long_at(uint64_t near_tick)
{
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
    const auto fire_near = fire();
    const std::vector<steps> works = {restart,   restart_far,   cancel_it,         both(restart_far, cancel_it),
                                      fire_near, fire(restart), fire(restart_far), fire(cancel_it)};
    // The last one is started and called within the work.
    const std::vector<steps> interrupts = {other,
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
    const auto started_for = [=](uint64_t start) {
        return subject{[=] {
                           wheel.init(1000);
                           far.emplace(note);
                           if (start != 0) {
                               (void)far->start_at(start);
                           }
                           sleep(near_tick - 1);
                           CHECK(done.calls.empty());
                       },
                       [] { return look_at(*far); },
                       [] {
                           sleep(0);
                           CHECK(!far->cancel());
                       }};
    };
    for (const uint64_t start : starts) {
        interrupt_each(started_for(start), works, interrupts);
    }
    subject parked = started_for(starts[0]);
    interrupt_each(parked, {fire_near}, {look}, {other});
    // An interrupt in an interrupt: which of them removes the timer may stay unreported.
    parked.prepare = [prepare = parked.prepare] {
        prepare();
        done.any_stops = true;
    };
    interrupt_each(parked, {cancel_it, restart_far, fire_near}, {cancel_it, other, other_far},
                   {cancel_it, other, other_far});
}

TEST_CASE("an interrupt may start and cancel a long timer at every interrupt window in a stop, a firing, a start")
{
    check_long_at((uint64_t{1} << 32) + 100);
    // In the first 2^32 ticks no tick can be mistaken for one that lies 2^32 before.
    check_long_at((uint64_t{3} << 30) + 100);
}

// requirement: TW-41
TEST_CASE("no interrupt, nor one within it, makes an inactivity timer bark while it is fed, after a stop, or twice")
{
    static std::optional<tickwheel::inactivity_timer<void (*)(), wheel>> timer;
    static bool is_shut_down;
    constexpr jiffies_t now = 0xFFFFFFFE;
    const auto restart = [](jiffies_t tick) { return steps{[=] { timer->restart_at(tick); }}; };
    const steps stop_it = {[] { note_stop(timer->stop()); }};
    const steps shut_down = {[] {
        note_stop(timer->shutdown());
        is_shut_down = true;
    }};
    const steps fire_it = fire();
    const step prepare = [] {
        wheel.init(now);
        timer.emplace(note);
        is_shut_down = false;
    };
    subject tried = {prepare, [] { return look_at(*timer); },
                     [] {
                         jiffies_t left = 0;
                         if (is_shut_down) {
                             timer->restart_at(wheel.jiffies() + 5);
                             CHECK((!timer->pending() && wheel.next_expiry(&left) == 0));
                         }
                         const bool pending = timer->pending();
                         (void)wheel.run();
                         while (wheel.next_expiry(&left) != 0) {
                             (void)wheel.advance(left - wheel.jiffies());
                             (void)wheel.run();
                         }
                         CHECK_EQ(done.calls.size(), pending);
                         CHECK((!timer->pending() && !timer->stop()));
                         CHECK_EQ(wheel.next_expiry(&left), 0);
                     }};
    looks_are_places = true;
    for (const steps &started :
         {steps{}, restart(now + 1), restart(now + 3), both(restart(now + 1), restart(now + 3))}) {
        tried.prepare = [&] {
            prepare();
            perform(started);
        };
        const std::vector<steps> interrupts = {fire_it,          stop_it,          restart(now),
                                               restart(now + 1), restart(now + 2), restart(now + 4)};
        std::vector<steps> works = interrupts;
        works.push_back(both(fire_it, fire_it));
        interrupt_each(tried, works, interrupts, interrupts);
        interrupt_each(tried, works, {shut_down});
    }
    // The longest restart, however late the wheel is.
    for (jiffies_t late = 1; late <= 4; ++late) {
        tried.prepare = [&] {
            prepare();
            timer->restart_at(now + 1);
            (void)wheel.advance(late);
        };
        interrupt_each(tried, {restart(now + late + unit::longest_delay)}, {stop_it});
    }
    looks_are_places = false;
}

// A signal for each instruction takes long, so one variant is enough.
#if defined(__x86_64__) && TICKWHEEL_GEOMETRY == 86 && !TICKWHEEL_DEBUG
TEST_CASE("no tick makes more remain of a timer that repeats than its period")
{
    static std::optional<tickwheel::periodic_timer<void (*)(), tickwheel::missed_periods::skip, wheel>> often;
    // The next tick is the last one of a period, and the long timer's next tick has other upper bits.
    constexpr jiffies_t start = (1u << 30) - 15;
    static constexpr jiffies_t period = 10;
    uint64_t left = 0;
    using reading = uint64_t (*)();
    const reading readings[] = {[]() -> uint64_t { return often->remaining(); }, [] { return far->remaining(); }};
    for (const reading read : readings) {
        const unsigned instructions = unit::after_every_instruction(
            [&] {
                wheel.init(start);
                often.emplace([] {});
                far.emplace([] { (void)far->start_after_ticks(period); });
                often->start_after_ticks(period, period);
                (void)far->start_after_ticks(period);
                (void)wheel.advance(period - 1);
                (void)wheel.run();
            },
            [&] { left = read(); }, [] { (void)wheel.interrupt(); },
            [&] {
                CHECK(left <= period);
                (void)often->stop();
                (void)far->cancel();
            });
        CHECK(instructions > 20);
    }
}
#endif

} // namespace
