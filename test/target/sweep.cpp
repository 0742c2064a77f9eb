// SPDX-License-Identifier: MIT
// The preemption sweep. For every pair of an operation under way and one in an
// interrupt: interrupt after exactly 1, 2, 3, .. instructions until the interrupt
// falls behind the operation's end. Each time the wheel is walked, what both
// returned and what is pending is compared with what the specification allows
// with the interrupt at one of its points, and then all timers are run out: each
// must fire in its tick, once, in the order of arming. The point may not go back
// while the count of instructions grows.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../boards/board.hpp"
#include "../unit/check_wheel.hpp"
#include "specification.hpp"
#include "sweep_timer.hpp"

// Hints that every core executes as NOP: how the plugin knows where it is.
#define SWEEP_OPERATION_BEGINS ".hword 0xbf50"
#define SWEEP_OPERATION_ENDS ".hword 0xbf60"
#define SWEEP_INTERRUPT_BEGINS ".hword 0xbf70"
#define SWEEP_INTERRUPT_ENDS ".hword 0xbf80"

namespace sweep
{

constexpr int32_t idle = INT32_MIN;

enum class under_way { mod, remove, try_to_remove, run, next_expiry, count_64, tick };

/// A wheel, and an operation on it. Ticks are told from `now`, what jiffies is when the operation begins.
struct scenario {
    const char *name;
    under_way operation;
    /// Where mod_timer moves the timer to.
    int32_t moved_to;
    jiffies_t now;
    /// The wheel starts so many ticks earlier, and the timers are armed then.
    uint32_t ticks;
    /// They are counted all at once and are owed; else they are run as they come, but for the last.
    bool at_once;
    /// In the order of arming: older, the same, younger, other, last.
    int32_t armed[timer_count];
    /// Also with two interrupts.
    bool twice;
    /// The last one is armed when the ticks are over; the older one is deferrable.
    bool last_is_late = false;
    bool older_is_deferrable = false;
};

constexpr scenario scenarios[] = {
    {"arm behind others", under_way::mod, 5, 0x1010, 0, false, {5, idle, 5, 9, 700}, false},
    {"arm as the first", under_way::mod, 3, 0x1010, 0, false, {9, idle, 9, 40, 700}, false},
    {"arm far away", under_way::mod, 5000, 0x1010, 0, false, {5000, idle, 5000, 9, 20000}, false},
    {"move", under_way::mod, 9, 0x1010, 0, false, {5, 5, 5, 9, 700}, true},
    {"move an only one", under_way::mod, 40, 0x1010, 0, false, {9, 5, 9, 700, 5000}, false},
    {"move to overdue", under_way::mod, -7, 0x1010, 0, false, {5000, 5000, 5000, 9, 20000}, false},
    {"move to overdue, work owed", under_way::mod, -7, 0x1010, 1, false, {0, 5, 5, 9, 700}, false},
    {"delete", under_way::remove, 0, 0x1010, 0, false, {5, 5, 5, 9, 700}, false},
    {"delete an only one", under_way::remove, 0, 0x1010, 0, false, {9, 5, 9, 40, 700}, false},
    {"delete an idle one", under_way::remove, 0, 0x1010, 0, false, {5, idle, 5, 9, 700}, false},
    {"delete a due one", under_way::remove, 0, 0x1010, 1, false, {0, 0, 0, 9, 700}, false},
    {"try_to_del", under_way::try_to_remove, 0, 0x1010, 0, false, {5, 5, 5, 9, 700}, false},
    {"expire one", under_way::run, 0, 0x1010, 1, false, {1, 0, 1, 40, 700}, false},
    {"expire two", under_way::run, 0, 0x1010, 1, false, {0, 0, 1, 9, 700}, true},
    {"expire three", under_way::run, 0, 0x1010, 1, false, {0, 0, 0, 1, 70}, false},
    {"expire, the next is far", under_way::run, 0, 0x1010, 1, false, {100, 0, 100, 200, 700}, false},
    {"expire, the next is in tv2", under_way::run, 0, 0x1010, 1, false, {700, 0, 700, 5000, 20000}, false},
    {"cascade", under_way::run, 0, 0x10ff, 1, false, {20, 20, 20, 2, 257}, false},
    {"cascade, one due first", under_way::run, 0, 0x10ff, 1, false, {1, 0, 1, 2, 5000}, true},
    {"cascade, all due in the block's first tick", under_way::run, 0, 0x10ff, 1, false, {1, 1, 1, 20, 700}, false},
    {"cascade of two levels", under_way::run, 0, 0x3fff, 0x3ff0, false, {20, 20, 20, 257, 700}, false},
    {"cascade over 2^31", under_way::run, 0, 0x7fffffff, 1, false, {20, 20, 20, 2, 257}, false},
    {"cascade over 2^32", under_way::run, 0, 0xffffffff, 1, false, {20, 20, 20, 2, 257}, false},
    {"jump", under_way::run, 0, 0x2010, 3000, true, {-100, -100, -100, -2500, 5}, true},
    {"jump, nothing due", under_way::run, 0, 0x2010, 3000, true, {700, 700, 700, 5, 20000}, false},
    {"jump over 2^14", under_way::run, 0, 0x4010, 0x2010, true, {-5, -5, 5, -0x1500, 700}, false},
    {"next_expiry in tv1", under_way::next_expiry, 0, 0x1010, 0, false, {5, 5, 5, 9, 700}, true},
    {"next_expiry in tv2", under_way::next_expiry, 0, 0x1010, 0, false, {701, 700, 702, 5000, 20000}, true},
    {"next_expiry, tv1 or tv2", under_way::next_expiry, 0, 0x10c0, 0xb0, false, {70, 70, 71, 200, 5000}, true},
    {"next_expiry, tv3 before tv2",
     under_way::next_expiry,
     0,
     0x3010,
     0x3010,
     false,
     {idle, 0x1010, idle, idle, 5000},
     true,
     true},
    {"next_expiry behind a deferrable in tv1",
     under_way::next_expiry,
     0,
     0x1010,
     0,
     false,
     {5, 100, 100, 200, 700},
     true,
     false,
     true},
    {"next_expiry behind a deferrable in tv2",
     under_way::next_expiry,
     0,
     0x1010,
     0,
     false,
     {700, 10000, 10000, 20000, 20000},
     true,
     false,
     true},
    {"get_jiffies_64", under_way::count_64, 0, 0x1010, 0, false, {5, 5, 5, 9, 700}, false},
    {"get_jiffies_64, 2^31 next", under_way::count_64, 0, 0x7fffffff, 1, false, {5, 5, 5, 9, 700}, false},
    {"get_jiffies_64, block before 2^31", under_way::count_64, 0, 0x7ffffffe, 1, false, {5, 5, 5, 9, 700}, false},
    {"get_jiffies_64, 2^32 next", under_way::count_64, 0, 0xffffffff, 1, false, {5, 5, 5, 9, 700}, false},
    {"get_jiffies_64, block before 2^32", under_way::count_64, 0, 0xfffffffe, 1, false, {5, 5, 5, 9, 700}, false},
    {"tick", under_way::tick, 0, 0x1010, 0, false, {5, 5, 5, 9, 700}, false},
    {"tick with a timer due", under_way::tick, 0, 0x1010, 0, false, {1, 1, 1, 9, 700}, false},
    {"tick at a block's end", under_way::tick, 0, 0x10fe, 0, false, {5, 5, 5, 9, 700}, false},
    {"tick to 2^31", under_way::tick, 0, 0x7fffffff, 0, false, {1, 1, 1, 9, 700}, false},
    {"tick to 2^32", under_way::tick, 0, 0xffffffff, 0, false, {1, 1, 1, 9, 700}, false},
};

enum class interrupting {
    mod,
    mod_same,
    remove,
    remove_and_free,
    try_to_remove,
    tick,
    tick_and_run,
    advance_and_run,
    run,
    next_expiry,
    count_64
};

struct interruption {
    const char *name;
    interrupting operation;
    /// It is done to the_same, the_older, the_younger and the_other in turn.
    bool on_a_timer;
    int32_t argument;
};

constexpr interruption interruptions[] = {
    {"mod_timer to this tick", interrupting::mod, true, 0},
    {"mod_timer to the next tick", interrupting::mod, true, 1},
    {"mod_timer near", interrupting::mod, true, 5},
    {"mod_timer to the other's", interrupting::mod, true, 9},
    {"mod_timer to the next block", interrupting::mod, true, 257},
    {"mod_timer far", interrupting::mod, true, 5000},
    {"mod_timer to overdue", interrupting::mod, true, -10},
    {"mod_timer to the same", interrupting::mod_same, true, 0},
    {"timer_delete", interrupting::remove, true, 0},
    {"try_to_del", interrupting::try_to_remove, true, 0},
    {"tick", interrupting::tick, false, 1},
    {"tick and run", interrupting::tick_and_run, false, 1},
    {"advance and run", interrupting::advance_and_run, false, 300},
    {"run", interrupting::run, false, 0},
    {"next_expiry", interrupting::next_expiry, false, 0},
    {"get_jiffies_64", interrupting::count_64, false, 0},
    {"timer_delete and free", interrupting::remove_and_free, true, 0},
};

struct two_interruptions {
    /// Which of the interruptions, and of whom.
    unsigned first;
    timer_name first_victim;
    unsigned second;
    timer_name second_victim;
};
constexpr two_interruptions twice[] = {
    {1, the_older, 8, the_same},  {8, the_same, 2, the_same},   {6, the_younger, 11, the_same},
    {11, the_same, 6, the_older}, {8, the_older, 14, the_same}, {5, the_other, 5, the_older},
};

constexpr const char *timer_names[] = {"the same", "the older", "the younger", "the other", "the last"};
constexpr timer_name arming_order[] = {the_older, the_same, the_younger, the_other, the_last};

/// After a pair, every one of these ticks, and the one before it, is run to its end.
constexpr jiffies_t stops[] = {1,  2,   3,   4,   5,   6,   7,   8,   9,   10,   20,    22,   40,
                               70, 100, 200, 256, 257, 258, 302, 700, 703, 5000, 10000, 20000};

/// A bit for each halfword of the code.
constexpr uintptr_t code_base = SWEEP_CODE_BASE;
constexpr unsigned code_size = 40 * 1024;
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
firing_log log;
/// Whose callback has been entered and not left.
volatile unsigned called = no_timer;

const scenario *current;

/// An interrupt: what it is to do, and what came of it.
struct interrupt {
    const interruption *with;
    unsigned victim;
    /// After how many instructions, from the operation's begin or from the first interrupt's end.
    uint32_t count;
    bool behind;
    uintptr_t at;
    result done;
    /// What it gave to mod_timer.
    jiffies_t expires;
    int tick_said;
    jiffies_t clock_before;
    jiffies_t clock_after;
    /// How many callbacks had been called and had returned.
    unsigned called;
    unsigned returned;
};
interrupt interrupts[2];
/// How many there are to be, and have been.
unsigned wanted = 1;
volatile unsigned taken;

volatile bool ended;
result thread_result;
jiffies_t clock_at_start;

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

void note(timer_list *timer)
{
    const unsigned i = static_cast<unsigned>(timer - timers);
    called = i;
    log.add(i, jiffies);
    barrier();
    called = no_timer;
    log.returned = log.returned + 1;
    barrier();
}

/// timer_jiffies, by its definition.
jiffies_t wheel_clock()
{
    const jiffies_t tomorrow = jiffies + 1;
    const jiffies_t next = tickwheel_clock.next;
    return before(next, tomorrow) ? next : tomorrow;
}

int read_next_expiry(uint64_t &value)
{
    jiffies_t expires = 0;
    const int found = tickwheel_next_expiry(&expires);
    value = expires;
    return found;
}

void interrupt_operation(interrupt &is)
{
    result &done = is.done;
    timer_list *const timer = &timers[is.victim];
    const jiffies_t now = current->now;
    switch (is.with->operation) {
    case interrupting::mod:
        is.expires = now + static_cast<jiffies_t>(is.with->argument);
        done.returned = tickwheel_mod_timer(timer, is.expires);
        break;
    case interrupting::mod_same:
        is.expires = timer->expires;
        done.returned = tickwheel_mod_timer(timer, is.expires);
        break;
    case interrupting::remove:
        done.returned = tickwheel_timer_delete(timer);
        break;
    case interrupting::remove_and_free:
        done.returned = tickwheel_timer_delete(timer);
        if (done.returned != 0) {
            // Addresses at which there is nothing: who still follows them ends in a fault.
            timer->next = timer->prev = reinterpret_cast<timer_list *>(0x70000000);
            timer->function = nullptr;
            timer->expires = 0;
            freed = timer;
        }
        break;
    case interrupting::try_to_remove:
        done.returned = tickwheel_try_to_del_timer_sync(timer);
        break;
    case interrupting::tick:
        done.returned = is.tick_said = tickwheel_tick();
        break;
    case interrupting::tick_and_run:
    case interrupting::advance_and_run:
        is.tick_said = tickwheel_advance(static_cast<uint32_t>(is.with->argument));
        done.returned = is.tick_said != 0 ? static_cast<int>(tickwheel_run()) : 0;
        break;
    case interrupting::run:
        done.returned = static_cast<int>(tickwheel_run());
        break;
    case interrupting::next_expiry:
        done.returned = read_next_expiry(done.value);
        break;
    case interrupting::count_64:
        done.value = tickwheel_get_jiffies_64();
        break;
    }
}

/// The same, as the specification has it.
result specified_result[2];
void specified_interrupt(specification &is, unsigned which)
{
    const interrupt &real = interrupts[which];
    const unsigned victim = real.victim;
    result &done = specified_result[which];
    is.sound = is.sound && is.log.count == real.called && is.log.returned == real.returned;
    switch (real.with->operation) {
    case interrupting::mod:
    case interrupting::mod_same:
        done.returned = is.mod(victim, real.expires, real.clock_before);
        break;
    case interrupting::remove:
    case interrupting::remove_and_free:
        done.returned = is.remove(victim);
        break;
    case interrupting::try_to_remove:
        done.returned = is.try_to_remove(victim);
        break;
    case interrupting::tick:
        is.count_ticks(1);
        is.look(real.tick_said);
        done.returned = real.tick_said;
        break;
    case interrupting::tick_and_run:
    case interrupting::advance_and_run:
        is.count_ticks(static_cast<uint32_t>(real.with->argument));
        is.look(real.tick_said);
        done.returned = real.tick_said != 0 ? static_cast<int>(is.run()) : 0;
        break;
    case interrupting::run:
        done.returned = static_cast<int>(is.run());
        break;
    case interrupting::next_expiry:
        done.returned = is.next_expiry(done.value);
        break;
    case interrupting::count_64:
        done.value = is.count;
        break;
    }
}

extern "C" [[gnu::used]] void sweep_interrupt(const uint32_t *frame)
{
    timer_stop();
    const unsigned which = taken;
    if (which == wanted) {
        return;
    }
    interrupt &is = interrupts[which];
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
    is.called = log.count;
    is.returned = log.returned;
    is.clock_before = wheel_clock();
    interrupt_operation(is);
    is.clock_after = wheel_clock();
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

/// Arms the timer that is so many-eth in the order of arming.
void arm(unsigned place)
{
    const int32_t ahead = current->armed[place];
    if (ahead != idle) {
        const timer_name name = arming_order[place];
        const jiffies_t expires = current->now + static_cast<jiffies_t>(ahead);
        const jiffies_t clock = wheel_clock();
        (void)tickwheel_mod_timer(&timers[name], expires);
        (void)at_begin.mod(name, expires, clock);
    }
}

void prepare()
{
    const scenario &is = *current;
    const jiffies_t start = is.now - is.ticks;
    tickwheel_init(start);
    at_begin.start(start);
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, note, 0);
    }
    if (is.older_is_deferrable) {
        tickwheel_timer_setup(&timers[the_older], note, TICKWHEEL_TIMER_DEFERRABLE);
        at_begin.timer[the_older].deferrable = true;
    }
    for (unsigned i = 0; i < timer_count - is.last_is_late; ++i) {
        arm(i);
    }
    log.count = 0;
    log.returned = 0;
    tick_said_before = 0;
    if (is.ticks != 0) {
        if (!is.at_once && is.ticks > 1) {
            if (tickwheel_advance(is.ticks - 1) != 0) {
                (void)tickwheel_run();
            }
            at_begin.count_ticks(is.ticks - 1);
            (void)at_begin.run();
        }
        const uint32_t last = is.at_once ? is.ticks : 1;
        at_begin.count_ticks(last);
        tick_said_before = tickwheel_advance(last);
        at_begin.look(tick_said_before);
    }
    if (is.last_is_late) {
        arm(the_last);
    }
    clock_at_start = wheel_clock();
    taken = 0;
    ended = false;
    thread_result = {0, 0};
    for (interrupt &each : interrupts) {
        each.done = {0, 0};
        each.tick_said = 0;
    }
}

