// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The machine of the stand-in on a PC: tasks are contexts of one thread, and interrupts
// are calls.
#include "stand_in.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include <tickwheel/port.hpp>

namespace stand_in
{

const uint32_t clock_per_tick = 1;
const uint32_t clock_tolerance = 0;

namespace
{

struct device {
    uint32_t every;
    uint32_t at;
    void (*handler)();
};

device devices[2];
// Since the start, slept over or not.
uint32_t hardware_ticks;
unsigned kernel_masked;
bool inside_interrupt;
bool switch_requested;
uint32_t slept;

ucontext_t &context_of(TaskHandle_t task)
{
    return *static_cast<ucontext_t *>(task->context);
}

void switch_tasks()
{
    switch_requested = false;
    const TaskHandle_t before = current;
    choose_task();
    if (current != before) {
        (void)swapcontext(&context_of(before), &context_of(current));
    }
}

bool is_masked()
{
    return kernel_masked != 0 || tickwheel::interrupts.depth != 0;
}

// The devices that are due, before any task runs.
void run_devices()
{
    for (device &each : devices) {
        if (each.every != 0 && each.at == hardware_ticks) {
            each.at += each.every;
            each.handler();
        }
    }
}

void tick_interrupt()
{
    ++hardware_ticks;
    interrupt([] {
        switch_requested = increment_tick();
        run_devices();
    });
}

} // namespace

void fail(const char *what)
{
    printf("the stand-in for FreeRTOS: %s\n0 passed, 1 failed\n", what);
    (void)fflush(stdout);
    abort();
}

void end(int code)
{
    exit(code);
}

uint32_t mask()
{
    return kernel_masked++;
}

void unmask(uint32_t state)
{
    kernel_masked = state;
}

void prepare(TaskHandle_t task, StackType_t *stack, uint32_t stack_words)
{
    auto *const context = new ucontext_t;
    task->context = context;
    (void)getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = stack_words * sizeof(StackType_t);
    context->uc_link = nullptr;
    makecontext(context, run_task, 0);
}

void start_first_task()
{
    (void)setcontext(&context_of(current));
    fail("no first task");
}

void request_switch()
{
    if (inside_interrupt) {
        switch_requested = true;
        return;
    }
    check(!is_masked(), "a call that may switch tasks, while interrupts are masked");
    switch_tasks();
}

bool in_interrupt()
{
    return inside_interrupt;
}

bool is_interruptible()
{
    return !is_masked() && !inside_interrupt;
}

void interrupt(void (*handler)())
{
    check(is_interruptible(), "an interrupt while it is masked");
    inside_interrupt = true;
    handler();
    inside_interrupt = false;
    if (switch_requested) {
        switch_tasks();
    }
}

void interrupt_every(device_name device, uint32_t counts, void (*handler)())
{
    devices[device] = {counts, hardware_ticks + counts, handler};
}

void spend(unsigned ticks)
{
    for (; ticks != 0; --ticks) {
        tick_interrupt();
    }
}

uint32_t clock()
{
    return hardware_ticks;
}

void wait_for_interrupt()
{
    spend(1);
}

// For configPOST_SLEEP_PROCESSING.
extern "C" uint32_t stand_in_slept()
{
    return slept;
}

// Two kinds of hardware take turns. With one, the tick interrupt ends the sleep with the last tick. The other counts
// all ticks of the sleep: vTaskStepTick() gets them, and no tick interrupt comes at the end.
void sleep(TickType_t planned)
{
    const uint32_t state = mask();
    const eSleepModeStatus status = eTaskConfirmSleepModeStatus();
    if (status == eAbortSleep) {
        unmask(state);
        return;
    }
    check(status != eNoTasksWaitingTimeout, "nobody waits for a time: a sleep may stop the tick for good");
    TickType_t to_sleep = planned;
    configPRE_SLEEP_PROCESSING(to_sleep);
    const bool steps_all = sleeps % 2 == 0;
    slept = 0;
    bool ended_by_device = to_sleep == 0;
    if (to_sleep != 0) {
        ++sleeps;
        slept = steps_all ? planned : planned - 1;
        for (const device &each : devices) {
            const uint32_t left = each.every != 0 ? each.at - hardware_ticks : portMAX_DELAY;
            if (left < slept || (left == slept && !steps_all)) {
                slept = left;
                ended_by_device = true;
            }
        }
    }
    hardware_ticks += slept;
    configPOST_SLEEP_PROCESSING(planned);
    unmask(state);
    if (!ended_by_device && !steps_all) {
        tick_interrupt();
    } else {
        interrupt(run_devices);
    }
    const uint32_t again = mask();
    vTaskStepTick(slept);
    unmask(again);
}

} // namespace stand_in
