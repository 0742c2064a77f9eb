// SPDX-License-Identifier: MIT
// Real interrupts, below and above configMAX_SYSCALL_INTERRUPT_PRIORITY, awake and asleep. A clock of the board that
// nobody stops says whether a timer is early or late.
#include "../support/core_registers.hpp"
#include "../support/freertos/on_cortex_m.hpp"
#include "../support/random.hpp"
#include "firmware.hpp"

namespace
{

constexpr uint32_t cycles_per_tick = configCPU_CLOCK_HZ / configTICK_RATE_HZ;
/// An interrupt's latency, and what the stops of SysTick in one sleep cost.
constexpr uint32_t tolerance = cycles_per_tick / 10;

// A timer that was armed for `delay` ticks fires after more than delay - 1 ticks, and after at most `delay`.
struct timed : timer_list {
    unsigned count = 0;
    unsigned early = 0;
    unsigned late = 0;
    uint32_t armed_at = 0;
    uint32_t delay = 0;
    timed() : timer_list()
    {
        tickwheel_timer_setup(
            this,
            [](timer_list *timer) {
                auto *const self = static_cast<timed *>(timer);
                const uint32_t passed = stand_in::cycles() - self->armed_at;
                ++self->count;
                self->early += passed + tolerance < (self->delay - 1) * cycles_per_tick;
                self->late += passed > self->delay * cycles_per_tick + tolerance || jiffies != timer->expires;
            },
            0);
    }
    void arm(uint32_t ticks)
    {
        armed_at = stand_in::cycles();
        delay = ticks;
        (void)tickwheel_mod_timer(this, jiffies + ticks);
    }
};

struct group {
    timed timers[8];
    unsigned next = 0;
    unsigned armed = 0;
    random_numbers numbers;
    // Arms a timer that is idle.
    void arm_one()
    {
        timed &timer = timers[next];
        next = (next + 1) % 8;
        if (tickwheel_timer_pending(&timer) == 0) {
            ++armed;
            timer.arm(1 + numbers.below(numbers.below(3) == 0 ? 400 : 12));
        }
    }
    void check() const
    {
        unsigned fired = 0;
        for (const timed &timer : timers) {
            CHECK_EQ(timer.early, 0u);
            CHECK_EQ(timer.late, 0u);
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
    const uint32_t from = stand_in::cycles();
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
    CHECK_EQ(tickwheel_freertos_tick_count(jiffies), now());
    const uint32_t passed = (stand_in::cycles() - from + cycles_per_tick / 2) / cycles_per_tick;
    CHECK(passed - (jiffies - from_tick) <= 2);
}

TEST_CASE("an interrupt at the end of a whole sleep, before SysTick's, finds jiffies right")
{
    static timed timer;
    static jiffies_t seen;
    vTaskDelay(1);
    const jiffies_t from = jiffies;
    stand_in::interrupt_at_wake([] {
        seen = jiffies;
        timer.arm(5);
    });
    vTaskDelay(50);
    // The last tick is SysTick's own.
    CHECK_EQ(seen, from + 49);
    CHECK_EQ(tickwheel_freertos_tick_count(jiffies), now());
    vTaskDelay(10);
    CHECK_EQ(timer.count, 1u);
    CHECK_EQ(timer.early + timer.late, 0u);
    CHECK_EQ(timer.expires, from + 54);
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

namespace
{

uint32_t came_at;
uint32_t latency;

// An interrupt comes with the first callback of 300 in one tick. Returns how many cycles it waits.
uint32_t latency_in_burst(bool in_hook)
{
    static timer_list burst[300];
    vTaskDelay(1);
    for (timer_list &timer : burst) {
        tickwheel_timer_setup(
            &timer, [](timer_list *) {}, 0);
    }
    tickwheel_timer_setup(
        &burst[0],
        [](timer_list *) {
            came_at = stand_in::cycles();
            stand_in::interrupt([] { latency = stand_in::cycles() - came_at; });
        },
        0);
    for (timer_list &timer : burst) {
        (void)tickwheel_mod_timer(&timer, jiffies + 3);
    }
    runs_in_hook = in_hook;
    stand_in::spend(5);
    runs_in_hook = false;
    return latency;
}

} // namespace

TEST_CASE("the trap: callbacks in the tick hook hold up interrupts for the whole burst")
{
    const uint32_t in_task = latency_in_burst(false);
    const uint32_t in_hook = latency_in_burst(true);
    CHECK(in_hook > 20 * in_task);
}
