// SPDX-License-Identifier: MIT
// All interleavings of one call with a few interrupts, on the host:
//
//     interleavings DEPTH [TENTH]    1 to 9; 3 takes some hundred times as long as 2
//
// With a TENTH, 1 to 10, only that part of the scenarios has this depth, and the others have depth 1.
//
// A call has points: right before it closes the lock, right after it has opened it, and before it touches a word of
// the wheel with the lock open, but for the first such touch after another point. So a tick has a point between its
// count and its search for work. A call that does not start by taking the lock also has a point at its start, and a
// tick has one at its end. At each point an interrupt may come and make one call of a menu, and then another one may
// come. A run is a list of these choices, simulated from a fresh wheel. The next list differs in the last choice that
// has a next, until none has.
//
// The program enumerates all such lists for each scenario, of up to `depth` interrupts from the full menu and of up
// to `depth` + 1 from the short one. Level 1 interrupts the scenario's call and its callbacks, level 2 interrupts
// level 1.
//
// It leaves out an interrupt within a locked section, where it waits; one between instructions that have no point
// between them, which is for the sweep; a tick in a tick, which the contract forbids; and a third level. Level 2 does
// not come at the start of a call of level 1, nor at the end of a run: these are two interrupts in a row at the point
// below, which it enumerates. A call that is one locked section, which is checked, has no other points.
//
// The reference model takes each step when the wheel has taken it. At every point and at the end, the pending timers,
// every expiry and the tick of the runner must be those of the model. Every call must return what the model says, and
// next_expiry the exact tick of its last search. The runner must take the timer that is the next by tick and by order
// of arming, call it once, and not end while one is due. The wheel must pass the walker. At the end all timers fire.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/number.hpp"
#include "machine.hpp"

namespace interleavings
{

// Statistics.
unsigned max_interrupts;
unsigned passed;
// How the runs of one scenario ended.
std::unordered_set<uint64_t> endings;

std::string name_of(const operation &request)
{
    const std::string text = op_names[static_cast<unsigned>(request.what)];
    if (takes_a_timer(request.what)) {
        return text + " of " + timer_names[request.timer] + " to " + to_names[static_cast<unsigned>(request.expires)];
    }
    if (counts_ticks(request.what) || (request.what == op::run && request.amount != everything)) {
        return text + " by " + std::to_string(request.amount);
    }
    return text;
}

std::string title(const scenario &plan)
{
    return name_of(plan.main) + ", " + plan.name;
}

[[noreturn]] void fail(const std::string &what)
{
    printf("FAIL %s: %s\n", title(*simulated).c_str(), what.c_str());
    for (unsigned i = 0; i < made; ++i) {
        const choice &each = choices[i];
        if (each.taken != 0) {
            printf("  level %u, at point %u of %s: %s\n", each.level + 1, each.point,
                   name_of(each.interrupted).c_str(), name_of(offered->choices[each.taken - 1]).c_str());
        }
    }
    printf("%u passed, 1 failed\n", passed);
    exit(1);
}

struct snapshot {
    tickwheel::clock_of<tickwheel::default_geometry> clock = tickwheel_clock;
    // By its bytes, because a list refuses to be copied: its ends hold its own address.
    unsigned char slots[sizeof tickwheel_slots];
    timer_list timer[timer_count];
    model contract_then = contract;

