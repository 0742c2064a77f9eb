// SPDX-License-Identifier: MIT
// FreeRTOS's software timers on the wheel: what each call returns and does in each state, from a task and from an
// interrupt. The expectations are those of the kernel's pages ["Software timers", API reference of freertos.org],
// except where docs/freertos.md lists a difference.
#include "firmware.hpp"

namespace
{

struct {
    TimerHandle_t timer;
    BaseType_t command;
    TickType_t value;
    BaseType_t answer;
    BaseType_t woken;
} asked;

// The command from a task, or the same from an interrupt. Returns its answer.
using caller = BaseType_t (*)(const software_timer &timer, BaseType_t command, TickType_t value);

BaseType_t by_task(const software_timer &timer, BaseType_t command, TickType_t value)
{
    return xTimerGenericCommand(timer.handle, command, value, nullptr, portMAX_DELAY);
}

BaseType_t by_interrupt(const software_timer &timer, BaseType_t command, TickType_t value)
{
    asked = {timer.handle, stand_in_from_isr(command), value, -1, pdFALSE};
    stand_in::interrupt(
        [] { asked.answer = xTimerGenericCommand(asked.timer, asked.command, asked.value, &asked.woken, 0); });
    // The command is done: there is nothing for the task to do.
    CHECK_EQ(asked.woken, pdFALSE);
    return asked.answer;
}

template <class Test>
void by_each_caller(Test test)
{
    const caller callers[] = {by_task, by_interrupt};
    for (const caller by : callers) {
        // The test starts just after a tick.
        vTaskDelay(1);
        test(by);
    }
}

} // namespace

#if STAND_IN_KERNEL != 10
TEST_CASE("timers that are started before the scheduler start with it")
{
    vTaskDelay(configTIMER_QUEUE_LENGTH + 1);
    CHECK_EQ(early_calls, unsigned{configTIMER_QUEUE_LENGTH});
}
#endif

TEST_CASE("a created timer is dormant whatever its memory held, and has what it was given")
{
    const BaseType_t modes[] = {pdFALSE, pdTRUE};
    for (const BaseType_t reloads : modes) {
        StaticTimer_t memory;
        for (size_t i = 0; i < sizeof memory; ++i) {
            reinterpret_cast<volatile unsigned char *>(&memory)[i] = 0xFF;
        }
        calls noted;
        const TimerHandle_t timer =
            xTimerCreateStatic("name", 7, static_cast<stand_in_reloads>(reloads), &noted, note_call, &memory);
        CHECK_EQ(xTimerIsTimerActive(timer), pdFALSE);
        CHECK_EQ(xTimerGetPeriod(timer), TickType_t{7});
        CHECK(pcTimerGetName(timer)[0] == 'n');
        CHECK(pvTimerGetTimerID(timer) == &noted);
        CHECK_EQ(xTimerGetReloadMode(timer), reloads);
        CHECK_EQ(uxTimerGetReloadMode(timer), static_cast<UBaseType_t>(reloads));
        StaticTimer_t *buffer = nullptr;
        CHECK_EQ(xTimerGetStaticBuffer(timer, &buffer), pdTRUE);
        CHECK(buffer == &memory);
#if configUSE_TRACE_FACILITY == 1
        CHECK_EQ(uxTimerGetTimerNumber(timer), UBaseType_t{0});
#endif
        vTaskDelay(10);
        CHECK_EQ(noted.count, 0u);
        vTimerSetTimerID(timer, &memory);
        CHECK(pvTimerGetTimerID(timer) == &memory);
        vTimerSetTimerID(timer, &noted);
        vTimerSetReloadMode(timer, static_cast<stand_in_reloads>(reloads == pdFALSE));
        CHECK_EQ(xTimerGetReloadMode(timer), static_cast<BaseType_t>(reloads == pdFALSE));
        // The timer is in the wheel from a start to a stop.
        (void)xTimerStart(timer, 0);
        jiffies_t expires = 0;
        CHECK_EQ(tickwheel_next_expiry(&expires), 1);
        CHECK_EQ(tickwheel_freertos_tick_count(expires), xTimerGetExpiryTime(timer));
        (void)xTimerStop(timer, 0);
        CHECK_EQ(tickwheel_timer_pending(reinterpret_cast<timer_list *>(&memory)), 0);
        (void)xTimerDelete(timer, 0);
    }
}

TEST_CASE("a dynamic timer comes from the kernel's heap, and the task frees it")
{
    calls noted;
    const TimerHandle_t timer = xTimerCreate("dynamic", 5, pdFALSE, &noted, note_call);
    REQUIRE(timer != nullptr);
    CHECK_EQ(stand_in::blocks_in_use, 1u);
    StaticTimer_t *buffer = nullptr;
    CHECK_EQ(xTimerGetStaticBuffer(timer, &buffer), pdFALSE);
    CHECK_EQ(xTimerStart(timer, 0), pdPASS);
    CHECK_EQ(xTimerDelete(timer, 0), pdPASS);
    CHECK_EQ(stand_in::blocks_in_use, 0u);
    vTaskDelay(10);
    CHECK_EQ(noted.count, 0u);
    stand_in::heap_is_empty = true;
    CHECK(xTimerCreate("none", 5, pdFALSE, nullptr, note_call) == nullptr);
    stand_in::heap_is_empty = false;
}

