// SPDX-License-Identifier: MIT
// One run of the sweep: the timers, the interrupts, what was seen, and a snapshot of
// all that a run changes.
#ifndef TICKWHEEL_TEST_SWEEP_RUN_HPP
#define TICKWHEEL_TEST_SWEEP_RUN_HPP

#include <tickwheel/wheel.hpp>

#include "machine.hpp"
#include "scenarios.hpp"

namespace sweep
{

inline timer_list timers[timer_count];
inline const scenario *current;
inline jiffies_t clock_at_start;

/// An interrupt: its calls, and when it comes.
struct interrupt {
    call calls[most_calls];
    /// The instructions since the operation began, or since the first interrupt ended.
    uint32_t count;
    bool behind;
    uintptr_t at;
};
inline interrupt interrupts[2];
/// How many interrupts the run shall have, and how many have come.
inline unsigned wanted = 1;
inline volatile unsigned taken;

/// The observations during the operation. A snapshot compares it by words: everything is 0 at first, and only members
/// are written.
struct interrupt_record {
    result done[most_calls];
    jiffies_t clock_before;
    jiffies_t clock_after;
    /// How many callbacks had been called and had returned, and whether the last one was on its way back.
    unsigned called;
    unsigned returned;
    unsigned returning;
};
struct record {
    result thread[most_calls];
    result callback[most_calls];
    interrupt_record interrupt[2];
    firing_log log;
    /// The callback of the same has done its calls.
    uint32_t callback_done;
};
inline record seen;

inline bool before(jiffies_t a, jiffies_t b)
{
    return tickwheel_time_before(a, b);
}

/// timer_jiffies, by its definition.
inline jiffies_t wheel_clock()
{
    const jiffies_t upcoming = jiffies + 1;
    const jiffies_t next = tickwheel_clock.next_run;
    return before(next, upcoming) ? next : upcoming;
}

inline request request_of(const call &is, jiffies_t clock)
{
    const auto argument = static_cast<uint32_t>(is.argument);
    return {&timers[is.whom], is.whom, current->now + argument, argument, clock};
}

/// Snapshots take most of the time of a run, so their loops are unrolled.
template <class Type>
class copy_of {
public:
    void save(const Type &from)
    {
        move(words, reinterpret_cast<const word *>(&from));
    }
    void restore(Type &to) const
    {
        move(reinterpret_cast<word *>(&to), words);
    }
    bool same(const Type &other) const
    {
        const word *const now = reinterpret_cast<const word *>(&other);
        uint32_t different = 0;
#pragma GCC unroll 8
        for (unsigned i = 0; i < count; ++i) {
            different |= now[i] ^ words[i];
        }
        return different == 0;
    }

private:
    using word [[gnu::may_alias]] = uint32_t;
    static_assert(sizeof(Type) % 4 == 0);
    static constexpr unsigned count = sizeof(Type) / 4;
    word words[count];

    static void move(word *to, const word *from)
    {
#pragma GCC unroll 8
        for (unsigned i = 0; i < count; ++i) {
            to[i] = from[i];
        }
    }
};

struct snapshot {
    copy_of<decltype(tickwheel_clock)> the_clock;
    copy_of<decltype(tickwheel_slots)> the_slots;
    copy_of<decltype(timers)> the_timers;
    copy_of<decltype(seen)> what_was_seen;

    void save()
    {
        the_clock.save(tickwheel_clock);
        the_slots.save(tickwheel_slots);
        the_timers.save(timers);
        what_was_seen.save(seen);
    }
    void restore() const
    {
        the_clock.restore(tickwheel_clock);
        the_slots.restore(tickwheel_slots);
        the_timers.restore(timers);
        what_was_seen.restore(seen);
    }
    bool same() const
    {
        return the_clock.same(tickwheel_clock) && the_timers.same(timers) && what_was_seen.same(seen) &&
               the_slots.same(tickwheel_slots);
    }
};

} // namespace sweep

#endif