/// The operation, with an interrupt after the first one's count of instructions.
[[gnu::noinline]] void operate()
{
    const under_way operation = current->operation;
    const jiffies_t expires = current->now + static_cast<jiffies_t>(current->moved_to);
    timer_list *const timer = &timers[the_same];
    int returned = 0;
    uint64_t value = 0;
    barrier();
    timer_start(interrupts[0].count);
    __asm__ volatile(SWEEP_OPERATION_BEGINS "\n\tnop\n\tnop\n\tnop\n\tnop" ::: "memory");
    switch (operation) {
    case under_way::mod:
        returned = tickwheel_mod_timer(timer, expires);
        break;
    case under_way::remove:
        returned = tickwheel_timer_delete(timer);
        break;
    case under_way::try_to_remove:
        returned = tickwheel_try_to_del_timer_sync(timer);
        break;
    case under_way::run:
        returned = static_cast<int>(tickwheel_run());
        break;
    case under_way::next_expiry:
        returned = read_next_expiry(value);
        break;
    case under_way::count_64:
        value = tickwheel_get_jiffies_64();
        break;
    case under_way::tick:
        returned = tickwheel_tick();
        break;
    }
    __asm__ volatile(SWEEP_OPERATION_ENDS ::: "memory");
    ended = true;
    while (taken != wanted) {
    }
    barrier();
    thread_result = {returned, value};
}

