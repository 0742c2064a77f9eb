// SPDX-License-Identifier: MIT
// The preemption sweep. For every pair of an operation under way and one in an
// interrupt: interrupt after exactly 1, 2, 3, .. instructions until the interrupt
// falls behind the operation's end. Each time the wheel is walked, what both
// returned and what is pending is compared with what the specification allows
// with the interrupt at one of its points, and then all timers are run out: each
// must fire in its tick, once, in the order of arming. The point may not go back
// while the count of instructions grows.
//
// Most counts leave behind, word for word, what the count before them left. What
// was judged good once is not judged again.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../../boards/board.hpp"
#include "../../unit/check_wheel.hpp"
#include "specification.hpp"
#include "scenarios.hpp"
#include "machine.hpp"

// Hints that every core executes as NOP: how the plugin knows where it is.
#define SWEEP_OPERATION_BEGINS ".hword 0xbf50"
#define SWEEP_OPERATION_ENDS ".hword 0xbf60"
#define SWEEP_INTERRUPT_BEGINS ".hword 0xbf70"
#define SWEEP_INTERRUPT_ENDS ".hword 0xbf80"

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
};
address_set interrupted;
/// By the second interrupt of two.
address_set interrupted_again;
/// Where a timer was off the wheel and its callback not called.
address_set popped;

timer_list timers[timer_count];
/// One that an interrupt deleted and wrote over.
timer_list *freed;
/// Whose callback has been entered and not left.
volatile unsigned called = no_timer;
/// How many callbacks have returned, and to where.
extern "C" volatile unsigned sweep_returned;
volatile unsigned sweep_returned;
uintptr_t runner;

const scenario *current;

/// An interrupt: what it is to do, and when.
struct interrupt {
    call calls[most_calls];
    /// After how many instructions, from the operation's begin or from the first interrupt's end.
    uint32_t count;
    bool behind;
    uintptr_t at;
};
interrupt interrupts[2];
/// How many there are to be, and have been.
unsigned wanted = 1;
volatile unsigned taken;
volatile bool ended;

/// What was seen while the operation was under way. It is compared by words: all are null at first, and only members
/// are written.
struct interrupt_record {
    result done[most_calls];
    jiffies_t clock_before;
    jiffies_t clock_after;
    /// How many callbacks had been called and had returned; and whether the last one was on its way back.
    unsigned called;
    unsigned returned;
    unsigned returning;
};
struct record {
    result thread[most_calls];
    result callback[most_calls];
    interrupt_record interrupt[2];
    firing_log log;
    /// The callback of the same has done what the scenario wants of it.
    uint32_t callback_done;
};
record seen;
firing_log &log = seen.log;

jiffies_t clock_at_start;

// All that a run changes, to be put back before the next one and compared after it: most of what a run costs, so the
// loops are unrolled.
template <class Type>
class copy_of {
public:
    void save(const Type &from)
    {
        move(words, reinterpret_cast<const word *>(&from));
    }
    void restore(Type &to) const
    {
        move(reinterpret_cast<word *>(&to), words);
    }
    bool same(const Type &other) const
    {
        const word *const now = reinterpret_cast<const word *>(&other);
        uint32_t different = 0;
#pragma GCC unroll 8
        for (unsigned i = 0; i < count; ++i) {
            different |= now[i] ^ words[i];
        }
        return different == 0;
    }

private:
    using word [[gnu::may_alias]] = uint32_t;
    static_assert(sizeof(Type) % 4 == 0);
    static constexpr unsigned count = sizeof(Type) / 4;
    word words[count];

    static void move(word *to, const word *from)
    {
#pragma GCC unroll 8
        for (unsigned i = 0; i < count; ++i) {
            to[i] = from[i];
        }
    }
};

struct state {
    copy_of<decltype(tickwheel_clock)> the_clock;
    copy_of<decltype(tickwheel_slots)> the_slots;
    copy_of<decltype(timers)> the_timers;
    copy_of<decltype(seen)> what_was_seen;

