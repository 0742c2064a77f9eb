/* SPDX-License-Identifier: MIT */
/*
 * A firmware on FreeRTOS. A plain timer of the wheel re-arms itself. A software timer of FreeRTOS's own API reloads.
 * A task stops the first. Between them the core sleeps without ticks.
 */
#include <tickwheel/freertos.h>
#include <tickwheel/freertos_timers.h>
#include <tickwheel/timer.h>

#include "chip.h"

static void say(const char *what)
{
    chip_print("tick ");
    chip_print_number(xTaskGetTickCount());
    chip_print(xTaskGetCurrentTaskHandle() == tickwheel_freertos_task() ? ", callback: " : ", task: ");
    chip_print(what);
    chip_print("\n");
}

static void toggle(struct timer_list *timer)
{
    say("the lamp toggles");
    mod_timer(timer, timer->expires + msecs_to_jiffies(250));
}

static DEFINE_TIMER(lamp, toggle);

static void measure(TimerHandle_t timer)
{
    (void)timer;
    say("the sensor measures");
}

static void control(void *parameter)
{
    (void)parameter;
    vTaskDelay(900);
    say("no lamp from now on");
    /* After this call the callback is not running, so what it uses may go. */
    const int was_pending = tickwheel_freertos_delete_sync(&lamp, portMAX_DELAY);
    vTaskDelay(500);
    say("the end");
    chip_exit(was_pending != 1);
}

int main(void)
{
    static StaticTask_t control_task;
    static StackType_t control_stack[configMINIMAL_STACK_SIZE];
    static StaticTimer_t sensor_timer;
    chip_print("FreeRTOS and tickwheel\n");
    mod_timer(&lamp, jiffies + msecs_to_jiffies(250));
    const TimerHandle_t sensor = xTimerCreateStatic("sensor", 400, pdTRUE, NULL, measure, &sensor_timer);
    if (xTimerStart(sensor, 0) != pdPASS) {
        return 2;
    }
    xTaskCreateStatic(control, "control", configMINIMAL_STACK_SIZE, NULL, 1, control_stack, &control_task);
    vTaskStartScheduler();
    return 3;
}

/* The kernel asks for the memory of its idle task. */
void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *stack_words);
void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *stack_words)
{
    static StaticTask_t idle_task;
    static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
    *task = &idle_task;
    *stack = idle_stack;
    *stack_words = configMINIMAL_STACK_SIZE;
}
