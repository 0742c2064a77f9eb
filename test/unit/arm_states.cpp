// SPDX-License-Identifier: MIT
// Every call that arms or removes a timer, in every state of the timer, to every kind of distance, with a runner that
// is up to date or lags. In optimised code each call has its own copy of what they do.
#include <initializer_list>

#include "support.hpp"

namespace
{

// A pending timer is the only one of its slot, or the oldest, the youngest or in the middle of three.
enum state : unsigned { idle, alone, oldest, middle, youngest, state_count };

struct arming {
    int (*call)(timer_list *, jiffies_t);
    bool arms_idle;
    bool moves_pending;
    bool moves_later;
};

constexpr arming armings[] = {
    {tickwheel_mod_timer, true, true, true},
    {tickwheel_mod_timer_pending, false, true, true},
    {tickwheel_mod_timer_idle, true, false, false},
    {tickwheel_timer_reduce, true, true, false},
    {[](timer_list *timer, jiffies_t tick) { return tickwheel_mod_timer_within(timer, tick, tick); }, true, true,
     true},
    {[](timer_list *timer, jiffies_t tick) {
         if (tickwheel_timer_pending(timer)) {
             return 1;
         }
         timer->expires = tick;
         return tickwheel_add_timer(timer), 0;
     },
     true, false, false},
};

// Around the ends of the levels, and what is past.
constexpr jiffies_t distances[] = {
    0u - unit::longest_delay,
    0x81000000u,
    0u - unit::tv1_ticks - 7,
    0u - 3u,
    0u,
    1u,
    9u,
    unit::block_ticks - 1,
    unit::block_ticks,
    unit::tv1_ticks - 1,
    unit::tv1_ticks,
    unit::tv1_ticks + unit::block_ticks,
    3 * unit::tv1_ticks,
    1u << unit::slot_bits(3),
    3u << unit::slot_bits(3),
    3u << unit::slot_bits(4),
    3u << unit::slot_bits(5),
    0x7F000000u,
    unit::longest_delay,
};

// In the middle of a block and at the end of one, and where the counter wraps.
constexpr jiffies_t starts[] = {1000u, 0x50000000u - 3, 0u - 2u};
// Ticks that are counted and not run.
constexpr jiffies_t lags[] = {0, 1, 5, unit::tv1_ticks + 40, 3000, 0x7F800000u};

unsigned firings_of(const timer_list &timer)
{
    unsigned count = 0;
    for (unsigned i = 0; i < unit::fired; ++i) {
        count += unit::log[i].timer == &timer;
    }
    return count;
}

// A timer pending in this state, alone or with one or two others of its tick.
struct in_company {
    unit::noted older;
    unit::noted timer;
    unit::noted younger;

    in_company(state in, jiffies_t tick)
    {
        if (in == middle || in == youngest) {
            tickwheel_mod_timer(&older, tick);
        }
        if (in != idle) {
            tickwheel_mod_timer(&timer, tick);
        }
        if (in == middle || in == oldest) {
            tickwheel_mod_timer(&younger, tick);
        }
    }
};

void check(const arming &how, state in, jiffies_t start, jiffies_t lag, jiffies_t distance)
{
    const unit::fresh wheel(start);
    unit::noted first;
    unit::noted last;
    jiffies_t tick = start + lag + unit::tv1_ticks + 44;
    in_company pending(in, tick);
    timer_list &timer = pending.timer;
    if (lag != 0) {
        tickwheel_mod_timer(&first, start + 1);
        tickwheel_mod_timer(&last, start + lag);
        (void)tickwheel_advance(lag);
    }
    const jiffies_t now = start + lag;
    jiffies_t expires = now + distance;
    if (distance > unit::longest_delay - lag && distance <= unit::longest_delay) {
        // The longest delay that the lag leaves.
        expires = now + (unit::longest_delay - lag);
    }
    const bool was_pending = in != idle;
    const bool moves =
        was_pending ? how.moves_pending && (how.moves_later || tickwheel_time_before(expires, tick)) : how.arms_idle;
    CHECK_EQ(how.call(&timer, expires), was_pending ? 1 : 0);
    tick = moves ? expires : tick;
    const bool armed = moves || was_pending;
    CHECK_EQ(tickwheel_timer_pending(&timer), armed ? 1 : 0);

    const bool overdue = armed && tickwheel_time_after_eq(now, tick);
    if (lag != 0) {
        // What is due fires in order of its ticks, and an overdue timer in the first one.
        (void)tickwheel_run();
        CHECK_EQ(firings_of(timer), overdue ? 1u : 0u);
        CHECK((unit::log[0].timer == &first));
        const bool after_last = overdue && (tick == now || lag == 1);
        CHECK((unit::log[unit::fired - 1].timer == (after_last ? &timer : &last)));
    } else if (overdue) {
        CHECK_EQ(unit::pass(1), 1u);
        CHECK_EQ(firings_of(timer), 1u);
    }
    if (armed && !overdue) {
        (void)unit::skip_to(tick - 1);
        CHECK_EQ(firings_of(timer), 0u);
        (void)unit::pass(1);
        CHECK_EQ(unit::moment{start, lag, firings_of(timer)}, unit::moment{start, lag, 1});
    }
}

} // namespace

constexpr int (*removals[])(timer_list *) = {tickwheel_timer_delete, tickwheel_try_to_del_timer_sync,
                                             tickwheel_timer_delete_sync, tickwheel_timer_shutdown,
                                             tickwheel_timer_shutdown_sync};

TEST_CASE("every call that removes takes a timer of every state from its slot, and no other timer")
{
    for (int (*const remove)(timer_list *) : removals) {
        for (unsigned in = 0; in < state_count; ++in) {
            for (const jiffies_t distance : {jiffies_t{9}, jiffies_t{3 * unit::tv1_ticks}}) {
                const unit::fresh wheel(1000);
                const jiffies_t tick = unit::now() + distance;
                in_company pending(static_cast<state>(in), tick);
                CHECK_EQ(remove(&pending.timer), in != idle ? 1 : 0);
                CHECK_EQ(tickwheel_timer_pending(&pending.timer), 0);
                (void)unit::skip_to(tick);
                CHECK_EQ(unit::moment{in, distance, unit::fired}, unit::moment{in, distance,
                                                                               (in == middle   ? 2u
                                                                                : in >= oldest ? 1u
                                                                                               : 0u)});
                CHECK_EQ(firings_of(pending.timer), 0u);
            }
        }
    }
}

TEST_CASE("every call that arms brings a timer of every state to its tick, near, far and past, with any lag")
{
    for (const arming &how : armings) {
        for (unsigned in = 0; in < state_count; ++in) {
            for (const jiffies_t start : starts) {
                for (const jiffies_t lag : lags) {
                    for (const jiffies_t distance : distances) {
                        check(how, static_cast<state>(in), start, lag, distance);
                    }
                }
            }
        }
    }
}