    void save()
    {
        the_clock.save(tickwheel_clock);
        the_slots.save(tickwheel_slots);
        the_timers.save(timers);
        what_was_seen.save(seen);
    }
    void restore() const
    {
        the_clock.restore(tickwheel_clock);
        the_slots.restore(tickwheel_slots);
        the_timers.restore(timers);
        what_was_seen.restore(seen);
    }
    bool same() const
    {
        return the_clock.same(tickwheel_clock) && the_timers.same(timers) && what_was_seen.same(seen) &&
               the_slots.same(tickwheel_slots);
    }
};
/// Before each run of a scenario.
state prepared;
/// What the last run left behind that was judged good, in this pair.
state good;
bool any_good;

void barrier()
{
    __asm__ volatile("" ::: "memory");
}

void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

void print_hex(uint32_t value)
{
    for (unsigned shift = 32; shift > 0; shift -= 4) {
        board::console_put("0123456789abcdef"[value >> (shift - 4) & 15u]);
    }
}

void print_number(uint32_t value)
{
    char digits[12];
    unsigned count = 0;
    do {
        const uint32_t tenth = value / 10;
        digits[count++] = static_cast<char>('0' + (value - tenth * 10));
        value = tenth;
    } while (value != 0);
    while (count != 0) {
        board::console_put(digits[--count]);
    }
}

/// timer_jiffies, by its definition.
jiffies_t wheel_clock()
{
    const jiffies_t tomorrow = jiffies + 1;
    const jiffies_t next = tickwheel_clock.next_event;
    return before(next, tomorrow) ? next : tomorrow;
}

int read_next_expiry(uint64_t &value)
{
    jiffies_t expires = 0;
    const int found = tickwheel_next_expiry(&expires);
    value = expires;
    return found;
}

void remove_and_free(timer_list *timer, result &done)
{
    done.returned = tickwheel_timer_delete(timer);
    if (done.returned != 0) {
        // Addresses at which there is nothing: who still follows them ends in a fault.
        timer->next = timer->prev = reinterpret_cast<timer_list *>(0x70000000);
        timer->function = nullptr;
        timer->expires = 0;
        freed = timer;
    }
}

void perform(const call &is, result &done)
{
    timer_list *const timer = &timers[is.whom];
    const uint32_t argument = static_cast<uint32_t>(is.argument);
    const jiffies_t expires = current->now + argument;
    switch (is.what) {
    case op::nothing:
        break;
    case op::mod:
        done.returned = tickwheel_mod_timer(timer, expires);
        break;
    case op::mod_same:
        done.returned = tickwheel_mod_timer(timer, timer->expires);
        break;
    case op::mod_pending:
        done.returned = tickwheel_mod_timer_pending(timer, expires);
        break;
    case op::mod_idle:
        done.returned = tickwheel_mod_timer_idle(timer, expires);
        break;
    case op::add:
        tickwheel_add_timer(timer);
        break;
    case op::reduce:
        done.returned = tickwheel_timer_reduce(timer, expires);
        break;
    case op::remove:
        done.returned = tickwheel_timer_delete(timer);
        break;
    case op::remove_and_free:
        remove_and_free(timer, done);
        break;
    case op::try_to_remove:
        done.returned = tickwheel_try_to_del_timer_sync(timer);
        break;
    case op::delete_sync:
        done.returned = tickwheel_timer_delete_sync(timer);
        break;
    case op::shutdown:
        done.returned = tickwheel_timer_shutdown(timer);
        break;
    case op::shutdown_sync:
        done.returned = tickwheel_timer_shutdown_sync(timer);
        break;
    case op::pending:
        done.returned = tickwheel_timer_pending(timer);
        break;
    case op::tick:
        done.returned = done.said = tickwheel_tick();
        break;
    case op::advance_and_run:
        done.said = tickwheel_advance(argument);
        done.returned = done.said != 0 ? static_cast<int>(tickwheel_run()) : 0;
        break;
    case op::run:
        done.returned = static_cast<int>(tickwheel_run());
        break;
    case op::run_budget:
        done.returned = static_cast<int>(tickwheel_run_budget(argument));
        break;
    case op::next_expiry:
        done.returned = read_next_expiry(done.value);
        break;
    case op::count_64:
        done.value = tickwheel_get_jiffies_64();
        break;
    }
}

