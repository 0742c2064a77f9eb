// SPDX-License-Identifier: MIT
// Random differential test of the default wheel: fuzz OPS SEED.
//
// The oracle is a row of timers and the contract, no wheel. A timer's tick is
// max(expires, timer_jiffies when armed); timers fire in the order of (tick,
// arming). timer_jiffies is jiffies + 1 after a tick that returned 0 and after a run
// that finished; else the first tick that returned 1 and is not run yet; T + 1
// during the callbacks of tick T, and T again after a budget stop in it.
//
// Operations come from the main loop, from callbacks, and from an "interrupt" at
// any point where the host lock opens. Where the contract leaves the wheel a choice
// (how far a spurious tick reaches, how far the runner has skipped), the oracle
// reads which was taken and checks that it was a legal one.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check_wheel.hpp"
#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

namespace
{

constexpr jiffies_t longest_delay = 0x7FFFFFFF;
constexpr unsigned timer_count = 40;
constexpr unsigned block_ticks = 1u << TICKWHEEL_TVR_BITS;

unsigned long op_count;
unsigned long op_number;
uint64_t seed;
unsigned long fired;
unsigned long interrupts_taken;
// All answers of the wheel in one number. Two builds with the same digest have done the same.
uint64_t digest;

void note(uint64_t answer)
{
    digest = (digest ^ answer) * 0x100000001B3u;
}

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char *format, ...)
{
    printf("FAILED: geometry %d/%d, seed %llu, op %lu of %lu: ", TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS,
           static_cast<unsigned long long>(seed), op_number, op_count);
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n0 passed, 1 failed\n");
    exit(1);
}

// splitmix64: every seed gives another sequence, the same on every machine.
uint64_t random_state;

uint32_t random_bits()
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 16);
}

uint32_t below(uint32_t end)
{
    return static_cast<uint32_t>(uint64_t{random_bits()} * end >> 32);
}

bool one_in(uint32_t n)
{
    return below(n) == 0;
}

// The oracle. Ticks are counted in 64 bits there, so that nothing in it can wrap.

struct model_timer {
    timer_list real;
    bool set_up;
    bool pending;
    bool deferrable;
    jiffies_t expires;
    uint64_t tick;
    uint64_t armed;
};

model_timer timers[timer_count];
uint64_t now;
uint64_t timer_jiffies;
uint64_t armings;
// The timer whose callback runs, or that has been taken to be called.
model_timer *running;
bool in_run;
// Callbacks that the run under way may still make, and has made.
unsigned budget;
unsigned called;
// How deep interrupts and callbacks are nested, so that they end.
unsigned depth;
// One interrupt in this many openings of the lock; 0: none.
uint32_t interrupt_every;

// The earliest of the pending ones, in the order in which they must fire.
model_timer *first_due()
{
    model_timer *first = nullptr;
    for (model_timer &timer : timers) {
        if (timer.pending && (first == nullptr || timer.tick < first->tick ||
                              (timer.tick == first->tick && timer.armed < first->armed))) {
            first = &timer;
        }
    }
    return first;
}

bool is_due()
{
    const model_timer *const first = first_due();
    return first != nullptr && first->tick <= now;
}

// The tick that next_expiry() must name; 0 when none (no tick of the oracle is 0).
uint64_t earliest_waking()
{
    uint64_t earliest = 0;
    for (const model_timer &timer : timers) {
        if (timer.pending && !timer.deferrable && (earliest == 0 || timer.tick < earliest)) {
            earliest = timer.tick;
        }
    }
    return earliest;
}

uint64_t widen(jiffies_t tick)
{
    // Within 2^31 of now; the oracle's count starts high enough for this never to go below 0.
    return now + static_cast<uint64_t>(int64_t{static_cast<int32_t>(tick - static_cast<jiffies_t>(now))});
}

// The contract's lag: ticks counted and not run, from timer_jiffies to jiffies.
uint32_t lag()
{
    return static_cast<uint32_t>(now + 1 - timer_jiffies);
}

