// SPDX-License-Identifier: MIT
// FreeRTOS's software timers, each of them a timer of the wheel. Commands take effect at once: there is no queue.
#include <tickwheel/freertos_timers.h>
#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>

#ifndef TICKWHEEL_FREERTOS_PENDED_CALLS
#ifdef configTIMER_QUEUE_LENGTH
#define TICKWHEEL_FREERTOS_PENDED_CALLS configTIMER_QUEUE_LENGTH
#else
#define TICKWHEEL_FREERTOS_PENDED_CALLS 8
#endif
#endif

/// The kernel's header declares this structure. Only the members of timer_list belong to the wheel.
struct tmrTimerControl : timer_list {
    const char *name;
    void *id;
    TimerCallbackFunction_t callback;
    union {
        TickType_t period;
        /// After xTimerDelete(), in the list of timers to free.
        tmrTimerControl *next_deleted;
    };
    /// From a start to a stop. A one-shot timer is inactive in its callback, an auto-reload timer is active.
    bool active : 1;
    bool reloads : 1;
    bool has_own_buffer : 1;
    bool deleted : 1;
    /// Not all of its bits fit in a StaticTimer_t with TICKWHEEL_DEBUG.
    UBaseType_t number : 28;
};

#if configSUPPORT_STATIC_ALLOCATION == 1
static_assert(sizeof(tmrTimerControl) <= sizeof(StaticTimer_t) && alignof(tmrTimerControl) <= alignof(StaticTimer_t),
              "StaticTimer_t is too small for a timer with TICKWHEEL_DEBUG; configUSE_TRACE_FACILITY enlarges it");
#endif

namespace
{

using lock = tickwheel::lock_guard<tickwheel::port_lock>;

/// The type of the parameter that says whether a timer reloads: the third of a create, the second of a set. Older
/// kernels have UBaseType_t there.
template <class Function>
struct reloads_of;
template <class Return, class First, class Second>
struct reloads_of<Return(First, Second)> {
    using type = Second;
};
template <class Return, class First, class Second, class Third, class... Rest>
struct reloads_of<Return(First, Second, Third, Rest...)> {
    using type = Third;
};

struct pended_call {
    PendedFunction_t function;
    void *first;
    uint32_t second;
};

tmrTimerControl *deleted_timers;
pended_call pended[TICKWHEEL_FREERTOS_PENDED_CALLS];
unsigned pended_first;
unsigned pended_count;
unsigned early_commands;

// The delay for one period. A tick that is 2^31 ticks ahead would read as past.
TickType_t delay_of(const tmrTimerControl *timer)
{
    constexpr TickType_t longest = 0x7FFFFFFF;
    return timer->period < longest ? timer->period : longest;
}

// The callback of every timer here.
void expired(timer_list *expiring)
{
    auto *const timer = static_cast<tmrTimerControl *>(expiring);
    {
        const lock masked;
        // Stopped or deleted since the runner has taken the timer. A start since then is pending, and stays so.
        if (!timer->active) {
            return;
        }
        if (tickwheel_timer_pending(timer) == 0) {
            timer->active = timer->reloads;
            if (timer->reloads) {
                // From the tick that it expired in. A late run calls once for each period, as the kernel does.
                (void)tickwheel_mod_timer(timer, timer->expires + delay_of(timer));
            }
        }
    }
    timer->callback(timer);
}

// Masked.
void start(tmrTimerControl *timer)
{
    timer->active = true;
    (void)tickwheel_mod_timer(timer, jiffies + delay_of(timer));
}

void wake_task()
{
    if (tickwheel_freertos_task() != nullptr) {
        (void)xTaskNotifyGive(tickwheel_freertos_task());
    }
}

// Masked. Returns true if the task must free the timer.
bool shut_down(tmrTimerControl *timer)
{
    timer->active = false;
    timer->deleted = true;
    (void)tickwheel_timer_shutdown(timer);
    if (timer->has_own_buffer) {
        return false;
    }
    // Its callback may be running below the caller, or be the caller.
    timer->next_deleted = deleted_timers;
    deleted_timers = timer;
    return true;
}

bool is_too_early()
{
#ifdef TICKWHEEL_FREERTOS_EARLY_COMMANDS
    return xTaskGetSchedulerState() == taskSCHEDULER_NOT_STARTED &&
           early_commands++ >= TICKWHEEL_FREERTOS_EARLY_COMMANDS;
#else
    return false;
#endif
}

BaseType_t command(TimerHandle_t timer, BaseType_t what, TickType_t value)
{
    configASSERT(timer != nullptr);
    if (timer == nullptr || is_too_early()) {
        return pdFAIL;
    }
    bool frees = false;
    {
        const lock masked;
        // After xTimerDelete() the list of timers to free needs the period's place.
        configASSERT(!timer->deleted);
        if (timer->deleted) {
            return pdFAIL;
        }
        if (what == tmrCOMMAND_DELETE) {
            frees = shut_down(timer);
        } else if (what == tmrCOMMAND_STOP || what == tmrCOMMAND_STOP_FROM_ISR) {
            timer->active = false;
            (void)tickwheel_timer_delete(timer);
        } else {
            if (what == tmrCOMMAND_CHANGE_PERIOD || what == tmrCOMMAND_CHANGE_PERIOD_FROM_ISR) {
                configASSERT(value > 0);
                timer->period = value;
            }
            start(timer);
        }
    }
    if (frees) {
        wake_task();
    }
    return pdPASS;
}

TimerHandle_t create(void *memory, bool is_own_buffer, const char *name, TickType_t period, bool reloads, void *id,
                     TimerCallbackFunction_t callback)
{
    configASSERT(period > 0);
    auto *const timer = static_cast<tmrTimerControl *>(memory);
    if (timer == nullptr) {
        return nullptr;
    }
    tickwheel_freertos_start();
    tickwheel_timer_setup(timer, expired, 0);
    timer->name = name;
    timer->id = id;
    timer->callback = callback;
    timer->period = period;
    timer->active = false;
    timer->reloads = reloads;
    timer->has_own_buffer = is_own_buffer;
    timer->deleted = false;
    timer->number = 0;
    return timer;
}

bool pend(const pended_call &call)
{
    const lock masked;
    if (pended_count == TICKWHEEL_FREERTOS_PENDED_CALLS) {
        return false;
    }
    pended[(pended_first + pended_count) % TICKWHEEL_FREERTOS_PENDED_CALLS] = call;
    ++pended_count;
    return true;
}

pended_call take_pended()
{
    const lock masked;
    const pended_call call = pended[pended_first];
    pended_first = (pended_first + 1) % TICKWHEEL_FREERTOS_PENDED_CALLS;
    --pended_count;
    return call;
}

#if configSUPPORT_DYNAMIC_ALLOCATION == 1
tmrTimerControl *take_deleted()
{
    const lock masked;
    tmrTimerControl *const timer = deleted_timers;
    if (timer != nullptr) {
        deleted_timers = timer->next_deleted;
    }
    return timer;
}
#endif

} // namespace