/// The same as specified, but for what is asked for and not told: what ticks `said`. timer_jiffies is `clock`.
result specified(specification &is, const call &what, const result &real, jiffies_t clock)
{
    result done = {0, 0, real.said};
    const unsigned whom = what.whom;
    const uint32_t argument = static_cast<uint32_t>(what.argument);
    const jiffies_t expires = current->now + argument;
    switch (what.what) {
    case op::nothing:
        break;
    case op::mod:
        done.returned = is.mod(whom, expires, clock);
        break;
    case op::mod_same:
        done.returned = is.mod(whom, is.timer[whom].expires, clock);
        break;
    case op::mod_pending:
        done.returned = is.mod_pending(whom, expires, clock);
        break;
    case op::mod_idle:
        done.returned = is.mod_idle(whom, expires, clock);
        break;
    case op::add:
        is.add(whom, clock);
        break;
    case op::reduce:
        done.returned = is.reduce(whom, expires, clock);
        break;
    case op::shutdown:
        is.shut_down(whom);
        is.point();
        done.returned = is.remove(whom);
        break;
    case op::remove:
    case op::remove_and_free:
        done.returned = is.remove(whom);
        break;
    case op::shutdown_sync:
        is.shut_down(whom);
        is.point();
        done.returned = is.try_to_remove(whom);
        break;
    case op::try_to_remove:
    case op::delete_sync:
        done.returned = is.try_to_remove(whom);
        break;
    case op::pending:
        done.returned = is.timer[whom].pending;
        break;
    case op::tick:
        is.count_ticks(1);
        is.point();
        is.look(real.said);
        done.returned = real.said;
        break;
    case op::advance_and_run:
        is.count_ticks(argument);
        is.point();
        is.look(real.said);
        done.returned = real.said != 0 ? static_cast<int>(is.run()) : 0;
        break;
    case op::run:
        done.returned = static_cast<int>(is.run());
        break;
    case op::run_budget:
        done.returned = static_cast<int>(is.run(argument));
        break;
    case op::next_expiry:
        done.returned = is.next_expiry(done.value);
        break;
    case op::count_64:
        done.value = is.count;
        break;
    }
    return done;
}

bool same(const result &a, const result &b)
{
    return a.returned == b.returned && a.value == b.value;
}

extern "C" [[gnu::used]] void sweep_note(timer_list *timer, uintptr_t caller)
{
    const unsigned i = static_cast<unsigned>(timer - timers);
    called = i;
    runner = caller;
    log.add(i, jiffies);
    if (i == the_same && seen.callback_done == 0) {
        seen.callback_done = 1;
        for (unsigned which = 0; which < most_calls; ++which) {
            perform(current->in_callback[which], seen.callback[which]);
        }
    }
    barrier();
    called = no_timer;
    barrier();
}

extern "C" const char sweep_note_left[];
/// The callback. That it has returned is counted in front of its last instruction. (A compiler for Armv6-M begins in
/// the old syntax.)
extern "C" [[gnu::naked]] void note(timer_list *)
{
    __asm__ volatile(
        ".syntax unified\n\tmov r1, lr\n\tpush {r4, lr}\n\tbl sweep_note\n\tldr r0, 1f\n\tldr r1, [r0]\n\t"
        "adds r1, #1\n\tstr r1, [r0]\nsweep_note_left:\tpop {r4, pc}\n\t.balign 4\n1:\t.word sweep_returned");
}

/// Whether an interrupt at this address, after a callback has returned, comes before the runner has taken the lock.
bool on_the_way_back(uintptr_t at)
{
    const uintptr_t runner_goes_on = runner & ~uintptr_t{1};
    const uint16_t *locks = reinterpret_cast<const uint16_t *>(runner_goes_on);
    while (!is_masking(locks)) {
        ++locks;
    }
    return at == reinterpret_cast<uintptr_t>(sweep_note_left) ||
           (at >= runner_goes_on && at <= reinterpret_cast<uintptr_t>(locks));
}

