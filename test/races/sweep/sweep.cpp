// SPDX-License-Identifier: MIT
// The preemption sweep. Each pair is an operation and an interrupting operation. The
// interrupt comes after exactly 1, 2, 3, .. instructions until it falls behind the
// operation's end. After each run the checker walks the wheel and compares results
// and pending timers with the specification. Then all timers are run out: each must
// fire in its tick, once, in the order of arming.
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

/// The timer whose callback has been entered and has not been left.
volatile unsigned called = no_timer;
/// How many callbacks have returned, and to which address.
extern "C" volatile unsigned sweep_returned;
volatile unsigned sweep_returned;
uintptr_t runner;

volatile bool ended;
/// Before each run of a scenario.
snapshot prepared;

/// Which tenth of the pairs is swept, 1 to 10; 0 for all.
uint32_t tenth;
uint32_t run_count;
unsigned passed;
unsigned failed;

void perform(const call &is, result &done)
{
    done.returned = races::kind_of(is.what).perform(request_of(is, 0), done);
}

void perform(const call (&calls)[most_calls], result (&done)[most_calls])
{
    for (unsigned i = 0; i < most_calls; ++i) {
        perform(calls[i], done[i]);
    }
}

extern "C" [[gnu::used]] void sweep_note(timer_list *timer, uintptr_t caller)
{
    const unsigned i = static_cast<unsigned>(timer - timers);
    called = i;
    runner = caller;
    seen.log.add(i, jiffies);
    if (i == the_same && seen.callback_done == 0) {
        seen.callback_done = 1;
        perform(current->in_callback, seen.callback);
    }
    barrier();
    called = no_timer;
    barrier();
}

extern "C" const char sweep_note_left[];
/// The callback. Its return is counted just before its last instruction.
extern "C" [[gnu::naked]] void note(timer_list *)
{
    __asm__ volatile(SWEEP_NOTE);
}

/// Whether an interrupt at this address, after a callback has returned, comes before the runner has taken the lock.
bool on_the_way_back(uintptr_t address)
{
    const uintptr_t runner_goes_on = runner & ~uintptr_t{1};
    const uint16_t *locks = reinterpret_cast<const uint16_t *>(runner_goes_on);
    while (!is_masking(locks)) {
        ++locks;
    }
    return address == reinterpret_cast<uintptr_t>(sweep_note_left) ||
           (address >= runner_goes_on && address <= reinterpret_cast<uintptr_t>(locks));
}

/// Notes the address that was interrupted.
void note_interrupted(uintptr_t address)
{
    (taken == 0 ? interrupted : interrupted_again).add(address);
    const timer_list *const running = tickwheel_slots.running;
    if (running >= timers && running < timers + timer_count && called == no_timer &&
        (seen.log.count == 0 || &timers[seen.log.entry[seen.log.count - 1].timer] != running)) {
        popped.add(address);
    }
}

extern "C" [[gnu::used]] void sweep_interrupt(uint32_t address)
{
    timer_stop();
    const unsigned which = taken;
    if (which == wanted) {
        return;
    }
    interrupt &is = interrupts[which];
    interrupt_record &record = seen.interrupt[which];
    is.at = address;
    is.behind = ended;
    if (!is.behind) {
        note_interrupted(is.at);
    }
    record.called = seen.log.count;
    record.returned = sweep_returned;
    record.returning = sweep_returned != 0 && sweep_returned == seen.log.count && on_the_way_back(is.at);
    record.clock_before = wheel_clock();
    perform(is.calls, record.done);
    record.clock_after = wheel_clock();
    barrier();
    taken = which + 1;
    if (which + 1 != wanted) {
        timer_start(interrupts[which + 1].count);
    }
}

extern "C" [[gnu::naked]] void SWEEP_HANDLER()
{
    __asm__ volatile(SWEEP_INTERRUPT);
}

/// Arms the timer at this place in the order of arming. An idle one gets an expiry for add_timer(), 5 ticks ahead.
void arm(unsigned place)
{
    const int32_t ahead = current->armed.at[place];
    const timer_name name = arming_order[place];
    const jiffies_t expires = current->now + static_cast<jiffies_t>(ahead != idle ? ahead : 5);
    timers[name].expires = expires;
    at_begin.timer[name].expires = expires;
    if (ahead != idle) {
        const jiffies_t clock = wheel_clock();
        (void)tickwheel_mod_timer(&timers[name], expires);
        (void)at_begin.mod_timer(name, expires, at_begin.tick_of(clock));
    }
}

