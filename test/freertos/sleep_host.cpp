// SPDX-License-Identifier: MIT
// Tickless idle: every tick that the kernel sleeps over is counted once, no timer is late, and none is early. The
// machine of the stand-in says what the hardware has counted.
#include "../support/freertos/on_host.hpp"
#include "../support/random.hpp"
#include "firmware.hpp"

TEST_CASE("the kernel sleeps until a timer that it does not know, and no longer")
{
    plain_timer timer;
    timer.arm(1000);
    const unsigned slept = stand_in::sleeps;
    vTaskDelay(5000);
    CHECK_EQ(timer.count, 1u);
    CHECK_EQ(timer.wrong, 0u);
    // One sleep for the timer, one more for a cascade of each level, and one to the end of the wait.
    CHECK(stand_in::sleeps - slept >= 2);
    CHECK(stand_in::sleeps - slept <= 4);
}

TEST_CASE("a sleep that steps all its ticks, to the tick in which a task wakes")
{
    stand_in::sleep_steps_all = true;
    plain_timer timer;
    timer.arm(100);
    vTaskDelay(100);
    plain_timer earlier;
    earlier.arm(60);
    vTaskDelay(100);
    CHECK_EQ(earlier.count + timer.count, 2u);
    CHECK_EQ(earlier.wrong + timer.wrong, 0u);
    stand_in::sleep_steps_all = false;
    check_counts();
}

TEST_CASE("20000 random arms by tasks and by interrupts, awake and asleep: none late, none early, no tick lost")
{
    static noted_timer timers[32];
    static random_numbers numbers;
    static unsigned armed;
    // In an interrupt that ends a sleep, or comes between its plan and its masked start, jiffies must be right.
    const auto arm_some = [] {
        for (unsigned i = numbers.below(4); i != 0; --i) {
            timers[numbers.below(32)].arm(1 + numbers.below(numbers.below(4) == 0 ? 3000 : 60));
            ++armed;
        }
    };
    const unsigned slept = stand_in::sleeps;
    const uint32_t ahead = jiffies - stand_in::clock();
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
        CHECK_EQ(jiffies - stand_in::clock(), ahead);
        check_counts();
    }
    vTaskDelay(4000);
    for (const noted_timer &timer : timers) {
        CHECK_EQ(timer.wrong, 0u);
        CHECK(timer.count > 0);
        CHECK_EQ(tickwheel_timer_pending(&timer), 0);
    }
    CHECK(stand_in::sleeps - slept > 5000);
}
