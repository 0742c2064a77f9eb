// SPDX-License-Identifier: MIT
// The workloads of the wheel. bench/README.md lists them.
#include <stddef.h>
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../peers/tickwheel_wheel.hpp"
#include "workloads.hpp"

extern "C" void bench_seven();

namespace
{

using namespace bench;

#if defined(BENCH_TIM2)
constexpr unsigned most_timers = 1000;
#else
constexpr unsigned most_timers = 10000;
#endif

struct measured {
    using system_type = peers::tickwheel_wheel;
    static inline system_type system;
    static constexpr auto *arm = tickwheel_mod_timer;
    static constexpr auto *cancel = tickwheel_timer_delete;
    template <operation Operation>
    static void tick()
    {
        bench::tick<Operation>();
    }
    static constexpr unsigned ticks = 1u << 16;
    static constexpr jiffies_t far_spread = 0xFFFF;
    static constexpr unsigned timeout_ticks = 16384;
    static constexpr bool defers = false;
};
using work = workloads<measured, most_timers>;
constexpr auto &timers = work::timers;
constexpr auto *do_nothing = work::do_nothing;
constexpr auto *start_afresh = work::start_afresh;
constexpr auto *arm_all = work::arm_all;

/// The n-th start of a workload: the usual one, the ends of a block and of larger blocks, then random ones.
jiffies_t start_of(unsigned n)
{
    constexpr jiffies_t starts[] = {TICKWHEEL_INITIAL_JIFFIES, 0x00012300, 0x000123FE, 0x00003FFE, 0x03FFFFFE};
    return n < sizeof starts / sizeof starts[0] ? starts[n] : random();
}
constexpr unsigned rounds = 8;

void check_the_counting()
{
    nothing<op_empty>();
    call<op_seven, bench_seven>();
}

/// A pending timer, chosen at random.
timer_list *any_pending(unsigned count, const timer_list *idle)
{
    for (;;) {
        timer_list *const timer = &timers[random(0, count)];
        if (timer != idle) {
            return timer;
        }
    }
}

/// Calls every other operation on one timer once. N timers stay pending, and `idle` is idle again at the end.
void other_operations(unsigned count, timer_list *idle)
{
    timer_list *const timer = any_pending(count, idle);
    const jiffies_t now = jiffies;
    jiffies_t expires = 0;

    call<op_arm_far, tickwheel_mod_timer>(idle, now + random(0x10000, 0x7FFFFFFF));
    call<op_try_cancel, tickwheel_try_to_del_timer_sync>(idle);
    call<op_arm_overdue, tickwheel_mod_timer>(idle, now - random(0, 1000));
    call<op_cancel_sync, tickwheel_timer_delete_sync>(idle);
    call<op_cancel_idle, tickwheel_timer_delete>(idle);
    call<op_move_idle, tickwheel_mod_timer_pending>(idle, now + random(1, 0xFFFF));
    call<op_reduce_idle, tickwheel_timer_reduce>(idle, now + random(1, 0xFFFF));
    call<op_pending, tickwheel_timer_pending>(idle);
    tickwheel_timer_delete(idle);
    idle->expires = now + random(1, 0xFFFF);
    call<op_add, tickwheel_add_timer>(idle);
    call<op_shutdown, tickwheel_timer_shutdown>(idle);
    tickwheel_timer_setup(idle, do_nothing, 0);

    call<op_restart_same, tickwheel_mod_timer>(timer, timer->expires);
    call<op_reduce_pending, tickwheel_timer_reduce>(timer, now + random(1, 0xFFFF));
    call<op_move_pending, tickwheel_mod_timer_pending>(timer, now + random(1, 0xFFFF));
    call<op_restart_overdue, tickwheel_mod_timer>(timer, now - random(0, 1000));
    tickwheel_mod_timer(timer, now + random(1, 0xFFFF));
    check(call<op_next, tickwheel_next_expiry>(&expires) == 1);
    check(tickwheel_time_after(expires, now));
    call<op_clock_64, tickwheel_get_jiffies_64>();
}

/// The runner lags behind the tick: overdue arms, then the runs that catch up.
void lagging(unsigned count)
{
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(start_of(n), do_nothing);
        arm_all(count, 1, 0xFFFF);
        for (uint32_t lag = 1; lag <= 0x10000; lag *= 4) {
            timer_list *const timer = &timers[random(0, count - 1)];
            timer_list *const idle = &timers[count];
            tickwheel_mod_timer(timer, jiffies + 0x20000);
            call<op_advance, tickwheel_advance>(lag);
            call<op_arm_lagging, tickwheel_mod_timer>(idle, jiffies - random(0, 2 * lag));
            call<op_restart_lagging, tickwheel_mod_timer>(timer, jiffies - random(0, 2 * lag));
            jiffies_t expires = 0;
            call<op_next, tickwheel_next_expiry>(&expires);
            call<op_budget, tickwheel_run_budget>(1u);
            call<op_jump_run, tickwheel_run>();
            tickwheel_timer_delete(idle);
        }
    }
}