void pass_ticks()
{
    const bool owed = (current->options & at_once) != 0;
    const uint32_t ticks = current->ticks;
    if (!owed && ticks > 1) {
        if (tickwheel_advance(ticks - 1) != 0) {
            (void)tickwheel_run();
        }
        at_begin.now += ticks - 1;
        (void)at_begin.run();
    }
    const uint32_t last = owed || ticks == 0 ? ticks : 1;
    due_before = 0;
    if (last != 0) {
        due_before = tickwheel_advance(last);
        at_begin.count_ticks(last, due_before);
    }
}

void prepare()
{
    const jiffies_t start = current->now - current->ticks;
    tickwheel_init(start);
    at_begin.start_at(start);
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, note, 0);
    }
    if ((current->options & older_is_deferrable) != 0) {
        tickwheel_timer_setup(&timers[the_older], note, TICKWHEEL_TIMER_DEFERRABLE);
        at_begin.timer[the_older].deferrable = true;
    }
    const bool late = (current->options & last_is_late) != 0;
    for (unsigned i = 0; i < armed_count - late; ++i) {
        arm(i);
    }
    pass_ticks();
    if (late) {
        arm(armed_count - 1);
    }
    clock_at_start = wheel_clock();
    seen = {};
    at_begin.points_passed = 0;
    at_begin.callback = specify_callback;
    at_begin.interrupt = specify_interrupt;
    prepared.save();
}

void begin()
{
    taken = 0;
    ended = false;
    sweep_returned = 0;
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
    align_clocks();
    __asm__ volatile(SWEEP_OPERATION_BEGINS ::: "memory");
    timer_start(interrupts[0].count);
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
    perform(current->under_way, seen.thread);
    __asm__ volatile(SWEEP_OPERATION_ENDS ::: "memory");
    ended = true;
    wait();
    barrier();
}

/// Does the operation with interrupts off. @return whether they stayed off
[[gnu::noinline]] bool operate_masked()
{
    begin();
    timer_init(masked_priority);
    set_lock_mask(callers_mask);
    timer_start(interrupts[0].count);
    perform(current->under_way, seen.thread);
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
    prepared.restore();
    operate();
    ++run_count;
    if (races::freed != nullptr) {
        tickwheel_timer_setup(races::freed, note, 0);
        races::freed = nullptr;
    }
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
    return sweep_places(0, SWEEP_STRIDE, [] {
        int points[2] = {0, 0};
        any_good = false;
        return sweep_places(1, 1, [&] { return run_once(points); });
    });
}

/// Interrupts are off from begin to end, so the interrupt comes behind the operation.
bool sweep_masked()
{
    int points[2] = {0, 0};
    any_good = false;
    interrupts[0] = {{{op::count_64}}, 1, false, 0};
    prepared.restore();
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

/// Ticks come from one context, so no tick interrupts a tick. No interrupt frees the timer of an operation below it.
bool legal(const interruption &with, timer_name victim)
{
    if (with.calls[0].what == op::remove_and_free &&
        (works_on(current->under_way, victim) || works_on(current->in_callback, victim))) {
        return false;
    }
    return !counts_ticks(with.calls) || !counts_ticks(current->under_way);
}

bool is_chosen()
{
    static uint32_t number;
    return tenth == 0 || ++number % 10 == tenth % 10;
}

void sweep_once_interrupted()
{
    wanted = 1;
    count(sweep_masked());
    for (const interruption &with : interruptions) {
        for (unsigned victim = the_same; victim <= (with.on_a_timer ? the_other : the_same); ++victim) {
            const timer_name whom = static_cast<timer_name>(victim);
            if (legal(with, whom) && is_chosen()) {
                for (unsigned i = 0; i < most_calls; ++i) {
                    interrupts[0].calls[i] = {with.calls[i].what, whom, with.calls[i].argument};
                }
                count(sweep_pair());
            }
        }
    }
}

void sweep_twice_interrupted()
{
    wanted = 2;
    for (const two_interruptions &two : two_in_a_row) {
        if (is_chosen()) {
            interrupts[0] = {{two.first}, 0, false, 0};
            interrupts[1] = {{two.second}, 0, false, 0};
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
