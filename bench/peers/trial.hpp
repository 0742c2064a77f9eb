// SPDX-License-Identifier: MIT
// The test of one system: what all must do, and what it declares that it cannot do. "Interrupts" arm and cancel
// whenever the lock opens.
#ifndef TICKWHEEL_BENCH_TRIAL_HPP
#define TICKWHEEL_BENCH_TRIAL_HPP

#include "../../test/support/random.hpp"
#include "../../test/unit/unit_test.hpp"
#include "peer.hpp"

namespace peers
{

using tickwheel::interrupts;

constexpr jiffies_t starts[] = {0, 1, 0x12345678, 0x7FFFFFF0, 0u - 300000, 0u - 1000};
/// Delays around the ends of the slots and levels of every system, in order.
constexpr jiffies_t delays[] = {1,       2,        3,        255,      256,       257,       511,       512,
                                513,     1023,     1024,     16383,    16384,     16385,     65535,     65536,
                                0xFFFFF, 0x100000, 0x100001, 0x200000, 0x3FFFFFF, 0x4000000, 0x4000001, 0x4100005};
constexpr unsigned delay_count = sizeof delays / sizeof delays[0];
/// A system that can skip passes more empty ticks than these at once.
constexpr jiffies_t longest_stepped = 65536;
constexpr jiffies_t longest = 0x7FFFFFFF;

template <class System>
class trial {
public:
    static void all()
    {
        for (const jiffies_t start : starts) {
            fires_in_its_tick(start);
            missed_ticks(start);
        }
        longest_delay();
        at_random();
        // The program destroys the pool before the system.
        system.init(0);
    }

private:
    using timer_type = typename System::timer_type;

    struct noted : timer_type {
        /// The model: the tick in which it must fire, and the number of its arm.
        jiffies_t due;
        unsigned arming;
        bool pending;
        /// What happened.
        unsigned fired;
        jiffies_t fired_at;
    };

    /// "Interrupts" have the timers behind those of the thread.
    static constexpr unsigned threads_timers = 64;
    static constexpr unsigned all_timers = 80;
    static inline System system;
    static inline noted pool[all_timers];

    static void start_afresh(jiffies_t start, void (*function)(timer_type *))
    {
        system.init(start);
        for (noted &each : pool) {
            each = noted();
            system.setup(&each, function);
        }
    }

    static noted &note(timer_type *fired)
    {
        noted &here = *static_cast<noted *>(fired);
        ++here.fired;
        here.fired_at = system.now();
        CHECK_EQ(interrupts.depth, 0u);
        CHECK(!system.pending(fired));
        return here;
    }

    static void only_note(timer_type *fired)
    {
        note(fired);
    }

    /// So many empty ticks, at once if the system can skip them.
    static void pass(jiffies_t ticks)
    {
        if (System::skips && ticks > longest_stepped) {
            system.advance(ticks);
            return;
        }
        for (; ticks != 0; --ticks) {
            system.tick();
        }
    }

    static void fires_in_its_tick(jiffies_t start)
    {
        start_afresh(start, only_note);
        for (unsigned i = 0; i < delay_count; ++i) {
            system.arm(&pool[i], start + delays[i]);
            CHECK(system.pending(&pool[i]));
        }
        for (unsigned i = 0; i < delay_count; ++i) {
            pass(delays[i] - 1 - (system.now() - start));
            CHECK_EQ(pool[i].fired, 0u);
            system.tick();
            CHECK_EQ(pool[i].fired, 1u);
            CHECK(!system.pending(&pool[i]));
        }
        CHECK_EQ(interrupts.depth, 0u);
    }

    /// Several ticks at once.
    static void missed_ticks(jiffies_t start)
    {
        start_afresh(start, only_note);
        constexpr jiffies_t missed = 50;
        for (unsigned i = 0; i <= missed; ++i) {
            system.arm(&pool[i], start + i + 1);
        }
        system.advance(missed);
        CHECK_EQ(system.now(), start + missed);
        for (unsigned i = 0; i <= missed; ++i) {
            CHECK_EQ(pool[i].fired, unsigned{i < missed});
        }
        system.tick();
        CHECK_EQ(pool[missed].fired, 1u);
    }

    static void arm_longest(timer_type *fired)
    {
        if (note(fired).fired == 1) {
            system.arm(fired, system.now() + longest);
        }
    }

