// SPDX-License-Identifier: MIT
// What the tests of port/freertos share: the machine, the task that runs them, and timers that note their calls.
#ifndef TICKWHEEL_TEST_FREERTOS_FIRMWARE_HPP
#define TICKWHEEL_TEST_FREERTOS_FIRMWARE_HPP

#include <tickwheel/freertos.h>
#include <tickwheel/freertos_timers.h>

#include "../support/freertos/stand_in.hpp"
#include "../unit/unit_test.hpp"

/// The tests run in a task below that of the callbacks, as most of a firmware does.
constexpr UBaseType_t test_priority = configTIMER_TASK_PRIORITY - 1;

/// configASSERT() has failed so often.
extern unsigned assertions;

/// The mistake that docs/freertos.md warns of: callbacks run in the tick hook.
extern bool runs_in_hook;

/// What main() found before the scheduler started.
struct early {
    TimerHandle_t timers[configTIMER_QUEUE_LENGTH];
    BaseType_t started[configTIMER_QUEUE_LENGTH];
    BaseType_t one_too_many;
    TaskHandle_t task;
    /// The task of the callbacks, after the first call that needs it.
    TaskHandle_t callbacks;
    unsigned calls;
};
extern early before_start;

inline TickType_t now()
{
    return xTaskGetTickCount();
}

/// The calls of a software timer.
struct calls {
    unsigned count = 0;
    TickType_t last = 0;
    BaseType_t was_active = -1;
    /// Done in the callback.
    void (*then)(TimerHandle_t) = nullptr;
};

inline void note_call(TimerHandle_t timer)
{
    auto *const noted = static_cast<calls *>(pvTimerGetTimerID(timer));
    ++noted->count;
    noted->last = now();
    noted->was_active = xTimerIsTimerActive(timer);
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

/// A plain timer of the wheel that notes its calls.
struct plain_timer : timer_list {
    unsigned count = 0;
    jiffies_t last = 0;
    TaskHandle_t ran_in = nullptr;
    plain_timer() : timer_list()
    {
        tickwheel_timer_setup(this, note, 0);
    }
    ~plain_timer()
    {
        (void)tickwheel_timer_delete(this);
    }
    plain_timer(const plain_timer &) = delete;
    plain_timer &operator=(const plain_timer &) = delete;

private:
    static void note(timer_list *timer)
    {
        auto *const self = static_cast<plain_timer *>(timer);
        ++self->count;
        self->last = jiffies;
        self->ran_in = xTaskGetCurrentTaskHandle();
    }
};

#endif
