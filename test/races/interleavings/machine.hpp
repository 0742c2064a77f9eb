// SPDX-License-Identifier: MIT
// Points, the interrupts that come there, and the calls that they interrupt.
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "calls.hpp"

namespace interleavings
{

/// The calls that an interrupt may make.
struct menu {
    std::vector<operation> choices;
    /// The last so many of them count ticks. None of these may interrupt another.
    unsigned ticking;
};

// The run that is simulated.
inline const scenario *simulated;
inline const menu *offered;
inline unsigned level;
constexpr unsigned levels = 2;
inline unsigned interrupts_left;
inline unsigned callbacks_left;
inline bool running_out;
inline unsigned points_passed;

// The list of choices: the first `given` of them are prescribed.
struct choice {
    unsigned taken;
    unsigned count;
    unsigned level;
    unsigned point;
    operation interrupted;
};
constexpr unsigned max_points = 4000;
inline choice choices[max_points];
inline unsigned given;
inline unsigned made;
inline unsigned long choice_points;

void perform(const operation &what);
std::string name_of(const operation &request);

inline unsigned choose(unsigned count)
{
    if (made == max_points) {
        fail("too many choices");
    }
    choice &next = choices[made];
    if (made >= given) {
        next.taken = 0;
        ++choice_points;
    }
    next.count = count;
    next.level = level;
    next.point = top->points;
    next.interrupted = top->what;
    ++made;
    return next.taken;
}

/// Whether a call is one locked section. Any other call has a point at its start.
inline bool is_one_section(op what)
{
    return takes_a_timer(what) && what != op::pending;
}

/// Whether an interrupt here would not be the same as one before or after the call under way.
inline bool inside()
{
    const frame &current = *top;
    if (current.level == 0 || current.level == current.below->level) {
        return true;
    }
    if (current.what.what == op::run && !(current.runs && contract.running)) {
        return false;
    }
    return current.points != 1 && !is_one_section(current.what.what);
}

} // namespace interleavings

/// A point, where interrupts may come one after another.
inline void races::point()
{
    using namespace interleavings;
    follow();
    ++top->points;
    if (++points_passed == max_points) {
        fail("it does not end");
    }
    // An earlier run has checked the points up to the last choice that is prescribed.
    if (made >= given) {
        look(running_out);
    }
    while (interrupts_left != 0 && level < levels && inside()) {
        const unsigned count = static_cast<unsigned>(offered->choices.size());
        const unsigned taken = choose(1 + count - (ticks_under_way != 0 ? offered->ticking : 0));
        if (taken == 0) {
            break;
        }
        --interrupts_left;
        ++level;
        perform(offered->choices[taken - 1]);
        --level;
    }
    touched = false;
}

namespace interleavings
{

/// Makes one call and checks it.
inline int perform_one(const operation &what)
{
    frame current = {what, level, top, expiry_of(what)};
    top = &current;
    touched = false;
    const int returned = call_wheel(current);
    follow();
    if (is_one_section(what.what) && current.locks != 1) {
        fail(name_of(what) + " is not one locked section");
    }
    if (returned != current.expected) {
        fail(name_of(what) + " returns " + std::to_string(returned) + ", not " + std::to_string(current.expected));
    }
    if (current.runs && contract.running) {
        fail("the run has returned and goes on");
    }
    spoil(what.timer);
    top = current.below;
    return returned;
}

inline void perform(const operation &what)
{
    if (what.what == op::nothing) {
        return;
    }
    if (what.what != op::advance_and_run) {
        (void)perform_one(what);
    } else if (perform_one(advance(what.amount)) != 0) {
        (void)perform_one(run());
    }
}

/// The callback of all timers.
inline void callback(timer_list *timer)
{
    const timer_name i = static_cast<timer_name>(timer - timers);
    if (!top->runs || contract.taken != i || called || depth != 0) {
        fail("a callback that is not to be called now");
    }
    called = true;
    spoil(i);
    if (i <= B && simulated->callback[i].what != op::nothing && callbacks_left != 0) {
        --callbacks_left;
        perform(simulated->callback[i]);
    }
}

} // namespace interleavings
