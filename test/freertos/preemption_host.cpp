// SPDX-License-Identifier: MIT
// An interrupt, or a task above that of the callbacks, gives one command at each place where the wheel's lock opens,
// while a software timer starts, expires and reloads. The command must win, whatever it comes between.
#include "../support/freertos/on_host.hpp"
#include "firmware.hpp"

#include <tickwheel/port.hpp>

namespace
{

enum class deed { start, stop, change_period, remove };

constexpr TickType_t period = 2;
constexpr TickType_t other_period = 3;

TimerHandle_t timer;
calls noted;
deed wanted_deed;
bool by_a_task;
TaskHandle_t urgent_task;

unsigned openings;
unsigned wanted_opening;
bool inside;

// What the command found.
bool done;
TickType_t at_tick;
unsigned calls_before;
/// The callback was running, or taken by the runner and about to run.
bool was_running;

void give_command()
{
    done = true;
    at_tick = now();
    calls_before = noted.count;
    // This also disarms the timer, which each command does too.
    was_running = tickwheel_try_to_del_timer_sync(reinterpret_cast<timer_list *>(timer)) == -1;
    BaseType_t given = pdFAIL;
    switch (wanted_deed) {
    case deed::start:
        given = by_a_task ? xTimerStart(timer, 0) : xTimerStartFromISR(timer, nullptr);
        break;
    case deed::stop:
        given = by_a_task ? xTimerStop(timer, 0) : xTimerStopFromISR(timer, nullptr);
        break;
    case deed::change_period:
        given = by_a_task ? xTimerChangePeriod(timer, other_period, 0)
                          : xTimerChangePeriodFromISR(timer, other_period, nullptr);
        break;
    case deed::remove:
        given = xTimerDelete(timer, 0);
        break;
    }
    CHECK_EQ(given, pdPASS);
}

void urgent(void *)
{
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        give_command();
    }
}

void interrupt_here()
{
    if (inside || done || !stand_in::is_interruptible() || openings++ != wanted_opening) {
        return;
    }
    inside = true;
    if (by_a_task) {
        stand_in::interrupt([] {
            BaseType_t woken = pdFALSE;
            vTaskNotifyGiveFromISR(urgent_task, &woken);
            portYIELD_FROM_ISR(woken);
        });
    } else {
        stand_in::interrupt(give_command);
    }
    inside = false;
}

// Returns true if the command came.
bool play(deed what, bool from_a_task, unsigned opening, BaseType_t reloads)
{
    vTaskDelay(1);
    noted = {};
    timer = xTimerCreate("timer", period, static_cast<stand_in_reloads>(reloads), &noted, note_call);
    wanted_deed = what;
    by_a_task = from_a_task;
    wanted_opening = opening;
    openings = 0;
    done = false;
    // After the start, which the command may not overtake: it would be undone.
    (void)xTimerStart(timer, 0);
    tickwheel::interrupts.on_open = interrupt_here;
    vTaskDelay(5);
    tickwheel::interrupts.on_open = nullptr;
    return done;
}

void finish()
{
    (void)xTimerDelete(timer, 0);
    vTaskDelay(1);
    CHECK_EQ(stand_in::blocks_in_use, 0u);
}

template <class Check>
void at_every_opening(deed what, Check check)
{
    static StackType_t stack[configTIMER_TASK_STACK_DEPTH];
    static StaticTask_t task;
    if (urgent_task == nullptr) {
        urgent_task = xTaskCreateStatic(urgent, "urgent", configTIMER_TASK_STACK_DEPTH, nullptr,
                                        configTIMER_TASK_PRIORITY + 1, stack, &task);
    }
    for (const bool from_a_task : {true, false}) {
        for (const BaseType_t reloads : {pdFALSE, pdTRUE}) {
            unsigned opening = 0;
            if (what == deed::remove && !from_a_task) {
                continue;
            }
            while (play(what, from_a_task, opening, reloads)) {
                check(reloads);
                ++opening;
            }
            CHECK(opening > 5);
            finish();
        }
    }
}

} // namespace

TEST_CASE("a stop wins over the expiry and over the reload")
{
    unsigned withheld = 0;
    at_every_opening(deed::stop, [&](BaseType_t) {
        CHECK_EQ(xTimerIsTimerActive(timer), pdFALSE);
        CHECK(noted.count <= calls_before + was_running);
        withheld += was_running && noted.count == 0;
        finish();
    });
    // The runner had taken the timer, and its callback did not begin any more.
    CHECK(withheld > 0);
}

TEST_CASE("a start counts from its own tick")
{
    at_every_opening(deed::start, [&](BaseType_t reloads) {
        vTaskDelay(10);
        CHECK_EQ(xTimerIsTimerActive(timer), reloads);
        CHECK(noted.count > calls_before);
        CHECK_EQ((noted.last - at_tick) % period, 0u);
        CHECK((reloads == pdTRUE || noted.last == at_tick + period));
        finish();
    });
}

TEST_CASE("a change of the period counts from its own tick")
{
    at_every_opening(deed::change_period, [&](BaseType_t reloads) {
        vTaskDelay(10);
        CHECK_EQ(xTimerIsTimerActive(timer), reloads);
        CHECK_EQ((noted.last - at_tick) % other_period, 0u);
        CHECK((reloads == pdTRUE || noted.last == at_tick + other_period));
        finish();
    });
}

TEST_CASE("a delete by a more urgent task frees the timer when its callback is over")
{
    unsigned withheld = 0;
    at_every_opening(deed::remove, [&](BaseType_t) {
        CHECK(noted.count <= calls_before + was_running);
        withheld += was_running && noted.count == 0;
        CHECK_EQ(stand_in::blocks_in_use, 0u);
    });
    CHECK(withheld > 0);
}
