// SPDX-License-Identifier: MIT
// The wheel called from real interrupts: the three places to run callbacks, the
// effect of each call on the interrupt mask, and the report of a caller that the
// lock does not mask. For the MPS2 with the AN385 image: its TIMER0 measures time,
// since SysTick may lose ticks.
#include "../../../boards/startup/cortex_m.hpp"
#include "../../support/core_registers.hpp"
#include "../../unit/support.hpp"

namespace
{

constexpr uintptr_t application_interrupt = 0xE000ED0C;
constexpr uint32_t write_key = 0x05FA0000;

/// CMSDK TIMER0 counts down at the core's clock.
constexpr uintptr_t timer_control = 0x40000000;
constexpr uintptr_t timer_value = 0x40000004;
constexpr uintptr_t timer_reload = 0x40000008;

uint32_t cycles()
{
    return ~at(timer_value);
}

void spend(uint32_t wanted)
{
    for (const uint32_t from = cycles(); cycles() - from < wanted;) {
    }
}

constexpr uint32_t tick_cycles = 2500;
constexpr jiffies_t start = 0u - 4;

enum class place { pendsv, tick_interrupt, main_loop };
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
    // PendSV has the lowest priority, and SysTick is above it.
    at(system_priorities) = 0xC0E00000;
    at(timer_reload) = ~0u;
    at(timer_value) = ~0u;
    at(timer_control) = 1;
    const uint32_t from = cycles();
    cortex_m::tick_start(tick_cycles);
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
    at(systick_control) = 0;
    CHECK(unit::fired_in_order({&late, &second, &third, &last}));
    CHECK_EQ(unit::now() - start, ticks_counted + 0u);
    CHECK_EQ(unit::log[3].at, start + 9);
    return passed - ticks_counted;
}

void nothing(timer_list * /*timer*/)
{
}

struct masks {
    uint32_t primask;
    uint32_t basepri;
    friend bool operator==(const masks &a, const masks &b)
    {
        return a.primask == b.primask && a.basepri == b.basepri;
    }
};

masks masks_now()
{
    masks now = {};
    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(now.primask), "=r"(now.basepri));
    return now;
}

void set_masks(const masks &to)
{
    __asm__ volatile("msr basepri, %1\n\tmsr primask, %0\n\tisb" ::"r"(to.primask), "r"(to.basepri) : "memory");
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

/// The timer of the interrupts in reports_from(), and their call.
timer_list foreign;
bool tick_instead;

void call_from_interrupt()
{
    if (tick_instead) {
        (void)tickwheel_tick();
    } else {
        (void)tickwheel_timer_delete(&foreign);
    }
}

/// @return how many misuse reports a call from an interrupt of this priority causes
unsigned reports_from(uint32_t priority, bool tick)
{
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    tick_instead = tick;
    enable_interrupt(30, priority);
    at(interrupt_set_pending) = 1u << 30;
    take_pending_interrupts();
    return unit::misused;
}

#if defined(TICKWHEEL_LOCK_BASEPRI)
constexpr bool basepri = true;
#else
constexpr bool basepri = false;
#endif

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
        if (running_in == place::pendsv) {
            at(interrupt_control) = pend_pendsv;
        } else {
            work = true;
        }
    }
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

extern "C" void IRQ30_Handler()
{
    call_from_interrupt();
}

extern "C" void NMI_Handler()
{
    call_from_interrupt();
}

TEST_CASE("PendSV: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::pendsv), 0u);
}

TEST_CASE("main loop: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::main_loop), 0u);
}

TEST_CASE("tick interrupt: a callback of three and a half ticks loses two, because SysTick pends only once")
{
    CHECK_EQ(lost_ticks(place::tick_interrupt), 2u);
}

TEST_CASE("B16: every call leaves PRIMASK and BASEPRI as it found them")
{
    constexpr masks states[] = {{0, 0}, {1, 0}, {0, 0x20}, {0, 0xE0}, {1, 0x20}};
    for (const masks &state : states) {
        const unit::fresh wheel(start);
        timer_list timer = {};
        tickwheel_timer_setup(&timer, nothing, 0);
        for (const auto call : calls) {
            set_masks(state);
            call(&timer);
            const masks after = masks_now();
            set_masks({0, 0});
            CHECK(after == state);
        }
        (void)tickwheel_timer_delete(&timer);
    }
}

TEST_CASE("B16: a callback runs with the mask of its runner's caller")
{
    const unit::fresh wheel(start);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, look_at_masks, 0);
        tickwheel_mod_timer(&timer, start + 1);
        seen_in_callback = {9, 9};
    }
    CHECK_EQ(unit::pass(1), 3u);
    CHECK((seen_in_callback == masks{0, 0}));
}

TEST_CASE("a caller that the lock does not mask is reported")
{
    // A core has at least the upper three bits of a priority.
    CHECK_EQ(reports_from(0x00, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x20, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x20, true), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x40, false), 0u);
    CHECK_EQ(reports_from(0x40, true), 0u);
    CHECK_EQ(reports_from(0xE0, false), 0u);
    const unit::fresh wheel(start);
    at(interrupt_control) = pend_nmi;
    take_pending_interrupts();
    CHECK_EQ(unit::misused, unit::reports(1));
}

TEST_CASE("a BASEPRI that masks nothing is reported")
{
    // PRIGROUP 6 makes BASEPRI compare the top bit alone. The lock's priority has that bit clear, so it masks
    // nothing.
    at(application_interrupt) = write_key | 6u << 8;
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    unit::forget();
    CHECK_EQ(tickwheel_timer_delete(&foreign), 0);
    at(application_interrupt) = write_key;
    CHECK_EQ(unit::misused, unit::reports(basepri ? 1 : 0));
}
