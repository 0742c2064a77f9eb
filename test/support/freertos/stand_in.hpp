// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. What the scheduler (stand_in.cpp) and the core (on_cortex_m.cpp) need of each other,
// and what tests need of both.
#pragma once

#include <FreeRTOS.h>
#include <task.h>

namespace stand_in
{

/// The kernel's configASSERT(): prints the place, and ends the program.
[[noreturn]] void fail(const char *what);
inline void check(bool holds, const char *what)
{
    if (!holds) {
        fail(what);
    }
}

extern TaskHandle_t current;

// --- The kernel, for the machine

/// The tick interrupt. Returns true if another task must run.
bool increment_tick();
/// Runs the current task. It is where a task begins.
void run_task();
/// Chooses the task to run. Called when no other interrupt can come between.
void choose_task();
/// A task that an interrupt has made ready is more urgent than the current one.
bool switch_is_needed();

// --- The machine, for the kernel

/// Masks the interrupts that call the kernel.
uint32_t mask();
void unmask(uint32_t state);
/// Makes a task ready to be resumed for the first time. `stack_words` is the size of its stack.
void prepare(TaskHandle_t task, StackType_t *stack, uint32_t stack_words);
[[noreturn]] void start_first_task();
/// Switches tasks: at once in a task, at the end of the interrupt otherwise.
void request_switch();
bool in_interrupt();
/// portSUPPRESS_TICKS_AND_SLEEP(). The scheduler is suspended.
void sleep(TickType_t planned);

// --- For tests

/// Runs `handler` as an interrupt of a priority that may call the kernel, now. Interrupts must not be masked.
void interrupt(void (*handler)());
/// Runs `handler` again and again, so many counts of clock() apart, also in a sleep. 0 stops that. The urgent device
/// is above configMAX_SYSCALL_INTERRUPT_PRIORITY, and must not call the kernel.
enum device_name { ordinary_device, urgent_device };
void interrupt_every(device_name device, uint32_t counts, void (*handler)());
/// If not null, it makes the tasks, so that a test can count them.
extern TaskHandle_t (*on_create)();
/// An interrupt in the next sleep, between its plan and the masked look at it.
extern void (*before_next_sleep)();
/// The current task computes for so many ticks. Their interrupts may switch tasks.
void spend(unsigned ticks);
/// A clock of the machine that never stops, and how exact a timer is by it.
uint32_t clock();
constexpr uint32_t clock_per_tick = configCPU_CLOCK_HZ / configTICK_RATE_HZ;
constexpr uint32_t clock_tolerance = clock_per_tick / 4;
/// How often the core slept without ticks.
extern unsigned sleeps;
/// How many blocks of pvPortMalloc() are not freed; and none is left from now on, if `heap_is_empty`.
extern unsigned blocks_in_use;
extern bool heap_is_empty;

} // namespace stand_in
