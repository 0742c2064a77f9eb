// SPDX-License-Identifier: MIT
// The wheel called from real interrupts: the three places to run callbacks, the
// effect of each call on the interrupt mask, and the report of a caller that the
// lock does not mask. The machine has its own header. Its timer measures time, since
// the tick may be lost.
#include <tickwheel/port.hpp>

#include "../../unit/support.hpp"

#if defined(__riscv)
#include "riscv.hpp"
#elif __ARM_ARCH_PROFILE == 'M'
#include "cortex_m.hpp"
#else
#include "cortex_ar.hpp"
#endif

namespace
{

using namespace machine;

void spend(uint32_t wanted)
{
    for (const uint32_t from = cycles(); cycles() - from < wanted;) {
    }
}

constexpr jiffies_t start = 0u - 4;

enum class place { softirq, tick_interrupt, main_loop };
place running_in;
volatile bool work;
/// SysTick interrupts since SysTick was started.
volatile uint32_t ticks_counted;
volatile uint32_t last_tick_at;

void slow(timer_list *timer)
{
    unit::note(timer);
    spend(tick_cycles * 7 / 2);
}

/// Runs a callback that takes three and a half ticks. @return how many ticks passed and were not counted
uint32_t lost_ticks(place where)
{
    const unit::fresh wheel(start);
    timer_list late = {};
    tickwheel_timer_setup(&late, slow, 0);
    unit::noted second;
    unit::noted third;
    unit::noted last;
    tickwheel_mod_timer(&third, start + 3);
    tickwheel_mod_timer(&late, start + 1);
    tickwheel_mod_timer(&second, start + 2);
    tickwheel_mod_timer(&last, start + 9);
    running_in = where;
    work = false;
    ticks_counted = 0;
    machine::init();
    const uint32_t from = cycles();
    tick_start();
    while (*const_cast<volatile unsigned *>(&unit::fired) < 4) {
        if (work) {
            work = false;
            (void)tickwheel_run();
        }
    }
    // Wait until half a tick after a tick.
    while (cycles() - last_tick_at < tick_cycles / 2) {
    }
    const uint32_t passed = (cycles() - from) / tick_cycles;
    tick_stop();
    CHECK(unit::fired_in_order({&late, &second, &third, &last}));
    CHECK_EQ(unit::now() - start, ticks_counted + 0u);
    CHECK_EQ(unit::log[3].at, start + 9);
    return passed - ticks_counted;
}

void nothing(timer_list * /*timer*/)
{
}

masks seen_in_callback;

void look_at_masks(timer_list *timer)
{
    unit::note(timer);
    seen_in_callback = masks_now();
}

/// Each call once, in the state in which it does most.
constexpr void (*calls[])(timer_list *) = {
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 5); },
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 5000); },
    [](timer_list *timer) { (void)tickwheel_mod_timer_pending(timer, unit::now() + 9); },
    [](timer_list *timer) { (void)tickwheel_timer_reduce(timer, unit::now() + 3); },
    [](timer_list *timer) { (void)tickwheel_timer_delete(timer); },
    [](timer_list *timer) { (void)tickwheel_timer_delete(timer); },
    [](timer_list *timer) {
        timer->expires = unit::now() + 1;
        tickwheel_add_timer(timer);
    },
    [](timer_list *timer) { (void)tickwheel_try_to_del_timer_sync(timer); },
    [](timer_list *timer) { (void)tickwheel_timer_delete_sync(timer); },
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 1); },
    [](timer_list *) {
        jiffies_t expires = 0;
        (void)tickwheel_next_expiry(&expires);
    },
    [](timer_list *) { (void)tickwheel_tick(); },
    [](timer_list *) { (void)tickwheel_run(); },
    // Over the end of a block, and many empty blocks.
    [](timer_list *) { (void)tickwheel_advance(100000); },
    [](timer_list *) { (void)tickwheel_run_budget(0); },
    [](timer_list *) { (void)tickwheel_get_jiffies_64(); },
    [](timer_list *timer) { (void)tickwheel_timer_shutdown(timer); },
    [](timer_list *) { (void)tickwheel_interrupt(); },
};

/// The timer of the interrupts that the lock may not mask, and their call.
timer_list foreign;
bool tick_instead;

} // namespace