// The caller's side of the contract. A count leaves lag < 2^31. An arm leaves delay + lag < 2^31. Both are one bound:
// delay + lag = (tick - jiffies) + (jiffies + 1 - timer_jiffies) = tick + 1 - timer_jiffies < 2^31.
// The bound stays true while timer_jiffies grows; only a budget stop takes it back, by one tick.
// The wheel measures from `block`, at most 2^tvr_bits - 1 ticks before timer_jiffies, and so below 2^31 + 2^tvr_bits.
void check_reach(uint64_t tick)
{
    if (tick + 1 - timer_jiffies > longest_delay) {
        fail("the fuzzer itself passes 2^31: tick %#llx, timer_jiffies %#llx, jiffies %#llx",
             static_cast<unsigned long long>(tick), static_cast<unsigned long long>(timer_jiffies),
             static_cast<unsigned long long>(now));
    }
}

void model_arm(model_timer &timer, jiffies_t expires)
{
    timer.expires = expires;
    timer.pending = true;
    timer.armed = ++armings;
    const uint64_t wanted = widen(expires);
    timer.tick = wanted > timer_jiffies ? wanted : timer_jiffies;
    check_reach(timer.tick);
}

// What the wheel says timer_jiffies is: min(next, jiffies + 1).
uint64_t wheels_timer_jiffies()
{
    const jiffies_t next = tickwheel_clock.next_event;
    const jiffies_t tomorrow = static_cast<jiffies_t>(now) + 1;
    return now + 1 - (tickwheel_time_before(next, tomorrow) ? tomorrow - next : 0);
}

// Takes over where the wheel stands, within [from, to].
void follow(uint64_t from, uint64_t to, const char *when)
{
    const uint64_t seen = wheels_timer_jiffies();
    if (seen < from || seen > to) {
        fail("timer_jiffies %s is %#llx, not in %#llx to %#llx (jiffies %#llx)", when,
             static_cast<unsigned long long>(seen), static_cast<unsigned long long>(from),
             static_cast<unsigned long long>(to), static_cast<unsigned long long>(now));
    }
    timer_jiffies = seen;
}

// The last tick that the runner may stand at: it passes nothing that is pending.
uint64_t furthest()
{
    const model_timer *const first = first_due();
    return first != nullptr && first->tick <= now ? first->tick : now + 1;
}

void check_clock()
{
    if (jiffies != static_cast<jiffies_t>(now)) {
        fail("jiffies is %#x, not %#llx", unsigned{jiffies}, static_cast<unsigned long long>(now));
    }
}

uint64_t clock_64_offset;

void check_64()
{
    const uint64_t count = tickwheel_get_jiffies_64();
    if (count != now - clock_64_offset) {
        fail("get_jiffies_64 is %#llx, not %#llx", static_cast<unsigned long long>(count),
             static_cast<unsigned long long>(now - clock_64_offset));
    }
}

void check_pending()
{
    for (const model_timer &timer : timers) {
        if (tickwheel_timer_pending(&timer.real) != (timer.pending ? 1 : 0)) {
            fail("timer %d is %spending", static_cast<int>(&timer - timers), timer.pending ? "not " : "");
        }
        if (timer.pending && timer.real.expires != timer.expires) {
            fail("timer %d has expires %#x, not %#x", static_cast<int>(&timer - timers), timer.real.expires,
                 timer.expires);
        }
    }
}

void walk(bool at_rest)
{
    check_pending();
    const unit::walk seen = unit::walk_wheel(at_rest);
    if (seen.found != unit::no_fault) {
        fail("the walk over all slots found fault %d", static_cast<int>(seen.found));
    }
    unsigned pending = 0;
    for (const model_timer &timer : timers) {
        pending += timer.pending;
    }
    if (seen.timers != pending) {
        fail("%u timers hang in the slots, %u are pending", seen.timers, pending);
    }
}

void expect(const char *call, const model_timer &timer, int returned, int wanted)
{
    note(static_cast<uint32_t>(returned));
    if (returned != wanted) {
        fail("%s of timer %d returned %d, not %d", call, static_cast<int>(&timer - timers), returned, wanted);
    }
}

// Operations. Each is done on the oracle first: an interrupt that comes while the call is under way then finds the
// oracle as the wheel is, since a call changes the wheel in one locked stretch and opens the lock after it.

void callback(timer_list *real);

