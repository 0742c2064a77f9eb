// SPDX-License-Identifier: MIT
// A firmware that starts the scheduler for the second time. A task of it runs the test cases. What must hold before
// them ends the program if it does not.
#include "firmware.hpp"

unsigned assertions;
TaskHandle_t test_task;
unsigned early_calls;

// test/unit/main.cpp, whose main() the build renames.
int unit_main();

namespace unit
{
// The wheel counts from the scheduler's start on. There is nothing to read before that.
void look_before_main()
{
}
} // namespace unit

namespace
{

using stand_in::check;

// The kernel counts from 0 after this run, and nothing of it may come back: its calls, its timers, its commands.
void leave_former_run()
{
    (void)xTimerPendFunctionCall([](void *, uint32_t) { stand_in::fail("a call of the former run"); }, nullptr, 0, 0);
    const TimerHandle_t timer = xTimerCreate("former", 1, pdFALSE, nullptr, [](TimerHandle_t) {});
    for (unsigned i = 0; i < TICKWHEEL_FREERTOS_EARLY_COMMANDS - 1; ++i) {
        (void)xTimerStart(timer, 0);
    }
    (void)xTimerDelete(timer, 0);
    (void)tickwheel_advance(1000);
    vTaskResetState();
    vTimerResetState();
    vPortHeapResetState();
    check(tickwheel_freertos_task() == nullptr, "the task of the former run is known");
}

// With one version of the kernel, timers start the wheel before the scheduler runs. With the other one a task does.
void start_timers_early()
{
    static StaticTimer_t buffers[configTIMER_QUEUE_LENGTH];
    TimerHandle_t timer = nullptr;
    for (StaticTimer_t &buffer : buffers) {
        timer = xTimerCreateStatic(
            "early", 1 + static_cast<TickType_t>(&buffer - buffers), pdFALSE, nullptr,
            [](TimerHandle_t) { ++early_calls; }, &buffer);
        check(xTimerStart(timer, portMAX_DELAY) == pdPASS, "a start before the scheduler");
    }
    check(xTimerStart(timer, portMAX_DELAY) == pdFAIL, "one start more than TICKWHEEL_FREERTOS_EARLY_COMMANDS");
    check(tickwheel_freertos_task() != nullptr, "a timer is created, and the task of the callbacks is not");
}

// A timer is due, so the first thing that the task of the callbacks does is to call it.
void start_wheel_in_task()
{
    static timer_list due;
    tickwheel_timer_setup(
        &due,
        [](timer_list *) {
            check(xTaskGetCurrentTaskHandle() == tickwheel_freertos_task(),
                  "the task is unknown to its first callback");
            ++early_calls;
        },
        0);
    (void)tickwheel_mod_timer(&due, jiffies + 1);
    vTaskDelay(2);
    (void)xTimerPendFunctionCall([](void *, uint32_t) {}, nullptr, 0, 0);
    check(early_calls == 1, "a due timer at the start of the wheel");
}

void run_tests(void *)
{
    if (STAND_IN_KERNEL == 10) {
        start_wheel_in_task();
    }
    (void)unit_main();
}

} // namespace

extern "C" {

void freertos_assert(const char *)
{
    ++assertions;
}

#if TICKWHEEL_DEBUG
void tickwheel_bug(const char *what, const timer_list *)
{
    stand_in::fail(what);
}
#endif
}

int main()
{
    leave_former_run();
    if (STAND_IN_KERNEL != 10) {
        start_timers_early();
    }
    constexpr uint32_t stack_words = 1024;
    static StackType_t stack[stack_words];
    static StaticTask_t task;
    test_task =
        xTaskCreateStatic(run_tests, "tests", stack_words, nullptr, configTIMER_TASK_PRIORITY - 1, stack, &task);
    vTaskStartScheduler();
    return 1;
}
