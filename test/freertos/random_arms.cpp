// SPDX-License-Identifier: MIT
// A task and interrupts arm timers at random, awake and asleep. A clock of the machine that never stops says whether
// a timer is early or late, and whether the wheel has counted every tick.
#include "../support/random.hpp"
#include "firmware.hpp"

namespace
{

// The timers that one context arms.
struct group {
    noted_timer timers[8];
    unsigned next = 0;
    unsigned armed = 0;
    random_numbers numbers;
    // Arms the next timer, if it is idle and no callback of it is running below the caller.
    void arm_one()
    {
        noted_timer &timer = timers[next];
        next = (next + 1) % 8;
        if (tickwheel_timer_pending(&timer) == 0 && tickwheel_try_to_del_timer_sync(&timer) == 0) {
            ++armed;
            timer.arm(1 + numbers.below(numbers.below(3) == 0 ? 400 : 12));
        }
    }
    // The interrupts come at random points of a tick.
    uint32_t period()
    {
        using stand_in::clock_per_tick;
        return clock_per_tick * (1 + numbers.below(60)) + numbers.below(clock_per_tick);
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

constexpr unsigned rounds = 200;

} // namespace

TEST_CASE(
    "random arms by interrupts below and above the kernel's lock, and a task: none late, none early, no tick lost")
{
    static group by_task;
    static group by_interrupt;
    by_interrupt.numbers.state = 77;
    const unsigned slept = stand_in::sleeps;
    const uint32_t from = stand_in::clock();
    const jiffies_t from_tick = jiffies;
#if !defined(TICKWHEEL_LOCK_BASEPRI)
    // PRIMASK masks this one too, so it may arm timers. No timer of the kernel allows that.
    static group by_urgent;
    by_urgent.numbers.state = 999;
    stand_in::interrupt_every(stand_in::urgent_device, by_urgent.period(), [] { by_urgent.arm_one(); });
#endif
    for (unsigned i = 0; i < rounds; ++i) {
        if (i % 4 == 0) {
            stand_in::interrupt_every(stand_in::ordinary_device, by_task.period(), [] { by_interrupt.arm_one(); });
            stand_in::before_next_sleep = [] { by_interrupt.arm_one(); };
        }
        by_task.arm_one();
        if (i % 16 == 0) {
            stand_in::spend(2);
        }
        vTaskDelay(1 + by_task.numbers.below(30));
        check_counts();
    }
    stand_in::interrupt_every(stand_in::ordinary_device, 0, nullptr);
    stand_in::interrupt_every(stand_in::urgent_device, 0, nullptr);
    vTaskDelay(500);
    by_task.check();
    by_interrupt.check();
#if !defined(TICKWHEEL_LOCK_BASEPRI)
    by_urgent.check();
#endif
    CHECK(stand_in::sleeps - slept > rounds);
    check_counts();
    using stand_in::clock_per_tick;
    CHECK_EQ((stand_in::clock() - from + clock_per_tick / 2) / clock_per_tick, jiffies - from_tick);
}
