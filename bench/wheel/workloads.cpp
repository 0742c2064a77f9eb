// SPDX-License-Identifier: MIT
// The workloads of the wheel. bench/README.md lists them.
#include <initializer_list>
#include <stdint.h>

#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/tickwheel.h>

#include "workloads.hpp"

extern "C" void bench_seven();
extern "C" void bench_loop();

namespace
{

using namespace bench;

/// The ticks that a slot of tv2 covers.
constexpr jiffies_t block_ticks = 1u << 7;

void check_the_counting()
{
    call<op_seven, bench_seven>();
    call<op_loop, bench_loop>();
}

/// Calls every other operation on one timer once. N timers stay pending, and one is idle again at the end.
void other_operations(unsigned count)
{
    timer_list *const idle = &timers[count];
    timer_list *const timer = &timers[numbers.between(0, count - 1)];
    const jiffies_t now = jiffies;

    call<op_arm_far, tickwheel_mod_timer>(idle, now + numbers.between(0x10000, 0x7FFFFFFF));
    call<op_try_cancel, tickwheel_try_to_del_timer_sync>(idle);
    call<op_arm_overdue, tickwheel_mod_timer>(idle, now - numbers.between(0, 1000));
    tickwheel_timer_delete(idle);
    call<op_cancel_idle, tickwheel_timer_delete>(idle);
    call<op_mod_pending_idle, tickwheel_mod_timer_pending>(idle, now + numbers.between(1, 0xFFFF));
    call<op_reduce_idle, tickwheel_timer_reduce>(idle, now + numbers.between(1, 0xFFFF));
    tickwheel_timer_delete(idle);
    idle->expires = now + numbers.between(1, 0xFFFF);
    call<op_add, tickwheel_add_timer>(idle);
    call<op_shutdown, tickwheel_timer_shutdown>(idle);
    tickwheel_timer_setup(idle, do_nothing, 0);

    call<op_move_same, tickwheel_mod_timer>(timer, timer->expires);
    call<op_reduce_pending, tickwheel_timer_reduce>(timer, now + numbers.between(1, 0xFFFF));
    call<op_mod_pending_pending, tickwheel_mod_timer_pending>(timer, now + numbers.between(1, 0xFFFF));
    call<op_move_overdue, tickwheel_mod_timer>(timer, now - numbers.between(0, 1000));
    tickwheel_mod_timer(timer, now + numbers.between(1, 0xFFFF));
    call<op_jiffies_64, tickwheel_get_jiffies_64>();
}

/// Catch-up: one run after n empty ticks, with nothing pending, then with N timers pending after them.
void catch_up(unsigned count, uint32_t ticks)
{
    const uint32_t ahead = ticks < 1u << 21 ? 1u << 22 : 2 * ticks;
    for (unsigned n = 0; n < 2 * rounds; ++n) {
        const jiffies_t start = start_of(n);
        start_afresh(start, do_nothing);
        call<op_advance, tickwheel_advance>(ticks);
        check(call<op_catch_up, tickwheel_run>() == 0);
        start_afresh(start, do_nothing);
        arm_all(count, ahead, 2 * ahead - 1);
        tickwheel_advance(ticks);
        check(call<op_far_catch_up, tickwheel_run>() == 0);
    }
}

/// Burst: N timers of one tick.
void burst(unsigned count, jiffies_t delay)
{
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    arm_all(count, delay, delay);
    const jiffies_t expires = timers[0].expires;
    while (jiffies != expires) {
        tick<op_burst_tick>();
    }
    check(!tickwheel_timer_pending(&timers[count - 1]));
}

/// Crowd: N timers wait in one slot, of tv2 or tv3 by the delay. One of them is alone in the first tick.
void crowd(unsigned count, jiffies_t delay)
{
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    tickwheel_timer_setup(&timers[0], [](timer_list *) { mark_end<op_crowd_callback>(); }, 0);
    const jiffies_t first = (jiffies + delay) & ~0xFFFu;
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_mod_timer(&timers[i], first + (i == 0 ? 0 : 1 + i % 255));
    }
    while (jiffies != first - 1) {
        tick<op_crowd_tick>();
    }
    mark_begin<op_crowd_callback>();
    if (tickwheel_tick()) {
        tickwheel_run();
    }
    check(!tickwheel_timer_pending(&timers[0]));
    check(count == 1 || tickwheel_timer_pending(&timers[1]));
}

