// SPDX-License-Identifier: MIT
// Compares the wheel with the contract at every point, and tells states apart.
#pragma once

#include <stdint.h>

#include <string>
#include <unordered_set>

#include "../../support/proved.hpp"
#include "../../support/reference_model.hpp"
#include "../points.hpp"
#include "../scenarios.hpp"

namespace interleavings
{

using namespace races;
using support::no_timer;
using model = support::reference_model<timer_count>;

/// A call under way.
struct frame {
    operation what;
    /// 0 for the main call, 1 and 2 for interrupts. A callback has the level of its runner.
    unsigned level;
    frame *below;
    jiffies_t expires;
    unsigned points = 0;
    /// How often it has closed the lock.
    unsigned locks = 0;
    /// Whether a tick has been counted, whether a run was not refused, and how many callbacks it has made.
    bool counted = false;
    bool runs = false;
    unsigned ran = 0;
    /// The right answer.
    int expected = 0;
    int64_t expected_tick = 0;
};

inline model contract;
/// Whether the callback of the timer that the runner has taken has begun.
inline bool called;
inline frame outermost = {{}, 0, nullptr, 0};
inline frame *top = &outermost;

/// Prints the choices that led here, and ends the program.
[[noreturn]] void fail(const std::string &what);

/// timer_jiffies, by its definition.
inline int64_t timer_jiffies()
{
    const int32_t lag = static_cast<int32_t>(tickwheel_clock.jiffies + 1 - tickwheel_clock.next_run);
    return contract.now + 1 - (lag > 0 ? lag : 0);
}

/// Takes the steps that the call under way has made since its last point and that show only in the wheel.
inline void follow()
{
    frame &current = *top;
    const jiffies_t counted = tickwheel_clock.jiffies;
    if (counted != static_cast<jiffies_t>(contract.now)) {
        contract.now += current.what.amount;
        if (current.what.what != op::advance || current.counted || counted != static_cast<jiffies_t>(contract.now)) {
            fail("jiffies is wrong");
        }
        current.counted = true;
    }
    if (!current.runs || !contract.running) {
        return;
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        if (contract.timer[i].pending && !tickwheel_timer_pending(&timers[i])) {
            if (!contract.take(i)) {
                fail("the runner takes a timer that is not the next");
            }
            called = false;
            ++current.ran;
        }
    }
    const bool spent = current.what.amount != everything && (tickwheel_clock.due());
    if (tickwheel_slots.running_timer == nullptr && !contract.stop_running(spent)) {
        fail("the run ends and work is left");
    }
}

/// Compares the wheel with the contract.
inline void compare()
{
    if (depth != 0) {
        fail("the lock is held");
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        const model::entry &wanted = contract.timer[i];
        if ((tickwheel_timer_pending(&timers[i]) != 0) != wanted.pending) {
            fail(wanted.pending ? "a timer is lost" : "a timer is pending that is not");
        }
        if (timers[i].expires != wanted.expires || (timers[i].enabled != 0) != wanted.enabled) {
            fail("a timer has another expiry, or is shut down or is not");
        }
    }
    if ((tickwheel_slots.running_timer != nullptr) != contract.running) {
        fail("a run is under way, or is not");
    }
    if (!contract.may_have_reached(timer_jiffies())) {
        fail("timer_jiffies is wrong");
    }
}

inline void walk()
{
    const support::walk seen = support::walk_wheel(tickwheel_slots.running_timer == nullptr);
    if (seen.found != support::no_fault) {
        fail("the wheel is broken, fault " + std::to_string(seen.found));
    }
    if (seen.timers != contract.pending()) {
        fail("the wheel has more timers than are pending, or less");
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        if (const char *const broken = support::broken_invariant(contract, timers, i)) {
            fail(broken);
        }
    }
}

// --- States

class hasher {
public:
    /// The words are mixed each by itself, so that they do not wait for each other.
    void add(uint64_t value)
    {
        place += 0x9E3779B97F4A7C15u;
        uint64_t mixed = (value ^ place) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 31) * 0x94D049BB133111EBu;
        hash += mixed ^ mixed >> 29;
    }
    uint64_t hash = 0;

private:
    uint64_t place = 0;
};

/// 0 for a null pointer, 1 to 3 for a timer, 4 for any other address.
inline uint64_t link(const void *address)
{
    const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(timers);
    if (address == nullptr) {
        return 0;
    }
    return offset < sizeof timers ? offset / sizeof timers[0] + 1 : timer_count + 1;
}

/// @{ What only a wheel has, and what only a list has.
template <class Geometry>
void add_queue(hasher &state, const tickwheel::wheel_clock &clock, const tickwheel::wheel_slots<Geometry> &slots)
{
    state.add(uint64_t{clock.next_block} << 32 | clock.tv1_limit);
    state.add(clock.jiffies_halves);
    state.add(link(slots.change_token));
    for (const uint32_t word : slots.marks.words) {
        state.add(word);
    }
}
inline void add_queue(hasher &state, const tickwheel::list_clock &clock, const support::list_slots &list)
{
    state.add(clock.jiffies_quarters);
    state.add(link(list.ends.next) << 4 | link(list.ends.prev));
}
/// @}

/// @{ The first timer of the slot of a timer.
template <class Geometry>
const timer_list *head_of(const tickwheel::wheel_slots<Geometry> &slots, const timer_list &timer)
{
    return timer.slot < Geometry::slot_count ? slots.first[timer.slot] : nullptr;
}
inline const timer_list *head_of(const support::list_slots & /*list*/, const timer_list & /*timer*/)
{
    return nullptr;
}
/// @}

inline hasher wheel_state()
{
    hasher state;
    state.add(uint64_t{tickwheel_clock.jiffies} << 32 | tickwheel_clock.next_run);
    state.add(link(tickwheel_slots.running_timer));
    add_queue(state, tickwheel_clock, tickwheel_slots);
    for (const timer_list &timer : timers) {
        const uint64_t head = link(head_of(tickwheel_slots, timer));
        state.add(uint64_t{timer.expires} << 32 | uint64_t{timer.slot} << 16 | link(timer.next) << 12 |
                  link(timer.prev) << 8 | head << 4 | timer.enabled);
    }
    return state;
}

/// All states of the wheel that a point has seen. They are told apart also by the calls under way.
inline std::unordered_set<uint64_t> visited;

/// The check of a point.
inline void look(bool always)
{
    compare();
    hasher state = wheel_state();
    for (const frame *each = top; each != nullptr; each = each->below) {
        state.add(static_cast<uint64_t>(each->what.what));
    }
    // A wheel in a state that was seen before has passed the walker.
    if (always || visited.insert(state.hash).second) {
        walk();
    }
}

} // namespace interleavings
