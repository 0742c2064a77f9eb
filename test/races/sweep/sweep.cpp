// SPDX-License-Identifier: MIT
// The preemption sweep. Each pair is a scenario and an interrupt. The interrupt comes after exactly 1, 2, 3, ..
// instructions until it lands after the operation. Each run must leave exactly the state that the same interrupt
// leaves at some point. The interleavings check which state that must be.
#include "../../support/command_line.hpp"
#include "../../support/console.hpp"
#include "run.hpp"

namespace sweep
{

/// A bit for each halfword of the library's code, which is linked in front of all other.
constexpr uintptr_t code_base = SWEEP_CODE_BASE;
constexpr unsigned code_size = 8 * 1024;
struct address_set {
    uint32_t word[code_size / 64];

    void add(uintptr_t address)
    {
        const uintptr_t bit = (address - code_base) / 2;
        if (bit < code_size / 2) {
            word[bit / 32] |= 1u << bit % 32;
        }
    }
    void print() const
    {
        for (unsigned bit = 0; bit < code_size / 2; ++bit) {
            if ((word[bit / 32] >> bit % 32 & 1) != 0) {
                ::print("interrupted ", hex{code_base + 2 * bit}, "\n");
            }
        }
    }
};
address_set interrupted_code;

/// The instructions since the operation began, and the one that the interrupt found.
uint32_t count;
uintptr_t found_at;
volatile bool ended;
/// Whether the interrupt came behind the operation.
bool behind;

/// Which tenth of the pairs is swept, 1 to 10; 0 for all.
uint32_t tenth;
uint32_t run_count;
unsigned passed;

/// No operation has so many instructions, even with the calls of an interrupt.
constexpr uint32_t too_many = 100000;

void print_call(const operation &request)
{
    print(op_names[static_cast<unsigned>(request.what)]);
    if (takes_a_timer(request.what)) {
        print(" of ", timer_names[request.timer], " to ", to_names[static_cast<unsigned>(request.expires)]);
    }
}

/// Prints the run, and ends the program: a broken wheel breaks in hundreds of pairs.
[[noreturn]] void fail(const char *what)
{
    print("FAIL ");
    print_call(current->main);
    print(", ", current->name, " x ");
    print_call(interrupting.call[0]);
    print(", ");
    print_call(interrupting.call[1]);
    print(" after ", count, " at ", hex{found_at}, ": ", what, "\n");
    board::exit(1);
}

extern "C" [[gnu::used]] void sweep_interrupt(uint32_t address)
{
    timer_stop();
    if (interrupted) {
        if (!ended) {
            fail("the operation does not end");
        }
        return;
    }
    found_at = address;
    behind = ended;
    if (!behind) {
        interrupted_code.add(address);
    }
    take_interrupt();
    timer_start(too_many);
}

extern "C" [[gnu::naked]] void SWEEP_HANDLER()
{
    __asm__ volatile(SWEEP_INTERRUPT);
}

void pass(uint32_t ticks, bool and_run)
{
    if (library.advance(ticks) != 0 && and_run) {
        (void)library.run();
    }
}

/// The state before each run of a scenario.
snapshot prepared;
/// The last good state of this pair. Most runs leave exactly the state of the run before, so they need no new check.
snapshot good;
bool any_good;

void prepare()
{
    arm_and_pass(
        *current, start(*current, callback), [](timer_name timer) { library.add_timer(&timers[timer]); }, pass);
    seen = {};
    prepared.save();
}

/// The jump that the state has is of the wheel that counted its ticks, and each of the two wheels has its own.
/// A list has none.
template <class Wheel>
void link_jump_of([[maybe_unused]] Wheel &wheel)
{
#if TICKWHEEL_GEOMETRY != 1
    if (tickwheel_slots.linked_jump != nullptr) {
        (void)wheel.advance(0);
    }
#endif
}

void start_run()
{
    interrupted = false;
    points_passed = 0;
    prepared.restore();
    link_jump_of(library);
}

/// This address on somebody's stack means nothing while no search is under way, and each wheel has a jump of its own.
void forget_search()
{
#if TICKWHEEL_GEOMETRY != 1
    tickwheel_slots.change_token = nullptr;
    tickwheel_slots.linked_jump = nullptr;
#endif
}

/// Whether the interrupt came at the point, and not behind the last one.
bool run_by_points()
{
    start_run();
    link_jump_of(watched_wheel);
    by_points = true;
    perform_operation();
    const bool has_point = interrupted;
    if (!has_point) {
        take_interrupt();
    }
    by_points = false;
    forget_search();
    return has_point;
}

/// Whether the interrupt leaves this state at the last point or a later one: it may not go back while the count of
/// instructions grows.
bool as_at_a_point()
{
    for (bool has_point = true; has_point; ++interrupted_point) {
        has_point = run_by_points();
        if (good.same()) {
            return true;
        }
    }
    return false;
}

void check_run()
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
    if (!as_at_a_point()) {
        fail("no point allows this");
    }
}