TEST_CASE("after a delete every command fails an assertion, and the memory is freed once")
{
    BaseType_t (*const commands[])(TimerHandle_t) = {
        [](TimerHandle_t timer) { return xTimerDelete(timer, 0); },
        [](TimerHandle_t timer) { return xTimerChangePeriod(timer, 7, 0); },
        [](TimerHandle_t timer) { return xTimerStart(timer, 0); },
        [](TimerHandle_t timer) { return xTimerStop(timer, 0); },
    };
    for (const auto command : commands) {
        calls noted;
        const TimerHandle_t first = xTimerCreate("dynamic", 5, pdFALSE, &noted, note_call);
        const TimerHandle_t second = xTimerCreate("dynamic", 5, pdFALSE, &noted, note_call);
        assertions = 0;
        // The task cannot free them yet.
        vTaskSuspendAll();
        CHECK_EQ(xTimerDelete(first, 0), pdPASS);
        CHECK_EQ(xTimerDelete(second, 0), pdPASS);
        CHECK_EQ(assertions, 0u);
        CHECK_EQ(command(first), pdFAIL);
        CHECK_EQ(assertions, 1u);
        CHECK_EQ(stand_in::blocks_in_use, 2u);
        (void)xTaskResumeAll();
        CHECK_EQ(stand_in::blocks_in_use, 0u);
        vTaskDelay(10);
        CHECK_EQ(noted.count, 0u);
    }
    assertions = 0;
}

#if configUSE_TRACE_FACILITY == 1
TEST_CASE("a timer keeps the number of the trace tool, through a start and a callback")
{
    software_timer timer(2, pdTRUE);
    vTimerSetTimerNumber(timer.handle, 0x0FFFFFFF);
    vTimerSetTimerNumber(timer.handle, 0x0ABCDEF1);
    (void)xTimerStart(timer.handle, 0);
    vTaskDelay(5);
    CHECK_EQ(timer.noted.count, 2u);
    CHECK_EQ(xTimerGetReloadMode(timer.handle), pdTRUE);
    CHECK_EQ(uxTimerGetTimerNumber(timer.handle), UBaseType_t{0x0ABCDEF1});
}
#endif

TEST_CASE("null arguments fail an assertion")
{
    assertions = 0;
    CHECK(xTimerCreateStatic("none", 5, pdFALSE, nullptr, note_call, nullptr) == nullptr);
    CHECK_EQ(assertions, 1u);
    software_timer none(0);
    CHECK_EQ(assertions, 2u);
    (void)xTimerChangePeriod(none.handle, 0, 0);
    CHECK_EQ(assertions, 3u);
    CHECK_EQ(xTimerStart(nullptr, 0), pdFAIL);
    CHECK_EQ(assertions, 4u);
    assertions = 0;
}

TEST_CASE("start, reset and change of the period: a timer fires one period later, once, in the task of the callbacks")
{
    by_each_caller([](caller by) {
        const BaseType_t starts[] = {tmrCOMMAND_START, tmrCOMMAND_RESET, tmrCOMMAND_CHANGE_PERIOD};
        for (const BaseType_t start : starts) {
            software_timer timer(start == tmrCOMMAND_CHANGE_PERIOD ? 50 : 5);
            // Only a change of the period has a value. The timer is dormant first, then active.
            for (unsigned times = 0; times < 2; ++times) {
                vTaskDelay(3);
                CHECK_EQ(by(timer, start, 5), pdPASS);
                CHECK_EQ(xTimerGetPeriod(timer.handle), TickType_t{5});
                CHECK_EQ(xTimerIsTimerActive(timer.handle), pdTRUE);
                CHECK_EQ(xTimerGetExpiryTime(timer.handle), now() + 5);
            }
            const TickType_t from = now();
            vTaskDelay(20);
            CHECK_EQ(timer.noted.count, 1u);
            CHECK_EQ(timer.noted.last, from + 5);
            CHECK(timer.noted.ran_in == xTimerGetTimerDaemonTaskHandle());
            // A one-shot timer is dormant in its callback.
            CHECK_EQ(timer.noted.was_active, pdFALSE);
            CHECK_EQ(xTimerIsTimerActive(timer.handle), pdFALSE);
        }
    });
}

TEST_CASE(
    "an auto-reload timer fires each period and is active in its callback, until a stop or a change of the mode")
{
    by_each_caller([](caller by) {
        software_timer timer(4, pdTRUE);
        CHECK_EQ(by(timer, tmrCOMMAND_START, now()), pdPASS);
        const TickType_t from = now();
        for (unsigned period = 1; period <= 5; ++period) {
            vTaskDelay(4);
            CHECK_EQ(timer.noted.count, period);
            CHECK_EQ(timer.noted.last, from + 4 * period);
            CHECK_EQ(timer.noted.was_active, pdTRUE);
            CHECK_EQ(xTimerGetExpiryTime(timer.handle), from + 4 * period + 4);
        }
        CHECK_EQ(by(timer, tmrCOMMAND_STOP, 0), pdPASS);
        CHECK_EQ(xTimerIsTimerActive(timer.handle), pdFALSE);
        vTaskDelay(20);
        CHECK_EQ(timer.noted.count, 5u);
        CHECK_EQ(by(timer, tmrCOMMAND_STOP, 0), pdPASS);
        CHECK_EQ(by(timer, tmrCOMMAND_START, now()), pdPASS);
        vTimerSetReloadMode(timer.handle, pdFALSE);
        vTaskDelay(20);
        CHECK_EQ(timer.noted.count, 6u);
        CHECK_EQ(xTimerIsTimerActive(timer.handle), pdFALSE);
    });
}

TEST_CASE("a period of 2^31 ticks or more does not fire at once")
{
    const TickType_t periods[] = {0x7FFFFFFF, 0x80000000, portMAX_DELAY};
    for (const TickType_t period : periods) {
        software_timer timer(period);
        CHECK_EQ(xTimerStart(timer.handle, 0), pdPASS);
        CHECK_EQ(xTimerGetPeriod(timer.handle), period);
        vTaskDelay(5);
        CHECK_EQ(timer.noted.count, 0u);
    }
}
