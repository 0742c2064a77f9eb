// SPDX-License-Identifier: MIT
// The task of the callbacks: when and where timers of the wheel fire, the wait for a callback, the budget, sleep, and
// the tick while the kernel holds ticks pending.
#include "../support/core_registers.hpp"
#include "firmware.hpp"

namespace
{

TaskHandle_t task_of_callbacks;
TaskHandle_t other_starter;
unsigned created;
unsigned begun;
unsigned done;

void start_too(void *)
{
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        begun = created;
        tickwheel_freertos_start();
        ++done;
    }
}

void wake_other_starter()
{
    BaseType_t woken = pdFALSE;
    stand_in::interrupt_every(stand_in::ordinary_device, 0, nullptr);
    vTaskNotifyGiveFromISR(other_starter, &woken);
    portYIELD_FROM_ISR(woken);
}

TEST_CASE("two tasks that start the wheel at once create one task, at whatever moment the second one comes")
{
    other_starter = create_task<start_too>(1);
    tickwheel_freertos_start();
    task_of_callbacks = tickwheel_freertos_task();
    unsigned first = 0;
    unsigned second = 0;
    for (uint32_t moment = 1; moment < 600; ++moment) {
        {
            const masked all;
            const jiffies_t of_kernel = tickwheel_freertos_first_;
            tickwheel_freertos_reset();
            tickwheel_freertos_first_ = of_kernel;
        }
        created = 0;
        done = 0;
        stand_in::on_create = [] {
            ++created;
            return task_of_callbacks;
        };
        stand_in::interrupt_every(stand_in::ordinary_device, moment, wake_other_starter);
        tickwheel_freertos_start();
        while (*static_cast<volatile unsigned *>(&done) == 0) {
        }
        stand_in::on_create = nullptr;
        REQUIRE(created == 1u);
        REQUIRE(tickwheel_freertos_task() == task_of_callbacks);
        (begun == 0 ? first : second) += 1;
    }
    CHECK(first > 5);
    CHECK(second > 5);
}

TEST_CASE("while the scheduler is suspended, jiffies goes on, and timers fire when it resumes")
{
    vTaskDelay(1);
    plain_timer due;
    plain_timer later;
    const jiffies_t from = jiffies;
    due.arm(2);
    later.arm(8);
    vTaskSuspendAll();
    stand_in::spend(5);
    CHECK_EQ(jiffies, from + 5);
    CHECK_EQ(tickwheel_freertos_tick_count(from), now());
    CHECK_EQ(due.count, 0u);
    (void)xTaskResumeAll();
    CHECK_EQ(due.count, 1u);
    // The pended ticks are counted once.
    CHECK_EQ(jiffies, from + 5);
    check_counts();
    vTaskDelay(10);
    CHECK_EQ(later.count, 1u);
    CHECK_EQ(later.wrong, 0u);
}

TEST_CASE("a tick in which nothing is due does not wake the task")
{
    // Waits for the start of a block, because the wheel runs at its end.
    vTaskDelay(257 - jiffies % 256);
    vTaskSuspendAll();
    stand_in::spend(1);
    CHECK_EQ(tickwheel_freertos_task()->notifications, 0u);
    (void)xTaskResumeAll();
}

TEST_CASE("ticks that the kernel catches up are counted at once, and what is due runs, once for each period")
{
    plain_timer timer;
    software_timer often(1, pdTRUE);
    const jiffies_t from = jiffies;
    timer.arm(3);
    // A backlog of two calls, as in the kernel's timer demo: the second one stops the timer.
    often.noted.then = [](TimerHandle_t self) {
        if (static_cast<calls *>(pvTimerGetTimerID(self))->count == 2) {
            (void)xTimerStop(self, 0);
        }
    };
    (void)xTimerStart(often.handle, 0);
    (void)xTaskCatchUpTicks(6);
    CHECK_EQ(jiffies, from + 6);
    check_counts();
    CHECK_EQ(timer.count, 1u);
    CHECK_EQ(often.noted.count, 2u);
    CHECK_EQ(xTimerIsTimerActive(often.handle), pdFALSE);
}

TEST_CASE("the tick goes on while every task waits without a limit, and a timer ends that")
{
    static timer_list timer;
    tickwheel_timer_setup(&timer, [](timer_list *) { (void)xTaskNotifyGive(test_task); }, 0);
    const TickType_t from = now();
    (void)tickwheel_mod_timer(&timer, jiffies + 40);
    CHECK_EQ(ulTaskNotifyTake(pdTRUE, portMAX_DELAY), 1u);
    CHECK_EQ(now(), from + 40);
}