void specified_callback(specification &is, unsigned timer)
{
    if (timer == the_same && !is.callback_done) {
        is.callback_done = true;
        for (unsigned which = 0; which < most_calls; ++which) {
            const result &real = seen.callback[which];
            // During the callbacks of a tick the wheel's clock stands at the next one.
            const result done = specified(is, current->in_callback[which], real, is.drained + 1);
            is.sound = is.sound && same(done, real);
            is.point();
        }
    }
}

void specified_interrupt(specification &is, unsigned which)
{
    const interrupt_record &real = seen.interrupt[which];
    is.sound =
        is.sound && is.log.count == real.called && is.log.returned == real.returned && is.returning == real.returning;
    for (unsigned i = 0; i < most_calls; ++i) {
        const result done = specified(is, interrupts[which].calls[i], real.done[i], real.clock_before);
        is.sound = is.sound && same(done, real.done[i]);
    }
}

bool specified_operation(specification &is)
{
    is.point();
    for (unsigned i = 0; i < most_calls; ++i) {
        // The interrupt may have changed the clock; then this comes after it.
        const jiffies_t clock =
            is.interrupts_come != 0 ? seen.interrupt[is.interrupts_come - 1].clock_after : clock_at_start;
        const result done = specified(is, current->under_way[i], seen.thread[i], clock);
        is.sound = is.sound && same(done, seen.thread[i]);
        is.point();
    }
    return is.sound && is.interrupts_come == wanted;
}

extern "C" [[gnu::used]] void sweep_interrupt(const uint32_t *frame)
{
    timer_stop();
    const unsigned which = taken;
    if (which == wanted) {
        return;
    }
    interrupt &is = interrupts[which];
    interrupt_record &record = seen.interrupt[which];
    constexpr unsigned stacked_pc = 6;
    is.at = frame[stacked_pc];
    is.behind = ended;
    if (!is.behind) {
        (which == 0 ? interrupted : interrupted_again).add(is.at);
        const timer_list *const running = tickwheel_slots.running;
        if (running >= timers && running < timers + timer_count && called == no_timer &&
            (log.count == 0 || &timers[log.entry[log.count - 1].timer] != running)) {
            popped.add(is.at);
        }
    }
    record.called = log.count;
    record.returned = sweep_returned;
    record.returning = sweep_returned != 0 && sweep_returned == log.count && on_the_way_back(is.at);
    record.clock_before = wheel_clock();
    for (unsigned i = 0; i < most_calls; ++i) {
        perform(is.calls[i], record.done[i]);
    }
    record.clock_after = wheel_clock();
    barrier();
    taken = which + 1;
    if (which + 1 != wanted) {
        timer_start(interrupts[which + 1].count);
    }
}

// BL, since a branch of Armv6-M does not reach far. r3 keeps the stack aligned.
extern "C" [[gnu::naked]] void SWEEP_HANDLER()
{
    __asm__ volatile(SWEEP_INTERRUPT_BEGINS
                     "\n\tmov r0, sp\n\tpush {r3, lr}\n\tbl sweep_interrupt\n\t" SWEEP_INTERRUPT_ENDS
                     "\n\tpop {r3, pc}");
}

/// The specification at the operation's begin.
specification at_begin;
int tick_said_before;

/// Arms the timer that is so many-eth in the order of arming. What an idle one has for add_timer() is 5 ticks ahead.
void arm(unsigned place)
{
    const int32_t ahead = current->armed[place];
    const timer_name name = arming_order[place];
    const jiffies_t expires = current->now + static_cast<jiffies_t>(ahead != idle ? ahead : 5);
    timers[name].expires = expires;
    at_begin.timer[name].expires = expires;
    if (ahead != idle) {
        const jiffies_t clock = wheel_clock();
        (void)tickwheel_mod_timer(&timers[name], expires);
        (void)at_begin.mod(name, expires, clock);
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
        at_begin.count_ticks(ticks - 1);
        (void)at_begin.run();
    }
    const uint32_t last = owed || ticks == 0 ? ticks : 1;
    tick_said_before = 0;
    if (last != 0) {
        at_begin.count_ticks(last);
        tick_said_before = tickwheel_advance(last);
        at_begin.look(tick_said_before);
    }
}

