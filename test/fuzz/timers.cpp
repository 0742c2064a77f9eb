// SPDX-License-Identifier: MIT
// The calls for one timer.
//
// Each call is made on the contract first, so an interrupt that comes while the call is under way finds the contract
// as the wheel is: a call changes the wheel in one locked section and opens the lock after it.
#include "../races/calls.hpp"
#include "operations.hpp"
#include "random.hpp"

#include <tickwheel/port.hpp>

namespace fuzz
{

using races::op;

namespace
{

jiffies_t random_delay()
{
    const uint32_t kind = below(12);
    const jiffies_t now = low_word(contract.now);
    if (kind < 2) {
        return below(4);
    }
    if (kind < 4) {
        return below(tv1_ticks + 2);
    }
    if (kind == 4) {
        return below(3 * tv1_ticks);
    }
    if (kind < 7) {
        const jiffies_t power = 1u << below(31);
        return power + below(5) - 2;
    }
    if (kind == 7) {
        return below(1u << below(31));
    }
    if (kind == 8) {
        return longest_delay - (one_in(2) ? 0 : below(300));
    }
    if (kind == 9) {
        // A past tick, as far as it still reads as past.
        return 0 - (one_in(2) ? below(5) : below(1u << below(31)));
    }
    if (kind == 10) {
        // The tick of another timer, or one next to it.
        const jiffies_t others = contract.timer[below(timer_count)].expires;
        return others - now + (one_in(2) ? 0 : below(3) - 1);
    }
    // A tick near the end of a block or of a wider slot.
    const jiffies_t end = now | ((1u << below(31)) - 1);
    return end - now + below(4) - 1;
}

jiffies_t random_expiry()
{
    return low_word(contract.now) + random_delay();
}

// Makes a call on the contract, and then on the wheel.
void call(op what, unsigned i, jiffies_t expires = 0)
{
    const int wanted = races::step_of_contract(contract, what, i, expires, timer_jiffies());
    expect(races::op_names[static_cast<unsigned>(what)], i,
           races::call_on_timer(races::library, what, &timers[i], expires), wanted);
}

void arm_within(unsigned i, jiffies_t last)
{
    const jiffies_t first = last - below(uint32_t{1} << below(24));
    const jiffies_t now = low_word(contract.now);
    if (tickwheel_time_after_eq(first, now) && tickwheel_time_before(last, now)) {
        // The range begins in what reads as the far future.
        return;
    }
    const int wanted = contract.mod_timer_within(i, first, last, timer_jiffies());
    expect("mod_timer_within", i, tickwheel_mod_timer_within(&timers[i], first, last), wanted);
}

void add(unsigned i, jiffies_t expires)
{
    if (contract.timer[i].pending) {
        return;
    }
    timers[i].expires = expires;
    (void)contract.mod_timer(i, expires, timer_jiffies());
    tickwheel_add_timer(&timers[i]);
}

void shut_down(unsigned i)
{
    // The callback of a timer that the runner has taken may be under way. A shutdown is legal there too.
    const bool sync = !one_in(2) && contract.taken != i;
    contract.disable(i);
    call(sync ? op::shutdown_sync : op::shutdown, i);
    if (one_in(2)) {
        arm(i);
        set_up(i);
    }
}

// Makes a call while interrupts are off, which must stay off.
void operate_masked(unsigned i)
{
    const uint32_t state = tickwheel::port_lock::irq_save();
    const unsigned held = tickwheel::interrupts.depth;
    if (one_in(2)) {
        arm(i);
    } else {
        del(i);
    }
    if (tickwheel::interrupts.depth != held) {
        fail("a call changed the lock's depth from %u to %u", held, unsigned{tickwheel::interrupts.depth});
    }
    tickwheel::port_lock::irq_restore(state);
}

} // namespace

void arm(unsigned i, jiffies_t expires)
{
    call(op::mod, i, expires);
}

void arm(unsigned i)
{
    arm(i, random_expiry());
}

jiffies_t crowd()
{
    const jiffies_t first = random_expiry() & ~(one_in(2) ? support::geometry::block_mask : 0);
    constexpr jiffies_t widths[] = {3, support::geometry::block_size, tv1_ticks};
    const jiffies_t width = widths[below(3)];
    for (unsigned i = 0; i < timer_count; ++i) {
        arm(i, first + below(width));
    }
    return first + below(width);
}

void del(unsigned i)
{
    call(op::timer_delete, i);
}

void del_sync(unsigned i, bool insist)
{
    call(insist ? op::delete_sync : op::try_to_del, i);
}

void set_up(unsigned i)
{
    if (contract.timer[i].pending) {
        return;
    }
    contract.timer[i] = {};
    contract.timer[i].deferrable = one_in(4);
    // Set-up belongs to the owner alone: nobody may arm the timer meanwhile.
    const uint32_t state = tickwheel::port_lock::irq_save();
    tickwheel_timer_setup(&timers[i], callback, contract.timer[i].deferrable ? TICKWHEEL_TIMER_DEFERRABLE : 0);
    tickwheel::port_lock::irq_restore(state);
}

void operate_on_a_timer()
{
    const unsigned i = below(timer_count);
    if (one_in(16)) {
        operate_masked(i);
        return;
    }
    const uint32_t what = below(16);
    if (what < 6) {
        arm(i);
    } else if (what == 6) {
        add(i, random_expiry());
    } else if (what == 7) {
        // The call is drawn first: the order of arguments is the compiler's.
        const op how = one_in(2) ? op::mod_idle : op::mod_pending;
        call(how, i, random_expiry());
    } else if (what == 8) {
        if (one_in(2)) {
            call(op::reduce, i, random_expiry());
        } else {
            arm_within(i, random_expiry());
        }
    } else if (what < 12) {
        del(i);
    } else if (what == 12) {
        del_sync(i, one_in(2));
    } else if (what == 13) {
        (one_in(4) ? shut_down : set_up)(i);
    } else if (what == 14) {
        search();
    } else {
        check_64();
    }
}

} // namespace fuzz
