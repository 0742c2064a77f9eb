// SPDX-License-Identifier: MIT
// What SysTick says when a sleep ends.
#include "../support/core_registers.hpp"
#include "firmware.hpp"

TEST_CASE("an interrupt at the end of a whole sleep, before SysTick's, finds jiffies right")
{
    static noted_timer timer;
    static jiffies_t seen;
    vTaskDelay(1);
    const jiffies_t from = jiffies;
    stand_in::interrupt_at_wake([] {
        seen = jiffies;
        timer.arm(5);
    });
    vTaskDelay(60);
    // The last tick is SysTick's own.
    CHECK_EQ(seen, from + 59);
    check_counts();
    vTaskDelay(10);
    CHECK_EQ(timer.count, 1u);
    CHECK_EQ(timer.wrong, 0u);
}

TEST_CASE("a sleep that ends before SysTick has loaded its period counts no tick")
{
    vTaskDelay(1);
    const masked all;
    const jiffies_t from = jiffies;
    at(systick_control) = 0;
    at(systick_value) = 0;
    tickwheel_freertos_woke(5);
    at(systick_control) = 7;
    CHECK_EQ(jiffies, from);
}
