// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The scheduler of the stand-in. Each call does what its page in the API reference of
// freertos.org says. The pages are named in brackets.
#include "stand_in.hpp"

namespace stand_in
{

TaskHandle_t current;
TaskHandle_t (*on_create)();
unsigned sleeps;
unsigned blocks_in_use;
bool heap_is_empty;
void (*before_next_sleep)();

namespace
{

TaskHandle_t tasks;
StaticTask_t idle_task;
StackType_t idle_stack[configTIMER_TASK_STACK_DEPTH];
volatile TickType_t tick_count = configINITIAL_TICK_COUNT;
volatile TickType_t pended_ticks;
volatile unsigned suspended;
volatile bool started;
volatile bool yield_pending;

struct critical {
    uint32_t state = mask();
    critical() = default;
    ~critical()
    {
        unmask(state);
    }
    critical(const critical &) = delete;
    critical &operator=(const critical &) = delete;
};

// The most urgent ready task. If there are several, the one after `after`, so that all of them run ["RTOS
// scheduling": "round robin time sliced scheduling"].
TaskHandle_t max_urgent(TaskHandle_t after)
{
    TaskHandle_t best = nullptr;
    TaskHandle_t task = after;
    do {
        task = task->next != nullptr ? task->next : tasks;
        if (!task->blocked && (best == nullptr || task->priority > best->priority)) {
            best = task;
        }
    } while (task != after);
    return best;
}

void make_ready(TaskHandle_t task)
{
    task->blocked = false;
    yield_pending = yield_pending || task->priority > current->priority;
}

void switch_now()
{
    if (started && suspended == 0) {
        request_switch();
    }
}

void switch_if_needed()
{
    if (switch_is_needed()) {
        request_switch();
    }
}

// Masked. Blocks the current task. portMAX_DELAY waits without a limit [ulTaskNotifyTake: "INCLUDE_vTaskSuspend"].
void block(TickType_t ticks, bool for_notification)
{
    check(!in_interrupt(), "a call that blocks, in an interrupt");
    check(suspended == 0, "a call that blocks, with the scheduler suspended");
    check(current != &idle_task, "the idle task must not block");
    current->blocked = true;
    current->waits_for_notification = for_notification;
    current->has_time_limit = ticks != portMAX_DELAY;
    current->wake_at = tick_count + ticks;
}

// The ticks until a task's wait ends.
TickType_t ticks_to_unblock()
{
    const critical masked;
    TickType_t min = portMAX_DELAY - tick_count;
    for (TaskHandle_t task = tasks; task != nullptr; task = task->next) {
        if (task->blocked && task->has_time_limit && task->wake_at - tick_count < min) {
            min = task->wake_at - tick_count;
        }
    }
    return min;
}

// The same for the idle task. It is 0 if an interrupt has made a task ready.
TickType_t idle_ticks()
{
    return yield_pending ? 0 : ticks_to_unblock();
}

// ["Low power support": the idle task plans a sleep with the scheduler suspended.]
void idle(void *)
{
    constexpr TickType_t shortest = 2; // configEXPECTED_IDLE_TIME_BEFORE_SLEEP
    for (;;) {
        if (idle_ticks() >= shortest) {
            vTaskSuspendAll();
            TickType_t planned = idle_ticks();
            configPRE_SUPPRESS_TICKS_AND_SLEEP_PROCESSING(planned);
            if (planned >= shortest) {
                if (before_next_sleep != nullptr) {
                    interrupt(before_next_sleep);
                    before_next_sleep = nullptr;
                }
                sleep(planned);
                (void)xTaskResumeAll();
                continue;
            }
            (void)xTaskResumeAll();
        }
    }
}

void notify(TaskHandle_t task)
{
    ++task->notifications;
    if (task->blocked && task->waits_for_notification) {
        make_ready(task);
    }
}

void wake_those_in_time()
{
    for (TaskHandle_t task = tasks; task != nullptr; task = task->next) {
        if (task->blocked && task->has_time_limit && task->wake_at == tick_count) {
            make_ready(task);
        }
    }
}

// [traceTASK_INCREMENT_TICK, "Trace macros": each call of this function begins with it.]
bool count_tick()
{
    traceTASK_INCREMENT_TICK(tick_count);
    if (suspended != 0) {
        // [vTaskSuspendAll: "ticks are held pending"]
        pended_ticks = pended_ticks + 1;
    } else {
        tick_count = tick_count + 1;
        wake_those_in_time();
    }
    return switch_is_needed();
}

} // namespace

bool increment_tick()
{
    // Time slicing: a tick lets a task of the same priority run [configUSE_TIME_SLICING].
    const bool needed = count_tick();
    return needed || (suspended == 0 && max_urgent(current) != current);
}

void run_task()
{
    current->function(current->parameter);
    fail("a task has returned");
}

void choose_task()
{
    yield_pending = false;
    current = max_urgent(current);
}

bool switch_is_needed()
{
    return started && suspended == 0 && yield_pending;
}

} // namespace stand_in