TEST_CASE("a step of the kernel counts what the wheel has not counted in the sleep, and jiffies does not go back")
{
    vTaskDelay(1);
    const jiffies_t from = jiffies;
    tickwheel_freertos_slept(2);
    tickwheel_freertos_step(1);
    CHECK_EQ(jiffies, from + 2);
    // A sleep of two parts, of which the kernel counts all.
    tickwheel_freertos_slept(1);
    tickwheel_freertos_slept(2);
    tickwheel_freertos_step(3);
    CHECK_EQ(jiffies, from + 5);
    // The kernel has not slept. Its count catches up with jiffies.
    (void)xTaskCatchUpTicks(5);
    check_counts();
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

TEST_CASE("a sleep whose count ends while it is read counts all ticks but the last")
{
    constexpr uint32_t planned = 5;
    unsigned before = 0;
    unsigned after = 0;
    vTaskDelay(1);
    for (uint32_t moment = 0; moment < 400; ++moment) {
        {
            const masked all;
            const jiffies_t from = jiffies;
            systick_start_once(200 + moment);
            while (at(systick_value) == 0) {
            }
            at(systick_reload) = planned * stand_in::clock_per_tick - 1;
            for (unsigned i = 0; i < 100; ++i) {
                barrier();
            }
            before += (at(interrupt_control) & pend_systick) != 0;
            tickwheel_freertos_woke(planned);
            after += (at(interrupt_control) & pend_systick) == 0;
            REQUIRE(jiffies == from + planned - 1);
            tickwheel_freertos_step(planned - 1);
            systick_stop();
            at(systick_reload) = stand_in::clock_per_tick - 1;
            at(systick_value) = 0;
            at(systick_control) = 7;
        }
        (void)xTaskCatchUpTicks(planned - 1);
    }
    check_counts();
    CHECK(before > 20);
    CHECK(after > 20);
}

int from_itself;

// A callback that blocks: what a callback should not do, and the only way to see one that runs below its caller.
struct blocking_timer : timer_list {
    unsigned begun = 0;
    unsigned ended = 0;
    blocking_timer() : timer_list()
    {
        tickwheel_timer_setup(this, block, 0);
    }
    static void block(timer_list *timer)
    {
        auto *const self = static_cast<blocking_timer *>(timer);
        ++self->begun;
        from_itself = tickwheel_freertos_delete_sync(self, portMAX_DELAY);
        vTaskDelay(6);
        ++self->ended;
    }
};

TEST_CASE("delete_sync: idle, pending, running, and in its own callback")
{
    vTaskDelay(1);
    plain_timer plain;
    const TickType_t before = now();
    CHECK_EQ(tickwheel_freertos_delete_sync(&plain, 9), 0);
    CHECK_EQ(now(), before);
    plain.arm(3);
    CHECK_EQ(tickwheel_freertos_delete_sync(&plain, 0), 1);
    vTaskDelay(5);
    CHECK_EQ(plain.count, 0u);

    blocking_timer blocking;
    from_itself = 0;
    (void)tickwheel_mod_timer(&blocking, jiffies + 1);
    vTaskDelay(2);
    CHECK_EQ(blocking.begun, 1u);
    CHECK_EQ(from_itself, -1);
    // It ends five ticks from now. A time limit changes nothing, not even a re-arm.
    const TickType_t from = now();
    CHECK_EQ(tickwheel_mod_timer(&blocking, jiffies + 50), 0);
    CHECK_EQ(tickwheel_freertos_delete_sync(&blocking, 0), -1);
    CHECK_EQ(now(), from);
    CHECK_EQ(tickwheel_freertos_delete_sync(&blocking, 2), -1);
    CHECK_EQ(now(), from + 2);
    CHECK_EQ(tickwheel_timer_pending(&blocking), 1);
    CHECK_EQ(blocking.ended, 0u);
    // While the scheduler is suspended nobody may wait.
    vTaskSuspendAll();
    CHECK_EQ(tickwheel_freertos_delete_sync(&blocking, portMAX_DELAY), -1);
    CHECK_EQ(tickwheel_freertos_delete_sync(&plain, portMAX_DELAY), 0);
    (void)xTaskResumeAll();
    CHECK_EQ(tickwheel_timer_pending(&blocking), 1);
    CHECK_EQ(tickwheel_freertos_delete_sync(&blocking, portMAX_DELAY), 1);
    CHECK_EQ(blocking.ended, 1u);
    CHECK(now() - from <= 6);
    vTaskDelay(60);
    CHECK_EQ(blocking.begun, 1u);
}

blocking_timer *waited_for;
int deleted_from_above;

void wait_above(void *)
{
    deleted_from_above = tickwheel_freertos_delete_sync(waited_for, 20);
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

TEST_CASE("delete_sync lets the callback end, also below a caller of a higher priority")
{
    blocking_timer blocking;
    waited_for = &blocking;
    deleted_from_above = -2;
    (void)tickwheel_mod_timer(&blocking, jiffies + 1);
    vTaskDelay(2);
    CHECK_EQ(blocking.begun, 1u);
    (void)create_task<wait_above>(1);
    vTaskDelay(30);
    CHECK_EQ(blocking.ended, 1u);
    CHECK_EQ(deleted_from_above, 0);
}

// So few that no tick comes meanwhile, which would switch the tasks too.
constexpr unsigned burst_size = 20;
TaskHandle_t sharing_task;
unsigned fired;
unsigned max_in_a_row;

// A task of the same priority that always has work while a burst runs.
void share(void *)
{
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    for (unsigned seen = 0; seen != burst_size;) {
        max_in_a_row = fired - seen > max_in_a_row ? fired - seen : max_in_a_row;
        seen = fired;
        taskYIELD();
    }
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

TEST_CASE("a burst lets tasks of the same priority run after each budget")
{
    static timer_list burst[burst_size];
    sharing_task = create_task<share>(0);
    vTaskDelay(1);
    for (timer_list &timer : burst) {
        tickwheel_timer_setup(
            &timer,
            [](timer_list *) {
                // The first callback makes the other task ready for as long as the burst runs.
                if (fired++ == 0) {
                    (void)xTaskNotifyGive(sharing_task);
                }
            },
            0);
        (void)tickwheel_mod_timer(&timer, jiffies + 2);
    }
    vTaskDelay(5);
    CHECK_EQ(fired, burst_size);
    CHECK(max_in_a_row > 0);
    CHECK(max_in_a_row <= TICKWHEEL_FREERTOS_BUDGET);
}

} // namespace