/// Time-out: ten time-outs a tick, of Shortest to Longest ticks. Nine of them are cancelled `After` ticks later.
template <operation Arm, operation Cancel, operation Tick, unsigned Shortest, unsigned Longest, unsigned After>
void timeouts()
{
    static timer_list cancelled[After][9];
    static timer_list kept[Longest + 1];
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    for (auto &row : cancelled) {
        for (timer_list &timer : row) {
            tickwheel_timer_setup(&timer, do_nothing, 0);
        }
    }
    for (timer_list &timer : kept) {
        tickwheel_timer_setup(&timer, do_nothing, 0);
    }
    const auto arm = [](timer_list *timer, bool counts) {
        check(!tickwheel_timer_pending(timer));
        const jiffies_t expires = jiffies + numbers.between(Shortest, Longest);
        if (counts) {
            call<Arm, tickwheel_mod_timer>(timer, expires);
        } else {
            tickwheel_mod_timer(timer, expires);
        }
    };
    // The number of pending timers is steady after the longest delay.
    for (unsigned i = 0; i < Longest + (1u << 14); ++i) {
        const bool counts = i >= Longest;
        for (timer_list &timer : cancelled[i % After]) {
            if (i >= After) {
                check((counts ? call<Cancel, tickwheel_timer_delete>(&timer) : tickwheel_timer_delete(&timer)) == 1);
            }
            arm(&timer, counts);
        }
        arm(&kept[i % (Longest + 1)], counts);
        if (counts) {
            tick<Tick>();
        } else {
            (void)tickwheel_interrupt();
        }
    }
}

/// Few timers: what small firmware does: one watchdog that is restarted in each tick, the same as an inactivity
/// timer, one time-out that is armed and cancelled in each tick, one period of one tick.
void small_firmware()
{
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    tickwheel_mod_timer(&timers[0], jiffies + 100);
    for (unsigned i = 0; i < 1u << 12; ++i) {
        check(call<op_watchdog_restart, tickwheel_mod_timer>(&timers[0], jiffies + 100) == 1);
        tick<op_watchdog_tick>();
    }
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    static tickwheel::inactivity_timer watchdog{[] { check(false); }};
    for (unsigned i = 0; i < 1u << 12; ++i) {
        const jiffies_t deadline = jiffies + 100;
        mark_begin<op_inactivity_restart>();
        watchdog.restart_at(deadline);
        mark_end<op_inactivity_restart>();
        tick<op_inactivity_tick>();
    }
    check(watchdog.stop());
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    for (unsigned i = 0; i < 1u << 12; ++i) {
        call<op_single_timeout_arm, tickwheel_mod_timer>(&timers[0], jiffies + 100);
        check(call<op_single_timeout_cancel, tickwheel_timer_delete>(&timers[0]) == 1);
        tick<op_single_timeout_tick>();
    }
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
    timers[0].period = 1;
    tickwheel_mod_timer(&timers[0], jiffies + 1);
    for (unsigned i = 0; i < 1u << 12; ++i) {
        tick<op_period_tick>();
    }
}

/// Few timers: a time-out that fires in the next tick, while ten are pending far ahead, then ten periods of 5 to 100.
void ten_timers()
{
    constexpr unsigned ten = 10;
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    arm_all(ten, 1u << 20, 1u << 21);
    for (unsigned i = 0; i < 1u << 12; ++i) {
        tickwheel_mod_timer(&timers[ten], jiffies + 1);
        tick<op_one_shot_tick>();
    }
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
    for (unsigned i = 0; i < ten; ++i) {
        timers[i].period = 5 + i * 95 / (ten - 1);
        tickwheel_mod_timer(&timers[i], jiffies + timers[i].period);
    }
    for (unsigned i = 0; i < 1u << 12; ++i) {
        tick<op_ten_periods_tick>();
    }
}