extern "C" {

void tickwheel_freertos_between_runs_();

// In the task of the callbacks. No callback is running, so timers may be freed.
void tickwheel_freertos_between_runs_()
{
    // Those that wait now. A function that pends itself waits for the next turn.
    for (unsigned count = *static_cast<volatile unsigned *>(&pended_count); count != 0; --count) {
        const pended_call call = take_pended();
        call.function(call.first, call.second);
    }
#if configSUPPORT_DYNAMIC_ALLOCATION == 1
    for (tmrTimerControl *timer = take_deleted(); timer != nullptr; timer = take_deleted()) {
        vPortFree(timer);
    }
#endif
}

#if configSUPPORT_DYNAMIC_ALLOCATION == 1
TimerHandle_t xTimerCreate(const char *const name, const TickType_t period,
                           const reloads_of<decltype(xTimerCreate)>::type reloads, void *const id,
                           TimerCallbackFunction_t callback)
{
    return create(pvPortMalloc(sizeof(tmrTimerControl)), false, name, period, reloads != pdFALSE, id, callback);
}
#endif

#if configSUPPORT_STATIC_ALLOCATION == 1
TimerHandle_t xTimerCreateStatic(const char *const name, const TickType_t period,
                                 const reloads_of<decltype(xTimerCreateStatic)>::type reloads, void *const id,
                                 TimerCallbackFunction_t callback, StaticTimer_t *buffer)
{
    configASSERT(buffer != nullptr);
    return create(buffer, true, name, period, reloads != pdFALSE, id, callback);
}

BaseType_t xTimerGetStaticBuffer(TimerHandle_t timer, StaticTimer_t **buffer)
{
    configASSERT(timer != nullptr && buffer != nullptr);
    if (!timer->has_own_buffer) {
        return pdFALSE;
    }
    *buffer = reinterpret_cast<StaticTimer_t *>(timer);
    return pdTRUE;
}
#endif

// Version 10.6 of the kernel made a macro of the first, with two functions below it.
#ifdef xTimerGenericCommand
BaseType_t xTimerGenericCommandFromTask(TimerHandle_t timer, const BaseType_t what, const TickType_t value,
                                        BaseType_t *const, const TickType_t)
{
    return command(timer, what, value);
}

BaseType_t xTimerGenericCommandFromISR(TimerHandle_t timer, const BaseType_t what, const TickType_t value,
                                       BaseType_t *const, const TickType_t)
{
    return command(timer, what, value);
}
#else
BaseType_t xTimerGenericCommand(TimerHandle_t timer, const BaseType_t what, const TickType_t value, BaseType_t *const,
                                const TickType_t)
{
    return command(timer, what, value);
}
#endif

BaseType_t xTimerIsTimerActive(TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    const lock masked;
    return timer->active ? pdTRUE : pdFALSE;
}

TickType_t xTimerGetPeriod(TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    return timer->period;
}

TickType_t xTimerGetExpiryTime(TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    return tickwheel_freertos_tick_count(timer->expires);
}

const char *pcTimerGetName(TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    return timer->name;
}

void *pvTimerGetTimerID(const TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    const lock masked;
    return timer->id;
}

void vTimerSetTimerID(TimerHandle_t timer, void *id)
{
    configASSERT(timer != nullptr);
    const lock masked;
    timer->id = id;
}

void vTimerSetReloadMode(TimerHandle_t timer, const reloads_of<decltype(vTimerSetReloadMode)>::type reloads)
{
    configASSERT(timer != nullptr);
    const lock masked;
    timer->reloads = reloads != pdFALSE;
}

BaseType_t xTimerGetReloadMode(TimerHandle_t timer)
{
    configASSERT(timer != nullptr);
    const lock masked;
    return timer->reloads ? pdTRUE : pdFALSE;
}

UBaseType_t uxTimerGetReloadMode(TimerHandle_t timer)
{
    return static_cast<UBaseType_t>(xTimerGetReloadMode(timer));
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle()
{
    configASSERT(tickwheel_freertos_task() != nullptr);
    return tickwheel_freertos_task();
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t function, void *first, uint32_t second, TickType_t ticks_to_wait)
{
    tickwheel_freertos_start();
    const TickType_t from = xTaskGetTickCount();
    while (!pend({function, first, second})) {
        // The task of the callbacks would wait for itself.
        if (xTaskGetSchedulerState() != taskSCHEDULER_RUNNING ||
            xTaskGetCurrentTaskHandle() == tickwheel_freertos_task() || xTaskGetTickCount() - from >= ticks_to_wait) {
            return pdFAIL;
        }
        vTaskDelay(1);
    }
    wake_task();
    return pdPASS;
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t function, void *first, uint32_t second,
                                         BaseType_t *higher_priority_task_woken)
{
    if (!pend({function, first, second})) {
        return pdFAIL;
    }
    if (tickwheel_freertos_task() != nullptr) {
        vTaskNotifyGiveFromISR(tickwheel_freertos_task(), higher_priority_task_woken);
    }
    return pdPASS;
}

#if configUSE_TRACE_FACILITY == 1
void vTimerSetTimerNumber(TimerHandle_t timer, UBaseType_t number)
{
    const lock masked;
    timer->number = number & 0x0FFFFFFF;
}

UBaseType_t uxTimerGetTimerNumber(TimerHandle_t timer)
{
    return timer->number;
}
#endif

void vTimerResetState()
{
    const lock masked;
    pended_count = 0;
    early_commands = 0;
    // The kernel's heap is reset, too.
    deleted_timers = nullptr;
    tickwheel_freertos_reset();
}

// Where the kernel has macros for these, its users do not call them.
#undef xEventGroupSetBitsFromISR
#undef xEventGroupClearBitsFromISR

// Weak: a firmware without event_groups.c has no event group to set bits in.
[[gnu::weak]] void vEventGroupSetBitsCallback(void *group, const uint32_t bits);
[[gnu::weak]] void vEventGroupClearBitsCallback(void *group, const uint32_t bits);

BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, const EventBits_t bits,
                                     BaseType_t *higher_priority_task_woken)
{
    return xTimerPendFunctionCallFromISR(vEventGroupSetBitsCallback, group, bits, higher_priority_task_woken);
}

BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, const EventBits_t bits)
{
    return xTimerPendFunctionCallFromISR(vEventGroupClearBitsCallback, group, bits, nullptr);
}
}
