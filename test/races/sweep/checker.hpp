// SPDX-License-Identifier: MIT
// Checks a run of the sweep: it must leave exactly the state that the same interrupts leave at some points. The
// interleavings check which state that must be.
#ifndef TICKWHEEL_TEST_SWEEP_CHECKER_HPP
#define TICKWHEEL_TEST_SWEEP_CHECKER_HPP

#include "../../support/console.hpp"
#include "run.hpp"

namespace sweep
{

inline void print_results(const char *title, const result (&results)[2])
{
    print("; ", title);
    for (const result &each : results) {
        print(" ", hex{static_cast<uint32_t>(each.returned)}, ":", hex{static_cast<uint32_t>(each.value)});
    }
}

inline void print_call(const operation &request)
{
    print(op_names[static_cast<unsigned>(request.what)]);
    if (takes_a_timer(request.what)) {
        print(" of ", timer_names[request.timer], " to ", to_names[static_cast<unsigned>(request.expires)]);
    }
}

/// Prints the run, and ends the program: a broken wheel breaks in hundreds of pairs.
[[noreturn]] inline void fail(const char *what)
{
    print("FAIL ");
    print_call(current->main);
    print(", ", current->name);
    for (unsigned i = 0; i < wanted; ++i) {
        const interrupt &each = interrupts[i];
        print(" x ");
        print_call(each.calls[0]);
        if (each.calls[1].what != op::nothing) {
            print(", ");
            print_call(each.calls[1]);
        }
        print(" after ", each.count, " at ", hex{each.at});
    }
    print(": ", what);
    print_results("returned", seen.thread);
    print_results("callback", seen.callback);
    for (unsigned i = 0; i < wanted; ++i) {
        print_results("interrupt", seen.interrupt[i]);
    }
    print("; fired ", seen.fired, " of");
    for (unsigned i = 0; i < seen.fired && i < log_size; ++i) {
        print(" ", timer_names[seen.log[i].timer], "@", hex{seen.log[i].at});
    }
    print("\n");
    board::exit(1);
}

/// The state before each run of a scenario.
inline snapshot prepared;
/// The last good state of this pair. Most runs leave exactly the state of the run before, so they need no new check.
inline snapshot good;
inline bool any_good;

/// The jump that the state has is of the wheel that counted its ticks, and each of the two wheels has its own.
template <class Wheel>
void link_jump_of(Wheel &wheel)
{
    if (tickwheel_slots.linked_jump != nullptr) {
        (void)wheel.advance(0);
    }
}

inline void start_run()
{
    taken = 0;
    points_passed = 0;
    prepared.restore();
    link_jump_of(library);
}

/// This address on somebody's stack means nothing while no search is under way.
inline void forget_search()
{
    tickwheel_slots.change_token = nullptr;
    // Each of the two wheels has a jump of its own.
    tickwheel_slots.linked_jump = nullptr;
}

inline void run_by_points(const int (&points)[max_interrupts])
{
    start_run();
    link_jump_of(watched_wheel);
    for (unsigned i = 0; i < max_interrupts; ++i) {
        places[i] = {points[i], false};
    }
    by_points = true;
    perform_operation();
    while (taken != wanted) {
        take_interrupt_by_points(true);
    }
    by_points = false;
    forget_search();
}

/// Whether the interrupts leave this state at some points. `points` move on to the first such points. They may not go
/// back while the count of instructions grows.
inline bool as_at_points(int (&points)[max_interrupts])
{
    const int second_from = points[1];
    for (;; ++points[0]) {
        points[1] = second_from < points[0] ? points[0] : second_from;
        for (;; ++points[1]) {
            run_by_points(points);
            if (good.same()) {
                return true;
            }
            if (wanted == 1 || places[1].behind) {
                break;
            }
        }
        if (places[0].behind) {
            return false;
        }
    }
}

/// Checks what the run left.
inline void check_run(int (&points)[max_interrupts])
{
    forget_search();
    if (any_good && good.same()) {
        return;
    }
    good.save();
    any_good = true;
    if (tickwheel_slots.running_timer != nullptr || support::wheel_fault() != support::no_fault) {
        fail("the wheel is broken");
    }
    if (!as_at_points(points)) {
        good.restore();
        fail("no point allows this");
    }
}

} // namespace sweep

#endif