jiffies_t random_expiry()
{
    jiffies_t delay = 0;
    switch (below(12)) {
    case 0:
    case 1:
        delay = below(4);
        break;
    case 2:
    case 3:
        delay = below(block_ticks + 2);
        break;
    case 4:
        delay = below(3 * block_ticks);
        break;
    case 5:
    case 6:
        delay = 1u << below(31);
        delay += below(5) - 2;
        break;
    case 7:
        delay = below(1u << below(31));
        break;
    case 8:
        delay = longest_delay - (one_in(2) ? 0 : below(300));
        break;
    case 9:
        // Past, as far as it still reads as past.
        delay = 0 - (one_in(2) ? below(5) : below(1u << below(31)));
        break;
    case 10:
        // The same tick as another timer, or beside it.
        delay = timers[below(timer_count)].expires - static_cast<jiffies_t>(now);
        delay += one_in(2) ? 0 : below(3) - 1;
        break;
    default:
        // Around the ends of blocks and of wider slots.
        delay = (static_cast<jiffies_t>(now) | ((1u << below(31)) - 1)) - static_cast<jiffies_t>(now);
        delay += below(4) - 1;
        break;
    }
    return static_cast<jiffies_t>(now) + delay;
}

// Shortens a delay that would pass check_reach(). A tick exactly 2^31 ahead is shortened too.
jiffies_t legal(jiffies_t expires)
{
    const jiffies_t delay = expires - static_cast<jiffies_t>(now);
    const jiffies_t longest = longest_delay - lag();
    return delay > longest && delay <= 0x80000000u ? static_cast<jiffies_t>(now) + longest : expires;
}

void arm(model_timer &timer, jiffies_t expires)
{
    const int was_pending = timer.pending;
    // An interrupt in the call may shut the timer down.
    const int wanted = timer.set_up ? was_pending : 0;
    if (timer.set_up && !(was_pending && timer.expires == expires)) {
        model_arm(timer, expires);
    }
    expect("mod_timer", timer, tickwheel_mod_timer(&timer.real, expires), wanted);
}

void add(model_timer &timer, jiffies_t expires)
{
    if (timer.pending) {
        return;
    }
    timer.real.expires = expires;
    if (timer.set_up) {
        model_arm(timer, expires);
    }
    tickwheel_add_timer(&timer.real);
}

void move(model_timer &timer, jiffies_t expires)
{
    const int was_pending = timer.pending;
    if (was_pending && timer.expires != expires) {
        model_arm(timer, expires);
    }
    expect("mod_timer_pending", timer, tickwheel_mod_timer_pending(&timer.real, expires), was_pending);
}

void reduce(model_timer &timer, jiffies_t expires)
{
    const int was_pending = timer.pending;
    if (timer.set_up && (!was_pending || static_cast<int32_t>(expires - timer.expires) < 0)) {
        model_arm(timer, expires);
    }
    expect("timer_reduce", timer, tickwheel_timer_reduce(&timer.real, expires), was_pending);
}

void del(model_timer &timer)
{
    const int was_pending = timer.pending;
    timer.pending = false;
    expect("timer_delete", timer, tickwheel_timer_delete(&timer.real), was_pending);
}

void del_sync(model_timer &timer, bool insist)
{
    const int wanted = running == &timer ? -1 : timer.pending;
    if (wanted > 0) {
        timer.pending = false;
    }
    expect("timer_delete_sync", timer,
           insist ? tickwheel_timer_delete_sync(&timer.real) : tickwheel_try_to_del_timer_sync(&timer.real), wanted);
}

void set_up(model_timer &timer)
{
    if (timer.pending) {
        return;
    }
    timer.deferrable = one_in(4);
    timer.set_up = true;
    timer.expires = 0;
    // Set-up belongs to the owner alone: nobody may arm the timer meanwhile.
    const uint32_t state = tickwheel::port_lock::irq_save();
    tickwheel_timer_setup(&timer.real, callback, timer.deferrable ? TICKWHEEL_TIMER_DEFERRABLE : 0);
    tickwheel::port_lock::irq_restore(state);
}

void shut_down(model_timer &timer)
{
    // The callback of one that the runner has taken may be anywhere below; shutting it down there is legal too.
    if (one_in(2) || running == &timer) {
        const int was_pending = timer.pending;
        timer.pending = false;
        timer.set_up = false;
        expect("timer_shutdown", timer, tickwheel_timer_shutdown(&timer.real), was_pending);
    } else {
        const int was_pending = timer.pending;
        timer.pending = false;
        timer.set_up = false;
        expect("timer_shutdown_sync", timer, tickwheel_timer_shutdown_sync(&timer.real), was_pending);
    }
    if (one_in(2)) {
        arm(timer, legal(random_expiry()));
        set_up(timer);
    }
}

