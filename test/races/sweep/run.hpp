// SPDX-License-Identifier: MIT
// One run of the sweep: the operation, its interrupt, the observations, and a snapshot of all that a run changes.
#pragma once

#include "../points.hpp"
#include "../scenarios.hpp"
#include "machine.hpp"

namespace sweep
{

using namespace races;

inline const scenario *current;

/// The interrupt makes one call or two.
struct two_calls {
    operation call[2];
};
inline two_calls interrupting;
inline volatile bool interrupted;

/// One call of a callback.
struct firing {
    unsigned timer;
    jiffies_t at;
};
constexpr unsigned log_size = 24;

/// The observations during the operation. A snapshot compares it by words: everything is 0 at first, and only members
/// are written.
struct record {
    result thread[2];
    result callback[2];
    result interrupt[2];
    /// How many callbacks have made a call.
    uint32_t callbacks;
    uint32_t fired;
    firing log[log_size];
};
inline record seen;

// A run by points uses the watched wheel, not the library. The interrupt comes at one of them, or behind the last
// one.
inline bool by_points;
inline int interrupted_point;
inline int points_passed;
inline bool in_interrupt;

inline void perform(const operation &request, result &done)
{
    const jiffies_t expires = expiry_of(request);
    const result answer = by_points ? call(watched_wheel, request, expires) : call(library, request, expires);
    done.value = answer.value;
    done.returned = answer.returned;
}

/// Makes the calls of the interrupt, which may free a timer that it leaves idle.
inline void take_interrupt()
{
    in_interrupt = true;
    for (unsigned i = 0; i < 2; ++i) {
        const operation &request = interrupting.call[i];
        perform(request, seen.interrupt[i]);
        if (takes_a_timer(request.what)) {
            spoil(request.timer);
        }
    }
    in_interrupt = false;
    barrier();
    interrupted = true;
}

/// The callback of all timers.
inline void callback(timer_list *timer)
{
    const unsigned i = static_cast<unsigned>(timer - timers);
    point();
    const jiffies_t now = jiffies;
    point();
    if (seen.fired < log_size) {
        seen.log[seen.fired] = {i, now};
    }
    ++seen.fired;
    if (i <= B && current->callback[i].what != op::nothing && seen.callbacks < 2) {
        ++seen.callbacks;
        perform(current->callback[i], seen.callback[seen.callbacks - 1]);
    }
    point();
}

inline void perform_operation()
{
    point();
    perform(current->main, seen.thread[0]);
    point();
    perform(current->then, seen.thread[1]);
    point();
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

inline void races::point()
{
    using namespace sweep;
    if (by_points && !in_interrupt && points_passed++ == interrupted_point) {
        take_interrupt();
    }
}

inline void races::step()
{
}

inline void races::touch()
{
    point();
}