/// Asleep: a time-out of each length from 1 to 1000 ticks, ten are pending far ahead, and the core sleeps from event
/// to event.
void sleeps()
{
    constexpr unsigned ten = 10;
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    arm_all(ten, 1u << 24, 1u << 25);
    for (unsigned i = 0; i < 1000; ++i) {
        call<op_sleep_arm, tickwheel_mod_timer>(&timers[ten], jiffies + 1 + i * 607 % 1000);
        while (tickwheel_timer_pending(&timers[ten])) {
            jiffies_t event = 0;
            check(call<op_sleep_ask, tickwheel_next_event>(&event) == 1);
            wake<op_sleep_wake>(event - jiffies);
        }
    }
}

/// Asleep: 1000 callbacks of one timer.
void periodic_sleeps()
{
    constexpr jiffies_t period = 1000;
    const jiffies_t end = TICKWHEEL_INITIAL_JIFFIES + 1000 * period;
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, arm_again);
    timers[0].period = period;
    tickwheel_mod_timer(&timers[0], jiffies + period);
    while (jiffies != end) {
        jiffies_t event = 0;
        check(call<op_event, tickwheel_next_event>(&event) == 1);
        wake<op_periodic_wake>(event - jiffies);
    }
    check(timers[0].expires == end + period);
}

/// Cascade: N timers wait in one list that cascades, for `span` ticks from the block on, armed `before` ticks
/// earlier. One call runs at most Budget timers. Calls are repeated until a tick has no more work.
template <operation Operation, unsigned Budget>
void cascade(unsigned count, jiffies_t block, jiffies_t span, jiffies_t before)
{
    start_afresh(block - before - 1, do_nothing);
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_mod_timer(&timers[i], block + i % span);
    }
    tickwheel_advance(before - 8);
    tickwheel_run();
    while (jiffies != block + span) {
        for (int work = tickwheel_tick(); work != 0; work = tickwheel_advance(0)) {
            call<Operation, tickwheel_run_budget>(Budget);
        }
    }
    check(!tickwheel_timer_pending(&timers[count - 1]));
}

template <operation Operation, unsigned Budget>
void cascade_from_tv2(unsigned count)
{
    cascade<Operation, Budget>(count, 0x00012400, block_ticks, 2 * block_ticks);
}

/// From tv2, then from tv3.
template <operation Operation, unsigned Budget>
void cascades(unsigned count)
{
    cascade_from_tv2<Operation, Budget>(count);
    cascade<Operation, Budget>(count, 0x00014000, 1u << 14, 1u << 14);
}

/// Lag: a run that lags by many blocks. A timer waits in each span of `spacing` ticks. None, every second or every
/// timer is cancelled, and leaves its mark.
template <operation Operation, unsigned Budget>
void lagging_runs(unsigned count)
{
    for (unsigned n = 0; n < rounds; ++n) {
        for (const jiffies_t spacing : {1u << 5, 1u << 8, 1u << 14, 1u << 20, 1u << 26}) {
            for (const unsigned every : {0u, 2u, 1u}) {
                start_afresh(start_of(n), do_nothing);
                const jiffies_t last = 0x7FFFFFFF / spacing < 300 ? 0x7FFFFFFF / spacing : 300;
                const jiffies_t pending = count < last ? count : last;
                for (jiffies_t i = 0; i < pending; ++i) {
                    tickwheel_mod_timer(&timers[i], jiffies + i * spacing + numbers.between(1, spacing));
                }
                for (jiffies_t i = 0; every != 0 && i < pending; i += every) {
                    check(tickwheel_timer_delete(&timers[i]) == 1);
                }
                tickwheel_advance(pending * spacing);
                while (tickwheel_due()) {
                    call<Operation, tickwheel_run_budget>(Budget);
                }
                check(!tickwheel_timer_pending(&timers[pending - 1]));
            }
        }
    }
}

