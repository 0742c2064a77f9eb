// SPDX-License-Identifier: MIT
// Interrupts in every gap of a restart, a stop and a callback of an inactivity timer: before and after each read and
// each masked section, one within another. A judge knows only when each call began and ended, and what it returned.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

/// The work of an interrupt in a gap. It has gaps of its own.
std::function<void()> at_gap;
/// Counts the starts and the ends of calls.
unsigned moment;
/// The end of a wait: when it took effect, and for which deadline.
struct wait_end {
    const timer_list *timer;
    unsigned at;
    jiffies_t deadline;
};
/// The end of a wait that is written when the masked section ends.
wait_end *effect;

void gap()
{
    if (tickwheel::interrupts.depth == 0 && at_gap) {
        wait_end *const interrupted = std::exchange(effect, nullptr);
        at_gap();
        effect = interrupted;
    }
}

struct gap_lock : tickwheel::port_lock {
    static uint32_t irq_save()
    {
        gap();
        return port_lock::irq_save();
    }
    static void irq_restore(uint32_t depth)
    {
        port_lock::irq_restore(depth);
        if (depth == 0 && effect != nullptr) {
            effect->at = ++moment;
            effect->deadline = effect->timer->expires;
        }
        gap();
    }
    static void irq_mask()
    {
        (void)irq_save();
    }
    static void preemption_point(uint32_t depth)
    {
        irq_restore(depth);
        irq_mask();
    }
};

/// A wheel with a gap on both sides of the first read of a restart.
template <class Geometry>
struct gap_wheel : tickwheel::wheel<gap_lock, Geometry> {
    using base = tickwheel::wheel<gap_lock, Geometry>;
    static int timer_pending(const timer_list *timer)
    {
        gap();
        const int pending = base::timer_pending(timer);
        gap();
        return pending;
    }
    bool end_wait(timer_list *timer, tickwheel::shared_word &deadline, bool in_callback)
    {
        wait_end end = {timer, 0, 0};
        wait_end *const outer = std::exchange(effect, &end);
        const bool ended = base::end_wait(timer, deadline, in_callback);
        effect = outer;
        last_end = end;
        return ended;
    }
    wait_end last_end = {};
};
gap_wheel<tickwheel::linux_geometry> large;
gap_wheel<tickwheel::linux_small_geometry> small;

/// A restart takes effect at some moment between its start and its end. A stop and a call have one moment.
struct event {
    bool waits;
    jiffies_t deadline;
    unsigned began;
    unsigned ended;
    /// Whether it is a call, and in which tick.
    bool calls;
    jiffies_t tick;
    /// For a stop, what it has returned. For a restart, whether a stop or a call has ended the wait for its deadline.
    bool over;
};

/// Writes down what was done to a timer, and judges it afterwards.
struct judge {
    std::vector<event> events = {{false, 0, 0, 0, false, 0, false}};

    size_t restart_begins(jiffies_t tick)
    {
        events.push_back({true, tick, ++moment, 0, false, 0, false});
        return events.size() - 1;
    }
    void restart_ends(size_t which)
    {
        events[which].ended = ++moment;
    }
    // A stop, or a call in this tick.
    void wait_ends(const wait_end &end, bool was_pending, bool calls, jiffies_t tick)
    {
        events.push_back({false, end.deadline, end.at, end.at, calls, tick, was_pending});
    }

