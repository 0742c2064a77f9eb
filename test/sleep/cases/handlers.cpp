// SPDX-License-Identifier: MIT
// After a sleep every handler reads a right jiffies, also on the shortest tick.
#include "../cases.hpp"

#include <tickwheel/timer.hpp>

namespace
{

/// Armed by a handler that only knows `jiffies`, and when that was.
struct handed : tickwheel::timer {
    using timer::timer;
    int64_t armed_at = 0;
    /// Whole ticks that must pass.
    int64_t ticks = 0;
    /// By so much less.
    int64_t slack = 0;
};
uint32_t handed_fired;
/// A handler above SysTick comes in before SysTick's own: by so much it may read jiffies late.
int64_t handed_slack;
void fire_handed(timer_list *self)
{
    const handed &timer = *static_cast<handed *>(self);
    ++handed_fired;
    const int64_t took = now() - timer.armed_at;
    const int64_t least = timer.ticks * clock_hz / TICKWHEEL_HZ - timer.slack;
    check(took >= least, "early by cycles", least - took);
    check(took <= least + 2 * int64_t{tick_counts()}, "late by cycles", took - least);
}
handed handed_timers[8] = {handed(fire_handed), handed(fire_handed), handed(fire_handed), handed(fire_handed),
                           handed(fire_handed), handed(fire_handed), handed(fire_handed), handed(fire_handed)};
uint32_t handed_armed;
uint64_t handed_apart;
/// So many cycles the handler works before it arms. It is above SysTick: a tick that begins meanwhile waits.
uint64_t handed_work;
/// `jiffies + n` waits n - 1 whole ticks and more, start_after_at_least(n) waits n, also where a tick waits behind
/// this handler.
void arm_handed()
{
    const jiffies_t ticks = 3 + handed_armed;
    cpu.pass(handed_work);
    handed &plain = handed_timers[handed_armed++];
    plain.armed_at = now();
    plain.ticks = ticks - 1;
    plain.slack = handed_slack;
    plain.start_at(jiffies + ticks);
    handed &whole = handed_timers[handed_armed++];
    whole.armed_at = now();
    whole.ticks = ticks;
    whole.slack = slack();
    whole.start_after_at_least(ticks);
    check(counted() >= tick_at(now() - handed_slack), "jiffies", counted());
    if (handed_armed < 8) {
        cpu.foreign_at = cpu.cycle + handed_apart;
    }
}
/// Sleeps until an interrupt comes at this cycle. It arms timers, and others come after it that do the same.
void hand_out(int64_t cycle, int64_t slack, uint64_t apart, uint64_t work = 0)
{
    handed_armed = 0;
    handed_fired = 0;
    handed_slack = slack + static_cast<int64_t>(work);
    handed_apart = apart;
    handed_work = work;
    cpu.handlers[model::foreign] = arm_handed;
    interrupt_at(cycle);
    while (goes_on() && handed_armed == 0) {
        idle();
    }
}
void idle_until_all_fired()
{
    while (goes_on() && handed_fired < 8) {
        idle();
    }
}

// A first interrupt ends the sleep at any phase, and others come while the program works on.
SLEEP_CASE("handlers after a sleep arm by jiffies + n and by start_after_at_least(n), none early")
{
    for (const uint32_t clock : {even, uneven, TICKWHEEL_HZ * 2000u + 1}) {
        for (const int64_t tick : {1, 2, 40, 99, 100}) {
            for (uint32_t k = 0; k < 500; ++k) {
                start(clock);
                arm(timers[0], 100);
                // At each cycle around a boundary, and in between.
                const int64_t at = k < 300 ? int64_t{k} - 150 : (k - 300) * int64_t{tick_counts()} / 200;
                const uint64_t apart = 100 + k * uint64_t{tick_counts()} * 2 / 500;
                hand_out(tick_start(tick) + at, 90, apart, k % 3 == 0 ? tick_counts() * 3 / 10 : 0);
                // Work, with the others, in which jiffies goes on.
                for (unsigned i = 0; i < 8 * 50 && goes_on(); ++i) {
                    cpu.pass(tick_counts() / 50 + 1);
                    const int64_t ticks = counted();
                    check(ticks >= tick_at(now() - 150 - static_cast<int64_t>(handed_work)) &&
                              ticks <= tick_at(now()),
                          "jiffies in the main loop", ticks);
                }
                idle_until_all_fired();
                end_life();
            }
        }
    }
}

static_assert(TICKWHEEL_SYSTICK_FITS(least_counts * TICKWHEEL_HZ), "the shortest tick fits");
static_assert(!TICKWHEEL_SYSTICK_FITS(least_counts * TICKWHEEL_HZ - 1), "a shorter one does not");

// A sleep, what ends it in any phase, a change of the clock and another sleep, on a core that takes long for each.
SLEEP_CASE("the shortest tick is served in every phase, a shorter one is refused")
{
    constexpr uint32_t shortest = least_counts * TICKWHEEL_HZ;
    start(even);
    check(!tickwheel::tick_grid::of(shortest - 1).fits(), "a shorter tick fits", shortest - 1);
    check(!driver.clock_changed(shortest - 1), "a clock with a shorter tick is taken", shortest - 1);
    for (const uint32_t clock : {shortest, shortest + TICKWHEEL_HZ / 3}) {
        for (uint32_t k = 0; k < 2 * least_counts; ++k) {
            start(clock, 12);
            cpu.least_cost = 8;
            arm(timers[0], 20);
            hand_out(tick_start(7) + k, 200, 100 + k);
            idle_until_all_fired();
            cpu.pass(k % least_counts);
            check(driver.clock_changed(clock), "refused", clock);
            go_on_at(clock);
            slack_always = 1;
            const int64_t ticks = tick_at(now());
            check_ticks(ticks + 1, ticks + 5, 300);
            idle_until_fired(1);
            end_life();
        }
    }
}

} // namespace