    snapshot()
    {
        memcpy(slots, &tickwheel_slots, sizeof slots);
        memcpy(timer, timers, sizeof timers);
    }
    void restore() const
    {
        tickwheel_clock = clock;
        memcpy(static_cast<void *>(&tickwheel_slots), slots, sizeof slots);
        memcpy(timers, timer, sizeof timers);
        contract = contract_then;
    }
};

void pass(uint32_t ticks, bool and_run)
{
    if (perform_one(advance(ticks)) != 0 && and_run) {
        (void)perform_one(run());
    }
}

/// The wheel as the scenario's operation finds it.
void prepare(const scenario &plan)
{
    simulated = &plan;
    interrupts_left = 0;
    callbacks_left = 0;
    given = made = points_passed = 0;
    const uint32_t before = start(plan, callback);
    contract.start(plan.now - before);
    for (unsigned i = 0; i < timer_count; ++i) {
        contract.timer[i].deferrable = timers[i].deferrable != 0;
        contract.timer[i].expires = timers[i].expires;
    }
    arm_and_pass(plan, before, [](timer_name timer) { (void)perform_one(on(timer, op::add)); }, pass);
}

/// Runs all timers out. The outcome depends on the state alone, so each state is run out once.
void run_out()
{
    hasher state = wheel_state();
    state.add(static_cast<uint64_t>(contract.earliest_position));
    for (const model::entry &each : contract.timer) {
        state.add(static_cast<uint64_t>(each.tick));
        for (const model::entry &other : contract.timer) {
            state.add(each.order < other.order);
        }
    }
    if (!endings.insert(state.hash).second) {
        return;
    }
    callbacks_left = 0;
    running_out = true;
    if (contract.due()) {
        (void)perform_one(run());
    }
    for (unsigned first = contract.earliest(); first != no_timer; first = contract.earliest()) {
        const uint32_t ahead = static_cast<uint32_t>(contract.timer[first].tick - contract.now);
        if (ahead > 1) {
            pass(ahead - 1, true);
        }
        pass(1, true);
        if (contract.due()) {
            fail("a timer is late");
        }
    }
    compare();
    walk();
    running_out = false;
}

void run_once(const snapshot &prepared, unsigned depth)
{
    prepared.restore();
    made = points_passed = 0;
    interrupts_left = depth;
    callbacks_left = 2;
    perform(simulated->main);
    perform(simulated->then);
    max_interrupts = depth - interrupts_left > max_interrupts ? depth - interrupts_left : max_interrupts;
    interrupts_left = 0;
    compare();
    run_out();
}

/// Prescribes the next list of choices: the last one that has a next.
bool next_choices()
{
    while (made != 0 && choices[made - 1].taken + 1 == choices[made - 1].count) {
        --made;
    }
    if (made == 0) {
        return false;
    }
    ++choices[made - 1].taken;
    given = made;
    return true;
}

/// All runs of a scenario. Returns how many.
unsigned long simulate(const scenario &plan, unsigned depth)
{
    endings.clear();
    prepare(plan);
    const snapshot prepared;
    unsigned long runs = 0;
    do {
        run_once(prepared, depth);
        ++runs;
    } while (next_choices());
    ++passed;
    return runs;
}

menu full_menu()
{
    menu full = {{}, 0};
    for (const timer_name timer : {A, B}) {
        for (operation each : on_a_timer) {
            each.timer = timer;
            full.choices.push_back(each);
        }
    }
    for (const operation &each : on_the_wheel) {
        full.choices.push_back(each);
        full.ticking += counts_ticks(each.what);
    }
    return full;
}

menu short_menu()
{
    return {{mod(A, to::next_tick), mod(B, to::next_block), on(A, op::timer_delete), on(B, op::timer_delete), expiry,
             advance_and_run(1)},
            1};
}

/// With `more` interrupts than the depth. Without a tenth, which is 0, all scenarios have the depth.
void simulate_all(const menu &with, unsigned depth, unsigned tenth, unsigned more)
{
    offered = &with;
    max_interrupts = 0;
    choice_points = 0;
    visited.clear();
    unsigned long runs = 0;
    unsigned number = 0;
    for (const scenario &each : scenarios) {
        const bool deep = tenth == 0 || ++number % 10 == tenth % 10;
        runs += each.is_too_far() ? 0 : simulate(each, (deep ? depth : 1) + more);
    }
    printf("depth %u, each interrupt one of %zu: %lu choice points, %lu interleavings, %zu states\n", max_interrupts,
           with.choices.size(), choice_points, runs, visited.size());
}

int main(int count, char **arguments)
{
    // A wheel that is broken may also follow a null pointer. The choices that led there are printed all the same.
    (void)signal(SIGSEGV, [](int) { fail("a memory fault"); });
    unsigned depth = 0;
    unsigned tenth = 0;
    if (count < 2 || count > 3 || !read_number(arguments[1], 1, 9, depth) ||
        (count == 3 && !read_number(arguments[2], 0, 10, tenth))) {
        (void)fprintf(stderr, "usage: interleavings DEPTH, 1 to 9, and the tenth that has it, 1 to 10\n");
        return 2;
    }
    printf("geometry %d\n", TICKWHEEL_GEOMETRY);
    simulate_all(full_menu(), depth, tenth, 0);
    simulate_all(short_menu(), depth, tenth, 1);
    printf("%u passed, 0 failed\n", passed);
    return 0;
}

} // namespace interleavings

// requirement: TW-05, TW-08, TW-14, TW-15, TW-16, TW-34
int main(int count, char **arguments)
{
    return interleavings::main(count, arguments);
}
