// SPDX-License-Identifier: MIT
// Looks whether a wheel keeps the invariants that `make prove` has proved of its model. test/proof/wheel/checks.py
// writes their C++ from the formulas. Called wherever the lock is open.
#pragma once

#include <stdint.h>

#if __has_include(<invariants.hpp>)
#include <invariants.hpp>
#endif

#include "walker.hpp"

namespace support
{

#if defined(TICKWHEEL_TEST_PROVED)
/// A distance of ticks, in the 34 bits of the formulas.
constexpr uint64_t wide(int64_t distance)
{
    return static_cast<uint64_t>(distance) & ((uint64_t{1} << 34) - 1);
}

template <class Model>
struct invariants {
    static constexpr unsigned count = sizeof(Model::timer) / sizeof(Model::timer[0]);
    const Model &contract;
    const timer_list *timers;
    /// The timer that is looked at, and each pair with it.
    unsigned a;
    /// The 64 bits of next_block. All ticks count from there.
    int64_t block = whole(tickwheel_clock.next_block);
    proved::words w = {};
    const char *broken = nullptr;

    int64_t whole(jiffies_t tick) const
    {
        return contract.now + static_cast<int32_t>(tick - tickwheel_clock.jiffies);
    }

    uint64_t fires(unsigned i) const
    {
        return wide(contract.timer[i].tick - block);
    }

    void see_clock()
    {
        w.block = tickwheel_clock.next_block / geometry::block_size;
        w.era = static_cast<uint64_t>(block) >> 32;
        w.jiffies_halves = tickwheel_clock.jiffies_halves;
        w.jiffies = wide(contract.now - block);
        w.next_run = wide(whole(tickwheel_clock.next_run) - block);
        w.tv1_limit = wide(static_cast<int32_t>(tickwheel_clock.tv1_limit - tickwheel_clock.next_block));
        w.cascade_unfinished = tickwheel_slots.cascade_unfinished != 0;
        w.tick = wide(whole(tickwheel_clock.next_run) - 1 - block);
    }

    void see_timer()
    {
        w.pending_A = w.pending_B = timers[a].prev != nullptr;
        w.expires_A = timers[a].expires;
        w.fires_A = fires(a);
        w.slot_A = timers[a].slot;
        w.marked_A = w.pending_A && tickwheel_slots.marks.is_marked(timers[a].slot);
    }

    const char *broken_pair(proved::place place)
    {
        bool is_behind[count] = {};
        for (const timer_list *at = timers[a].next; at != nullptr; at = at->next) {
            is_behind[at - timers] = true;
        }
        for (unsigned b = 0; b < count; ++b) {
            if (b != a && timers[b].prev != nullptr && fires(b) == w.fires_A) {
                w.fires_B = w.fires_A;
                w.slot_B = timers[b].slot;
                w.a_is_before_b = is_behind[b];
                w.a_was_armed_first = contract.timer[a].order < contract.timer[b].order;
                if (const char *const found = proved::of_pair[place](w)) {
                    return found;
                }
            }
        }
        return nullptr;
    }

    /// Whether all hold, if a run is in this place. Else `broken` is one that does not.
    bool hold_in(proved::place place)
    {
        const char *found = proved::of_clock[place](w);
        const bool may_be_there = found == nullptr;
        if (w.pending_A && found == nullptr) {
            found = proved::of_timer[place](w);
            found = found == nullptr ? broken_pair(place) : found;
        }
        broken = may_be_there || broken == nullptr ? found : broken;
        return found == nullptr;
    }

    /// Where a run is between two callbacks does not show. It must be in one of the places where a run opens the
    /// lock.
    bool hold_in_a_run()
    {
        using namespace proved;
        for (w.level = 0; w.level < levels; ++w.level) {
            if (hold_in(cascade_ahead) || hold_in(cascade_of_the_rest)) {
                return true;
            }
        }
        for (int word = -static_cast<int>(geometry::block_size); word < 0; word += 32) {
            w.tick = wide(word);
            if (hold_in(search)) {
                return true;
            }
        }
        return hold_in(next_tick) || hold_in(end_of_a_block) || hold_in(jump) || hold_in(after_a_jump) ||
               hold_in(without_a_jump);
    }
};
#endif

/// The title of an invariant that the clock or timer `a` breaks, or null.
template <class Model>
const char *broken_invariant([[maybe_unused]] const Model &contract, [[maybe_unused]] const timer_list *timers,
                             [[maybe_unused]] unsigned a)
{
#if defined(TICKWHEEL_TEST_PROVED)
    invariants<Model> seen = {contract, timers, a};
    seen.see_clock();
    seen.see_timer();
    const timer_list *const running = tickwheel_slots.running_timer;
    const bool hold = running == tickwheel_slots.between_callbacks() ? seen.hold_in_a_run()
                      : running == nullptr                           ? seen.hold_in(proved::between_runs)
                                                                     : seen.hold_in(proved::callback);
    return hold ? nullptr : seen.broken;
#else
    return nullptr;
#endif
}

} // namespace support
