// SPDX-License-Identifier: MIT
// xTimerPendFunctionCall() and its form for interrupts.
#include "firmware.hpp"

namespace
{

uint32_t log[16];
unsigned count;

void note(void *, uint32_t second)
{
    log[count++ % 16] = second;
}

// Takes all places.
void fill()
{
    count = 0;
    for (uint32_t i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
        CHECK_EQ(xTimerPendFunctionCall(note, nullptr, i, 0), pdPASS);
    }
}

} // namespace

struct EventGroupDef_t {
    EventBits_t bits;
};
static EventGroupDef_t group;

extern "C" {
void vEventGroupSetBitsCallback(void *changed, const uint32_t bits)
{
    static_cast<EventGroupDef_t *>(changed)->bits |= bits;
}
void vEventGroupClearBitsCallback(void *changed, const uint32_t bits)
{
    static_cast<EventGroupDef_t *>(changed)->bits &= ~bits;
}
}

namespace
{

TEST_CASE("an interrupt pends functions in order, sets and clears bits, and learns that the task is more urgent")
{
    count = 0;
    group.bits = 8;
    stand_in::interrupt([] {
        BaseType_t woken[3] = {pdFALSE, pdFALSE, pdFALSE};
        CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, 1, &woken[0]), pdPASS);
        CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, 2, nullptr), pdPASS);
        CHECK_EQ(xEventGroupSetBitsFromISR(&group, 7, &woken[1]), pdPASS);
        CHECK_EQ(xEventGroupClearBitsFromISR(&group, 10), pdPASS);
        CHECK_EQ(count, 0u);
        CHECK_EQ(group.bits, EventBits_t{8});
        CHECK_EQ(woken[0], pdTRUE);
        portYIELD_FROM_ISR(woken[0]);
    });
    CHECK_EQ(count, 2u);
    CHECK_EQ(log[0], 1u);
    CHECK_EQ(log[1], 2u);
    CHECK_EQ(group.bits, EventBits_t{5});
    stand_in::interrupt([] {
        BaseType_t woken = pdFALSE;
        CHECK_EQ(xEventGroupSetBitsFromISR(&group, 2, &woken), pdPASS);
        CHECK_EQ(woken, pdTRUE);
        portYIELD_FROM_ISR(woken);
    });
    CHECK_EQ(group.bits, EventBits_t{7});
}

TEST_CASE("when all places are taken, a call fails at once or waits for room")
{
    vTaskSuspendAll();
    fill();
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
        CHECK_EQ(log[i], i);
    }
    // The task of the callbacks never waits for itself.
    (void)xTimerPendFunctionCall(
        [](void *, uint32_t) {
            fill();
            CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 99, portMAX_DELAY), pdFAIL);
        },
        nullptr, 0, 0);
    CHECK_EQ(count, unsigned{configTIMER_QUEUE_LENGTH});
    // The task is in a callback that blocks, so the places stay taken for three ticks.
    (void)xTimerPendFunctionCall([](void *, uint32_t) { vTaskDelay(3); }, nullptr, 0, 0);
    fill();
    const TickType_t from = now();
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 4, 1), pdFAIL);
    CHECK_EQ(now(), from + 1);
    CHECK_EQ(xTimerPendFunctionCall(note, nullptr, 5, 4), pdPASS);
    CHECK_EQ(now(), from + 3);
    CHECK_EQ(log[configTIMER_QUEUE_LENGTH], 5u);
}

unsigned passed_from_above;

// One more than there are places. The task of the callbacks cannot run meanwhile.
void pend_above(void *)
{
    for (uint32_t i = 0; i <= configTIMER_QUEUE_LENGTH; ++i) {
        passed_from_above += xTimerPendFunctionCall(note, nullptr, i, 10) == pdPASS;
    }
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

TEST_CASE("a caller of a higher priority lets the task of the callbacks make room")
{
    count = 0;
    passed_from_above = 0;
    (void)create_task<pend_above>(1);
    vTaskDelay(20);
    CHECK_EQ(passed_from_above, configTIMER_QUEUE_LENGTH + 1u);
    CHECK_EQ(count, configTIMER_QUEUE_LENGTH + 1u);
}

TEST_CASE("a function that pends itself does not keep timers from firing")
{
    static unsigned rounds;
    rounds = 0;
    software_timer timer(2);
    (void)xTimerStart(timer.handle, 0);
    static PendedFunction_t again;
    again = [](void *, uint32_t) {
        stand_in::spend(1);
        if (++rounds < 5) {
            CHECK_EQ(xTimerPendFunctionCall(again, nullptr, 0, 0), pdPASS);
        }
    };
    timer.noted.then = [](TimerHandle_t) { CHECK(rounds < 4); };
    (void)xTimerPendFunctionCall(again, nullptr, 0, 0);
    CHECK_EQ(rounds, 5u);
    CHECK_EQ(timer.noted.count, 1u);
}

volatile unsigned interrupts;
uint32_t moment;

// Neither call has what an earlier one left in its place.
void pend_in_interrupt()
{
    stand_in::interrupt_every(stand_in::ordinary_device, 0, nullptr);
    interrupts = interrupts + 1;
    BaseType_t woken = pdFALSE;
    CHECK_EQ(xTimerPendFunctionCallFromISR(note, nullptr, ~moment, &woken), pdPASS);
    portYIELD_FROM_ISR(woken);
}

TEST_CASE("a function that an interrupt pends is called once, at whatever moment of another call it comes")
{
    unsigned before = 0;
    unsigned after = 0;
    bool is_within = true;
    for (moment = 1; is_within; ++moment) {
        count = 0;
        interrupts = 0;
        stand_in::interrupt_every(stand_in::ordinary_device, moment, pend_in_interrupt);
        CHECK_EQ(xTimerPendFunctionCall(note, nullptr, moment, 0), pdPASS);
        is_within = interrupts != 0;
        while (interrupts == 0) {
        }
        REQUIRE(count == 2u);
        REQUIRE((log[0] ^ log[1]) == UINT32_MAX);
        (log[0] == moment ? after : before) += 1;
    }
    CHECK(before > 20);
    CHECK(after > 20);
}

} // namespace
