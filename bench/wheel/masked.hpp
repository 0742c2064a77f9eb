// SPDX-License-Identifier: MIT
// W7: the calls and ticks of the wheel that may mask interrupts for longest, and that random timers seldom meet.
#ifndef TICKWHEEL_BENCH_MASKED_HPP
#define TICKWHEEL_BENCH_MASKED_HPP

#include <initializer_list>
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "workloads.hpp"

namespace bench
{

/// Work is a `workloads` of the wheel.
template <class Work>
class masked_cases {
    using periodic = typename Work::periodic;
    static constexpr auto &timers = Work::timers;
    static constexpr auto *do_nothing = Work::do_nothing;
    static constexpr auto *start_afresh = Work::start_afresh;
    static constexpr auto *start_of = Work::measured::start_of;

    /// A timer's place in its slot. The list code has a path for each.
    enum place : unsigned { idle, only, oldest, middle, youngest, places };

    /// Puts the timer in its place in the slot of `tick`, and calls. `occupied`: another timer waits for
    /// `destination`.
    template <auto *Call>
    static void one_case(periodic *timer, unsigned where, jiffies_t tick, bool occupied, jiffies_t destination)
    {
        timer_list *const older = timer + 1;
        timer_list *const younger = timer + 2;
        timer_list *const elsewhere = timer + 3;
        for (timer_list *const each : {static_cast<timer_list *>(timer), older, younger, elsewhere}) {
            tickwheel_timer_delete(each);
        }
        // It may be shut down.
        tickwheel_timer_setup(timer, do_nothing, 0);
        timer->expires = destination;
        if (where == middle || where == youngest) {
            tickwheel_mod_timer(older, tick);
        }
        if (where != idle) {
            tickwheel_mod_timer(timer, tick);
        }
        if (where == oldest || where == middle) {
            tickwheel_mod_timer(younger, tick);
        }
        if (occupied) {
            tickwheel_mod_timer(elsewhere, destination);
        }
        call<op_every_case, Call>(timer, destination);
    }

    /// W7: the longest masked stretch of each call on one timer. It goes from every level and place to every level,
    /// into an empty slot and behind another timer.
    static void every_case(unsigned count)
    {
        constexpr uint32_t ticks[] = {0u - 0x5000000, 0u - 0x150000, 0u - 0x5000, 0u - 0x150, 0u - 1,    0, 1, 3,
                                      0x150,          0x5000,        0x150000,    0x5000000,  0x7FFFFFFF};
        const auto all = [count](unsigned where, jiffies_t from, bool occupied, jiffies_t to) {
            periodic *const timer = &timers[count - 3];
            one_case<tickwheel_mod_timer>(timer, where, from, occupied, to);
            one_case<tickwheel_mod_timer_pending>(timer, where, from, occupied, to);
            one_case<tickwheel_timer_reduce>(timer, where, from, occupied, to);
            one_case<tickwheel_mod_timer_idle>(timer, where, from, occupied, to);
            if (where == idle) {
                one_case<tickwheel_add_timer>(timer, where, from, occupied, to);
            }
            one_case<tickwheel_timer_shutdown_sync>(timer, where, from, occupied, to);
            one_case<tickwheel_timer_delete_sync>(timer, where, from, occupied, to);
            one_case<tickwheel_timer_delete>(timer, where, from, false, to);
        };
        for (const uint32_t from : ticks) {
            for (unsigned where = idle; where < places; ++where) {
                for (const uint32_t to : ticks) {
                    all(where, jiffies + from, false, jiffies + to);
                    all(where, jiffies + from, true, jiffies + to);
                }
            }
        }
        for (unsigned i = count - 3; i <= count; ++i) {
            tickwheel_timer_delete(&timers[i]);
        }
    }

public:
    /// Every case at several places in a block, with and without lag, and from a callback in the last tick of a
    /// block: then an overdue timer belongs to the next block.
    static void every_case_everywhere(unsigned count)
    {
        static unsigned pending;
        pending = count;
        constexpr uint32_t lags[] = {0, 1, 301, 61 * 256, 0x6000, 0x160000, 0x6000000};
        constexpr uint32_t others[] = {0x70, 0x3770, 0x37770, 0x3777770, 0x37777770};
        for (unsigned n = 0; n < 4; ++n) {
            for (const uint32_t lag : lags) {
                start_afresh(start_of(n), do_nothing);
                for (unsigned i = 0; i < count - 3; ++i) {
                    tickwheel_mod_timer(&timers[i], jiffies + others[i % 5]);
                }
                call<op_advance, tickwheel_advance>(lag);
                jiffies_t next = 0;
                call<op_next, tickwheel_next_expiry>(&next);
                every_case(count);
                call<op_jump_run, tickwheel_run>();

                start_afresh(start_of(n), do_nothing);
                const jiffies_t last = (jiffies + 1) | 255;
                tickwheel_timer_setup(
                    &timers[0], [](timer_list *) { every_case(pending); }, 0);
                tickwheel_mod_timer(&timers[0], last);
                tickwheel_advance(last - jiffies + lag);
                check(tickwheel_run() != 0);
            }
        }
    }

    /// W7: the tick of a cancelled timer, for every two slots of a word of tv1. The run finds the slot empty, clears
    /// its mark and finds the next mark of the word in one masked stretch.
    static void stale_marks()
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

    /// W7: the last tick of a block, with an empty slot, when the block's top bit flips.
    static void top_bit_flips()
    {
        for (const jiffies_t top_bit : {0x80000000u, 0u}) {
            tickwheel_init(top_bit - 2);
            tick<op_flip_tick>();
            tickwheel_init(top_bit - 2);
            tickwheel_mod_timer(&timers[0], top_bit - 1);
            check(tickwheel_timer_delete(&timers[0]) == 1);
            tick<op_flip_tick>();
        }
    }
};

} // namespace bench

#endif
