// SPDX-License-Identifier: MIT
// The timers of the tests of port/freertos, which note their calls.
#pragma once

#include <tickwheel/freertos.h>
#include <tickwheel/freertos_timers.h>

#include "../support/freertos/stand_in.hpp"
#include "../unit/unit_test.hpp"

/// configASSERT() has failed so often.
extern unsigned assertions;

/// The task that runs the tests. It is below that of the callbacks, as most of a firmware is.
extern TaskHandle_t test_task;

/// The calls of the timers that main() has started.
extern unsigned early_calls;

inline TickType_t now()
{
    return xTaskGetTickCount();
}

/// Creates a task of this function, so many priorities above that of the callbacks.
template <TaskFunction_t Function>
TaskHandle_t create_task(UBaseType_t above)
{
    static StackType_t stack[configTIMER_TASK_STACK_DEPTH];
    static StaticTask_t task;
    return xTaskCreateStatic(Function, "test", configTIMER_TASK_STACK_DEPTH, nullptr,
                             configTIMER_TASK_PRIORITY + above, stack, &task);
}

/// The kernel and the wheel have counted the same ticks.
inline void check_counts()
{
    CHECK_EQ(tickwheel_freertos_tick_count(jiffies), now());
    CHECK_EQ(tickwheel_freertos_jiffies(now()), jiffies);
}

/// The calls of a software timer.
struct calls {
    unsigned count = 0;
    TickType_t last = 0;
    BaseType_t was_active = -1;
    TaskHandle_t ran_in = nullptr;
    /// Done in the callback.
    void (*then)(TimerHandle_t) = nullptr;
};

inline void note_call(TimerHandle_t timer)
{
    auto *const noted = static_cast<calls *>(pvTimerGetTimerID(timer));
    ++noted->count;
    noted->last = now();
    noted->was_active = xTimerIsTimerActive(timer);
    noted->ran_in = xTaskGetCurrentTaskHandle();
    if (noted->then != nullptr) {
        noted->then(timer);
    }
}

/// A software timer in a test: static, stopped at the end.
struct software_timer {
    calls noted;
    StaticTimer_t buffer = {};
    TimerHandle_t handle;
    explicit software_timer(TickType_t period, BaseType_t reloads = pdFALSE)
        : handle(
              xTimerCreateStatic("timer", period, static_cast<stand_in_reloads>(reloads), &noted, note_call, &buffer))
    {
    }
    ~software_timer()
    {
        (void)xTimerDelete(handle, 0);
    }
    software_timer(const software_timer &) = delete;
    software_timer &operator=(const software_timer &) = delete;
};

/// A timer of the wheel that notes its calls, and compares each of them with the machine's clock.
struct noted_timer : timer_list {
    unsigned count = 0;
    /// Early, late, not in the tick that `expires` says, or not in the task of the callbacks.
    unsigned wrong = 0;
    uint32_t armed_at = 0;
    uint32_t delay = 0;
    noted_timer() : timer_list()
    {
        tickwheel_timer_setup(this, note, 0);
    }
    /// It must fire after more than `ticks` - 1 ticks, and after at most `ticks`.
    void arm(uint32_t ticks)
    {
        armed_at = stand_in::clock();
        delay = ticks;
        (void)tickwheel_mod_timer(this, jiffies + ticks);
    }

private:
    static void note(timer_list *timer)
    {
        using stand_in::clock_per_tick;
        using stand_in::clock_tolerance;
        auto *const self = static_cast<noted_timer *>(timer);
        const uint32_t passed = stand_in::clock() - self->armed_at;
        ++self->count;
        self->wrong += passed + clock_tolerance <= (self->delay - 1) * clock_per_tick ||
                       passed > self->delay * clock_per_tick + clock_tolerance || jiffies != timer->expires ||
                       xTaskGetCurrentTaskHandle() != tickwheel_freertos_task();
    }
};

/// The same timer on a test's stack.
struct plain_timer : noted_timer {
    plain_timer() = default;
    ~plain_timer()
    {
        (void)tickwheel_timer_delete(this);
    }
    plain_timer(const plain_timer &) = delete;
    plain_timer &operator=(const plain_timer &) = delete;
};