    // Each call and each stop that has found a wait is for a restart of its own, which nothing has replaced before.
    bool holds(bool pending, jiffies_t deadline)
    {
        std::sort(events.begin(), events.end(), [](const event &a, const event &b) { return a.ended < b.ended; });
        bool all = true;
        for (const event &each : events) {
            if (each.waits || each.ended == 0) {
                continue;
            }
            all = all && (each.over ? end_wait(each.ended, each.deadline) : may_be_idle(each.ended));
            if (each.calls && tickwheel_time_after(each.deadline, each.tick)) {
                all = false;
            }
        }
        ++moment;
        return all && (pending ? end_wait(moment, deadline) : may_be_idle(moment));
    }

private:
    // Whether another event has certainly replaced this one before a moment.
    bool is_replaced(const event &earlier, unsigned before) const
    {
        return std::any_of(events.begin(), events.end(),
                           [&](const event &other) { return other.began > earlier.ended && other.ended < before; });
    }
    bool may_be_idle(unsigned at) const
    {
        return std::any_of(events.begin(), events.end(), [&](const event &each) {
            return !each.waits && each.began < at && !is_replaced(each, at);
        });
    }
    bool end_wait(unsigned at, jiffies_t deadline)
    {
        for (event &each : events) {
            if (each.waits && !each.over && each.began < at && !is_replaced(each, at) && each.deadline == deadline) {
                each.over = true;
                return true;
            }
        }
        return false;
    }
};

template <auto &Wheel>
struct subject {
    void fired()
    {
        judged.wait_ends(Wheel.last_end, true, true, Wheel.jiffies());
        ++calls;
        gap();
    }
    tickwheel::inactivity_timer<tickwheel::member<&subject::fired>, Wheel> timer{this};
    judge judged = {};
    unsigned calls = 0;

    void restart_at(jiffies_t tick)
    {
        const size_t which = judged.restart_begins(tick);
        timer.restart_at(tick);
        judged.restart_ends(which);
    }
    void stop()
    {
        const bool was_pending = timer.stop();
        judged.wait_ends(Wheel.last_end, was_pending, false, 0);
    }
    static void tick_and_run()
    {
        if (Wheel.tick()) {
            (void)Wheel.run();
        }
    }

    // Nothing interrupts any more: the timer is called once, at its deadline, or never.
    void run_to_the_end()
    {
        at_gap = nullptr;
        const unsigned before = calls;
        const bool pending = timer.pending();
        const jiffies_t next = Wheel.jiffies() + 1;
        const jiffies_t tick = timer.expires();
        CHECK(judged.holds(pending, tick));
        for (jiffies_t ticks = pending && tickwheel_time_after(tick, next) ? tick - next : 0; ticks != 0; --ticks) {
            tick_and_run();
        }
        CHECK_EQ(calls, before);
        tick_and_run();
        CHECK_EQ(calls, before + pending);
        for (unsigned ticks = 0; ticks < 10; ++ticks) {
            tick_and_run();
        }
        CHECK_EQ(calls, before + pending);
        CHECK((!timer.pending() && !timer.stop()));
        jiffies_t left = 0;
        CHECK_EQ(Wheel.next_expiry(&left), 0);
    }
};

template <auto &Wheel>
using action = void (*)(subject<Wheel> &);

constexpr jiffies_t now = 0xFFFFFFFE;

/// Each one but the first is an interrupt too.
template <auto &Wheel>
constexpr action<Wheel> actions[] = {
    [](subject<Wheel> &object) {
        object.tick_and_run();
        object.tick_and_run();
    },
    [](subject<Wheel> &object) { object.tick_and_run(); },
    [](subject<Wheel> &object) { object.stop(); },
    [](subject<Wheel> &object) { object.restart_at(now); },
    [](subject<Wheel> &object) { object.restart_at(now + 1); },
    [](subject<Wheel> &object) { object.restart_at(now + 2); },
    [](subject<Wheel> &object) { object.restart_at(now + 4); },
};

/// The timer is idle, waits in the wheel for its deadline, or waits for an earlier tick than its deadline.
template <auto &Wheel>
constexpr action<Wheel> states[] = {
    [](subject<Wheel> &) {},
    [](subject<Wheel> &object) { object.restart_at(now + 1); },
    [](subject<Wheel> &object) { object.restart_at(now + 3); },
    [](subject<Wheel> &object) {
        object.restart_at(now + 1);
        object.restart_at(now + 3);
    },
};

