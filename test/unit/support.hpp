// SPDX-License-Identifier: MIT
// A wheel started afresh, timers that write down when they fired, and ways to let time pass, for most test cases.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../support/walker.hpp"
#include "unit_test.hpp"

#ifdef TICKWHEEL_TEST_HOST
#include <tickwheel/port.hpp>
#endif

namespace unit
{
using namespace support;

constexpr jiffies_t longest_delay = 0x7FFFFFFF;

/// The default wheel.
constexpr unsigned tv1_bits = TICKWHEEL_GEOMETRY == 1 ? 8 : TICKWHEEL_GEOMETRY / 10;
constexpr unsigned tvn_bits = TICKWHEEL_GEOMETRY == 1 ? 6 : TICKWHEEL_GEOMETRY % 10;
constexpr jiffies_t tv1_ticks = geometry::tvr_size;
constexpr jiffies_t block_ticks = geometry::block_size;
/// log2 of the ticks that the levels below tv<level> cover; level 1 to 5.
constexpr unsigned slot_bits(unsigned level)
{
    return level == 1 ? 0 : tv1_bits + (level - 2) * tvn_bits;
}

/// Timers that cascade from a slot of tv2: a wheel that starts here has two blocks in tv1, and the slot after them
/// begins at `crowded`. The timers cascade in the block before.
constexpr jiffies_t crowd_start = 4 * tv1_ticks;
constexpr jiffies_t crowded = crowd_start + 2 * tv1_ticks;
constexpr jiffies_t block_before = crowded - block_ticks;

/// The moments at which a wheel is most likely to be wrong: around the start of a slot of every level, and the wraps.
constexpr jiffies_t starts[] = {
    0u,
    1u,
    255u,
    256u,
    257u,
    block_ticks - 1,
    block_ticks,
    tv1_ticks - 1,
    tv1_ticks,
    (1u << slot_bits(3)) - 1,
    1u << slot_bits(3),
    (1u << slot_bits(4)) - 1,
    1u << slot_bits(4),
    (1u << slot_bits(5)) - 1,
    1u << slot_bits(5),
    0x12345678u,
    0x7FFFFFFFu - 256,
    0x7FFFFFFFu,
    0x80000000u,
    0x80000001u,
    0u - (1u << 26) - 1,
    0u - 300u * TICKWHEEL_HZ,
    0u - 257u,
    0u - 256u,
    0u - 2u,
    0u - 1u,
};

/// One call of a callback.
struct firing {
    const timer_list *timer;
    jiffies_t at;
};

inline constexpr unsigned log_size = 192;
inline firing log[log_size];
/// How many callbacks have run since the test case started; the log keeps the first log_size.
inline unsigned fired;
/// How often misuse was reported, what was said last, and of which timer.
inline unsigned misused;
inline const char *misuse;
inline const timer_list *misused_timer;
/// Whether a run was active then.
inline bool misused_in_run;

inline void note(timer_list *timer)
{
    if (fired < log_size) {
        log[fired] = {timer, jiffies};
    }
    ++fired;
}

/// The counter as a value: the tests compare it, and a volatile cannot be copied into a failure report.
inline jiffies_t now()
{
    return jiffies;
}

/// Whether the wheel has been checked since the test case filled it.
inline bool checked;

/// Checks the wheel once a test case, while the timers that it leaves pending still exist.
inline void check_once()
{
    if (!checked) {
        checked = true;
        CHECK_EQ(wheel_fault(), no_fault);
    }
}

inline void forget()
{
    fired = 0;
    misused = 0;
    misuse = nullptr;
    misused_timer = nullptr;
}

/// Grows with the trailing zero bits of a tick. Tick 0 has the most.
constexpr jiffies_t roundness(jiffies_t tick)
{
    return (tick & (0 - tick)) - 1;
}

/// A timer that writes its firings down, or calls `callback`. The end of its block deletes it.
struct noted : timer_list {
    explicit noted(unsigned flags = 0) : timer_list()
    {
        tickwheel_timer_setup(this, note, flags);
    }
    explicit noted(void (*callback)(timer_list *)) : timer_list()
    {
        tickwheel_timer_setup(this, callback, 0);
    }
    ~noted()
    {
        check_once();
        (void)tickwheel_timer_delete(this);
    }
    noted(const noted &) = delete;
    noted &operator=(const noted &) = delete;
};

/// The same timer, armed from the start.
struct armed : noted {
    explicit armed(jiffies_t tick, void (*callback)(timer_list *) = note) : noted(callback)
    {
        CHECK_EQ(tickwheel_mod_timer(this, tick), 0);
    }
};

/// The misuse reports to expect: none where the checks are not built in.
constexpr unsigned reports(unsigned count)
{
    return TICKWHEEL_DEBUG ? count : 0;
}

/// Empties the wheel and sets its clock to `start`. Deletes the timers that a test case has left pending.
inline void restart(jiffies_t start)
{
    while (timer_list *const left = any_timer(tickwheel_slots)) {
        (void)tickwheel_timer_delete(left);
    }
    tickwheel_init(start);
}

/// A wheel that has just started, for the length of a test case.
struct fresh {
    explicit fresh(jiffies_t start)
    {
        restart(start);
        forget();
        checked = false;
    }
    ~fresh()
    {
        // Nothing may be left: a timer on the stack ends with its test case.
        const walk left = walk_wheel(true);
        CHECK_EQ(left.found, no_fault);
        CHECK_EQ(left.timers, 0u);
#ifdef TICKWHEEL_TEST_HOST
        CHECK((tickwheel::interrupts.depth == 0 && !tickwheel::interrupts.restored_twice));
        CHECK((tickwheel::interrupts.on_open == nullptr));
#endif
    }
    fresh(const fresh &) = delete;
    fresh &operator=(const fresh &) = delete;
};

/// Single ticks, each run to its end; returns how many callbacks ran.
inline unsigned pass(jiffies_t ticks)
{
    unsigned ran = 0;
    while (ticks-- != 0) {
        if (tickwheel_tick()) {
            ran += tickwheel_run();
        }
    }
    return ran;
}

/// Counts all ticks up to and including `tick` at once, and runs them.
inline unsigned skip_to(jiffies_t tick)
{
    return tickwheel_advance(tick - now()) ? tickwheel_run() : 0;
}

/// Ticks one at a time until a callback has run, at most `limit`. Returns how many it took, or 0 if none ran.
inline jiffies_t ticks_to_next_firing(jiffies_t limit)
{
    const unsigned before = fired;
    for (jiffies_t ticks = 1; ticks <= limit; ++ticks) {
        (void)pass(1);
        if (fired != before) {
            return ticks;
        }
    }
    return 0;
}

/// How many of these wait in tv1.
template <class Timer>
unsigned in_tv1(const Timer *timers, unsigned count)
{
    unsigned cascaded = 0;
    for (unsigned i = 0; i < count; ++i) {
        cascaded += tickwheel_timer_pending(&timers[i]) != 0 && timers[i].slot < geometry::tvr_size;
    }
    return cascaded;
}

/// The next expiry as a distance from now; `none` when there is none.
constexpr uint64_t none = ~uint64_t{0};
inline uint64_t next_from_now()
{
    jiffies_t expires = 0;
    jiffies_t locked = 0;
    const int found = tickwheel_next_expiry(&expires);
    // A caller who holds the lock gets the same answer. (There is no CHECK() before main.)
    if (tickwheel_next_expiry_locked(&locked, ~0u) != found || locked != expires) {
        return none - 1;
    }
    return found ? expires - now() : none;
}

/// The same of the next event.
inline uint64_t event_from_now()
{
    jiffies_t tick = 0;
    return tickwheel_next_event(&tick) ? tick - now() : none;
}

/// Whether exactly `count` timers have fired, in the order of the array.
inline bool fired_as_armed(const noted *timers, unsigned count)
{
    bool in_order = fired == count;
    for (unsigned i = 0; i < count && in_order; ++i) {
        in_order = log[i].timer == &timers[i];
    }
    return in_order;
}

/// Whether the timers that have fired are exactly `expected`, in this order.
template <size_t Size>
bool fired_in_order(const timer_list *const (&expected)[Size])
{
    if (fired != Size) {
        return false;
    }
    for (size_t i = 0; i < Size; ++i) {
        if (log[i].timer != expected[i]) {
            return false;
        }
    }
    return true;
}

} // namespace unit