void prepare()
{
    const jiffies_t start = current->now - current->ticks;
    tickwheel_init(start);
    at_begin.start(start);
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
    at_begin.callback = specified_callback;
    at_begin.interrupt = specified_interrupt;
    prepared.save();
}

void begin()
{
    taken = 0;
    ended = false;
    sweep_returned = 0;
}

void report(const char *what);

/// For interrupts that come behind the operation.
void wait()
{
    for (unsigned i = 0; taken != wanted; ++i) {
        if (i == 100000) {
            report("interrupts stay off");
            board::exit(1);
        }
    }
}

/// The operation, with an interrupt after the first one's count of instructions.
[[gnu::noinline]] void operate()
{
    const call(&calls)[most_calls] = current->under_way;
    begin();
    barrier();
    timer_start(interrupts[0].count);
    __asm__ volatile(SWEEP_OPERATION_BEGINS "\n\tnop\n\tnop\n\tnop\n\tnop" ::: "memory");
    for (unsigned i = 0; i < most_calls; ++i) {
        perform(calls[i], seen.thread[i]);
    }
    __asm__ volatile(SWEEP_OPERATION_ENDS ::: "memory");
    ended = true;
    wait();
    barrier();
}

/// The same, called with interrupts off: they must stay off. Says whether they did.
[[gnu::noinline]] bool operate_masked()
{
    begin();
    mask_interrupts();
    timer_start(interrupts[0].count);
    for (unsigned i = 0; i < most_calls; ++i) {
        perform(current->under_way[i], seen.thread[i]);
    }
    ended = true;
    const bool stayed = taken == 0 && interrupts_masked();
    unmask_interrupts();
    wait();
    return stayed;
}

// What came of the pair, before the timers were run out.
struct aftermath {
    bool pending[timer_count];
    jiffies_t expires[timer_count];
    unsigned fired;
    int next_found;
    uint64_t next;
    uint64_t count;
};
aftermath left;
bool work_owed;

void look_around()
{
    for (unsigned i = 0; i < timer_count; ++i) {
        left.pending[i] = tickwheel_timer_pending(&timers[i]) != 0;
        left.expires[i] = timers[i].expires;
    }
    left.fired = log.count;
    left.next = 0;
    left.next_found = read_next_expiry(left.next);
    left.count = tickwheel_get_jiffies_64();
}

/// Whether a run may have to follow this call: a tick, or one that was to leave something.
bool leaves_work(const call &is, const result &done)
{
    return (is.what == op::tick && done.said != 0) || is.what == op::run_budget;
}

/// Whether there may be work that nobody is bound to have done. What an interrupt's own run was refused is owed by
/// the run below it, and must have been done.
bool may_owe_work()
{
    bool owed = tick_said_before != 0 && current->under_way[0].what != op::run;
    for (unsigned i = 0; i < most_calls; ++i) {
        owed = owed || leaves_work(current->under_way[i], seen.thread[i]);
        for (unsigned which = 0; which < wanted; ++which) {
            owed = owed || leaves_work(interrupts[which].calls[i], seen.interrupt[which].done[i]);
        }
    }
    return owed;
}

void run_out()
{
    if (work_owed) {
        (void)tickwheel_run();
    }
    for (const jiffies_t stop : stops) {
        for (unsigned i = 2; i-- != 0;) {
            const jiffies_t tick = current->now + stop - i;
            if (before(jiffies, tick) && tickwheel_advance(tick - jiffies) != 0) {
                (void)tickwheel_run();
            }
        }
    }
}

