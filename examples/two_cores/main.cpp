// SPDX-License-Identifier: MIT
// Two cores with a wheel each. Each core arms timers of both wheels, core 0 cancels
// timers of core 1, and waits for a callback that runs there. Core 1 stops its tick
// while its wheel is empty. An arm by core 0 wakes it.
#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/ticket_lock.hpp>
#include <tickwheel/timer.hpp>

#include "../../boards/mps2-an521/cores.hpp"
#include "../../boards/print.hpp"

struct cores : board::cores {
    using mask = tickwheel::port_lock;
    template <unsigned Number>
    using spin = tickwheel::ticket_lock<cores, Number>;
};

static tickwheel::core_wheel<cores, 0> first;
static tickwheel::core_wheel<cores, 1> second;

/// One line at a time. Its number is the next after those that the wheels take.
using console = tickwheel::shared_lock<cores::spin<cores::count + 1>, cores>;

template <class... Text>
static void say(Text... text)
{
    const tickwheel::lock_guard<console> held;
    const jiffies_t now = cores::here() == 0 ? first.jiffies() : second.jiffies();
    print("core ", static_cast<uint32_t>(cores::here()), ", tick ", now - TICKWHEEL_INITIAL_JIFFIES, ": ");
    print(text...);
    print("\n");
}

/// The tick that is this many ticks after the start.
static jiffies_t at(jiffies_t ticks)
{
    return TICKWHEEL_INITIAL_JIFFIES + ticks;
}

// --- The ticks. Both cores have the same handlers.

static constexpr uintptr_t systick_control = 0xE000E010;
static constexpr uintptr_t interrupt_control = 0xE000ED04;
static constexpr uintptr_t handler_priorities_3 = 0xE000ED20;

extern "C" void SysTick_Handler()
{
    if ((cores::here() == 0 ? first.tick() : second.tick()) != 0) {
        parts::at(interrupt_control) = 1u << 28;
    }
}

extern "C" void PendSV_Handler()
{
    (void)(cores::here() == 0 ? first.run() : second.run());
}

// The other core has armed a timer. This ends the sleep, and no more is to do.
extern "C" void IRQ6_Handler()
{
    cores::clear_interrupt();
}

static void start_tick()
{
    // Give PendSV the lowest priority.
    parts::at(handler_priorities_3) = parts::at(handler_priorities_3) | 0xFFu << 16;
    board::tick_start(TICKWHEEL_HZ);
}

// --- The timers of each core

static tickwheel::basic_timer<first> sensor{[](timer_list *timer) {
    say("sensor");
    (void)first.mod_timer(timer, timer->expires + 400);
}};

static tickwheel::basic_timer<second> motor{[](timer_list *timer) {
    say("motor");
    (void)second.mod_timer(timer, timer->expires + 300);
}};

// This callback takes 50 ticks. Core 1 counts them meanwhile, in an interrupt above it.
static tickwheel::basic_timer<second> report{[](timer_list *timer) {
    say("report begins");
    while (tickwheel_time_before(second.jiffies(), timer->expires + 50)) {
        cores::wait();
    }
    say("report ends");
}};

// --- Core 1

// Sleeps without a tick until core 0 arms a timer. Core 0 has counted the ticks meanwhile.
static void sleep_without_tick()
{
    say("the wheel is empty, so the tick stops");
    parts::at(systick_control) = 0;
    board::idle();
    const jiffies_t missed = first.jiffies() - second.jiffies();
    if (static_cast<int32_t>(missed) > 0 && second.advance(missed) != 0) {
        parts::at(interrupt_control) = 1u << 28;
    }
    board::tick_start(TICKWHEEL_HZ);
}

[[noreturn]] static void core_1()
{
    cores::accept_interrupts();
    (void)second.mod_timer(&motor, at(300));
    start_tick();
    for (;;) {
        const uint32_t irq = cores::mask::irq_save();
        jiffies_t tick = 0;
        if (second.begin_sleep(&tick) == 0) {
            sleep_without_tick();
            second.end_sleep();
        } else {
            second.end_sleep();
            board::idle();
        }
        cores::mask::irq_restore(irq);
    }
}

// --- Core 0

static void wait_until(jiffies_t tick)
{
    while (tickwheel_time_before(first.jiffies(), tick)) {
        board::idle();
    }
}

int main()
{
    (void)board::init();
    (void)first.mod_timer(&sensor, at(400));
    cores::start([] { core_1(); });
    start_tick();

    wait_until(at(1000));
    say(second.timer_delete(&motor) != 0 ? "cancels the motor of core 1" : "the motor was not pending");

    wait_until(at(1500));
    // Not from second.jiffies(): it stands still while core 1 sleeps.
    (void)second.mod_timer(&report, first.jiffies() + 200);
    say("arms a report on core 1, for tick 1700");

    wait_until(at(1720));
    say("deletes the report, and waits while it runs");
    (void)second.timer_delete_sync(&report);
    say("the report has ended");

    wait_until(at(2000));
    return 0;
}