/// Lag: a callback in the last tick before a boundary of all levels, whose slots have marks and no timers. A lag of
/// `lag` follows. No end of a block takes longer.
template <operation Operation, unsigned Budget>
void stale_boundary(unsigned count, uint32_t lag)
{
    constexpr jiffies_t boundary = 0x08000000;
    start_afresh(boundary - (1u << 26) - 600, do_nothing);
    for (const jiffies_t ahead : {1u << 26, 1u << 20, 1u << 14, 1u << 8}) {
        tickwheel_advance(boundary - ahead - 300 - jiffies);
        tickwheel_run();
        tickwheel_mod_timer(&timers[count], boundary + 1);
        check(tickwheel_timer_delete(&timers[count]) == 1);
    }
    tickwheel_mod_timer(&timers[count], boundary - 1);
    tickwheel_advance(boundary + lag - jiffies);
    while (tickwheel_due()) {
        call<Operation, tickwheel_run_budget>(Budget);
    }
}

/// Next event: next_event() with nothing pending and with N timers, while marks are stale: timers were cancelled in
/// the slot of each level that the search comes to last.
void next_events(unsigned count)
{
    timer_list *const cancelled = &timers[count];
    jiffies_t next = 0;
    for (unsigned n = 0; n < 8 * rounds; ++n) {
        for (const unsigned pending : {0u, count}) {
            start_afresh(start_of(n), do_nothing);
            arm_all(pending, 1u << 13 * (n % 3), 0x7FFFFFFF);
            for (const jiffies_t ahead : {1u << 8, 63u << 8, 63u << 14, 63u << 20, 31u << 26}) {
                if (pending == 0) {
                    call<op_no_event, tickwheel_next_event>(&next);
                } else {
                    check(call<op_event, tickwheel_next_event>(&next) == 1);
                }
                tickwheel_mod_timer(cancelled, jiffies + ahead);
                check(tickwheel_timer_delete(cancelled) == 1);
            }
        }
    }
}

} // namespace

int main()
{
    board::init();
    const unsigned count = timers_wanted();
    check(count <= max_timers);
    check_the_counting();
    // The few timers do not depend on N.
    if (count == 0) {
        small_firmware();
        idle_ticks(0);
        ten_timers();
        sleeps();
        periodic_sleeps();
        return 0;
    }
    arms_and_cancels(count);
    moves(count, [](unsigned pending) {
        for (unsigned i = 0; i < 128; ++i) {
            other_operations(pending);
        }
    });
    busy_ticks(count);
    idle_ticks(count);
    timeouts<op_timeout_arm, op_timeout_cancel, op_timeout_tick, 1000, 5000, 100>();
    timeouts<op_short_arm, op_short_cancel, op_short_tick, 50, 250, 5>();
    for (const uint32_t ticks : {1u << 8, 1u << 12, 1u << 16, 1u << 20, 1u << 28}) {
        catch_up(count, ticks);
    }
    burst(count, 200);
    burst(count, 300);
    crowd(count, 0x1000);
    crowd(count, 0x20000);
    cascade_from_tv2<op_cascade_tv2, ~0u>(count);
    cascades<op_budget_1, 1>(count);
    cascades<op_budget_64, 64>(count);
    next_events(count);
    lagging_runs<op_budget_1, 1>(count);
    lagging_runs<op_budget_64, 64>(count);
    for (const uint32_t lag : {0u, 1u << 9, 1u << 16, 1u << 28}) {
        stale_boundary<op_budget_1, 1>(count, lag);
        stale_boundary<op_budget_64, 64>(count, lag);
    }
    return 0;
}

extern "C" [[gnu::naked]] void bench_seven()
{
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tbx lr");
}

extern "C" [[gnu::naked]] void bench_loop()
{
    __asm__ volatile(".syntax unified\n\tmovs r0, #125\n\tlsls r0, r0, #3\n0:\tsubs r0, #1\n\tbne 0b\n\tbx lr");
}