/// Does the operation. The interrupt comes after its count of instructions, or behind it.
[[gnu::noinline]] void operate()
{
    start_run();
    ended = false;
    align_clocks();
    timer_start(count);
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
    perform_operation();
    ended = true;
    for (unsigned i = 0; !interrupted; ++i) {
        if (i == too_many) {
            fail("interrupts stay off");
        }
    }
    timer_stop();
    barrier();
}

/// Interrupts that the interleavings do not have, with one or two calls.
constexpr two_calls more_on_a_timer[] = {
    {{on(A, op::mod_idle)}},
    {{on(A, op::add)}},
    {{mod(A, to::soon), on(A, op::timer_delete)}},
    {{on(A, op::delete_sync), mod(A, to::soon)}},
    {{on(A, op::shutdown_sync), mod(A, to::soon)}},
};
constexpr two_calls more_on_the_wheel[] = {{{advance(1), run(1)}}, {{run(0)}}, {{{op::get_jiffies_64}}}};

/// Moves the interrupt from the first instruction until it falls behind the operation.
void sweep_interrupted_by(const two_calls &calls)
{
    static uint32_t number;
    // Ticks come from one context, so no tick interrupts a tick.
    const bool both_tick = counts_ticks(calls.call[0].what) && counts_ticks(current->main.what);
    if (both_tick || (tenth != 0 && ++number % 10 != tenth % 10)) {
        return;
    }
    interrupting = calls;
    interrupted_point = 0;
    any_good = false;
    behind = false;
    for (count = 1; !behind; ++count) {
        operate();
        ++run_count;
        check_run();
    }
    ++passed;
}

void sweep_scenario()
{
    for (unsigned i = 0; i < timer_count; ++i) {
        const timer_name timer = static_cast<timer_name>(i);
        for (operation each : on_a_timer) {
            each.timer = timer;
            sweep_interrupted_by({{each}});
        }
        for (two_calls each : more_on_a_timer) {
            each.call[0].timer = each.call[1].timer = timer;
            sweep_interrupted_by(each);
        }
    }
    for (const operation &each : on_the_wheel) {
        sweep_interrupted_by({{each}});
    }
    for (const two_calls &each : more_on_the_wheel) {
        sweep_interrupted_by(each);
    }
}

int main()
{
    (void)board::init();
    if (!number_from_command_line(0, 10, tenth)) {
        print("the command line needs a tenth, 1 to 10, or 0 for all\n");
        return 2;
    }
    timer_init();
    for (const scenario &each : scenarios) {
        current = &each;
        prepare();
        sweep_scenario();
    }
    interrupted_code.print();
    print("runs ", run_count, "\npairs ", passed, "\n");
    return 0;
}

} // namespace sweep

int main()
{
    return sweep::main();
}