// next_expiry() opens the lock on its way, and looks again after a change, so it needs a while without one to end.
// Its answer is that of its last locked stretch: of what stood before the interrupt at the last opening, if there was
// one.
constexpr unsigned nowhere = ~0u;
unsigned next_expiry_at_depth = nowhere;
unsigned interruptions_left;
uint64_t waking_at_last_opening;

void look_ahead()
{
    const unsigned outer = next_expiry_at_depth;
    const unsigned outer_left = interruptions_left;
    const uint64_t outer_waking = waking_at_last_opening;
    next_expiry_at_depth = depth;
    interruptions_left = below(6);
    waking_at_last_opening = earliest_waking();
    jiffies_t expires = 0x5A5A5A5A;
    const int found = tickwheel_next_expiry(&expires);
    const uint64_t wanted = waking_at_last_opening;
    if (found != (wanted != 0) || expires != (found ? static_cast<jiffies_t>(wanted) : 0x5A5A5A5Au)) {
        fail("next_expiry is %d, %#x, not %d, %#llx (jiffies %#llx)", found, expires, wanted != 0,
             static_cast<unsigned long long>(wanted), static_cast<unsigned long long>(now));
    }
    note(found != 0 ? expires : 0x5A5A5A5A5Au);
    next_expiry_at_depth = outer;
    interruptions_left = outer_left;
    waking_at_last_opening = outer_waking;
}

// Marks of slots that hold no timer: each may be an event with nothing to do.
unsigned stale_marks()
{
    unsigned marks = 0;
    for (unsigned slot = 0; slot < sizeof tickwheel_slots.first / sizeof tickwheel_slots.first[0]; ++slot) {
        marks += tickwheel_slots.first[slot] == nullptr && tickwheel_slots.marks.is_marked(slot);
    }
    return marks;
}

// Returns what next_event() answers, at most `otherwise`. The call has one locked stretch, so its answer is that of
// what stood before it.
uint64_t look_for_event(uint64_t otherwise)
{
    const model_timer *const first = first_due();
    const uint64_t expiry = first != nullptr ? first->tick : 0;
    // No event lies before the runner's own tick, nor before the block of the cascade that is under way.
    const uint64_t from = timer_jiffies - in_run;
    const unsigned stale = stale_marks();
    jiffies_t answer = 0x5A5A5A5A;
    const int found = tickwheel_next_event(&answer);
    note(found != 0 ? answer : 0x5A5A5A5A5Au);
    const uint64_t event = from + (answer - static_cast<jiffies_t>(from));
    if (found == 0) {
        if (expiry != 0 || answer != 0x5A5A5A5Au) {
            fail("next_event is 0, %#x, with a timer pending or with a tick written", answer);
        }
        return otherwise;
    }
    // With nothing pending it may name a stale mark, or the block of a turn that is under way.
    if (expiry == 0 ? stale == 0 && !(in_run && event <= now) : event > expiry) {
        fail("next_event is %#x, with %u stale marks; the earliest expiry is %#llx (timer_jiffies %#llx, jiffies "
             "%#llx)",
             answer, stale, static_cast<unsigned long long>(expiry), static_cast<unsigned long long>(timer_jiffies),
             static_cast<unsigned long long>(now));
    }
    return event < otherwise ? event : otherwise;
}

void operate_on_a_timer()
{
    model_timer &timer = timers[below(timer_count)];
    if (one_in(16)) {
        // With interrupts off, which must stay so.
        const uint32_t state = tickwheel::port_lock::irq_save();
        const unsigned held = tickwheel::interrupts.depth;
        if (one_in(2)) {
            arm(timer, legal(random_expiry()));
        } else {
            del(timer);
        }
        if (tickwheel::interrupts.depth != held) {
            fail("a call changed the lock's depth from %u to %u", held, unsigned{tickwheel::interrupts.depth});
        }
        tickwheel::port_lock::irq_restore(state);
        return;
    }
    switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        arm(timer, legal(random_expiry()));
        return;
    case 6:
        add(timer, legal(random_expiry()));
        return;
    case 7:
        move(timer, legal(random_expiry()));
        return;
    case 8:
        reduce(timer, legal(random_expiry()));
        return;
    case 9:
    case 10:
    case 11:
        del(timer);
        return;
    case 12:
        del_sync(timer, one_in(2));
        return;
    case 13:
        if (one_in(4)) {
            shut_down(timer);
        } else {
            set_up(timer);
        }
        return;
    case 14:
        if (one_in(2)) {
            look_ahead();
        } else {
            (void)look_for_event(0);
        }
        return;
    default:
        check_64();
        return;
    }
}