/// Whether all is as it may be with the interrupts at these points.
bool as_specified(const int (&points)[2])
{
    static specification is;
    is = at_begin;
    is.interrupts = wanted;
    is.interrupt_at[0] = points[0];
    is.interrupt_at[1] = points[1];
    if (!specified_operation(is) || is.log.count != left.fired || is.count != left.count ||
        (!work_owed && is.due())) {
        return false;
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        if (is.timer[i].pending != left.pending[i] ||
            (is.timer[i].pending && is.timer[i].expires != left.expires[i])) {
            return false;
        }
    }
    uint64_t next = 0;
    if (is.next_expiry(next) != left.next_found || next != left.next) {
        return false;
    }
    (void)is.run();
    for (const jiffies_t stop : stops) {
        for (unsigned i = 2; i-- != 0;) {
            const jiffies_t tick = current->now + stop - i;
            if (before(is.now(), tick)) {
                is.count_ticks(tick - is.now());
                (void)is.run();
            }
        }
    }
    if (!is.sound || is.log.count != log.count) {
        return false;
    }
    for (unsigned i = 0; i < is.log.count && i < log_size; ++i) {
        if (is.log.entry[i].timer != log.entry[i].timer || is.log.entry[i].at != log.entry[i].at) {
            return false;
        }
    }
    return is.earliest() == no_timer;
}

/// More than any operation has.
constexpr int most_points = 48;

void print_result(const result &is)
{
    print(" ");
    print_hex(static_cast<uint32_t>(is.returned));
    print(":");
    print_hex(static_cast<uint32_t>(is.value));
}

void print_call(const call &is)
{
    print(operation_names[static_cast<unsigned>(is.what)]);
    if (takes_a_timer(is.what)) {
        print(" of ");
        print(timer_names[is.whom]);
    }
}

void report(const char *what)
{
    print("FAIL ");
    print(current->name);
    for (unsigned i = 0; i < wanted; ++i) {
        const interrupt &is = interrupts[i];
        print(" x ");
        print_call(is.calls[0]);
        if (is.calls[1].what != op::nothing) {
            print(", ");
            print_call(is.calls[1]);
        }
        print(" after ");
        print_number(is.count);
        print(" at ");
        print_hex(is.at);
    }
    print(": ");
    print(what);
    print("; returned");
    print_result(seen.thread[0]);
    print_result(seen.thread[1]);
    print(", callback");
    print_result(seen.callback[0]);
    print_result(seen.callback[1]);
    print("; clock ");
    print_hex(clock_at_start);
    for (unsigned i = 0; i < wanted; ++i) {
        print("; interrupt");
        print_result(seen.interrupt[i].done[0]);
        print_result(seen.interrupt[i].done[1]);
        print(" clock ");
        print_hex(seen.interrupt[i].clock_before);
    }
    print("; fired ");
    print_number(left.fired);
    print(" of");
    for (unsigned i = 0; i < log.count && i < log_size; ++i) {
        print(" ");
        print_number(log.entry[i].timer);
        print("@");
        print_hex(log.entry[i].at);
    }
    print("\n");
}

uint32_t runs;
unsigned passed;
unsigned failed;

void print_tally()
{
    print("interrupts ");
    print_number(SWEEP_STRIDE != 0 ? 2 : 1);
    print("\nruns ");
    print_number(runs);
    print("\npairs ");
    print_number(passed);
    print(" ");
    print_number(failed);
    print("\n");
}

void judge(bool is_good)
{
    ++*(is_good ? &passed : &failed);
    // A wheel that is broken breaks in hundreds of pairs, and each takes long to tell.
    constexpr unsigned enough = SWEEP_ENOUGH;
    if (failed == enough) {
        print("FAIL given up\n");
        print_tally();
        board::exit(1);
    }
}

constexpr uint32_t too_many = 10000;

/// What is left behind, judged. `points` go on to the first that explain it.
bool judge_run(int (&points)[2])
{
    // Of no meaning while no walk is under way, and an address on somebody's stack.
    tickwheel_slots.changed_by = nullptr;
    if (any_good && good.same()) {
        return true;
    }
    good.save();
    any_good = true;
    bool sound = tickwheel_slots.running == nullptr && unit::wheel_fault() == unit::no_fault;
    if (sound) {
        work_owed = may_owe_work();
        look_around();
        run_out();
        sound = unit::wheel_fault() == unit::no_fault;
    }
    if (!sound) {
        report("the wheel is broken");
        return false;
    }
    const int second_from = points[1];
    for (; points[0] < most_points; ++points[0]) {
        points[1] = second_from < points[0] ? points[0] : second_from;
        const int last = wanted == 1 ? points[1] + 1 : most_points;
        for (; points[1] < last; ++points[1]) {
            if (as_specified(points)) {
                return true;
            }
        }
    }
    report("no order allows this");
    return false;
}

