// SPDX-License-Identifier: MIT
// The other queue behind the same calls, for a few timers: one list, in the order in which its timers fire. A tick, a
// cancel, each step of a run and the search for the next event take constant time. An arm searches with the lock
// held, from the timer that fires last. DESIGN.md explains the list in "A list for ten timers", with the invariants
// L1 to L4.
//
//   ends.next -> fires first -> ... -> fires last -> ends      (prev: the other way round)
#ifndef TICKWHEEL_ORDERED_LIST_HPP
#define TICKWHEEL_ORDERED_LIST_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>
#include <tickwheel/lock.hpp>
#include <tickwheel/timer_state.h>

#include "../wheel/arm.hpp"
#include "../wheel/clock.hpp"
#include "../wheel/slots.hpp"

namespace tickwheel
{

/// Chooses the list instead of a geometry with slots: TICKWHEEL_GEOMETRY=1.
struct ordered_list {
    /// The bits of a tick in its quarter of the range of `jiffies`. A list's block is a quarter.
    static constexpr unsigned quarter_bits = 30;
    static constexpr jiffies_t block_mask = (jiffies_t{1} << quarter_bits) - 1;
};

/// The time of a list. `jiffies` and `next_run` are the first words, as in a wheel_clock.
struct list_clock {
    /// Ticks counted. Only tick, advance, init and start write it.
    shared_word jiffies;
    /// Never after the tick in which the first timer fires, nor after the end of the quarter (L2). A limit of half
    /// the range would read as past.
    shared_word next_run;
    /// The quarters of the range of `jiffies` that the runner has begun, since tick 0. It counts all 64 bits of the
    /// tick (L4).
    shared_word jiffies_quarters;

    /// The clock of an empty list that has counted up to `start`.
    static constexpr list_clock at(jiffies_t start, jiffies_t quarter_mask)
    {
        return {start, ((start + 1) | quarter_mask) + 1,
                (start >> ordered_list::quarter_bits) + ((start & quarter_mask) == quarter_mask)};
    }

    /// True when the runner has work.
    bool due() const
    {
        return tickwheel_time_after_eq(jiffies, next_run);
    }

    /// The first tick after this quarter.
    jiffies_t quarter_end() const
    {
        return (jiffies_quarters + 1) << ordered_list::quarter_bits;
    }

    /// The tick in 64 bits, from any context. It takes no lock.
    uint64_t jiffies_64() const
    {
        // The quarters are read first. The runner is less than four of them late, because the lag is below two.
        const uint32_t quarters = jiffies_quarters;
        const jiffies_t upcoming = jiffies + 1;
        const uint32_t upper = (quarters + (((upcoming >> ordered_list::quarter_bits) - quarters) & 3)) >> 2;
        return (static_cast<uint64_t>(upper) << 32 | upcoming) - 1;
    }
};

template <>
struct clock_types<ordered_list> {
    using type = list_clock;
};

/// The end of a list without timers.
constexpr timer_list end_of_empty_list(timer_list *ends)
{
    timer_list end = timer_initializer(nullptr, 0);
    end.prev = ends;
    end.next = ends;
    return end;
}

/// Where an arm puts a timer.
struct list_place {
    /// The tick before `next_run`: no pending timer fires before it.
    jiffies_t from;
    /// The tick in which the timer fires.
    jiffies_t fires;
    /// 0, or late().
    unsigned slot;
};

/// The list. It is a ring, in which no link is ever null, so an arm and a cancel test none.
template <>
struct wheel_slots<ordered_list> {
    /// Both ends of the ring. Its `expires` ends the searches.
    timer_list ends = end_of_empty_list(&ends);
    /// In a run, the timer whose callback runs. Between two runs null.
    timer_list *running_timer = nullptr;

    wheel_slots() = default;
    /// The links of a copy would lead into the original.
    wheel_slots(const wheel_slots &) = delete;
    wheel_slots &operator=(const wheel_slots &) = delete;

    /// The `slot` of a timer that was armed too late for its own tick. It fires in the tick `fires`.
    static constexpr unsigned late(jiffies_t fires)
    {
        return 4 | (fires & 3);
    }

    /// How many ticks after `from` a timer fires. No timer fires before `from`, so the unsigned distance is right for
    /// any delay and lag (L2). A late timer fires at most two ticks after it: two bits of its tick are enough, and
    /// its `expires` stays as its owner armed it (L3).
    [[gnu::always_inline]] static jiffies_t distance(const timer_list *timer, jiffies_t from)
    {
        return __builtin_expect(timer->slot != 0, 0) ? (timer->slot - from) & 3 : timer->expires - from;
    }

    /// Puts an idle timer behind all that fire in its tick or before (L1).
    [[gnu::always_inline]] void append(const list_place &place, timer_list *timer)
    {
        timer->slot = static_cast<uint16_t>(place.slot);
        ends.expires = place.fires;
        const jiffies_t ticks = place.fires - place.from;
        timer_list *before = &ends;
        do {
            before = before->prev;
        } while (distance(before, place.from) > ticks);
        timer_list *const after = before->next;
        timer->prev = before;
        timer->next = after;
        before->next = timer;
        after->prev = timer;
    }

    /// Makes a pending timer idle.
    void detach(timer_list *timer)
    {
        unlink_for_requeue(timer);
        timer->prev = nullptr;
    }

    /// Unlinks a pending timer. The caller appends it again next.
    [[gnu::always_inline]] static void unlink_for_requeue(timer_list *timer)
    {
        timer_list *const before = timer->prev;
        timer_list *const after = timer->next;
        before->next = after;
        after->prev = before;
    }

    /// Forgets every timer.
    void reset()
    {
        ends.prev = &ends;
        ends.next = &ends;
    }
};

/// An arm chooses the tick in which a timer fires.
template <>
struct placement<ordered_list> {
    /// As that of a wheel. Returns the place of a timer for the tick `expires`.
    template <class Wheel>
    [[gnu::always_inline]] static list_place schedule(Wheel &wheel, jiffies_t expires)
    {
        list_clock &clock = wheel.clock();
        const jiffies_t now = clock.jiffies;
        jiffies_t next = clock.next_run;
        // Both ticks count from `jiffies`, so that the comparison is right for any lag.
        const int32_t delay = static_cast<int32_t>(expires - now);
        // Not above 0 if a tick is due.
        const int32_t next_delay = static_cast<int32_t>(next - now);
        unsigned slot = 0;
        // While a callback of tick `next_run` - 1 runs, the runner will look for other timers of that tick.
        const bool runs_now =
            TICKWHEEL_ARM_RUNNING_TICK && expires == next - 1 && wheel.slots().running_timer != nullptr;
        if (delay < next_delay && !runs_now) {
            if (delay <= 0) {
                // The runner has begun this tick, or passed it. The timer fires in min(next_run, jiffies + 1).
                expires = now + static_cast<jiffies_t>(next_delay > 0 ? 1 : next_delay);
                slot = wheel_slots<ordered_list>::late(expires);
            }
            next = expires;
            clock.next_run = next;
        }
        return {next - 1, expires, slot};
    }
};

} // namespace tickwheel

#endif