// An advance of 1 is a tick.
void count(uint32_t ticks)
{
    const uint64_t from = now;
    const uint64_t stood = timer_jiffies;
    now += ticks;
    check_reach(now);
    const int work = ticks == 1 && one_in(2) ? tickwheel_tick() : tickwheel_advance(ticks);
    check_clock();
    note(static_cast<uint32_t>(work));
    // An advance by nothing in the middle of a tick that is being run is told nothing of the rest of that tick.
    if (work == 0 && is_due() && !(in_run && ticks == 0)) {
        fail("tick returned 0 with a timer due");
    }
    // A tick takes no lock, so nobody has come between.
    if (work == 0) {
        follow(now + 1, now + 1, "after a tick that returned 0");
    } else if (in_run) {
        follow(stood, now, "after a tick below a run");
    } else if (stood <= from) {
        follow(stood, stood, "after a tick with work left from before");
    } else {
        follow(from + 1, first_due() != nullptr && first_due()->tick < now ? first_due()->tick : now,
               "after a tick with work");
    }
}

// How many ticks may be counted before the runner comes. During a run, one less: a budget may stop the run in its
// tick. A run that stopped so at the largest lag, and has not returned yet, would leave less than nothing.
uint32_t room()
{
    const uint32_t behind = lag() + in_run;
    return behind < longest_delay ? longest_delay - behind : 0;
}

uint32_t random_step()
{
    uint32_t step = 1;
    const model_timer *const first = first_due();
    switch (below(12)) {
    case 0:
        step = below(4);
        break;
    case 1:
        step = below(2 * block_ticks);
        break;
    case 2:
        step = 1u << below(31);
        break;
    case 3:
        step = below(1u << below(31));
        break;
    case 4:
    case 5:
        // To just before, at or after the next expiry.
        step =
            first != nullptr && first->tick > now + 2 ? static_cast<uint32_t>(first->tick - now) + below(3) - 1 : 1;
        break;
    case 6:
        // To the last tick of a block or of a wider slot.
        step = (static_cast<uint32_t>(now) | ((1u << below(28)) - 1)) - static_cast<uint32_t>(now);
        break;
    case 7:
        step = one_in(50) ? longest_delay : 3;
        break;
    default:
        break;
    }
    return step <= room() ? step : room();
}

// Whether the runner has taken a timer and not yet called it: it looks like one that is not pending any more.
void notice_taken()
{
    if (!in_run || running != nullptr) {
        return;
    }
    model_timer *const first = first_due();
    if (first != nullptr && first->tick <= now && !tickwheel_timer_pending(&first->real)) {
        if (budget == 0) {
            fail("a callback beyond the budget");
        }
        running = first;
        first->pending = false;
        follow(first->tick + 1, first->tick + 1, "when a timer is taken");
        return;
    }
    // Else the runner is between two callbacks, or moves timers down, or ends: it passes nothing, and goes back by
    // one tick at most, where a budget has stopped it.
    const uint64_t stood = timer_jiffies;
    const uint64_t most = first != nullptr && first->tick <= now ? first->tick : now + 1;
    follow(stood < most ? (stood == 0 ? 0 : stood - 1) : most, most + 1, "between two callbacks");
}

void run(unsigned most);

// The lock has opened: perhaps an interrupt comes.
void on_open()
{
    if (depth != 0 && tickwheel::interrupts.depth != 0) {
        fail("the lock opened at depth %u", unsigned{tickwheel::interrupts.depth});
    }
    if (next_expiry_at_depth == depth) {
        notice_taken();
        waking_at_last_opening = earliest_waking();
        if (interruptions_left == 0) {
            return;
        }
    }
    if (interrupt_every == 0 || depth >= 2 || !one_in(interrupt_every)) {
        return;
    }
    if (next_expiry_at_depth == depth) {
        --interruptions_left;
    }
    ++depth;
    ++interrupts_taken;
    notice_taken();
    switch (below(8)) {
    case 0:
        if (room() != 0) {
            count(1);
        }
        break;
    case 1:
        if (room() != 0 && one_in(8)) {
            const uint32_t step = random_step();
            count(step);
        }
        break;
    case 2:
        // Where a run opens the lock for the last time it is over for the wheel, and another may begin.
        if (in_run && tickwheel_slots.running != nullptr) {
            if (tickwheel_run() != 0) {
                fail("a nested run ran something");
            }
        } else if (one_in(4)) {
            run(~0u);
        }
        break;
    case 3:
        walk(false);
        break;
    default:
        operate_on_a_timer();
        break;
    }
    --depth;
}

