// SPDX-License-Identifier: MIT
// The preemption sweep. Each pair is a scenario and an interrupt. The interrupt comes
// after exactly 1, 2, 3, .. instructions until it falls behind the operation's end.
// After each run the checker walks the wheel, and compares all that is left with what
// an interrupt at a point leaves.
#include "../../support/command_line.hpp"
#include "checker.hpp"

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
    void print_as(const char *name) const
    {
        for (unsigned bit = 0; bit < code_size / 2; ++bit) {
            if ((word[bit / 32] >> bit % 32 & 1) != 0) {
                print(name, " ", hex{code_base + 2 * bit}, "\n");
            }
        }
    }
};
address_set interrupted;
/// Interrupted by the second interrupt of two.
address_set interrupted_again;
/// A timer was off the wheel and its callback not called.
address_set popped;

volatile bool ended;

/// Which tenth of the pairs is swept, 1 to 10; 0 for all.
uint32_t tenth;
uint32_t run_count;
unsigned passed;
unsigned failed;

/// Notes the address that was interrupted.
void note_interrupted(uintptr_t address)
{
    (taken == 0 ? interrupted : interrupted_again).add(address);
    const timer_list *const running = tickwheel_slots.running;
    if (running >= timers && running < timers + timer_count && called == no_timer &&
        (seen.fired == 0 || &timers[seen.log[seen.fired - 1].timer] != running)) {
        popped.add(address);
    }
}

