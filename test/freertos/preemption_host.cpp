// SPDX-License-Identifier: MIT
// An interrupt, or a task above that of the callbacks, gives one command at each place where the wheel's lock opens,
// while a software timer starts, expires and reloads. The command must win, whatever it comes between.
#include "firmware.hpp"

#include <initializer_list>

#include <tickwheel/port.hpp>

namespace
{

constexpr TickType_t period = 2;
constexpr TickType_t other_period = 3;

TimerHandle_t timer;
calls noted;
BaseType_t command;
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
    CHECK_EQ(xTimerGenericCommand(timer, by_a_task ? command : stand_in_from_isr(command), other_period, nullptr, 0),
             pdPASS);
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
bool play(unsigned opening, BaseType_t reloads)
{
    vTaskDelay(1);
    noted = {};
    timer = xTimerCreate("timer", period, static_cast<stand_in_reloads>(reloads), &noted, note_call);
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

// Returns true if the command kept a callback from beginning that the runner had taken.
bool check_that_it_ends()
{
    CHECK(noted.count <= calls_before + was_running);
    return was_running && noted.count == 0;
}

void check_that_it_counts_from_the_command(TickType_t every, BaseType_t reloads)
{
    vTaskDelay(10);
    CHECK_EQ(xTimerIsTimerActive(timer), reloads);
    CHECK(noted.count > calls_before);
    CHECK_EQ((noted.last - at_tick) % every, 0u);
    CHECK((reloads == pdTRUE || noted.last == at_tick + every));
}

unsigned at_every_opening(BaseType_t reloads)
{
    unsigned withheld = 0;
    unsigned opening = 0;
    for (; play(opening, reloads); ++opening) {
        if (command == tmrCOMMAND_DELETE) {
            withheld += check_that_it_ends();
            CHECK_EQ(stand_in::blocks_in_use, 0u);
            continue;
        }
        if (command == tmrCOMMAND_STOP) {
            CHECK_EQ(xTimerIsTimerActive(timer), pdFALSE);
            withheld += check_that_it_ends();
        } else {
            check_that_it_counts_from_the_command(command == tmrCOMMAND_START ? period : other_period, reloads);
        }
        finish();
    }
    CHECK(opening > 5);
    finish();
    return withheld;
}

} // namespace

TEST_CASE("a command of an interrupt or a more urgent task wins over the expiry and over the reload")
{
    static StackType_t stack[configTIMER_TASK_STACK_DEPTH];
    static StaticTask_t task;
    urgent_task = xTaskCreateStatic(urgent, "urgent", configTIMER_TASK_STACK_DEPTH, nullptr,
                                    configTIMER_TASK_PRIORITY + 1, stack, &task);
    for (const BaseType_t each : {tmrCOMMAND_START, tmrCOMMAND_CHANGE_PERIOD, tmrCOMMAND_STOP, tmrCOMMAND_DELETE}) {
        unsigned withheld = 0;
        command = each;
        for (const BaseType_t reloads : {pdFALSE, pdTRUE}) {
            by_a_task = true;
            withheld += at_every_opening(reloads);
            by_a_task = false;
            withheld += command == tmrCOMMAND_DELETE ? 0 : at_every_opening(reloads);
        }
        CHECK_EQ(withheld > 0, command == tmrCOMMAND_STOP || command == tmrCOMMAND_DELETE);
    }
}