/// W1 and W2: a timer is armed while N others are pending, then one of the N + 1 is cancelled. This comes first,
/// since the TIM2 firmware does no more and must draw the same random numbers.
void arms_and_cancels(unsigned count)
{
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(start_of(n), do_nothing);
        arm_all(count, 1, 0xFFFF);
        timer_list *idle = &timers[count];
        for (unsigned i = 0; i < 1024; ++i) {
            check(call<op_arm, tickwheel_mod_timer>(idle, jiffies + random(1, 0xFFFF)) == 0);
            idle = &timers[random(0, count)];
            check(call<op_cancel, tickwheel_timer_delete>(idle) == 1);
        }
    }
}

/// W3: a pending timer moves. Then every other operation.
void single_timers(unsigned count)
{
    timer_list *const idle = &timers[count];
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(start_of(n), do_nothing);
        arm_all(count, 1, 0xFFFF);
        for (unsigned i = 0; i < 1024; ++i) {
            timer_list *const timer = any_pending(count, idle);
            check(call<op_restart, tickwheel_mod_timer>(timer, jiffies + random(1, 0xFFFF)) == 1);
        }
        for (unsigned i = 0; i < 128; ++i) {
            other_operations(count, idle);
        }
    }
}

/// W8: one run after n empty ticks, with nothing pending, then with N timers pending after them.
template <operation Empty, operation Far>
void catch_up(unsigned count, uint32_t ticks)
{
    const uint32_t ahead = ticks < 1u << 21 ? 1u << 22 : 2 * ticks;
    for (unsigned n = 0; n < 2 * rounds; ++n) {
        const jiffies_t start = start_of(n);
        start_afresh(start, do_nothing);
        tickwheel_advance(ticks);
        check(call<Empty, tickwheel_run>() == 0);
        start_afresh(start, do_nothing);
        arm_all(count, ahead, 2 * ahead - 1);
        tickwheel_advance(ticks);
        check(call<Far, tickwheel_run>() == 0);
    }
}

/// W9: N timers of one tick, out of every level. Then a jump makes N random timers due at once.
void bursts(unsigned count)
{
    constexpr uint32_t delays[] = {200, 300, (1u << 14) + 300, (1u << 20) + 300, (1u << 26) + 300, 0x7FFFFFFF};
    for (const uint32_t delay : delays) {
        start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
        const jiffies_t expires = jiffies + delay;
        for (unsigned i = 0; i < count; ++i) {
            tickwheel_mod_timer(&timers[i], expires);
        }
        jiffies_t next = 0;
        check(call<op_burst_next, tickwheel_next_expiry>(&next) == 1);
        check(next == expires);
        while (expires - jiffies > 1000) {
            call<op_advance, tickwheel_advance>((expires - jiffies) / 2);
            call<op_jump_run, tickwheel_run>();
            call<op_burst_next, tickwheel_next_expiry>(&next);
            check(next == expires);
        }
        while (jiffies != expires) {
            tick<op_burst_tick>();
        }
        check(!tickwheel_timer_pending(&timers[count - 1]));
    }
    start_afresh(TICKWHEEL_INITIAL_JIFFIES, do_nothing);
    arm_all(count, 1, 0x7FFFFFFF);
    tickwheel_advance(0x7FFFFFFF);
    check(call<op_jump_run, tickwheel_run>() == count);
}

/// A timer's place in its slot. The list code has a path for each.
enum place { idle, only, oldest, middle, youngest, places };

struct slot_mates {
    timer_list *older;
    timer_list *subject;
    timer_list *younger;
    timer_list *elsewhere;
};

/// Makes all idle, then arms the subject in its place in the slot of `tick`. `occupied`: also arms a timer for
/// `destination`.
void put(const slot_mates &timer, place where, jiffies_t tick, bool occupied, jiffies_t destination)
{
    timer_list *const all[] = {timer.older, timer.subject, timer.younger, timer.elsewhere};
    for (timer_list *const each : all) {
        tickwheel_timer_delete(each);
    }
    if (where == middle || where == youngest) {
        tickwheel_mod_timer(timer.older, tick);
    }
    if (where != idle) {
        tickwheel_mod_timer(timer.subject, tick);
    }
    if (where == oldest || where == middle) {
        tickwheel_mod_timer(timer.younger, tick);
    }
    if (occupied) {
        tickwheel_mod_timer(timer.elsewhere, destination);
    }
}

/// Every call that takes a timer out of its tick.
void take_away(const slot_mates &timer, place where, jiffies_t tick)
{
    put(timer, where, tick, false, 0);
    call<op_case_cancel, tickwheel_timer_delete>(timer.subject);
    put(timer, where, tick, false, 0);
    call<op_case_cancel_sync, tickwheel_timer_delete_sync>(timer.subject);
    put(timer, where, tick, false, 0);
    call<op_case_shutdown, tickwheel_timer_shutdown_sync>(timer.subject);
    tickwheel_timer_setup(timer.subject, do_nothing, 0);
}