/// The same as specified, the interrupt at one of its points.
result specified_operation(specification &is)
{
    result done = {0, 0};
    is.point();
    switch (current->operation) {
    case under_way::mod:
        // The interrupt may have changed the clock; then this comes after it.
        done.returned =
            is.mod(the_same, current->now + static_cast<jiffies_t>(current->moved_to),
                   is.interrupts_come != 0 ? interrupts[is.interrupts_come - 1].clock_after : clock_at_start);
        break;
    case under_way::remove:
        done.returned = is.remove(the_same);
        break;
    case under_way::try_to_remove:
        done.returned = is.try_to_remove(the_same);
        break;
    case under_way::run:
        done.returned = static_cast<int>(is.run());
        break;
    case under_way::next_expiry:
        done.returned = is.next_expiry(done.value);
        break;
    case under_way::count_64:
        done.value = is.count;
        break;
    case under_way::tick:
        is.count_ticks(1);
        is.point();
        is.look(thread_result.returned);
        done.returned = thread_result.returned;
        break;
    }
    is.point();
    return done;
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
    // What an interrupt's own run was refused is owed by the run below it, and must have been done.
    work_owed = (current->operation == under_way::tick && thread_result.returned != 0) ||
                (current->operation != under_way::run && tick_said_before != 0);
    for (unsigned i = 0; i < wanted; ++i) {
        work_owed =
            work_owed || (interrupts[i].with->operation == interrupting::tick && interrupts[i].tick_said != 0);
    }
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

bool same(const result &a, const result &b)
{
    return a.returned == b.returned && a.value == b.value;
}

/// Whether all is as it may be with the interrupts at these points.
bool as_specified(const int (&points)[2])
{
    static specification is;
    is = at_begin;
    is.interrupts = wanted;
    is.interrupt_at[0] = points[0];
    is.interrupt_at[1] = points[1];
    is.interrupt = specified_interrupt;
    specified_result[0] = specified_result[1] = {0, 0};
    const result done = specified_operation(is);
    if (is.interrupts_come != wanted || !is.sound || !same(done, thread_result) ||
        !same(specified_result[0], interrupts[0].done) || !same(specified_result[1], interrupts[1].done) ||
        is.log.count != left.fired || is.count != left.count || (!work_owed && is.due())) {
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
    if (is.log.count != log.count) {
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
constexpr int most_points = 40;

void report(const char *what)
{
    print("FAIL ");
    print(current->name);
    for (unsigned i = 0; i < wanted; ++i) {
        const interrupt &is = interrupts[i];
        print(" x ");
        print(is.with->name);
        if (is.with->on_a_timer) {
            print(" of ");
            print(timer_names[is.victim]);
        }
        print(" after ");
        print_number(is.count);
        print(" at ");
        print_hex(is.at);
    }
    print(": ");
    print(what);
    print("; returned ");
    print_hex(static_cast<uint32_t>(thread_result.returned));
    print(" ");
    print_hex(static_cast<uint32_t>(thread_result.value));
    print("; clock ");
    print_hex(clock_at_start);
    for (unsigned i = 0; i < wanted; ++i) {
        print("; interrupt ");
        print_hex(static_cast<uint32_t>(interrupts[i].done.returned));
        print(" ");
        print_hex(static_cast<uint32_t>(interrupts[i].done.value));
        print(" clock ");
        print_hex(interrupts[i].clock_before);
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

void judge(bool good)
{
    ++*(good ? &passed : &failed);
    // A wheel that is broken breaks in hundreds of pairs, and each takes long to tell.
    constexpr unsigned enough = 12;
    if (failed == enough) {
        print("FAIL given up\npairs ");
        print_number(passed);
        print(" ");
        print_number(failed);
        print("\nruns ");
        print_number(runs);
        print("\n");
        board::exit(1);
    }
}

constexpr uint32_t too_many = 10000;

/// The operation once, with the interrupts as they are set. `points` go on to the first that explain what came of it.
bool run_once(int (&points)[2])
{
    prepare();
    operate();
    ++runs;
    if (freed != nullptr) {
        tickwheel_timer_setup(freed, note, 0);
        freed = nullptr;
    }
    unit::fault fault = unit::wheel_fault();
    look_around();
    run_out();
    if (fault == unit::no_fault) {
        fault = unit::wheel_fault();
    }
    if (fault != unit::no_fault) {
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

/// One pair, at every count of instructions.
bool sweep_pair(const interruption &with, unsigned victim)
{
    int points[2] = {0, 0};
    wanted = 1;
    interrupts[0].with = &with;
    interrupts[0].victim = victim;
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
bool sweep_three(const interruption &first, unsigned first_victim, const interruption &second, unsigned second_victim)
{
    constexpr uint32_t stride = SWEEP_STRIDE;
    int first_point = 0;
    wanted = 2;
    interrupts[0].with = &first;
    interrupts[0].victim = first_victim;
    interrupts[1].with = &second;
    interrupts[1].victim = second_victim;
    for (interrupts[0].count = 1; interrupts[0].count < too_many; interrupts[0].count += stride) {
        int points[2] = {first_point, 0};
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
        // Not the last: what the second interrupt blurs may have moved it on.
        first_point = 0;
    }
    report("the operation does not end");
    return false;
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

/// A tick in the interrupt of a tick: the contract has them come from one context. Nor may a
/// timer be freed below an operation on it.
bool legal(const interruption &with, unsigned victim)
{
    if (with.operation == interrupting::remove_and_free && victim == the_same &&
        (current->operation == under_way::mod || current->operation == under_way::remove ||
         current->operation == under_way::try_to_remove)) {
        return false;
    }
    return current->operation != under_way::tick || with.argument == 0 || with.on_a_timer;
}

int main()
{
    (void)board::init();
    timer_init();
    for (const scenario &each : scenarios) {
        current = &each;
        for (const interruption &with : interruptions) {
            for (unsigned victim = the_same; victim <= (with.on_a_timer ? the_other : the_same); ++victim) {
                if (legal(with, victim)) {
                    judge(sweep_pair(with, victim));
                }
            }
        }
        if (each.twice) {
            for (const two_interruptions &two : twice) {
                judge(sweep_three(interruptions[two.first], two.first_victim, interruptions[two.second],
                                  two.second_victim));
            }
        }
    }
    print_set("interrupted", interrupted);
    print_set("again", interrupted_again);
    print_set("popped", popped);
    print("runs ");
    print_number(runs);
    print("\npairs ");
    print_number(passed);
    print(" ");
    print_number(failed);
    print("\n");
    return failed != 0;
}

} // namespace sweep

int main()
{
    return sweep::main();
}
