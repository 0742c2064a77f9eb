// SPDX-License-Identifier: MIT
// A task starts the wheel while the scheduler runs. The task of the callbacks is more urgent, so it runs before that
// call returns. It is known to its callbacks by then.
#include <stdio.h>

#include <tickwheel/freertos.h>

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

void start_wheel(void *)
{
    tickwheel_timer_setup(&due, look, 0);
    (void)tickwheel_mod_timer(&due, jiffies + 1);
    vTaskDelay(2);
    tickwheel_freertos_start();
    const bool right = running != nullptr && known == running && tickwheel_freertos_task() == running;
    printf("%s%d passed, %d failed\n", right ? "" : "FAIL the task is not known to its first callback\n", right,
           !right);
    stand_in::end(!right);
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
    (void)xTaskCreateStatic(start_wheel, "start", 1u << 17, nullptr, 0, stack, &buffer);
    vTaskStartScheduler();
    return 1;
}