    /// A callback arms its timer once more while the run empties its slot. Tick by tick this would take too long.
    static void longest_delay()
    {
        if (!System::skips) {
            return;
        }
        const jiffies_t start = 0x12345678;
        start_afresh(start, arm_longest);
        system.arm(&pool[0], start + longest);
        for (unsigned fired = 0; fired < 2; ++fired) {
            pass(longest - 1);
            CHECK_EQ(pool[0].fired, fired);
            system.tick();
            CHECK_EQ(pool[0].fired, fired + 1);
        }
    }

    // --- At random, against a model that knows only the tick of each timer

    static inline random_numbers numbers;
    static inline unsigned armings;
    static inline unsigned wrong_tick;
    static inline unsigned wrong_order;
    static inline jiffies_t last_fired_at;
    static inline unsigned last_fired_arming;

    /// A multiple of four, so that many timers share a tick.
    static jiffies_t random_expiry()
    {
        const jiffies_t now = system.now();
        const uint32_t bits = numbers.next();
        const jiffies_t delay = 1 + (bits >> 8) % 4996 % (1u << bits % 14);
        return (now + delay + 3) & ~jiffies_t{3};
    }

    static void arm_at_random(noted &here, jiffies_t expires)
    {
        const jiffies_t now = system.now();
        if (here.pending && here.expires == expires) {
            // The wheel keeps the place of a timer that stays in its tick.
            system.cancel(&here);
        }
        here.due = tickwheel_time_after(expires, now) ? expires : now + 1;
        here.pending = true;
        // Before the call: an arm at the opening of the lock comes after this one.
        here.arming = ++armings;
        system.arm(&here, expires);
    }

    static void operate_at_random(noted &here)
    {
        wrong_tick += system.pending(&here) != here.pending;
        if (here.pending && numbers.next() % 2 == 0) {
            here.pending = false;
            wrong_tick += !system.cancel(&here);
        } else {
            arm_at_random(here, numbers.next() % 8 == 0 ? system.now() - numbers.next() % 1000 : random_expiry());
        }
    }

    static void check_firing(timer_type *fired)
    {
        noted &here = note(fired);
        const jiffies_t now = here.fired_at;
        wrong_tick += !here.pending || here.due != now;
        wrong_order += now == last_fired_at && here.arming < last_fired_arming;
        last_fired_at = now;
        last_fired_arming = here.arming;
        here.pending = false;
        // A callback re-arms its timer, or cancels or moves one of the same tick.
        if (numbers.next() % 4 == 0) {
            arm_at_random(here, numbers.next() % 4 == 0 ? now - 2 : random_expiry());
        } else if (numbers.next() % 4 == 0) {
            operate_at_random(pool[numbers.next() % threads_timers]);
        }
    }

    /// An interrupt with timers of its own. It leaves a timer alone that the run may have detached to call it.
    static void interrupt()
    {
        static bool inside;
        noted &here = pool[threads_timers + numbers.next() % (all_timers - threads_timers)];
        if (!inside && numbers.next() % 4 == 0 && (!here.pending || tickwheel_time_after(here.due, system.now()))) {
            inside = true;
            operate_at_random(here);
            inside = false;
        }
    }

    static void at_random()
    {
        numbers = {};
        armings = wrong_tick = wrong_order = 0;
        for (const jiffies_t start : starts) {
            start_afresh(start, check_firing);
            last_fired_at = start;
            interrupts.on_open = interrupt;
            // A thousand ticks pass between two operations on a timer, so many fire and some cascade.
            for (unsigned step = 0; step < 3000; ++step) {
                operate_at_random(pool[numbers.next() % threads_timers]);
                for (unsigned ticks = numbers.next() % 32; ticks != 0; --ticks) {
                    system.tick();
                }
            }
            interrupts.on_open = nullptr;
            // No timer is overdue, and none is lost.
            for (const noted &each : pool) {
                wrong_tick += each.pending != system.pending(&each);
                wrong_tick += each.pending && !tickwheel_time_after(each.due, system.now());
            }
        }
        CHECK_EQ(wrong_tick, 0u);
        // A system that declares no order must show it.
        CHECK_EQ(wrong_order == 0, System::in_order);
    }
};

} // namespace peers

#endif