extern "C" [[gnu::used]] void sweep_interrupt(uint32_t address)
{
    timer_stop();
    if (taken == wanted) {
        return;
    }
    interrupt &is = interrupts[taken];
    is.at = address;
    is.behind = ended;
    if (!is.behind) {
        note_interrupted(address);
    }
    take_interrupt();
    if (taken != wanted) {
        timer_start(interrupts[taken].count);
    }
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

void prepare()
{
    arm_and_pass(
        *current, start(*current, callback), [](timer_name timer) { library.add_timer(&timers[timer]); }, pass);
    seen = {};
    prepared.save();
}

/// Waits for interrupts that come behind the operation.
void wait()
{
    for (unsigned i = 0; taken != wanted; ++i) {
        if (i == 100000) {
            report("interrupts stay off");
            board::exit(1);
        }
    }
}

/// Does the operation. The first interrupt comes after its count of instructions.
[[gnu::noinline]] void operate()
{
    begin();
    ended = false;
    align_clocks();
    __asm__ volatile(SWEEP_OPERATION_BEGINS ::: "memory");
    timer_start(interrupts[0].count);
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
    perform_operation();
    __asm__ volatile(SWEEP_OPERATION_ENDS ::: "memory");
    ended = true;
    wait();
    barrier();
}

/// Does the operation with interrupts off. @return whether they stayed off
[[gnu::noinline]] bool operate_masked()
{
    begin();
    ended = false;
    timer_init(masked_priority);
    set_lock_mask(callers_mask);
    timer_start(interrupts[0].count);
    perform_operation();
    ended = true;
    const bool stayed = taken == 0 && lock_mask() == callers_mask;
    set_lock_mask(open);
    timer_init(usual_priority);
    wait();
    return stayed;
}

/// Does the operation once, with the interrupts as they are set.
bool run_once(int (&points)[2])
{
    operate();
    ++run_count;
    return check_run(points);
}

/// Moves this interrupt from the first instruction until it falls behind the operation. `run` does each place.
template <class Run>
bool sweep_places(unsigned which, uint32_t stride, Run run)
{
    constexpr uint32_t too_many = 10000;
    interrupt &is = interrupts[which];
    for (is.count = 1; is.count < too_many; is.count += stride) {
        if (!run()) {
            return false;
        }
        if (is.behind) {
            return true;
        }
    }
    report("the operation does not end");
    return false;
}

bool sweep_pair()
{
    int points[2] = {0, 0};
    any_good = false;
    return sweep_places(0, 1, [&] { return run_once(points); });
}

/// Two interrupts: the first at every so many instructions, the second at every one behind it. This reaches code that
/// only runs after an interrupt.
bool sweep_three()
{
    int points[2] = {0, 0};
    return sweep_places(0, SWEEP_STRIDE, [&] {
        points[1] = 0;
        any_good = false;
        return sweep_places(1, 1, [&] { return run_once(points); });
    });
}

/// Interrupts are off from begin to end, so the interrupt comes behind the operation.
bool sweep_masked()
{
    int points[2] = {0, 0};
    any_good = false;
    interrupts[0] = {{{op::count_64}}, 1, 0, false};
    const bool stayed = operate_masked();
    ++run_count;
    if (!stayed) {
        report("interrupts were on");
    }
    return stayed && check_run(points);
}

void print_tally()
{
    print("tenth ", tenth, "\ninterrupts ", SWEEP_STRIDE != 0 ? 2u : 1u, "\nruns ", run_count, "\npairs ", passed,
          " ", failed, "\n");
}

void count(bool is_good)
{
    ++*(is_good ? &passed : &failed);
    // A broken wheel breaks in hundreds of pairs, and each report takes long.
    constexpr unsigned enough = SWEEP_ENOUGH;
    if (failed == enough) {
        print("FAIL given up\n");
        print_tally();
        board::exit(1);
    }
}

/// What an interrupt does besides the interrupts of the interleavings, in one or two calls.
struct two_calls {
    operation first;
    operation second = {};
};
constexpr two_calls more_on_a_timer[] = {
    {on(A, op::mod_idle)},
    {on(A, op::add)},
    {mod(A, to::soon), on(A, op::remove)},
    {on(A, op::delete_sync), mod(A, to::soon)},
    {on(A, op::shutdown_sync), mod(A, to::soon)},
};
constexpr two_calls more_on_the_wheel[] = {{advance(1), run(1)}, {run(0)}, {{op::count_64}}};

/// Two interrupts, each with one call.
constexpr two_calls two_in_a_row[] = {
    {mod(B, to::next_tick), on(A, op::remove)},
    {on(A, op::remove), mod(A, to::soon)},
    {mod(C, to::overdue), advance_and_run(1)},
    {advance_and_run(1), mod(B, to::overdue)},
    {on(B, op::remove), expiry},
    {mod(C, to::tv3), mod(B, to::tv3)},
    {mod(A, to::soon), on(A, op::shutdown_sync)},
};

bool is_chosen()
{
    static uint32_t number;
    return tenth == 0 || ++number % 10 == tenth % 10;
}

void sweep_interrupted_by(const operation &first, const operation &second = {})
{
    wanted = 1;
    // Ticks come from one context, so no tick interrupts a tick.
    if (!(counts_ticks(first.what) && counts_ticks(current->main.what)) && is_chosen()) {
        interrupts[0] = {{first, second}, 0, 0, false};
        count(sweep_pair());
    }
}

void sweep_once_interrupted()
{
    wanted = 1;
    count(sweep_masked());
    for (unsigned i = 0; i < timer_count; ++i) {
        const timer_name timer = static_cast<timer_name>(i);
        for (operation each : on_a_timer) {
            each.timer = timer;
            sweep_interrupted_by(each);
        }
        for (const auto &[first, second] : more_on_a_timer) {
            sweep_interrupted_by({first.what, timer, first.expires}, {second.what, timer, second.expires});
        }
    }
    for (const operation &each : on_the_wheel) {
        sweep_interrupted_by(each);
    }
    for (const auto &[first, second] : more_on_the_wheel) {
        sweep_interrupted_by(first, second);
    }
}

void sweep_twice_interrupted()
{
    wanted = 2;
    for (const auto &[first, second] : two_in_a_row) {
        if (is_chosen()) {
            interrupts[0] = {{first}, 0, 0, false};
            interrupts[1] = {{second}, 0, 0, false};
            count(sweep_three());
        }
    }
}

int main()
{
    (void)board::init();
    tenth = number_from_command_line();
    timer_init(usual_priority);
    for (const scenario &each : scenarios) {
        current = &each;
        prepare();
        sweep_once_interrupted();
        if ((each.options & twice) != 0 && SWEEP_STRIDE != 0) {
            sweep_twice_interrupted();
        }
    }
    interrupted.print_as("interrupted");
    interrupted_again.print_as("again");
    popped.print_as("popped");
    print_tally();
    return failed != 0;
}

} // namespace sweep

int main()
{
    return sweep::main();
}