void machine::foreign_interrupt()
{
    if (tick_instead) {
        (void)tickwheel_tick();
    } else {
        (void)tickwheel_timer_delete(&foreign);
    }
}

namespace
{

/// @return how many misuse reports a call from this interrupt causes
unsigned reports_from(const interrupt &source, bool tick)
{
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    tick_instead = tick;
    source.raise();
    return unit::misused;
}

} // namespace

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
    ++unit::misused;
    unit::misuse = what;
    unit::misused_timer = timer;
}

extern "C" void SysTick_Handler()
{
    last_tick_at = cycles();
    ticks_counted = ticks_counted + 1;
    if (running_in == place::tick_interrupt) {
        (void)tickwheel_interrupt();
    } else if (tickwheel_tick() != 0) {
        if (running_in == place::softirq) {
            pend_softirq();
        } else {
            work = true;
        }
    }
}

TEST_CASE("soft interrupt: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::softirq), 0u);
}

TEST_CASE("main loop: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::main_loop), 0u);
}

TEST_CASE("tick interrupt: a callback of three and a half ticks loses two where the tick pends only once")
{
    CHECK_EQ(lost_ticks(place::tick_interrupt), pends_once ? 2u : 0u);
}

// requirement: TW-27
TEST_CASE("B16: every call leaves the interrupt mask as it found it")
{
    for (const masks &state : states) {
        const unit::fresh wheel(start);
        timer_list timer = {};
        tickwheel_timer_setup(&timer, nothing, 0);
        for (const auto call : calls) {
            set_masks(state);
            call(&timer);
            const masks after = masks_now();
            set_masks(states[0]);
            CHECK(after == state);
        }
        (void)tickwheel_timer_delete(&timer);
    }
}

// requirement: TW-19
TEST_CASE("B16: a callback runs with the mask of its runner's caller")
{
    const unit::fresh wheel(start);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, look_at_masks, 0);
        tickwheel_mod_timer(&timer, start + 1);
        seen_in_callback = {};
    }
    set_masks(states[0]);
    CHECK_EQ(unit::pass(1), 3u);
    CHECK(seen_in_callback == states[0]);
}

// requirement: TW-29
TEST_CASE("an opening of the lock lets a pending interrupt in, unless the caller has masked it")
{
    using lock = tickwheel::port_lock;
    const unit::fresh wheel(start);
    unit::noted due;
    tickwheel_mod_timer(&due, start + 1);
    (void)tickwheel_tick();
    machine::init();
    const auto outer = lock::irq_save();
    pend_softirq();
    const auto inner = lock::irq_save();
    lock::preemption_point(inner);
    CHECK_EQ(unit::fired, 0u);
    lock::preemption_point(outer);
    CHECK_EQ(unit::fired, 1u);
    lock::irq_restore(outer);
}

// requirement: TW-40
TEST_CASE("a caller that the lock does not mask is reported")
{
    for (const interrupt &source : interrupts) {
        CHECK_EQ(reports_from(source, false), unit::reports(source.masked ? 0 : 1));
        CHECK_EQ(reports_from(source, true), unit::reports(source.masked ? 0 : 1));
    }
}

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
namespace
{
/// Lets the lower `bits` + 1 bits of a priority preempt nothing.
void set_prigroup(uint32_t bits)
{
    constexpr uint32_t write_key = 0x05FA0000;
    at(0xE000ED0C) = write_key | bits << 8;
}
} // namespace

TEST_CASE("a BASEPRI that masks nothing is reported")
{
    // PRIGROUP 6 makes BASEPRI compare the top bit alone. The lock's priority has that bit clear, so it masks
    // nothing.
    set_prigroup(6);
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    unit::forget();
    CHECK_EQ(tickwheel_timer_delete(&foreign), 0);
    set_prigroup(0);
    CHECK_EQ(unit::misused, unit::reports(basepri ? 1 : 0));
}

TEST_CASE("the bits of a priority that do not preempt are not compared")
{
    // PRIGROUP 5 compares two bits: 0x60 is in the group of 0x40.
    set_prigroup(5);
    CHECK_EQ(reports_from({raise<30, 0x20>, !basepri}, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from({raise<30, 0x60>, true}, false), 0u);
    set_prigroup(0);
}
#endif