using namespace stand_in;

extern "C" {

TaskHandle_t xTaskCreateStatic(TaskFunction_t function, const char *, uint32_t stack_words, void *parameter,
                               UBaseType_t priority, StackType_t *stack, StaticTask_t *task)
{
    check(priority < configMAX_PRIORITIES, "a priority of configMAX_PRIORITIES or more");
    check(!in_interrupt(), "xTaskCreateStatic in an interrupt");
    if (on_create != nullptr) {
        return on_create();
    }
    *task = {};
    task->function = function;
    task->parameter = parameter;
    task->priority = priority;
    prepare(task, stack, stack_words);
    {
        const critical masked;
        task->next = tasks;
        tasks = task;
        // [vTaskStartScheduler: the most urgent task that was created before it runs first.]
        if (!started && (current == nullptr || priority >= current->priority)) {
            current = task;
        }
        yield_pending = yield_pending || (started && priority > current->priority);
    }
    switch_if_needed();
    return task;
}

void vTaskStartScheduler()
{
    (void)xTaskCreateStatic(idle, "idle", configTIMER_TASK_STACK_DEPTH, nullptr, 0, idle_stack, &idle_task);
    started = true;
    start_first_task();
}

// [vTaskResetState: "resets the internal state of the task", "before restarting the scheduler"]
void vTaskResetState()
{
    tasks = nullptr;
    current = nullptr;
    started = false;
    tick_count = configINITIAL_TICK_COUNT;
}

// [vTaskDelay: "specifies a time at which the task wishes to unblock relative to the time at which it is called"]
void vTaskDelay(TickType_t ticks)
{
    {
        const critical masked;
        block(ticks, false);
    }
    switch_now();
}

void vTaskSuspendAll()
{
    suspended = suspended + 1;
}

// [xTaskResumeAll: returns pdTRUE if it has switched tasks. The ticks that were held pending are counted now.]
BaseType_t xTaskResumeAll()
{
    bool needed = false;
    {
        const critical masked;
        check(suspended != 0, "xTaskResumeAll without vTaskSuspendAll");
        suspended = suspended - 1;
        if (suspended == 0) {
            for (; pended_ticks != 0; pended_ticks = pended_ticks - 1) {
                (void)count_tick();
            }
            needed = switch_is_needed();
        }
    }
    if (needed) {
        switch_now();
    }
    return needed ? pdTRUE : pdFALSE;
}

TickType_t xTaskGetTickCount()
{
    return tick_count;
}

TaskHandle_t xTaskGetCurrentTaskHandle()
{
    return current;
}

BaseType_t xTaskGetSchedulerState()
{
    if (!started) {
        return taskSCHEDULER_NOT_STARTED;
    }
    return suspended != 0 ? taskSCHEDULER_SUSPENDED : taskSCHEDULER_RUNNING;
}

// [xTaskCatchUpTicks: "corrects the tick count value after the application code has held interrupts disabled"]
BaseType_t xTaskCatchUpTicks(TickType_t ticks)
{
    vTaskSuspendAll();
    {
        const critical masked;
        pended_ticks = pended_ticks + ticks;
    }
    return xTaskResumeAll();
}

// [vTaskStepTick: the count must not pass the time at which a task unblocks. If it reaches that time, the last tick
// is pended, so that xTaskResumeAll() unblocks the task.]
void vTaskStepTick(TickType_t ticks)
{
    const TickType_t to_unblock = ticks_to_unblock();
    check(ticks <= to_unblock, "vTaskStepTick past the next unblock time");
    if (ticks != 0 && ticks == to_unblock) {
        check(suspended != 0, "vTaskStepTick to the next unblock time needs a suspended scheduler");
        pended_ticks = pended_ticks + 1;
        --ticks;
    }
    tick_count = tick_count + ticks;
    traceINCREASE_TICK_COUNT(ticks);
}

// [eTaskConfirmSleepModeStatus: eAbortSleep if a task was made ready, or a tick is held pending; the third value if
// no task waits for a time.]
eSleepModeStatus eTaskConfirmSleepModeStatus()
{
    if (pended_ticks != 0 || yield_pending) {
        return eAbortSleep;
    }
    for (TaskHandle_t task = tasks; task != nullptr; task = task->next) {
        if (task->blocked && task->has_time_limit) {
            return eStandardSleep;
        }
    }
    return eNoTasksWaitingTimeout;
}

// [xTaskNotifyGive: "increments the notification value of the task"]
BaseType_t xTaskNotifyGive(TaskHandle_t task)
{
    check(!in_interrupt(), "xTaskNotifyGive in an interrupt");
    {
        const critical masked;
        notify(task);
    }
    switch_if_needed();
    return pdPASS;
}

// [vTaskNotifyGiveFromISR: sets *woken if the task is more urgent than the current one; the pointer may be NULL]
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken)
{
    const critical masked;
    const bool was_blocked = task->blocked;
    notify(task);
    if (woken != nullptr && was_blocked && !task->blocked && task->priority > current->priority) {
        *woken = pdTRUE;
    }
}

