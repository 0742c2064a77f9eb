// SPDX-License-Identifier: MIT
// The wheel called from real interrupts of a RISC-V core: the three places to run
// callbacks, and the effect of each call on mstatus.
#include <tickwheel/clint.hpp>

#include "../../support/target.hpp"
#include "../../unit/support.hpp"
#include "calls.hpp"

namespace
{

using clint = tickwheel::clint<10000000>;

constexpr uint32_t ticks_a_second = 1000;
constexpr uint32_t tick_counts = clint::hz / ticks_a_second;
constexpr jiffies_t start = 0u - 4;
constexpr uint32_t interrupts_on = 8;

enum class place { software_interrupt, tick_interrupt, main_loop };
place running_in;
volatile bool work;
/// Tick interrupts since the tick was started.
volatile uint32_t ticks_counted;
volatile uint32_t last_tick_at;

void slow(timer_list *timer)
{
    unit::note(timer);
    for (const uint32_t from = clint::read(); clint::read() - from < tick_counts * 7 / 2;) {
    }
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
    const uint32_t from = clint::read();
    board::tick_start(ticks_a_second);
    enable_interrupt(software_interrupt);
    while (*const_cast<volatile unsigned *>(&unit::fired) < 4) {
        if (work) {
            work = false;
            (void)tickwheel_run();
        }
    }
    // Wait until half a tick after a tick.
    while (clint::read() - last_tick_at < tick_counts / 2) {
    }
    const uint32_t passed = (clint::read() - from) / tick_counts;
    stop_alarm();
    CHECK(unit::fired_in_order({&late, &second, &third, &last}));
    CHECK_EQ(unit::now() - start, ticks_counted + 0u);
    CHECK_EQ(unit::log[3].at, start + 9);
    return passed - ticks_counted;
}

uint32_t status()
{
    uint32_t now = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(now)::"memory");
    return now;
}

void set_status(uint32_t to)
{
    __asm__ volatile("csrw mstatus, %0" ::"r"(to) : "memory");
}

uint32_t seen_in_callback;

void look_at_status(timer_list *timer)
{
    unit::note(timer);
    seen_in_callback = status();
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
    last_tick_at = clint::read();
    ticks_counted = ticks_counted + 1;
    if (running_in == place::tick_interrupt) {
        (void)tickwheel_interrupt();
    } else if (tickwheel_tick() != 0) {
        if (running_in == place::software_interrupt) {
            clint::pend_softirq();
        } else {
            work = true;
        }
    }
}

extern "C" void MSI_Handler()
{
    clint::run_softirq();
}

TEST_CASE("software interrupt: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::software_interrupt), 0u);
}

TEST_CASE("main loop: a callback of three and a half ticks loses none")
{
    CHECK_EQ(lost_ticks(place::main_loop), 0u);
}

TEST_CASE("tick interrupt: a callback of three and a half ticks loses none, because mtimecmp names each tick")
{
    CHECK_EQ(lost_ticks(place::tick_interrupt), 0u);
}

TEST_CASE("B16: every call leaves mstatus as it found it")
{
    const uint32_t usual = status();
    // No trap comes, so MPIE stays clear.
    constexpr uint32_t previous = 1u << 7;
    const uint32_t others = usual & ~(previous | interrupts_on);
    const uint32_t states[] = {others | interrupts_on, others, others | previous};
    for (const uint32_t state : states) {
        const unit::fresh wheel(start);
        timer_list timer = {};
        tickwheel_timer_setup(&timer, unit::note, 0);
        for (const auto call : calls) {
            set_status(state);
            call(&timer);
            const uint32_t after = status();
            set_status(usual);
            CHECK_EQ(after, state);
        }
        (void)tickwheel_timer_delete(&timer);
    }
}

TEST_CASE("B16: a callback runs with the mask of its runner's caller")
{
    const unit::fresh wheel(start);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, look_at_status, 0);
        tickwheel_mod_timer(&timer, start + 1);
    }
    const uint32_t usual = status();
    constexpr uint32_t masks[] = {interrupts_on, 0};
    for (const uint32_t mask : masks) {
        tickwheel_mod_timer(&timers[0], unit::now() + 1);
        seen_in_callback = ~0u;
        set_status((usual & ~interrupts_on) | mask);
        const unsigned ran = unit::pass(1);
        set_status(usual);
        CHECK(ran != 0);
        CHECK_EQ(seen_in_callback & interrupts_on, mask);
    }
}
