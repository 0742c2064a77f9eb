// SPDX-License-Identifier: MIT
// Tickless idle: every tick that the kernel sleeps over is counted once, no timer is late, and none is early. The
// machine of the stand-in says what the hardware has counted.
#include "../support/freertos/on_host.hpp"
#include "../support/random.hpp"
#include "firmware.hpp"

namespace
{

using stand_in::hardware_ticks;

// A tick of the wheel, as the hardware counts.
uint32_t hardware(jiffies_t tick)
{
    return tick - TICKWHEEL_INITIAL_JIFFIES;
}

// A timer that must fire in the tick that it is armed for, by the hardware's count.
struct exact_timer : timer_list {
    unsigned count = 0;
    unsigned wrong = 0;
    uint32_t armed_for = 0;
    exact_timer() : timer_list()
    {
        tickwheel_timer_setup(
            this,
            [](timer_list *timer) {
                auto *const self = static_cast<exact_timer *>(timer);
                ++self->count;
                self->wrong += hardware_ticks != self->armed_for || jiffies != timer->expires;
            },
            0);
    }
    void arm(uint32_t delay)
    {
        armed_for = hardware_ticks + delay;
        (void)tickwheel_mod_timer(this, jiffies + delay);
    }
};

} // namespace

TEST_CASE("the kernel sleeps until a timer that it does not know, and no longer")
{
    exact_timer timer;
    timer.arm(1000);
    const unsigned slept = stand_in::sleeps;
    vTaskDelay(5000);
    CHECK_EQ(timer.count, 1u);
    CHECK_EQ(timer.wrong, 0u);
    CHECK_EQ(hardware(jiffies), hardware_ticks);
    // One sleep for the timer, one more for a cascade of each level, and one to the end of the wait.
    CHECK(stand_in::sleeps - slept >= 2);
    CHECK(stand_in::sleeps - slept <= 4);
}

TEST_CASE("a timer for the next tick, or one that is due, keeps the core awake")
{
    exact_timer next;
    next.arm(1);
    exact_timer second;
    second.arm(2);
    vTaskDelay(10);
    CHECK_EQ(next.wrong + second.wrong, 0u);
    CHECK_EQ(next.count + second.count, 2u);
}

TEST_CASE("jiffies is right in the interrupt that ends a sleep, and what it arms is in time")
{
    static exact_timer armed;
    static exact_timer sooner;
    static jiffies_t seen;
    exact_timer far;
    far.arm(900);
    armed.count = 0;
    stand_in::interrupt_after(333, [] {
        seen = jiffies;
        armed.arm(7);
        sooner.arm(3);
    });
    const uint32_t from = hardware_ticks;
    vTaskDelay(2000);
    CHECK_EQ(hardware(seen), from + 333);
    CHECK_EQ(armed.count + sooner.count + far.count, 3u);
    CHECK_EQ(armed.wrong + sooner.wrong + far.wrong, 0u);
    CHECK_EQ(hardware(jiffies), hardware_ticks);
}

TEST_CASE("an interrupt between the plan of a sleep and its masked start may arm an earlier timer")
{
    static exact_timer armed;
    armed.count = 0;
    for (const uint32_t delay : {1u, 2u, 5u, 700u}) {
        stand_in::before_next_sleep = [delay] { armed.arm(delay); };
        vTaskDelay(800);
        CHECK_EQ(armed.wrong, 0u);
    }
    CHECK_EQ(armed.count, 4u);
    CHECK_EQ(hardware(jiffies), hardware_ticks);
}

TEST_CASE("a sleep that steps all its ticks, to the tick in which a task wakes")
{
    stand_in::sleep_steps_all = true;
    exact_timer timer;
    timer.arm(100);
    vTaskDelay(100);
    exact_timer earlier;
    earlier.arm(60);
    vTaskDelay(100);
    CHECK_EQ(earlier.count + timer.count, 2u);
    CHECK_EQ(earlier.wrong + timer.wrong, 0u);
    stand_in::sleep_steps_all = false;
    CHECK_EQ(hardware(jiffies), hardware_ticks);
    CHECK_EQ(tickwheel_freertos_tick_count(jiffies), now());
}

TEST_CASE("software timers sleep too")
{
    software_timer timer(250, pdTRUE);
    (void)xTimerStart(timer.handle, 0);
    const TickType_t from = now();
    const unsigned slept = stand_in::sleeps;
    vTaskDelay(1000);
    CHECK_EQ(timer.noted.count, 4u);
    CHECK_EQ(timer.noted.last, from + 1000);
    CHECK(stand_in::sleeps - slept >= 4);
    CHECK(stand_in::sleeps - slept <= 12);
}

TEST_CASE("20000 random arms by tasks and by interrupts, awake and asleep: none late, none early, no tick lost")
{
    static exact_timer timers[32];
    static random_numbers numbers;
    static unsigned armed;
    armed = 0;
    const auto arm_some = [] {
        for (unsigned i = numbers.below(4); i != 0; --i) {
            timers[numbers.below(32)].arm(1 + numbers.below(numbers.below(4) == 0 ? 3000 : 60));
            ++armed;
        }
    };
    const unsigned slept = stand_in::sleeps;
    while (armed < 20000) {
        for (unsigned i = numbers.below(3); i != 0; --i) {
            stand_in::interrupt_after(1 + numbers.below(200), arm_some);
        }
        if (numbers.below(4) == 0) {
            stand_in::before_next_sleep = arm_some;
        }
        arm_some();
        if (numbers.below(8) == 0) {
            stand_in::spend(numbers.below(5));
        }
        vTaskDelay(1 + numbers.below(120));
        CHECK_EQ(hardware(jiffies), hardware_ticks);
        CHECK_EQ(tickwheel_freertos_tick_count(jiffies), now());
    }
    vTaskDelay(4000);
    for (const exact_timer &timer : timers) {
        CHECK_EQ(timer.wrong, 0u);
        CHECK(timer.count > 0);
        CHECK_EQ(tickwheel_timer_pending(&timer), 0);
    }
    CHECK(stand_in::sleeps - slept > 5000);
}
