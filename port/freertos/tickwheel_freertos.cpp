// SPDX-License-Identifier: MIT
// The wheel with FreeRTOS: who counts, who runs, and how long the kernel may sleep. DESIGN.md has the rules (F1 ..).
#include <tickwheel/freertos.h>
#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>

#ifndef TICKWHEEL_FREERTOS_PRIORITY
#ifdef configTIMER_TASK_PRIORITY
#define TICKWHEEL_FREERTOS_PRIORITY configTIMER_TASK_PRIORITY
#else
#define TICKWHEEL_FREERTOS_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#endif
#ifndef TICKWHEEL_FREERTOS_STACK
#ifdef configTIMER_TASK_STACK_DEPTH
#define TICKWHEEL_FREERTOS_STACK configTIMER_TASK_STACK_DEPTH
#else
#define TICKWHEEL_FREERTOS_STACK configMINIMAL_STACK_SIZE
#endif
#endif
#ifndef TICKWHEEL_FREERTOS_BUDGET
#define TICKWHEEL_FREERTOS_BUDGET 16
#endif

static_assert(sizeof(TickType_t) == sizeof(jiffies_t), "the kernel's ticks must have 32 bits, as jiffies has");
static_assert(!TICKWHEEL_ONE_SHOT, "TICKWHEEL_ONE_SHOT must be 0: the kernel's tick counts");
static_assert(configTICK_RATE_HZ == TICKWHEEL_HZ, "define TICKWHEEL_HZ as configTICK_RATE_HZ");
static_assert(configSUPPORT_STATIC_ALLOCATION == 1, "the task of the callbacks is static");

extern "C" {

// tickwheel_freertos_timers.cpp has it. The declaration is weak: without that file the address is null.
[[gnu::weak]] void tickwheel_freertos_between_runs_();
}

namespace
{

using lock = tickwheel::lock_guard<tickwheel::port_lock>;

// Finite, so the kernel never tells its sleep code that nobody waits for a time, and that the tick may stop for good.
constexpr TickType_t longest_wait = portMAX_DELAY - 1;

bool started;
TaskHandle_t task;
StaticTask_t task_buffer;
StackType_t task_stack[TICKWHEEL_FREERTOS_STACK];
// Ticks of the current sleep that the wheel has counted and the kernel has not.
uint32_t ahead;

void run_callbacks(void *)
{
    // The task may begin before the call that creates it has returned.
    task = xTaskGetCurrentTaskHandle();
    for (;;) {
        if (&tickwheel_freertos_between_runs_ != nullptr) {
            tickwheel_freertos_between_runs_();
        }
        (void)tickwheel_run_budget(TICKWHEEL_FREERTOS_BUDGET);
        if (tickwheel_due()) {
            taskYIELD();
        } else {
            (void)ulTaskNotifyTake(pdTRUE, longest_wait);
        }
    }
}

// From the tick interrupt, or masked. The kernel itself looks for a switch after its tick and after its sleep.
void count(uint32_t ticks)
{
    if (ticks != 0 && tickwheel_advance(ticks) != 0 && task != nullptr) {
        vTaskNotifyGiveFromISR(task, nullptr);
    }
}

} // namespace

extern "C" {

void tickwheel_freertos_start()
{
    {
        const lock masked;
        if (started) {
            return;
        }
        started = true;
    }
    task = xTaskCreateStatic(run_callbacks, "tickwheel", TICKWHEEL_FREERTOS_STACK, nullptr,
                             TICKWHEEL_FREERTOS_PRIORITY, task_stack, &task_buffer);
}

jiffies_t tickwheel_freertos_first_ = TICKWHEEL_INITIAL_JIFFIES;

void tickwheel_freertos_reset()
{
    const lock masked;
    tickwheel_freertos_first_ = jiffies;
    task = nullptr;
    started = false;
}

TaskHandle_t tickwheel_freertos_task()
{
    return task;
}

void tickwheel_freertos_tick(uint32_t tick_count)
{
    // Most ticks that the kernel has kept are counted by now. Those of xTaskCatchUpTicks() are not (F2).
    const jiffies_t behind = tickwheel_freertos_jiffies(tick_count + 1) - jiffies;
    if (xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED) {
        // The kernel keeps this tick for later. The wheel counts it now.
        count(1);
    } else if (behind < 1u << 31) {
        count(behind);
    }
}

// While an event is due, the kernel sleeps only if a callback blocks. Then its plan holds.
uint32_t tickwheel_freertos_sleep_limit(uint32_t planned)
{
    jiffies_t event = 0;
    if (tickwheel_next_event(&event) == 0) {
        return planned;
    }
    // Read once. The scheduler is suspended, but interrupts are on: a tick may come.
    const jiffies_t ticks = event - jiffies;
    return ticks < planned ? ticks : planned;
}

uint32_t tickwheel_freertos_confirm_sleep(uint32_t planned)
{
    return tickwheel_freertos_sleep_limit(planned) < planned ? 0 : planned;
}

void tickwheel_freertos_slept(uint32_t ticks)
{
    ahead += ticks;
    count(ticks);
}

void tickwheel_freertos_step(uint32_t ticks)
{
    const uint32_t counted = ahead < ticks ? ahead : ticks;
    ahead = 0;
    count(ticks - counted);
}

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
void tickwheel_freertos_woke(uint32_t planned)
{
    // The kernel's code for Cortex-M lets SysTick count down once over the whole sleep. It computes the same quotient
    // later. The end of the count is the last tick, which SysTick's interrupt counts.
#ifdef configSYSTICK_CLOCK_HZ
    const uint32_t counts_per_tick = configSYSTICK_CLOCK_HZ / configTICK_RATE_HZ;
#else
    const uint32_t counts_per_tick = configCPU_CLOCK_HZ / configTICK_RATE_HZ;
#endif
    // In this order: if the count ends between the two reads, the first one was near 0, and gives the same answer.
    const uint32_t left = *reinterpret_cast<const volatile uint32_t *>(0xE000E018);
    const bool ended = (*reinterpret_cast<const volatile uint32_t *>(0xE000ED04) & UINT32_C(1) << 26) != 0;
    uint32_t passed = planned - 1;
    if (!ended) {
        // 0 without an interrupt: SysTick has not loaded its period yet. Else less than `planned` ticks have passed.
        passed = left == 0 ? 0 : (planned * counts_per_tick - left) / counts_per_tick;
    }
    tickwheel_freertos_slept(passed);
}
#endif

int tickwheel_freertos_delete_sync(timer_list *timer, TickType_t ticks_to_wait)
{
    const TickType_t from = xTaskGetTickCount();
    for (;;) {
        const int deleted = tickwheel_try_to_del_timer_sync(timer);
        // A callback in the task would wait for itself. While the scheduler is suspended no callback can end.
        if (deleted >= 0 || xTaskGetCurrentTaskHandle() == task ||
            xTaskGetSchedulerState() != taskSCHEDULER_RUNNING || xTaskGetTickCount() - from >= ticks_to_wait) {
            return deleted;
        }
        vTaskDelay(1);
    }
}
}