// [ulTaskNotifyTake: waits until the value is not 0. Then clears it. Returns the value of before, 0 after the time.]
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks_to_wait)
{
    check(clear == pdTRUE, "the stand-in only clears the value");
    bool waits = false;
    {
        const critical masked;
        waits = current->notifications == 0 && ticks_to_wait != 0;
        if (waits) {
            block(ticks_to_wait, true);
        }
    }
    if (waits) {
        switch_now();
    }
    const critical masked;
    const uint32_t value = current->notifications;
    current->notifications = 0;
    return value;
}

void taskYIELD()
{
    check(!in_interrupt(), "taskYIELD in an interrupt");
    switch_now();
}

void portYIELD_FROM_ISR(BaseType_t needed)
{
    check(in_interrupt(), "portYIELD_FROM_ISR in a task");
    if (needed != pdFALSE) {
        switch_now();
    }
}

// A heap of blocks of one size is enough for timers.
static StaticTimer_t heap[4];
static bool is_used[sizeof heap / sizeof heap[0]];

void *pvPortMalloc(size_t size)
{
    const critical masked;
    for (bool &used : is_used) {
        if (!used && !heap_is_empty && size <= sizeof heap[0]) {
            used = true;
            ++blocks_in_use;
            return &heap[&used - is_used];
        }
    }
    return nullptr;
}

void vPortFree(void *memory)
{
    const critical masked;
    const auto block = static_cast<size_t>(static_cast<StaticTimer_t *>(memory) - heap);
    check(block < sizeof heap / sizeof heap[0] && is_used[block], "vPortFree of what is no block");
    is_used[block] = false;
    --blocks_in_use;
    // Code that still uses the memory finds no timer there.
    for (size_t i = 0; i < sizeof heap[0]; ++i) {
        static_cast<volatile unsigned char *>(memory)[i] = 0xEE;
    }
}

// [vPortHeapResetState: "resets the heap state for restarting the scheduler"]
void vPortHeapResetState()
{
    for (bool &used : is_used) {
        used = false;
    }
    blocks_in_use = 0;
}
}