/// The operation once, with the interrupts as they are set.
bool run_once(int (&points)[2])
{
    prepared.restore();
    operate();
    ++runs;
    if (freed != nullptr) {
        tickwheel_timer_setup(freed, note, 0);
        freed = nullptr;
    }
    return judge_run(points);
}

/// One pair, at every count of instructions.
bool sweep_pair()
{
    int points[2] = {0, 0};
    any_good = false;
    for (uint32_t count = 1; count < too_many; ++count) {
        interrupts[0].count = count;
        if (!run_once(points)) {
            return false;
        }
        if (interrupts[0].behind) {
            return true;
        }
    }
    report("the operation does not end");
    return false;
}

/// Two interrupts: the first at every so many instructions, the second at every one behind it. This reaches what is
/// only executed after an interrupt.
bool sweep_three()
{
    constexpr uint32_t stride = SWEEP_STRIDE;
    for (interrupts[0].count = 1; interrupts[0].count < too_many; interrupts[0].count += stride) {
        int points[2] = {0, 0};
        any_good = false;
        for (interrupts[1].count = 1; interrupts[1].count < too_many; ++interrupts[1].count) {
            if (!run_once(points)) {
                return false;
            }
            if (interrupts[1].behind) {
                break;
            }
        }
        if (interrupts[0].behind) {
            return true;
        }
    }
    report("the operation does not end");
    return false;
}

/// With interrupts off from begin to end: the interrupt comes behind it.
bool sweep_masked()
{
    int points[2] = {0, 0};
    any_good = false;
    interrupts[0].calls[0] = {op::count_64};
    interrupts[0].calls[1] = {};
    interrupts[0].count = 1;
    prepared.restore();
    const bool stayed = operate_masked();
    ++runs;
    if (!stayed) {
        report("interrupts were on");
    }
    return stayed && judge_run(points);
}

void print_set(const char *name, const address_set &set)
{
    for (unsigned bit = 0; bit < code_size / 2; ++bit) {
        if ((set.word[bit / 32] >> bit % 32 & 1) != 0) {
            print(name);
            print(" ");
            print_hex(code_base + 2 * bit);
            print("\n");
        }
    }
}

/// Ticks come from one context, so no tick interrupts a tick. No interrupt frees a timer below an operation on it.
bool legal(const interruption &with, timer_name victim)
{
    if (with.calls[0].what == op::remove_and_free &&
        (works_on(current->under_way, victim) || works_on(current->in_callback, victim))) {
        return false;
    }
    return !counts_ticks(with.calls) || !counts_ticks(current->under_way);
}

void sweep_once_interrupted()
{
    wanted = 1;
    judge(sweep_masked());
    for (const interruption &with : interruptions) {
        for (unsigned victim = the_same; victim <= (with.on_a_timer ? the_other : the_same); ++victim) {
            const timer_name whom = static_cast<timer_name>(victim);
            if (legal(with, whom)) {
                for (unsigned i = 0; i < most_calls; ++i) {
                    interrupts[0].calls[i] = {with.calls[i].what, whom, with.calls[i].argument};
                }
                judge(sweep_pair());
            }
        }
    }
}

void sweep_twice_interrupted()
{
    wanted = 2;
    for (const two_interruptions &two : two_in_a_row) {
        interrupts[0].calls[0] = two.first;
        interrupts[1].calls[0] = two.second;
        interrupts[0].calls[1] = interrupts[1].calls[1] = {};
        judge(sweep_three());
    }
}

int main()
{
    (void)board::init();
    timer_init();
    lock_init();
    for (const scenario &each : scenarios) {
        current = &each;
        prepare();
        sweep_once_interrupted();
        if ((each.options & twice) != 0 && SWEEP_STRIDE != 0) {
            sweep_twice_interrupted();
        }
    }
    print_set("interrupted", interrupted);
    print_set("again", interrupted_again);
    print_set("popped", popped);
    print_tally();
    return failed != 0;
}

} // namespace sweep

int main()
{
    return sweep::main();
}
