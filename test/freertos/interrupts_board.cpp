// SPDX-License-Identifier: MIT
// Real interrupts, below and above configMAX_SYSCALL_INTERRUPT_PRIORITY, awake and asleep. A clock of the board that
// nobody stops says whether a timer is early or late.
#include "../support/core_registers.hpp"
#include "../support/freertos/on_cortex_m.hpp"
#include "../support/random.hpp"
#include "firmware.hpp"

namespace
{

struct group {
    noted_timer timers[8];
    unsigned next = 0;
    unsigned armed = 0;
    random_numbers numbers;
    // Arms a timer that is idle.
    void arm_one()
    {
        noted_timer &timer = timers[next];
        next = (next + 1) % 8;
        if (tickwheel_timer_pending(&timer) == 0) {
            ++armed;
            timer.arm(1 + numbers.below(numbers.below(3) == 0 ? 400 : 12));
        }
    }
    void check() const
    {
        unsigned fired = 0;
        for (const noted_timer &timer : timers) {
            CHECK_EQ(timer.wrong, 0u);
            fired += timer.count;
        }
        CHECK_EQ(fired, armed);
        CHECK(armed > 20);
    }
};

group *of_interrupt;
group *of_urgent;

} // namespace

TEST_CASE(
    "interrupts below and above the kernel's lock, and a task, arm timers, awake and asleep: none late, none early")
{
    static group by_interrupt;
    static group by_urgent;
    static group by_task;
    of_interrupt = &by_interrupt;
    of_urgent = &by_urgent;
    by_urgent.numbers.state = 77;
    by_task.numbers.state = 999;
    const unsigned slept = stand_in::sleeps;
    const uint32_t from = stand_in::clock();
    const jiffies_t from_tick = jiffies;
    stand_in::interrupt_every(210001, [] { of_interrupt->arm_one(); });
#if !defined(TICKWHEEL_LOCK_BASEPRI)
    // PRIMASK masks this one too, so it may arm timers. No timer of the kernel allows that.
    stand_in::urgent_interrupt_every(330019, [] { of_urgent->arm_one(); });
#endif
    for (unsigned i = 0; i < 150; ++i) {
        by_task.arm_one();
        if (i % 16 == 0) {
            stand_in::spend(2);
        }
        vTaskDelay(1 + by_task.numbers.below(30));
    }
    stand_in::interrupt_every(0, nullptr);
    stand_in::urgent_interrupt_every(0, nullptr);
    vTaskDelay(500);
    by_interrupt.check();
    by_task.check();
#if !defined(TICKWHEEL_LOCK_BASEPRI)
    by_urgent.check();
#endif
    CHECK(stand_in::sleeps - slept > 150);
    // The ticks that were slept over are counted once.
    check_counts();
    using stand_in::clock_per_tick;
    const uint32_t passed = (stand_in::clock() - from + clock_per_tick / 2) / clock_per_tick;
    CHECK(passed - (jiffies - from_tick) <= 2);
}

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
