// SPDX-License-Identifier: MIT
// Ticks, runs, sleeps and the searches for them, and the interrupts and callbacks that come meanwhile.
#include "../support/proved.hpp"
#include "operations.hpp"
#include "random.hpp"

#include <tickwheel/port.hpp>

namespace fuzz
{

namespace
{

// How many callbacks the run under way may make, and how many it has made.
struct callbacks {
    unsigned limit;
    unsigned made;
};
callbacks under_way;

struct expiry {
    int found;
    int64_t tick;
};

expiry earliest_waking()
{
    expiry answer = {};
    answer.found = contract.next_expiry(answer.tick);
    return answer;
}

// A next_expiry() under way. It opens the lock between its steps, and searches again after a change. Its answer is
// that of its last locked section: of the timers before the last interrupt window at which an interrupt came.
struct expiry_search {
    unsigned depth = ~0u;
    unsigned interruptions_left = 0;
    expiry at_last_point = {};
};
expiry_search asked;

/// `contract.now` at the start of the run that is under way.
int64_t run_began;

constexpr jiffies_t untouched = 0x5A5A5A5A;

void look_for_expiry()
{
    const expiry_search outer = asked;
    asked = {depth, below(6), earliest_waking()};
    jiffies_t expires = untouched;
    const int found = tickwheel_next_expiry(&expires);
    const expiry wanted = asked.at_last_point;
    if (found != wanted.found || expires != (found ? low_word(wanted.tick) : untouched)) {
        fail("next_expiry is %d, %#x, not %d, %#x", found, expires, wanted.found, low_word(wanted.tick));
    }
    asked = outer;
}

// The same under a lock that is held. The call opens no lock, so its answer depends on the timers before the call.
void look_for_expiry_locked()
{
    const expiry wanted = earliest_waking();
    jiffies_t tick = untouched;
    const unsigned limit = one_in(2) ? below(4) : ~0u;
    const int found = tickwheel_next_expiry_locked(&tick, limit);
    // From the first tick that may have a timer the earliest may be more than 2^31 ticks ahead.
    const jiffies_t from = low_word(timer_jiffies() - contract.running);
    const bool right =
        found == 0   ? !wanted.found && tick == untouched
        : found == 1 ? wanted.found && tick == low_word(wanted.tick)
                     : found == 2 && limit != ~0u && (!wanted.found || tick - from <= low_word(wanted.tick) - from);
    if (!right) {
        fail("next_expiry_locked of %u is %d, %#x, not %d, %#x", limit, found, tick, wanted.found,
             low_word(wanted.tick));
    }
}

// Returns the tick that next_event() answers, at most `otherwise`.
int64_t look_for_event(int64_t otherwise)
{
    // The call has one locked section, so its answer depends on the timers before the call. An interrupt comes only
    // when it opens the lock at its end, and may change them.
    const unsigned first = contract.earliest();
    const int64_t expiry = first == no_timer ? 0 : tick_of(first);
    // No event lies before the runner's own tick, nor before the block of the cascade that is under way.
    const int64_t from = timer_jiffies() - contract.running;
    const bool moves = contract.running || support::is_cascading(tickwheel_slots);
    const jiffies_t next = tickwheel_clock.next_run;
    jiffies_t answer = untouched;
    const int found = tickwheel_next_event(&answer);
    const int64_t event = from + (answer - low_word(from));
    if (found == 0) {
        if (first != no_timer || answer != untouched) {
            fail("next_event is 0, %#x, with a timer pending or with a tick written", answer);
        }
        return otherwise;
    }
    // If nothing is pending it may name the rest of a cascade, or the tick of a deleted timer: the mark is cleared
    // when the slot empties, while `next_run` names that tick until a run has passed it. If that is the last tick
    // of its block, the call looks further.
    const bool deleted = answer == next && (~next & support::geometry::block_mask) != 0;
    if (first == no_timer ? !moves && !deleted : event > expiry) {
        fail("next_event is %#x; the earliest expiry is %#x", answer, low_word(expiry));
    }
    if (support::is_a_list && event != (contract.running ? from : first == no_timer ? -1 : expiry)) {
        fail("next_event is %#x, and not exact", answer);
    }
    return event < otherwise ? event : otherwise;
}

void run_below_a_run()
{
    if (tickwheel_run() != 0) {
        fail("a nested run ran something");
    }
}

void interrupt()
{
    const uint32_t what = below(8);
    if (what == 0) {
        if (room() != 0) {
            count(1);
        }
    } else if (what == 1) {
        if (room() != 0 && one_in(8)) {
            count(random_step());
        }
    } else if (what == 2) {
        if (contract.running) {
            run_below_a_run();
        } else if (one_in(4)) {
            run(~0u);
        }
    } else if (what == 3) {
        walk(false);
    } else {
        operate_on_a_timer();
    }
}

// A callback re-arms its own timer, or makes a call that returns -1 here.
void operate_on_itself(unsigned i)
{
    const uint32_t what = below(6);
    if (what == 0) {
        arm(i);
    } else if (what == 1) {
        arm(i, contract.timer[i].expires + (one_in(2) ? tv1_ticks : below(9)));
    } else if (what == 2) {
        del(i);
    } else if (what == 3) {
        del_sync(i, false);
    } else if (what == 4) {
        arm(i, low_word(contract.now) + below(2));
    } else {
        set_up(i);
    }
}

void operate_in_callback(unsigned i)
{
    if (one_in(3)) {
        operate_on_itself(i);
    } else if (one_in(16)) {
        // Sometimes up to the bound: a budget stop in this tick is then as far behind as a runner may be.
        if (room() != 0) {
            count(one_in(64) && !is_too_long(room()) ? room() : 1);
        }
    } else if (one_in(8)) {
        run_below_a_run();
    } else {
        operate_on_a_timer();
    }
}

} // namespace

void search()
{
    if (one_in(2)) {
        look_for_expiry();
        look_for_expiry_locked();
    } else {
        (void)look_for_event(0);
    }
}

void count(uint32_t ticks)
{
    check_lag(contract.now + ticks);
    contract.now += ticks;
    const int work = ticks == 1 && one_in(2) ? tickwheel_tick() : tickwheel_advance(ticks);
    check_clock();
    // An advance by 0 in the middle of a tick that is being run does not report the rest of that tick.
    if (work == 0 && !contract.found_nothing() && (!contract.running || ticks != 0)) {
        fail("tick returned 0 with a timer due");
    }
    // A tick takes no lock, so no interrupt has come between.
    check_position();
}

// During a run there is room for one tick less, because a run that its budget stops is behind by the tick in which it
// stops. There is no room once 2^31 ticks have passed during the run: a smaller wheel moves every timer in each of
// its ranges, so interrupts that always count more ticks could keep the run busy for ever.
uint32_t room()
{
    if (contract.running && contract.now - run_began > longest_delay) {
        return 0;
    }
    const uint32_t behind = lag() + contract.running;
    return behind < longest_delay ? longest_delay - behind : 0;
}

bool is_too_long(uint32_t step)
{
    return support::has_short_range && step >> 18 != 0 && !one_in(500);
}

uint32_t random_step()
{
    uint32_t step = 1;
    const int64_t now = contract.now;
    const unsigned first = contract.earliest();
    const uint32_t kind = below(12);
    if (kind == 0) {
        step = below(4);
    } else if (kind == 1) {
        step = below(2 * tv1_ticks);
    } else if (kind == 2) {
        step = 1u << below(31);
    } else if (kind == 3) {
        step = below(1u << below(31));
    } else if (kind < 6 && first != no_timer && tick_of(first) > now + 2) {
        // The step ends just before, at or after the next expiry.
        step = static_cast<uint32_t>(tick_of(first) - now) + below(3) - 1;
    } else if (kind == 6) {
        // The step ends in the last tick of a block or of a wider slot.
        step = (low_word(now) | ((1u << below(28)) - 1)) - low_word(now);
    } else if (kind == 7) {
        step = one_in(50) ? longest_delay : 3;
    }
    step = is_too_long(step) ? below(1u << 18) : step;
    return step <= room() ? step : room();
}

void follow_runner()
{
    if (!contract.running) {
        return;
    }
    if (contract.taken == no_timer && contract.due() && !tickwheel_timer_pending(&timers[contract.earliest()])) {
        if (under_way.made == under_way.limit) {
            fail("a callback beyond the budget");
        }
        (void)contract.take(contract.earliest());
    }
    // When a run opens the lock for the last time, it is over for the wheel, and another may start.
    if (tickwheel_slots.running_timer == nullptr) {
        const bool spent = under_way.limit != ~0u && tickwheel_clock.due();
        if (!contract.stop_running(spent)) {
            fail("a timer due in tick %#x was left behind: late", low_word(tick_of(contract.earliest())));
        }
    }
    check_position();
}

// One timer and its pairs at each opening of the lock, in turn.
static void look_at_invariants()
{
    static unsigned next;
    next = (next + 1) % timer_count;
    follow_runner();
    if (const char *const broken = support::broken_invariant(contract, timers, next)) {
        fail("broken with timer %u: %s", next, broken);
    }
}

void on_open()
{
    if (depth != 0 && tickwheel::interrupts.depth != 0) {
        fail("the lock opened at depth %u", unsigned{tickwheel::interrupts.depth});
    }
    look_at_invariants();
    const bool searching = asked.depth == depth;
    const bool run_is_over = contract.running && tickwheel_slots.running_timer == nullptr;
    if (searching || run_is_over) {
        follow_runner();
    }
    if (searching) {
        asked.at_last_point = earliest_waking();
    }
    if ((searching && asked.interruptions_left == 0) || interrupt_every == 0 || depth >= 2 ||
        !one_in(interrupt_every)) {
        return;
    }
    asked.interruptions_left -= searching;
    ++depth;
    ++interrupts_taken;
    follow_runner();
    interrupt();
    --depth;
}

void callback(timer_list *real)
{
    const unsigned i = static_cast<unsigned>(real - timers);
    ++fired;
    if (!contract.running) {
        fail("timer %u called outside a run", i);
    }
    if (tickwheel::interrupts.depth != 0) {
        fail("timer %u called with the lock held", i);
    }
    follow_runner();
    if (contract.taken != i) {
        const unsigned first = contract.earliest();
        fail("timer %u fired in tick %#x, and %s pending for %#x; next was timer %d in tick %#x", i,
             low_word(timer_jiffies() - 1), contract.timer[i].pending ? "was" : "was not", low_word(tick_of(i)),
             static_cast<int>(first), first == no_timer ? 0 : low_word(tick_of(first)));
    }
    ++under_way.made;
    ++depth;
    for (unsigned operations = below(4); operations != 0; --operations) {
        follow_runner();
        operate_in_callback(i);
    }
    --depth;
    contract.taken = no_timer;
}

// Calls tickwheel_due() without an interrupt where it opens the lock.
bool work_left()
{
    const uint32_t interrupts = interrupt_every;
    interrupt_every = 0;
    const int left = tickwheel_due();
    interrupt_every = interrupts;
    if (left == 0 && contract.due()) {
        fail("tickwheel_due() is 0 with a timer due");
    }
    return left != 0;
}

void run(unsigned budget)
{
    const callbacks outer = under_way;
    contract.running = true;
    run_began = contract.now;
    under_way = {budget, 0};
    const unsigned ran = tickwheel_run_budget(budget);
    const unsigned made = under_way.made;
    under_way = outer;
    (void)work_left();
    if (contract.taken != no_timer) {
        fail("a timer was taken and not called");
    }
    if (ran != made || ran > budget) {
        fail("run said %u callbacks, %u ran, %u were allowed", ran, made, budget);
    }
}

// Runs as a main loop does that gives each call a few steps.
void run_step_by_step()
{
    // A lag of 2^31 ticks passes so many ranges of tv1..tv5. Timers of the overflow level move once in each.
    constexpr unsigned bits = support::geometry::range_bits;
    constexpr unsigned ranges = bits < 32 ? 1u << (31 - bits % 32) : 1;
    constexpr unsigned max_empty_calls = 64 * support::geometry::slot_count + ranges * (timer_count + 8);
    const uint32_t interrupts = interrupt_every;
    interrupt_every = 0;
    const unsigned budget = 1 + below(4);
    for (unsigned calls = 0; work_left(); ++calls) {
        const unsigned before = fired;
        run(budget);
        calls = fired == before ? calls : 0;
        if (calls == max_empty_calls) {
            fail("%u calls of run_budget(%u) bring no callback, and work is left", calls, budget);
        }
    }
    interrupt_every = interrupts;
}

// A sleeper wakes for the timer, and before it for one cascade of each upper level, and for one more in each range of
// a wheel that covers less than 2^31 ticks. A cascade of many timers takes a tick for each 125 of them. The sleeper
// may wake once for the tick of a timer that was deleted, because `next_run` still names that tick.
void sleep()
{
    const unsigned first = contract.earliest();
    if (first == no_timer || timer_jiffies() != contract.now + 1 || work_left() ||
        is_too_long(static_cast<uint32_t>(tick_of(first) - contract.now))) {
        return;
    }
    const int64_t expiry = tick_of(first);
    constexpr unsigned levels = support::geometry::has_overflow ? 5 : 4;
    unsigned events = 2 + levels * (1 + timer_count / 125) +
                      static_cast<unsigned>((expiry - contract.now) >> support::geometry::range_bits);
    const uint32_t interrupts = interrupt_every;
    interrupt_every = 0;
    while (contract.now < expiry) {
        if (events-- == 0) {
            fail("a sleeper wakes too often before tick %#x", low_word(expiry));
        }
        const int64_t event = look_for_event(expiry);
        if (event <= contract.now) {
            fail("next_event is %#x, which has passed", low_word(event));
        }
        count(static_cast<uint32_t>(event - contract.now));
        run(~0u);
    }
    interrupt_every = interrupts;
}

void wake_late_before(jiffies_t tick)
{
    const jiffies_t last = (tick & ~support::geometry::block_mask) - 1;
    const jiffies_t step = last - below(2) - low_word(contract.now);
    if (step <= room() && !is_too_long(step)) {
        count(step);
        run(one_in(2) ? ~0u : below(timer_count));
        (void)look_for_event(0);
    }
}

} // namespace fuzz
