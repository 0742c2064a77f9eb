// SPDX-License-Identifier: MIT
// xTimerPendFunctionCall() and its form for interrupts.
#include "firmware.hpp"

namespace
{

struct called {
    void *first;
    uint32_t second;
};
called log[16];
unsigned count;
bool again;

void note(void *first, uint32_t second)
{
    log[count % 16] = {first, second};
    ++count;
    if (again && count < 3) {
        CHECK_EQ(xTimerPendFunctionCall(note, first, second + 1, 0), pdPASS);
    }
}

} // namespace

struct EventGroupDef_t {
    EventBits_t bits;
};
static EventGroupDef_t group;

extern "C" {
void vEventGroupSetBitsCallback(void *of, const uint32_t bits)
{
    static_cast<EventGroupDef_t *>(of)->bits |= bits;
}
void vEventGroupClearBitsCallback(void *of, const uint32_t bits)
{
    static_cast<EventGroupDef_t *>(of)->bits &= ~bits;
}
}

TEST_CASE("a pended function runs in the task of the callbacks, before its caller goes on")
{
    count = 0;
    CHECK_EQ(xTimerPendFunctionCall(note, &count, 7, 0), pdPASS);
    CHECK_EQ(count, 1u);
    CHECK(log[0].first == &count);
    CHECK_EQ(log[0].second, 7u);
}

TEST_CASE("an interrupt pends functions in order, and learns that the task is more urgent")
{
    static BaseType_t woken;
    count = 0;
    woken = pdFALSE;
    stand_in::interrupt([] {
        CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, 1, &woken), pdPASS);
        CHECK_EQ(woken, pdTRUE);
        CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, 2, nullptr), pdPASS);
        CHECK_EQ(count, 0u);
        portYIELD_FROM_ISR(woken);
    });
    CHECK_EQ(count, 2u);
    CHECK_EQ(log[0].second, 1u);
    CHECK_EQ(log[1].second, 2u);
}

TEST_CASE("an interrupt sets and clears bits of an event group, which change in the task of the callbacks")
{
    group.bits = 8;
    stand_in::interrupt([] {
        BaseType_t task_woken = pdFALSE;
        CHECK_EQ(xEventGroupSetBitsFromISR(&group, 7, &task_woken), pdPASS);
        CHECK_EQ(task_woken, pdTRUE);
        CHECK_EQ(xEventGroupClearBitsFromISR(&group, 10), pdPASS);
        CHECK_EQ(group.bits, EventBits_t{8});
        portYIELD_FROM_ISR(task_woken);
    });
    CHECK_EQ(group.bits, EventBits_t{5});
}

TEST_CASE("when all places are taken, a call fails at once or waits for room")
{
    count = 0;
    vTaskSuspendAll();
    for (uint32_t i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
        CHECK_EQ(xTimerPendFunctionCall(note, nullptr, i, 0), pdPASS);
    }
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 99, 0), pdFAIL);
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 99, portMAX_DELAY), pdFAIL);
    stand_in::interrupt([] {
        CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, 99, nullptr), pdFAIL);
        CHECK_EQ(xEventGroupSetBitsFromISR(&group, 1, nullptr), pdFAIL);
        CHECK_EQ(xEventGroupClearBitsFromISR(&group, 1), pdFAIL);
    });
    (void)xTaskResumeAll();
    CHECK_EQ(count, unsigned{configTIMER_QUEUE_LENGTH});
    for (uint32_t i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
        CHECK_EQ(log[i].second, i);
    }
    // The task of the callbacks never waits for itself.
    static BaseType_t in_the_task;
    in_the_task = pdPASS;
    (void)xTimerPendFunctionCall(
        [](void *, uint32_t) {
            for (uint32_t i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
                CHECK_EQ(xTimerPendFunctionCall(note, nullptr, i, 0), pdPASS);
            }
            in_the_task = xTimerPendFunctionCall(note, nullptr, 99, portMAX_DELAY);
        },
        nullptr, 0, 0);
    CHECK_EQ(in_the_task, pdFAIL);
    // The task is in a callback that blocks, so the places stay taken for three ticks.
    count = 0;
    (void)xTimerPendFunctionCall([](void *, uint32_t) { vTaskDelay(3); }, nullptr, 0, 0);
    for (uint32_t i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
        CHECK_EQ(xTimerPendFunctionCall(note, nullptr, i, 0), pdPASS);
    }
    const TickType_t from = now();
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 4, 1), pdFAIL);
    CHECK_EQ(now(), from + 1);
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 5, 4), pdPASS);
    CHECK_EQ(now(), from + 3);
    CHECK_EQ(log[configTIMER_QUEUE_LENGTH].second, 5u);
}

TEST_CASE("a function that pends itself does not keep timers from firing")
{
    count = 0;
    again = true;
    software_timer timer(2);
    (void)xTimerStart(timer.handle, 0);
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 1, 0), pdPASS);
    CHECK_EQ(count, 3u);
    CHECK_EQ(log[2].second, 3u);
    again = false;
    static unsigned rounds;
    rounds = 0;
    // For ever, one tick each.
    static PendedFunction_t forever;
    forever = [](void *, uint32_t) {
        stand_in::spend(1);
        if (++rounds < 5) {
            (void)xTimerPendFunctionCall(forever, nullptr, 0, 0);
        }
    };
    timer.noted.then = [](TimerHandle_t) { CHECK(rounds < 4); };
    (void)xTimerPendFunctionCall(forever, nullptr, 0, 0);
    CHECK_EQ(rounds, 5u);
    CHECK_EQ(timer.noted.count, 1u);
}