/// Every call that takes it to another tick.
void bring(const slot_mates &timer, place where, jiffies_t tick, bool occupied, jiffies_t destination)
{
    put(timer, where, tick, occupied, destination);
    call<op_case_mod, tickwheel_mod_timer>(timer.subject, destination);
    put(timer, where, tick, occupied, destination);
    call<op_case_move, tickwheel_mod_timer_pending>(timer.subject, destination);
    put(timer, where, tick, occupied, destination);
    call<op_case_reduce, tickwheel_timer_reduce>(timer.subject, destination);
    put(timer, where, tick, occupied, destination);
    call<op_case_mod_idle, tickwheel_mod_timer_idle>(timer.subject, destination);
    if (where == idle) {
        put(timer, where, tick, occupied, destination);
        timer.subject->expires = destination;
        call<op_case_add, tickwheel_add_timer>(timer.subject);
    }
}

/// W7: the longest masked stretch of each operation on one timer. It goes from every level and place to every level,
/// into an empty slot and behind another timer, at several places in a block, with and without lag.
void every_case(unsigned count)
{
    constexpr uint32_t ticks[] = {0u - 0x5000000, 0u - 0x150000, 0u - 0x5000, 0u - 0x150, 0u - 1,    0, 1, 3,
                                  0x150,          0x5000,        0x150000,    0x5000000,  0x7FFFFFFF};
    constexpr uint32_t lags[] = {0, 1, 301, 0x6000, 0x160000, 0x6000000};
    constexpr uint32_t others[] = {0x70, 0x3770, 0x37770, 0x3777770, 0x37777770};
    const slot_mates timer = {&timers[count], &timers[count - 1], &timers[count - 2], &timers[count - 3]};
    for (unsigned n = 0; n < 4; ++n) {
        for (const uint32_t lag : lags) {
            start_afresh(start_of(n), do_nothing);
            for (unsigned i = 0; i < count - 3; ++i) {
                tickwheel_mod_timer(&timers[i], jiffies + others[i % 5]);
            }
            call<op_advance, tickwheel_advance>(lag);
            for (const uint32_t from : ticks) {
                for (unsigned where = idle; where < places; ++where) {
                    take_away(timer, static_cast<place>(where), jiffies + from);
                    for (const uint32_t to : ticks) {
                        bring(timer, static_cast<place>(where), jiffies + from, false, jiffies + to);
                        bring(timer, static_cast<place>(where), jiffies + from, true, jiffies + to);
                    }
                }
            }
            call<op_jump_run, tickwheel_run>();
        }
    }
}

/// W7: the tick of a cancelled timer, for every two slots of a word of tv1. The run finds the slot empty, clears its
/// mark and finds the next mark of the word in one masked stretch.
void stale_marks()
{
    constexpr jiffies_t block = 0x12300;
    timer_list *const cancelled = &timers[0];
    timer_list *const later = &timers[1];
    for (jiffies_t stale = block; stale != block + 256; ++stale) {
        for (jiffies_t marked = stale + 1; marked % 32 != 0; ++marked) {
            tickwheel_init(stale - 1);
            tickwheel_mod_timer(cancelled, stale);
            tickwheel_mod_timer(later, marked);
            check(tickwheel_timer_delete(cancelled) == 1);
            tick<op_stale_tick>();
            check(tickwheel_timer_delete(later) == 1);
        }
    }
}

/// A line as count.c writes it: number, count, total. TIM2 counted one too many for each call.
void print_tim2(operation which)
{
    print(uint32_t{which}, " ", tim2_calls[which], " ", tim2_total[which] - tim2_calls[which], "\n");
}

} // namespace

int main()
{
    board::init();
    // The TIM2 board has no second RAM.
    const unsigned count = tim2 ? most_timers : timers_wanted();
    check(count != 0 && count <= most_timers);
    tim2_start();
    check_the_counting();
    arms_and_cancels(count);
    if (tim2) {
        print_tim2(op_empty);
        print_tim2(op_seven);
        print_tim2(op_arm);
        print_tim2(op_cancel);
        return 0;
    }
    single_timers(count);
    lagging(count);
    work::busy_ticks(count);
    work::idle_ticks(count);
    work::timeouts();
    catch_up<op_catch_up_256, op_far_catch_up_256>(count, 256);
    catch_up<op_catch_up_4096, op_far_catch_up_4096>(count, 4096);
    catch_up<op_catch_up_65536, op_far_catch_up_65536>(count, 65536);
    catch_up<op_catch_up_2_20, op_far_catch_up_2_20>(count, 1u << 20);
    catch_up<op_catch_up_2_28, op_far_catch_up_2_28>(count, 1u << 28);
    bursts(count);
    every_case(count);
    stale_marks();
    return 0;
}

extern "C" [[gnu::naked]] void bench_seven()
{
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tbx lr");
}