void callback(timer_list *real)
{
    model_timer *const timer = reinterpret_cast<model_timer *>(real);
    const int index = static_cast<int>(timer - timers);
    ++fired;
    if (!in_run) {
        fail("timer %d called outside a run", index);
    }
    if (tickwheel::interrupts.depth != 0) {
        fail("timer %d called with the lock held", index);
    }
    notice_taken();
    if (running != timer) {
        const model_timer *const first = first_due();
        const int first_index = first == nullptr ? -1 : static_cast<int>(first - timers);
        const uint64_t tick = wheels_timer_jiffies() - 1;
        fail("timer %d fired %s in tick %#llx of %#llx; next was timer %d in tick %#llx (jiffies %#llx)", index,
             !timer->pending      ? "and is not pending"
             : timer->tick > tick ? "early"
             : timer->tick < tick ? "late"
                                  : "out of order",
             static_cast<unsigned long long>(tick), static_cast<unsigned long long>(timer->tick), first_index,
             static_cast<unsigned long long>(first == nullptr ? 0 : first->tick),
             static_cast<unsigned long long>(now));
    }
    note(static_cast<uint64_t>(index) << 32 | jiffies);
    --budget;
    ++called;
    ++depth;
    for (unsigned operations = below(4); operations != 0; --operations) {
        notice_taken();
        if (one_in(3)) {
            // Itself: periodic ones, and the calls that are -1 here.
            switch (below(6)) {
            case 0:
                arm(*timer, legal(random_expiry()));
                break;
            case 1:
                arm(*timer, legal(timer->expires + (one_in(2) ? block_ticks : below(9))));
                break;
            case 2:
                del(*timer);
                break;
            case 3:
                del_sync(*timer, false);
                break;
            case 4:
                arm(*timer, legal(static_cast<jiffies_t>(now) + below(2)));
                break;
            default:
                set_up(*timer);
                break;
            }
        } else if (one_in(16)) {
            // Sometimes up to the bound: a budget stop in this tick is then as far behind as a runner may be.
            if (room() != 0) {
                count(one_in(64) ? room() : 1);
            }
        } else if (one_in(8)) {
            if (tickwheel_run() != 0) {
                fail("a nested run ran something");
            }
        } else {
            operate_on_a_timer();
        }
    }
    --depth;
    running = nullptr;
    timer_jiffies = wheels_timer_jiffies();
}

void run(unsigned most)
{
    const bool outer = in_run;
    const unsigned outer_budget = budget;
    const unsigned outer_called = called;
    in_run = true;
    budget = most;
    called = 0;
    const unsigned ran = tickwheel_run_budget(most);
    const unsigned calls = called;
    note(ran);
    in_run = outer;
    budget = outer_budget;
    called = outer_called;
    if (running != nullptr) {
        fail("a timer was taken and not called");
    }
    if (ran != calls || ran > most) {
        fail("run said %u callbacks, %u ran, %u were allowed", ran, calls, most);
    }
    if (is_due()) {
        // The budget, or an interrupt after the runner's last look; which one, the next tick must say.
        if (ran != most && interrupt_every == 0) {
            fail("a timer due in tick %#llx was left behind: late",
                 static_cast<unsigned long long>(first_due()->tick));
        }
        follow(first_due()->tick < timer_jiffies ? first_due()->tick : timer_jiffies - 1, first_due()->tick,
               "after a budget stop");
        if (interrupt_every == 0) {
            follow(first_due()->tick, first_due()->tick, "after a budget stop in that tick");
        }
    } else if (ran == most || interrupt_every != 0) {
        follow(timer_jiffies < furthest() ? timer_jiffies - 1 : furthest() - 1, now + 1, "after a run");
    } else {
        follow(now + 1, now + 1, "after a finished run");
    }
}

