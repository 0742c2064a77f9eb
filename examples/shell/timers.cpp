// SPDX-License-Identifier: MIT
#include "timers.hpp"

#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>

namespace
{

using masked = tickwheel::locked<tickwheel::port_lock>;
using timers::firing;

struct entry : timer_list {
    // A copy of the tick for the check, which does not trust `expires`: the wheel holds that.
    jiffies_t asked;
    jiffies_t period;
    // The number of this arming, counted over all timers. Timers of one tick must fire in this order.
    uint32_t arming;
    unsigned level;
    volatile bool armed;
};

entry entries[timers::count];
uint32_t armings;
bool exact_ticks_expected;
timers::totals counted;

// The last skip() jumped over the ticks after skipped_from, up to skipped_to.
jiffies_t skipped_from;
jiffies_t skipped_to;

// The previous firing, for the order. It has 64 bits, since the next one may be more than 2^31 ticks away.
uint64_t last_asked;
uint32_t last_arming;

// The callback writes and the thread reads, so no lock is needed. The counters only grow; their difference is the
// number of records.
constexpr uint32_t ring_size = 32;
firing ring[ring_size];
uint32_t ring_written;
uint32_t ring_read;
// Firings that found the ring full.
uint32_t unprinted_firings;
static_assert((ring_size & (ring_size - 1)) == 0, "the counters wrap at a multiple of the size");

// The wheel numbers the lists of its levels in one row. A slot of tv2 has two lists.
unsigned level_of(unsigned slot)
{
    if (slot >> TICKWHEEL_TVR_BITS == 0) {
        return 1;
    }
    const unsigned above = (slot - (1u << TICKWHEEL_TVR_BITS)) >> TICKWHEEL_TVN_BITS;
    // A wheel of fewer bits has two slots beyond tv5.
    return above < 2 ? 2 : above < 4 ? above + 1 : 5;
}

// Call this when the wheel has the timer.
void note_arming(entry &timer, jiffies_t expires)
{
    // A move to the same tick keeps the place in the queue.
    if (!timer.armed || timer.asked != expires) {
        timer.arming = armings++;
    }
    timer.asked = expires;
    timer.level = level_of(timer.slot);
    timer.armed = true;
}

bool in_order(const entry &timer, uint64_t now)
{
    const uint64_t asked = now - (static_cast<jiffies_t>(now) - timer.asked);
    const bool ok = asked > last_asked || (asked == last_asked && tickwheel_time_after(timer.arming, last_arming));
    last_asked = asked;
    last_arming = timer.arming;
    return ok;
}

timers::verdict check(const entry &timer, uint64_t now)
{
    const bool ordered = in_order(timer, now);
    const jiffies_t got = static_cast<jiffies_t>(now);
    const bool jumped = tickwheel_time_after(timer.asked, skipped_from) &&
                        tickwheel_time_before_eq(timer.asked, skipped_to) && tickwheel_time_after(got, timer.asked);
    const bool may_be_late = !exact_ticks_expected && tickwheel_time_after(got, timer.asked);
    timers::verdict verdict = timers::exact;
    if (!timer.armed || (got != timer.asked && !jumped && !may_be_late)) {
        verdict = timers::wrong_tick;
    } else if (!ordered) {
        verdict = timers::out_of_order;
    } else if (got != timer.asked) {
        verdict = jumped ? timers::skipped_over : timers::late;
    } else {
        ++counted.exact[timer.level - 1];
    }
    ++counted.of[verdict];
    return verdict;
}

void tell(const firing &record)
{
    if (ring_written - __atomic_load_n(&ring_read, __ATOMIC_ACQUIRE) == ring_size) {
        __atomic_store_n(&unprinted_firings, unprinted_firings + 1, __ATOMIC_RELAXED);
        return;
    }
    ring[ring_written % ring_size] = record;
    __atomic_store_n(&ring_written, ring_written + 1, __ATOMIC_RELEASE);
}

// The wheel and the shell must agree whether the timer was pending.
void expect_pending(bool armed, int was_pending)
{
    counted.lost += (was_pending == 1) != armed ? 1u : 0u;
}

// Counts from the tick that was asked for, not from now, so there is no drift. @return how many periods were missed
uint32_t arm_again(entry &timer, jiffies_t now)
{
    uint32_t missed = 0;
    jiffies_t next = timer.asked + timer.period;
    if (!tickwheel_time_after(next, now)) {
        missed = (now - next) / timer.period + 1;
        next += missed * timer.period;
    }
    expect_pending(false, tickwheel_mod_timer(&timer, next));
    note_arming(timer, next);
    return missed;
}

void fired(timer_list *expired)
{
    const uint64_t now_64 = tickwheel_get_jiffies_64();
    const jiffies_t now = static_cast<jiffies_t>(now_64);
    entry &timer = *static_cast<entry *>(expired);
    firing record = {timers::number_of(expired), timer.asked, now, timer.level, 0, check(timer, now_64)};
    if (timer.period == 0) {
        timer.armed = false;
    } else {
        record.missed = arm_again(timer, now);
    }
    tell(record);
}

} // namespace

