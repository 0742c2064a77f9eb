// SPDX-License-Identifier: MIT
// The test of one system: what all must do, and what it declares that it cannot do.
// On the PC "interrupts" arm and cancel whenever the lock opens.
#ifndef TICKWHEEL_BENCH_TRIAL_HPP
#define TICKWHEEL_BENCH_TRIAL_HPP

#include "../../test/support/random.hpp"
#include "../../test/unit/unit_test.hpp"
#include "peer.hpp"

namespace peers
{

constexpr jiffies_t starts[] = {0, 1, 0x12345678, 0x7FFFFFF0, 0u - 300000, 0u - 1000};
/// Delays around the ends of the slots and levels of every system, in order. Ticks pass one by one up to the longest
/// stepped one. A board tests no longer ones: it is too slow.
constexpr jiffies_t longest_stepped = 65536;
constexpr jiffies_t delays[] = {1,       2,        3,        255,      256,       257,       511,       512,
                                513,     1023,     1024,     16383,    16384,     16385,     65535,     65536,
                                0xFFFFF, 0x100000, 0x100001, 0x200000, 0x3FFFFFF, 0x4000000, 0x4000001, 0x4100005};
#ifdef TICKWHEEL_TEST_HOST
constexpr unsigned delay_count = sizeof delays / sizeof delays[0];
using tickwheel::interrupts;
constexpr bool lock_is_watched = true;
#else
constexpr unsigned delay_count = sizeof delays / sizeof delays[0] - 8;
static_assert(delays[delay_count - 1] == longest_stepped, "the eight delays after it are left out");
/// Nothing watches the lock of a board.
inline struct watched_lock {
    unsigned depth;
    unsigned long opened;
    void (*on_open)();
} interrupts;
constexpr bool lock_is_watched = false;
#endif

constexpr unsigned pool_size = most_timers + 1;
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
        most_pending();
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

    static inline System system;
    static inline noted pool[pool_size];

    static void start_afresh(jiffies_t start, void (*function)(timer_type *))
    {
        system.init(start);
        for (noted &each : pool) {
            each = noted();
            system.setup(&each, function);
        }
    }

    /// The count of openings holds while no "interrupts" open the lock, too.
    static bool lock_is_counted()
    {
        return lock_is_watched && interrupts.on_open == nullptr;
    }

    /// Checks that arm() takes the lock exactly once.
    static bool arm(timer_type *timer, jiffies_t expires)
    {
        const unsigned long before = interrupts.opened;
        const bool armed = system.arm(timer, expires);
        CHECK((!lock_is_counted() || interrupts.opened == before + 1));
        return armed;
    }

    /// The same, but cancel() of an idle timer may do without the lock.
    static bool cancel(timer_type *timer)
    {
        const unsigned long before = interrupts.opened;
        const bool cancelled = system.cancel(timer);
        CHECK((!lock_is_counted() || interrupts.opened == before + 1 || (!cancelled && interrupts.opened == before)));
        return cancelled;
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

    /// So many empty ticks, at once or one by one.
    static void pass(jiffies_t ticks, bool at_once)
    {
        if (at_once) {
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
            CHECK(arm(&pool[i], start + delays[i]));
            CHECK(system.pending(&pool[i]));
        }
        for (unsigned i = 0; i < delay_count; ++i) {
            const jiffies_t before = delays[i] - 1 - (system.now() - start);
            pass(before, System::skips && delays[i] > longest_stepped);
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
        for (unsigned i = 0; i < missed; ++i) {
            arm(&pool[i], start + i + 1);
        }
        arm(&pool[missed], start + missed + 1);
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
            CHECK(arm(fired, system.now() + longest));
        }
    }

    static void longest_delay()
    {
        const jiffies_t start = 0x12345678;
        start_afresh(start, arm_longest);
        CHECK(arm(&pool[0], start + longest));
        if (!System::skips) {
            // One by one they would take too long.
            system.advance(70000);
            CHECK(cancel(&pool[0]));
            return;
        }
        CHECK(system.pending(&pool[0]));
        // Its callback arms it once more while the run empties its slot.
        for (unsigned fired = 0; fired < 2; ++fired) {
            pass(longest - 1, System::skips);
            CHECK_EQ(pool[0].fired, fired);
            system.tick();
            CHECK_EQ(pool[0].fired, fired + 1);
        }
    }

    static void most_pending()
    {
        start_afresh(0, only_note);
        const unsigned most = System::most_pending == 0 ? pool_size : System::most_pending;
        for (unsigned i = 0; i < pool_size; ++i) {
            CHECK_EQ(arm(&pool[i], 10 + i % 40), i < most);
        }
        CHECK(cancel(&pool[0]));
        CHECK(arm(most < pool_size ? &pool[most] : &pool[0], 10));
        for (unsigned tick = 1; tick <= 50; ++tick) {
            system.tick();
        }
        unsigned fired = 0;
        for (const noted &each : pool) {
            fired += each.fired;
        }
        CHECK_EQ(fired, most);
    }

    // --- At random, against a model that knows only the tick of each timer

    static inline random_numbers numbers;
    static inline unsigned armings;
    static inline unsigned wrong_tick;
    static inline unsigned wrong_order;
    static inline jiffies_t last_fired_at;
    static inline unsigned last_fired_arming;
    static constexpr unsigned threads_timers = 64;
    static constexpr unsigned all_timers = 80;

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
            cancel(&here);
        }
        here.due = tickwheel_time_after(expires, now) ? expires : now + 1;
        here.pending = true;
        // Before the call: an arm at the opening of the lock comes after this one.
        here.arming = ++armings;
        wrong_tick += !arm(&here, expires);
    }

    static void operate_at_random(noted &here)
    {
        wrong_tick += system.pending(&here) != here.pending;
        if (here.pending && numbers.next() % 2 == 0) {
            here.pending = false;
            wrong_tick += !cancel(&here);
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
