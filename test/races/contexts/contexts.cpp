// SPDX-License-Identifier: MIT
// The wheel called from real interrupts: the effect of each call on the interrupt mask, and the report of a caller
// that the lock does not mask.
#include <tickwheel/port.hpp>

#include "../../unit/support.hpp"
#include "../calls.hpp"

/// Each interrupt of `sources` calls this.
extern "C" void unmasked_interrupt();

// Each core has `mask_states`: the masks of a caller, the first of which lets all interrupts in, and what the lock
// makes of them. It has a soft interrupt that runs the wheel and that the tick interrupts. And it has `sources`:
// interrupts that call the wheel though the lock may not mask them.
#if defined(__riscv)
#include "riscv.hpp"
#elif __ARM_ARCH_PROFILE == 'M'
#include "cortex_m.hpp"
#else
#include "cortex_ar.hpp"
#endif

namespace
{

constexpr jiffies_t start = 0u - 4;
constexpr uint32_t no_mask = mask_states[0][0];

void nothing(timer_list * /*timer*/)
{
}

/// The timer that an interrupt of `sources` deletes, unless it ticks instead.
timer_list deleted;
volatile bool tick_instead;

/// @return how many misuse reports a call from this interrupt causes
unsigned reports_from(const source &from, bool tick)
{
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&deleted, nothing, 0);
    tick_instead = tick;
    from.raise();
    return unit::misused;
}

} // namespace

extern "C" void unmasked_interrupt()
{
    if (tick_instead) {
        (void)tickwheel_tick();
    } else {
        (void)tickwheel_timer_delete(&deleted);
    }
}

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
    ++unit::misused;
    unit::misuse = what;
    unit::misused_timer = timer;
}

// requirement: TW-27
TEST_CASE("the calls of races leave the interrupt mask as they found it")
{
    using races::op;
    for (const auto &[of_caller, with_lock] : mask_states) {
        for (unsigned i = 0; i <= static_cast<unsigned>(op::number_of_operations); ++i) {
            const unit::fresh wheel(start);
            const op what = static_cast<op>(i);
            timer_list &timer = races::timers[races::A];
            tickwheel_timer_setup(&timer, nothing, 0);
            if (what != op::add) {
                tickwheel_mod_timer(&timer, start + 1);
            }
            (void)tickwheel_tick();
            set_all_masks(of_caller);
            if (what == op::number_of_operations) {
                (void)tickwheel_interrupt();
            } else {
                // The ticks pass the end of a block and many empty blocks.
                (void)races::call(races::library, {what, races::A, races::to::same, 100000}, start + 5000);
            }
            const uint32_t after = all_masks();
            set_all_masks(no_mask);
            CHECK(after == of_caller);
            (void)tickwheel_timer_delete(&timer);
        }
    }
}

// requirement: TW-27
TEST_CASE("the lock adds its own mask to those of the caller, and gives them back")
{
    using lock = tickwheel::port_lock;
    for (const auto &[of_caller, with_lock] : mask_states) {
        set_all_masks(of_caller);
        const auto irq = lock::irq_save();
        const uint32_t saved = all_masks();
        lock::interrupt_window(irq);
        const uint32_t reopened = all_masks();
        lock::irq_restore(irq);
        const uint32_t restored = all_masks();
        lock::irq_mask_all();
        const uint32_t masked = all_masks();
        lock::irq_restore(irq);
        set_all_masks(no_mask);
        CHECK(saved == with_lock);
        CHECK(reopened == with_lock);
        CHECK(restored == of_caller);
        CHECK(masked == with_lock);
    }
}

#if defined(__riscv)
TEST_CASE("the lock gives back MIE, and leaves the other fields of mstatus as they are by then")
{
    set_all_masks(0x1888);
    const auto irq = tickwheel::port_lock::irq_save();
    set_all_masks(0x1800);
    tickwheel::port_lock::irq_restore(irq);
    CHECK(all_masks() == 0x1808);
    set_all_masks(no_mask);
}
#endif

// requirement: TW-29
TEST_CASE("an interrupt window lets a pending interrupt in, unless the caller has masked it")
{
    using lock = tickwheel::port_lock;
    const unit::fresh wheel(start);
    unit::noted due;
    tickwheel_mod_timer(&due, start + 1);
    (void)tickwheel_tick();
    const auto outer = lock::irq_save();
    pend_softirq();
    const auto inner = lock::irq_save();
    lock::interrupt_window(inner);
    CHECK_EQ(unit::fired, 0u);
    lock::interrupt_window(outer);
    CHECK_EQ(unit::fired, 1u);
    lock::irq_restore(outer);
}

