// SPDX-License-Identifier: MIT
// Where the wheel is called from, with real interrupts: the three places to run
// callbacks, what each call does to the interrupt mask, and whether a caller that
// the lock cannot keep out is told so. For the MPS2 with the AN385 image, whose
// TIMER0 tells the time that SysTick may have lost.
#include "../../unit/support.hpp"

#include "../../../boards/startup/cortex_m.hpp"

namespace
{

volatile uint32_t &reg(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

constexpr uintptr_t interrupt_set_enable = 0xE000E100;
constexpr uintptr_t interrupt_set_pending = 0xE000E200;
constexpr uintptr_t interrupt_priority = 0xE000E400;
constexpr uintptr_t system_control = 0xE000ED04;
constexpr uintptr_t application_interrupt = 0xE000ED0C;
constexpr uintptr_t system_priority_3 = 0xE000ED20;
constexpr uint32_t pend_nmi = 1u << 31;
constexpr uint32_t pend_pendsv = 1u << 28;
constexpr uint32_t write_key = 0x05FA0000;

/// CMSDK TIMER0: counts down at the core's clock.
constexpr uintptr_t timer_control = 0x40000000;
constexpr uintptr_t timer_value = 0x40000004;
constexpr uintptr_t timer_reload = 0x40000008;

uint32_t cycles()
{
    return ~reg(timer_value);
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
/// SysTick interrupts, from the time that SysTick was started.
volatile uint32_t ticks_counted;
volatile uint32_t last_tick_at;

void slow(timer_list *timer)
{
    unit::note(timer);
    spend(tick_cycles * 7 / 2);
}

/// How many of the ticks that really passed nobody counted, while a callback took three and a half of them.
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
    // PendSV the lowest, SysTick above it.
    reg(system_priority_3) = 0xC0E00000;
    reg(timer_reload) = ~0u;
    reg(timer_value) = ~0u;
    reg(timer_control) = 1;
    const uint32_t from = cycles();
    cortex_m::systick_start(tick_cycles);
    while (*const_cast<volatile unsigned *>(&unit::fired) < 4) {
        if (work) {
            work = false;
            (void)tickwheel_run();
        }
    }
    // Half a tick away from any.
    while (cycles() - last_tick_at < tick_cycles / 2) {
    }
    const uint32_t passed = (cycles() - from) / tick_cycles;
    reg(0xE000E010) = 0;
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

constexpr unsigned calls = 17;

/// Each call once, in the state in which it does most.
void call(unsigned which, timer_list *timer)
{
    jiffies_t expires = 0;
    switch (which) {
    case 0:
        tickwheel_mod_timer(timer, unit::now() + 5);
        break;
    case 1:
        tickwheel_mod_timer(timer, unit::now() + 5000);
        break;
    case 2:
        tickwheel_mod_timer_pending(timer, unit::now() + 9);
        break;
    case 3:
        tickwheel_timer_reduce(timer, unit::now() + 3);
        break;
    case 4:
        tickwheel_timer_delete(timer);
        break;
    case 5:
        tickwheel_timer_delete(timer);
        break;
    case 6:
        timer->expires = unit::now() + 1;
        tickwheel_add_timer(timer);
        break;
    case 7:
        tickwheel_try_to_del_timer_sync(timer);
        break;
    case 8:
        tickwheel_timer_delete_sync(timer);
        break;
    case 9:
        tickwheel_mod_timer(timer, unit::now() + 1);
        break;
    case 10:
        tickwheel_next_expiry(&expires);
        break;
    case 11:
        (void)tickwheel_tick();
        break;
    case 12:
        (void)tickwheel_run();
        break;
    case 13:
        // Over the end of a block, and many empty ones.
        (void)tickwheel_advance(100000);
        (void)tickwheel_run_budget(0);
        break;
    case 14:
        (void)tickwheel_get_jiffies_64();
        break;
    case 15:
        tickwheel_timer_shutdown(timer);
        break;
    default:
        (void)tickwheel_interrupt();
        break;
    }
}

/// What the interrupts below do.
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

/// How many reports a call from an interrupt of this priority brings.
unsigned reports_from(uint32_t priority, bool tick)
{
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    tick_instead = tick;
    constexpr uint32_t number = 30;
    *reinterpret_cast<volatile uint8_t *>(interrupt_priority + number) = static_cast<uint8_t>(priority);
    reg(interrupt_set_enable) = 1u << number;
    reg(interrupt_set_pending) = 1u << number;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
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
            reg(system_control) = pend_pendsv;
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

TEST_CASE("tick interrupt: a callback of three and a half ticks loses two, since SysTick pends once")
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
        for (unsigned which = 0; which < calls; ++which) {
            set_masks(state);
            call(which, &timer);
            const masks after = masks_now();
            set_masks({0, 0});
            CHECK(after == state);
        }
        (void)tickwheel_timer_delete(&timer);
    }
}

TEST_CASE("B16: a callback sees the mask that its runner was called with, and none of the wheel's")
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
    // No core here has more than the upper three bits of a priority.
    CHECK_EQ(reports_from(0x00, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x20, false), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x20, true), unit::reports(basepri ? 1 : 0));
    CHECK_EQ(reports_from(0x40, false), 0u);
    CHECK_EQ(reports_from(0x40, true), 0u);
    CHECK_EQ(reports_from(0xE0, false), 0u);
    const unit::fresh wheel(start);
    reg(system_control) = pend_nmi;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    CHECK_EQ(unit::misused, unit::reports(1));
}

TEST_CASE("a BASEPRI that masks nothing is reported")
{
    // With PRIGROUP 6 the top bit alone sets one priority above another, and the lock's has it clear.
    reg(application_interrupt) = write_key | 6u << 8;
    const unit::fresh wheel(start);
    tickwheel_timer_setup(&foreign, nothing, 0);
    unit::forget();
    CHECK_EQ(tickwheel_timer_delete(&foreign), 0);
    reg(application_interrupt) = write_key;
    CHECK_EQ(unit::misused, unit::reports(basepri ? 1 : 0));
}