// `first` comes in gap `place`, and `second` in a later one, which may be in `first`. Returns the number of gaps.
template <auto &Wheel>
unsigned interrupted(action<Wheel> state, action<Wheel> work, action<Wheel> first, unsigned place,
                     action<Wheel> second, unsigned second_place)
{
    Wheel.init(now);
    subject<Wheel> object;
    state(object);
    unsigned gaps = 0;
    at_gap = [&] {
        const unsigned which = gaps++;
        if (which == place) {
            first(object);
        } else if (which == second_place) {
            second(object);
        }
    };
    work(object);
    object.run_to_the_end();
    return gaps;
}

template <auto &Wheel>
void interrupt_everywhere()
{
    unit::forget();
    unsigned max_gaps = 0;
    for (const action<Wheel> state : states<Wheel>) {
        for (const action<Wheel> &work : actions<Wheel>) {
            for (const action<Wheel> &first : actions<Wheel>) {
                for (const action<Wheel> &second : actions<Wheel>) {
                    if (&first == actions<Wheel> || &second == actions<Wheel>) {
                        continue;
                    }
                    unsigned gaps = 1;
                    for (unsigned place = 0; place < gaps; ++place) {
                        unsigned with_second = place + 2;
                        for (unsigned later = place + 1; later < with_second; ++later) {
                            with_second = interrupted<Wheel>(state, work, first, place, second, later);
                            gaps = std::max(gaps, with_second);
                        }
                    }
                    max_gaps = std::max(max_gaps, gaps);
                }
            }
        }
    }
    CHECK(max_gaps > 10);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
}

} // namespace

// requirement: TW-41
TEST_CASE("no interrupt, nor one within it, makes an inactivity timer bark while it is fed, after a stop, or twice")
{
    interrupt_everywhere<large>();
    interrupt_everywhere<small>();
}

namespace
{

template <auto &Wheel>
void shut_down_everywhere()
{
    for (const action<Wheel> state : states<Wheel>) {
        for (const action<Wheel> work : actions<Wheel>) {
            bool taken = true;
            for (unsigned place = 0; taken; ++place) {
                Wheel.init(now);
                subject<Wheel> object;
                state(object);
                taken = false;
                unsigned gaps = 0;
                at_gap = [&] {
                    if (gaps++ == place) {
                        taken = true;
                        const bool was_pending = object.timer.shutdown();
                        object.judged.wait_ends(Wheel.last_end, was_pending, false, 0);
                    }
                };
                work(object);
                at_gap = nullptr;
                if (taken) {
                    object.timer.restart_at(now + 5);
                    CHECK((!object.timer.pending() && !object.timer.stop()));
                    object.tick_and_run();
                    CHECK(object.judged.holds(false, 0));
                    jiffies_t left = 0;
                    CHECK_EQ(Wheel.next_expiry(&left), 0);
                } else {
                    object.run_to_the_end();
                }
            }
        }
    }
}

} // namespace

TEST_CASE("a shutdown in any gap ends an inactivity timer for good")
{
    shut_down_everywhere<large>();
    shut_down_everywhere<small>();
}

// requirement: TW-41
TEST_CASE("a stop in any gap of the longest restart ends it, or comes before it, however late the wheel is")
{
    for (jiffies_t overdue = 0; overdue < 4; ++overdue) {
        bool taken = true;
        for (unsigned place = 0; taken; ++place) {
            large.init(now);
            subject<large> object;
            object.timer.restart_at(now + 1);
            (void)large.advance(1 + overdue);
            unsigned gaps = 0;
            taken = false;
            at_gap = [&] {
                if (gaps++ == place) {
                    taken = true;
                    // The timer is waiting all the time.
                    CHECK(object.timer.pending());
                    CHECK(object.timer.stop());
                }
            };
            object.timer.restart_after_ticks(unit::longest_delay);
            at_gap = nullptr;
            CHECK_EQ(object.timer.expires(), now + 1 + overdue + unit::longest_delay);
            (void)object.timer.stop();
        }
    }
}