// requirement: TW-40
TEST_CASE("a caller that the lock does not mask is reported")
{
    for (const source &each : sources) {
        CHECK_EQ(reports_from(each, false), unit::reports(each.masked ? 0 : 1));
        CHECK_EQ(reports_from(each, true), unit::reports(each.masked ? 0 : 1));
    }
}

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
// Thread code does not execute SVC while it holds the lock, but an interrupt may come then and execute it.
TEST_CASE("a call from SVC is reported if an interrupt that the lock does not mask has executed it")
{
    supervisor_call_in_interrupt = true;
    CHECK_EQ(reports_from({interrupt_30, 0x20, !basepri}, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from({interrupt_30, 0x60, true}, false), unit::reports(basepri ? 1 : 0));
    supervisor_call_in_interrupt = false;
}

TEST_CASE("the lock and its report heed which bits of a priority preempt")
{
    // PRIGROUP 5 compares two bits: 0x60 is in the group of 0x40.
    set_prigroup(5);
    CHECK_EQ(reports_from({interrupt_30, 0x20, !basepri}, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from({interrupt_30, 0x60, true}, false), 0u);
    // PRIGROUP 6 compares the top bit alone. BASEPRI 0x40 has it clear, so it masks nothing.
    set_prigroup(6);
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&deleted, nothing, 0);
    unit::forget();
    CHECK_EQ(tickwheel_timer_delete(&deleted), 0);
    set_prigroup(0);
    CHECK_EQ(unit::misused, unit::reports(basepri ? 1 : 0));
}

namespace
{

/// SysTick also runs what it has counted.
volatile bool runs_in_tick;

/// The priorities of SysTick and PendSV, and PRIGROUP.
struct order {
    uint32_t tick;
    uint32_t run;
    uint32_t prigroup;
};

void set_order(const order &to)
{
    set_prigroup(to.prigroup);
    at(system_priorities) = to.tick << 24 | to.run << 16;
}

void raise(uint32_t exception)
{
    at(interrupt_control) = exception;
    take_pending_interrupts();
}

void forget_ticks()
{
#if TICKWHEEL_DEBUG
    tickwheel_slots.ticked_in = 0;
#endif
}

/// @return how many reports two ticks by SysTick, each with a run in PendSV, cause
unsigned reports_of(const order &priorities)
{
    const unit::fresh wheel(start);
    forget_ticks();
    set_order(priorities);
    for (unsigned ticks = 0; ticks < 2; ++ticks) {
        raise(pend_systick);
        raise(pend_pendsv);
    }
    set_order({});
    return unit::misused;
}

} // namespace

extern "C" void SysTick_Handler()
{
    if (runs_in_tick) {
        (void)tickwheel_interrupt();
    } else {
        (void)tickwheel_tick();
    }
}

TEST_CASE("a run in PendSV that the tick's interrupt cannot interrupt is reported")
{
    CHECK_EQ(reports_of({0xC0, 0xE0, 0}), 0u);
    CHECK_EQ(reports_of({0x80, 0xC0, 0}), 0u);
    CHECK_EQ(reports_of({0xC0, 0xC0, 0}), unit::reports(1));
    CHECK_EQ(reports_of({0xE0, 0xC0, 0}), unit::reports(1));
    // PRIGROUP 5 compares two bits: 0xE0 does not preempt what 0xC0 does not.
    CHECK_EQ(reports_of({0xC0, 0xE0, 5}), unit::reports(1));
    CHECK_EQ(reports_of({0x80, 0xC0, 5}), 0u);
}

TEST_CASE("an interrupt of the chip that ticks is compared with PendSV too, and each run reports")
{
    constexpr uint32_t priorities[] = {0x60, 0xC0};
    for (const uint32_t priority : priorities) {
        const unit::fresh wheel(start);
        const unsigned reports = unit::reports(priority < 0xA0 ? 0 : 1);
        tick_instead = true;
        set_order({0, 0xA0, 0});
        source{interrupt_30, priority, true}.raise();
        source{interrupt_30, priority, true}.raise();
        raise(pend_pendsv);
        CHECK_EQ(unit::misused, reports);
        // A tick that thread code counts, as after a sleep, does not make that interrupt forgotten.
        (void)tickwheel_advance(1);
        raise(pend_pendsv);
        CHECK_EQ(unit::misused, 2 * reports);
        set_order({});
    }
}

TEST_CASE("an interrupt that counts the ticks of a sleep once, between those of SysTick, is not reported")
{
    const unit::fresh wheel(start);
    tick_instead = true;
    for (unsigned sleeps = 0; sleeps < 3; ++sleeps) {
        set_order({0xC0, 0xE0, 0});
        source{interrupt_30, 0xE0, true}.raise();
        set_order({0xC0, 0xE0, 0});
        raise(pend_pendsv);
        raise(pend_pendsv);
        raise(pend_systick);
        raise(pend_pendsv);
    }
    set_order({});
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("a run in PendSV of what no interrupt has counted is not reported")
{
    const unit::fresh wheel(start);
    forget_ticks();
    // The highest that the lock masks.
    set_order({0, basepri ? 0x40u : 0u, 0});
    (void)tickwheel_advance(1);
    raise(pend_pendsv);
    set_order({});
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("a run outside PendSV is not reported, whatever the priorities are")
{
    const unit::fresh wheel(start);
    set_order({0xC0, 0xC0, 0});
    runs_in_tick = true;
    raise(pend_systick);
    runs_in_tick = false;
    raise(pend_systick);
    (void)tickwheel_run();
    CHECK_EQ(unit::misused, 0u);
    // A run in PendSV is not reported either, if PendSV counts what it runs.
    count_in_pendsv = true;
    raise(pend_pendsv);
    count_in_pendsv = false;
    set_order({});
    CHECK_EQ(unit::misused, 0u);
}
#endif
