// SPDX-License-Identifier: MIT
// An interrupt, or a task above that of the callbacks, gives one command while a software timer expires and reloads.
// It comes at one moment after another, from the tick in which the timer is due until its callback has ended. The
// command must win, whatever it comes between.
#include "firmware.hpp"

#include "../support/core_registers.hpp"

#include <initializer_list>

namespace
{

constexpr TickType_t period = 1;
constexpr TickType_t other_period = 2;
// Counts of the clock between two moments: fewer than most sections of code have that mask interrupts.
constexpr uint32_t step = 8;

TimerHandle_t timer;
calls noted;
BaseType_t command;
bool by_a_task;
TaskHandle_t urgent_task;

// The state that the command found.
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

void device_interrupt()
{
    stand_in::interrupt_every(stand_in::ordinary_device, 0, nullptr);
    if (by_a_task) {
        BaseType_t woken = pdFALSE;
        vTaskNotifyGiveFromISR(urgent_task, &woken);
        portYIELD_FROM_ISR(woken);
    } else {
        give_command();
    }
}

// The command comes so many counts after the tick in which the timer is due. Returns true if its callback had not
// ended then.
bool play(uint32_t moment, BaseType_t reloads)
{
    vTaskDelay(1);
    noted = {};
    done = false;
    timer = xTimerCreate("timer", period, static_cast<stand_in_reloads>(reloads), &noted, note_call);
    (void)xTimerStart(timer, 0);
    stand_in::interrupt_every(stand_in::ordinary_device, at(systick_value) + moment, device_interrupt);
    stand_in::spend(period);
    while (!done) {
    }
    return calls_before == 0 || was_running;
}

void finish()
{
    if (command != tmrCOMMAND_DELETE) {
        (void)xTimerDelete(timer, 0);
    }
    vTaskDelay(1);
    REQUIRE(stand_in::blocks_in_use == 0u);
}

// Returns true if the command kept a callback from beginning that the runner had taken.
bool check_that_it_ends()
{
    vTaskDelay(2 * period);
    REQUIRE(noted.count <= calls_before + was_running);
    return was_running && noted.count == 0;
}

void check_that_it_counts_from_the_command(TickType_t every, BaseType_t reloads)
{
    vTaskDelay(2 * every);
    REQUIRE(xTimerIsTimerActive(timer) == reloads);
    REQUIRE(noted.count > calls_before);
    REQUIRE((noted.last - at_tick) % every == 0u);
    REQUIRE((reloads == pdTRUE || noted.last == at_tick + every));
}

unsigned at_every_moment(BaseType_t reloads)
{
    unsigned withheld = 0;
    unsigned before_callback = 0;
    bool goes_on = true;
    for (uint32_t moment = 0; goes_on; moment += step) {
        goes_on = play(moment, reloads);
        before_callback += calls_before == 0;
        if (command == tmrCOMMAND_STOP || command == tmrCOMMAND_DELETE) {
            withheld += check_that_it_ends();
        } else {
            check_that_it_counts_from_the_command(command == tmrCOMMAND_START ? period : other_period, reloads);
        }
        finish();
    }
    CHECK(before_callback > 5);
    return withheld;
}

} // namespace

TEST_CASE("a command of an interrupt or a more urgent task wins over the expiry and over the reload")
{
    urgent_task = create_task<urgent>(1);
    for (const BaseType_t each : {tmrCOMMAND_START, tmrCOMMAND_CHANGE_PERIOD, tmrCOMMAND_STOP, tmrCOMMAND_DELETE}) {
        unsigned withheld = 0;
        command = each;
        for (const BaseType_t reloads : {pdFALSE, pdTRUE}) {
            by_a_task = true;
            withheld += at_every_moment(reloads);
            by_a_task = false;
            withheld += command == tmrCOMMAND_DELETE ? 0 : at_every_moment(reloads);
        }
        CHECK_EQ(withheld > 0, command == tmrCOMMAND_STOP || command == tmrCOMMAND_DELETE);
    }
}
