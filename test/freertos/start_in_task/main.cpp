// SPDX-License-Identifier: MIT
// A task starts the wheel while the scheduler runs. The task of the callbacks is more urgent, so it runs before that
// call returns. It is known to its callbacks by then. The scheduler has run once before, and the kernel counts anew.
#include <stdio.h>

#include <tickwheel/freertos_timers.h>

#include "../../support/freertos/stand_in.hpp"

namespace
{

StackType_t stack[1u << 17];
StaticTask_t buffer;
timer_list due;
TaskHandle_t running;
TaskHandle_t known;

void look(timer_list *)
{
    running = xTaskGetCurrentTaskHandle();
    known = tickwheel_freertos_task();
}

unsigned failed;
unsigned calls_of_former_run;

void check(bool holds, const char *what)
{
    if (!holds) {
        ++failed;
        printf("FAIL %s\n", what);
    }
}

void start_wheel(void *)
{
    tickwheel_timer_setup(&due, look, 0);
    (void)tickwheel_mod_timer(&due, jiffies + 1);
    vTaskDelay(2);
    check(tickwheel_freertos_tick_count(jiffies) == xTaskGetTickCount(), "jiffies is not the kernel's tick count");
    tickwheel_freertos_start();
    check(running != nullptr && known == running && tickwheel_freertos_task() == running,
          "the task is not known to its first callback");
    check(calls_of_former_run == 0, "a function is called that was pended before the kernel was reset");
    check(stand_in::blocks_in_use == 1, "memory of the former heap is freed");
    printf("%u passed, %u failed\n", 6 - failed, failed);
    stand_in::end(failed != 0);
}

} // namespace

extern "C" {

void freertos_assert(const char *what)
{
    stand_in::fail(what);
}

void vApplicationTickHook()
{
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
    (void)xTimerPendFunctionCall([](void *, uint32_t) { ++calls_of_former_run; }, nullptr, 0, 0);
    static StaticTimer_t before_buffer;
    const TimerHandle_t before = xTimerCreateStatic(
        "before", 1, pdFALSE, nullptr, [](TimerHandle_t) {}, &before_buffer);
    const TimerHandle_t former = xTimerCreate("former", 1, pdFALSE, nullptr, [](TimerHandle_t) {});
    for (unsigned i = 0; i + 1 < TICKWHEEL_FREERTOS_EARLY_COMMANDS; ++i) {
        (void)xTimerStart(former, 0);
    }
    (void)xTimerDelete(former, 0);
    (void)tickwheel_advance(1000);
    vTaskResetState();
    vTimerResetState();
    check(tickwheel_freertos_task() == nullptr, "the task of the former run is still known");
    check(xTimerStop(before, 0) == pdPASS, "the commands of the former run still count");
    (void)xTaskCreateStatic(start_wheel, "start", 1u << 17, nullptr, 0, stack, &buffer);
    vTaskStartScheduler();
    return 1;
}