// Sleeps from event to event until the earliest timer fires. One cascade of each level may come before it, one more
// in each range of a wheel of less than 32 bits, and each stale mark.
void sleep()
{
    const model_timer *const first = first_due();
    if (first == nullptr || timer_jiffies != now + 1) {
        return;
    }
    const uint64_t expiry = first->tick;
    constexpr unsigned levels = 1 + (32 - TICKWHEEL_TVR_BITS + TICKWHEEL_TVN_BITS - 1) / TICKWHEEL_TVN_BITS;
    constexpr unsigned range_bits = TICKWHEEL_TVR_BITS + 4 * TICKWHEEL_TVN_BITS;
    unsigned events = levels + static_cast<unsigned>((expiry - now) >> range_bits) + stale_marks();
    const uint32_t interrupts = interrupt_every;
    interrupt_every = 0;
    while (now < expiry) {
        if (events-- == 0) {
            fail("a sleeper wakes too often before tick %#llx (jiffies %#llx)",
                 static_cast<unsigned long long>(expiry), static_cast<unsigned long long>(now));
        }
        const uint64_t event = look_for_event(expiry);
        if (event <= now) {
            fail("next_event is %#llx, which has passed (jiffies %#llx)", static_cast<unsigned long long>(event),
                 static_cast<unsigned long long>(now));
        }
        count(static_cast<uint32_t>(event - now));
        run(~0u);
    }
    interrupt_every = interrupts;
}

void start_afresh()
{
    constexpr jiffies_t around[] = {0,        block_ticks, 1u << 10, 1u << 14, 1u << 18,    1u << 20,
                                    1u << 22, 1u << 26,    1u << 31, 3u << 30, 0x12345678u, 0u - 300u * TICKWHEEL_HZ};
    jiffies_t start = around[below(sizeof around / sizeof around[0])];
    start += below(700) - 350;
    interrupt_every = 0;
    for (model_timer &timer : timers) {
        if (timer.pending) {
            del(timer);
        }
        timer = {};
    }
    tickwheel_init(start);
    for (model_timer &timer : timers) {
        set_up(timer);
    }
    // Room below: expiries in the past must not go below 0.
    clock_64_offset = uint64_t{1} << 40;
    now = clock_64_offset + start;
    timer_jiffies = now + 1;
    interrupt_every = one_in(2) ? 0 : 2u << below(7);
    check_clock();
    check_64();
    walk(true);
}

void step()
{
    switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        count(room() != 0);
        break;
    case 5:
        count(random_step());
        break;
    case 6:
    case 7:
    case 8:
        run(~0u);
        break;
    case 9:
        run(below(4));
        break;
    case 10:
        if (one_in(4)) {
            sleep();
        } else {
            operate_on_a_timer();
        }
        break;
    default:
        operate_on_a_timer();
        break;
    }
    if (room() == 0) {
        run(~0u);
    }
}

} // namespace

extern "C" void tickwheel_bug(const char *what, const timer_list * /*timer*/)
{
    // The oracle misuses on purpose what has a defined return: arms and sync deletes in its own callback. It never
    // passes 2^31, and a report of that says so.
    if (strstr(what, "2^31") != nullptr) {
        fail("reported: %s", what);
    }
}

int main(int arguments, char **argument)
{
    if (arguments != 3) {
        (void)fprintf(stderr, "usage: fuzz OPS SEED\n");
        return 2;
    }
    op_count = strtoul(argument[1], nullptr, 10);
    seed = strtoull(argument[2], nullptr, 10);
    random_state = seed;
    start_afresh();
    tickwheel::interrupts.on_open = on_open;
    for (op_number = 1; op_number <= op_count; ++op_number) {
        step();
        if (tickwheel::interrupts.depth != 0) {
            fail("the lock is held at depth %u", unsigned{tickwheel::interrupts.depth});
        }
        if (op_number % 64 == 0) {
            walk(true);
            check_64();
        }
        if (one_in(4096)) {
            start_afresh();
        }
    }
    printf("geometry %d/%d, seed %llu: %lu operations, %lu fired, %lu interrupts, 0 early, 0 late, 0 out of order, "
           "digest %016llx\n",
           TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS, static_cast<unsigned long long>(seed), op_count, fired,
           interrupts_taken, static_cast<unsigned long long>(digest));
    printf("1 passed, 0 failed\n");
    return 0;
}
