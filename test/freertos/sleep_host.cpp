// SPDX-License-Identifier: MIT
// Tickless idle, where the machine of the stand-in says what the hardware has counted.
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
