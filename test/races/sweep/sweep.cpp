// SPDX-License-Identifier: MIT
// The preemption sweep. Each pair is a scenario and an interrupt. The interrupt comes
// after exactly 1, 2, 3, .. instructions until it lands after the operation.
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
    void print() const
    {
        for (unsigned bit = 0; bit < code_size / 2; ++bit) {
            if ((word[bit / 32] >> bit % 32 & 1) != 0) {
                ::print("interrupted ", hex{code_base + 2 * bit}, "\n");
            }
        }
    }
};
address_set interrupted;

volatile bool ended;

/// Which tenth of the pairs is swept, 1 to 10; 0 for all.
uint32_t tenth;
uint32_t run_count;
unsigned passed;

/// No operation has so many instructions, even with the calls of an interrupt.
constexpr uint32_t too_many = 100000;

extern "C" [[gnu::used]] void sweep_interrupt(uint32_t address)
{
    timer_stop();
    if (taken == wanted) {
        if (!ended) {
            fail("the operation does not end");
        }
        return;
    }
    interrupt &latest = interrupts[taken];
    latest.at = address;
    latest.behind = ended;
    if (!latest.behind) {
        interrupted.add(address);
    }
    take_interrupt();
    timer_start(taken != wanted ? interrupts[taken].count : too_many);
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
        if (i == too_many) {
            fail("interrupts stay off");
        }
    }
    timer_stop();
}

/// Does the operation. The first interrupt comes after its count of instructions.
[[gnu::noinline]] void operate()
{
    start_run();
    ended = false;
    align_clocks();
    timer_start(interrupts[0].count);
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
    perform_operation();
    ended = true;
    wait();
    barrier();
}

/// Does the operation once, with the interrupts as they are set.
void run_once(int (&points)[max_interrupts])
{
    operate();
    ++run_count;
    check_run(points);
}

/// Moves this interrupt from the first instruction until it falls behind the operation. Calls `run` at each place.
template <class Run>
void sweep_places(unsigned which, uint32_t stride, Run run)
{
    interrupt &moved = interrupts[which];
    moved.behind = false;
    for (moved.count = 1; !moved.behind; moved.count += stride) {
        run();
    }
}

void sweep_one_interrupt()
{
    int points[max_interrupts] = {};
    any_good = false;
    sweep_places(0, 1, [&] { run_once(points); });
    ++passed;
}

/// The first interrupt comes at each SWEEP_STRIDE-th instruction, the second at every one behind it. This reaches
/// code that only runs after an interrupt.
void sweep_two_interrupts()
{
    int points[max_interrupts] = {};
    sweep_places(0, SWEEP_STRIDE, [&] {
        points[1] = 0;
        any_good = false;
        sweep_places(1, 1, [&] { run_once(points); });
    });
    ++passed;
}

/// Interrupts that the interleavings do not have, with one or two calls.
struct two_calls {
    operation first;
    operation second = {};
};
constexpr two_calls more_on_a_timer[] = {
    {on(A, op::mod_idle)},
    {on(A, op::add)},
    {mod(A, to::soon), on(A, op::timer_delete)},
    {on(A, op::delete_sync), mod(A, to::soon)},
    {on(A, op::shutdown_sync), mod(A, to::soon)},
};
constexpr two_calls more_on_the_wheel[] = {{advance(1), run(1)}, {run(0)}, {{op::get_jiffies_64}}};

/// Two interrupts, each with one call.
constexpr two_calls two_in_a_row[] = {
    {mod(B, to::next_tick), on(A, op::timer_delete)},
    {on(A, op::timer_delete), mod(A, to::soon)},
    {mod(C, to::overdue), advance_and_run(1)},
    {advance_and_run(1), mod(B, to::overdue)},
    {on(B, op::timer_delete), expiry},
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
        sweep_one_interrupt();
    }
}

void sweep_once_interrupted()
{
    wanted = 1;
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
            sweep_two_interrupts();
        }
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
        sweep_once_interrupted();
        if ((each.options & twice) != 0 && SWEEP_STRIDE != 0) {
            sweep_twice_interrupted();
        }
    }
    interrupted.print();
    print("runs ", run_count, "\npairs ", passed, "\n");
    return 0;
}

} // namespace sweep

int main()
{
    return sweep::main();
}