void timers::init()
{
    for (entry &timer : entries) {
        tickwheel_timer_setup(&timer, fired, 0);
    }
}

void timers::expect_exact_ticks()
{
    exact_ticks_expected = true;
}

unsigned timers::arm(jiffies_t delay, jiffies_t period)
{
    unsigned number = 1;
    while (number <= count && entries[number - 1].armed) {
        ++number;
    }
    if (number > count) {
        return 0;
    }
    // No tick may come between the reading of the clock and the arm: it would make a delay of 1 late.
    const masked interrupts;
    entry &timer = entries[number - 1];
    timer.period = period;
    const jiffies_t expires = jiffies + delay;
    expect_pending(false, tickwheel_mod_timer(&timer, expires));
    note_arming(timer, expires);
    return number;
}

bool timers::move(unsigned number, jiffies_t delay)
{
    const masked interrupts;
    entry &timer = entries[number - 1];
    const bool armed = timer.armed;
    const jiffies_t expires = jiffies + delay;
    expect_pending(armed, tickwheel_mod_timer_pending(&timer, expires));
    if (armed) {
        note_arming(timer, expires);
    }
    return armed;
}

bool timers::remove(unsigned number)
{
    const masked interrupts;
    entry &timer = entries[number - 1];
    const bool armed = timer.armed;
    timer.armed = false;
    expect_pending(armed, tickwheel_timer_delete(&timer));
    return armed;
}

timers::state timers::look(unsigned number)
{
    const masked interrupts;
    const entry &timer = entries[number - 1];
    return {timer.asked, timer.period, timer.level, timer.armed};
}

unsigned timers::number_of(const timer_list *timer)
{
    return static_cast<unsigned>(static_cast<const entry *>(timer) - entries) + 1;
}

void timers::skip(uint32_t ticks)
{
    int work = 0;
    {
        // The tick interrupt must not come during advance(), nor before check() knows which ticks are skipped.
        const masked interrupts;
        skipped_from = jiffies;
        skipped_to = jiffies + ticks;
        work = tickwheel_advance(ticks);
    }
    if (work != 0) {
        (void)tickwheel_run();
    }
}

bool timers::take_firing(firing &result)
{
    if (ring_read == __atomic_load_n(&ring_written, __ATOMIC_ACQUIRE)) {
        return false;
    }
    result = ring[ring_read % ring_size];
    __atomic_store_n(&ring_read, ring_read + 1, __ATOMIC_RELEASE);
    return true;
}

uint32_t timers::unprinted()
{
    return __atomic_load_n(&unprinted_firings, __ATOMIC_RELAXED);
}

timers::totals timers::stop()
{
    for (unsigned number = 1; number <= count; ++number) {
        const masked interrupts;
        const entry &timer = entries[number - 1];
        // A timer of this tick may still wait for PendSV. A timer of an earlier tick must have fired.
        counted.lost += timer.armed && tickwheel_time_before(timer.asked, jiffies) ? 1u : 0u;
        (void)remove(number);
    }
    return counted;
}
