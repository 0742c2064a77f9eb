// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The machine of the stand-in on a Cortex-M3: PendSV switches tasks, SysTick ticks, and
// BASEPRI masks, all as the kernel's pages on Cortex-M say.
#include "stand_in.hpp"

#include "../console.hpp"
#include "../core_registers.hpp"

namespace stand_in
{

namespace
{

// Without those slept over.
volatile uint32_t tick_interrupts;
constexpr unsigned first_device_irq = 8;
constexpr unsigned pended_irq = 30;
constexpr uint32_t kernel_priority = 0x80;
constexpr uint32_t urgent_priority = 0x20;
static_assert(urgent_priority < configMAX_SYSCALL_INTERRUPT_PRIORITY);
static_assert(kernel_priority >= configMAX_SYSCALL_INTERRUPT_PRIORITY);

// The devices are CMSDK TIMER0 and TIMER1. The first half of the dual timer is the clock. All count down.
struct {
    uintptr_t timer;
    void (*handler)();
} devices[] = {{0x40000000, nullptr}, {0x40001000, nullptr}};
constexpr uintptr_t timer_value = 4;
constexpr uintptr_t timer_reload = 8;
constexpr uintptr_t timer_clear = 12;
constexpr uint32_t timer_interrupts = 9;
constexpr uintptr_t dual_timer_value = 0x40002004;
constexpr uintptr_t dual_timer_control = 0x40002008;
constexpr uint32_t free_32_bits = 0x82;

void (*pended_handler)();
// The clock when SysTick was stopped.
uint32_t stopped_at;

// The registers that an exception and the switch save, from the lowest address on.
struct saved_registers {
    uint32_t r4_to_r11[8];
    uint32_t r0_to_r3[4];
    uint32_t r12;
    void (*lr)();
    void (*pc)();
    uint32_t xpsr;
};

void disable_interrupts()
{
    __asm__ volatile("cpsid i" ::: "memory");
}

void enable_interrupts()
{
    __asm__ volatile("cpsie i\n\tisb" ::: "memory");
}

// WFI, which ends when an interrupt is pending, masked or not. QEMU 7.2 jumps over two periods of SysTick in a WFI
// that SysTick ends (-icount sleep=off), so this polls instead.
void wait_while_masked()
{
    constexpr uint32_t systick_or_interrupt_pends = 1u << 26 | 1u << 22;
    while ((at(interrupt_control) & systick_or_interrupt_pends) == 0) {
        for (unsigned i = 0; i < 100; ++i) {
            barrier();
        }
    }
}

void device_interrupt(device_name device)
{
    at(devices[device].timer + timer_clear) = 1;
    devices[device].handler();
}

void stop_systick()
{
    constexpr uint32_t stopped = 6;
    at(systick_control) = stopped;
    stopped_at = clock();
}

// Ticks after so many counts, of which the time without SysTick is a part, and then each period has `then` counts.
void restart_systick(uint32_t counts, uint32_t then = clock_per_tick)
{
    // The counts of the lines that the clock does not see, under QEMU with -icount shift=6.
    constexpr uint32_t more = 32;
    const uint32_t lost = clock() - stopped_at + more;
    // A reload of 0 would stop SysTick for good.
    constexpr uint32_t min = 50;
    at(systick_reload) = (counts < lost + min ? min : counts - lost) - 1;
    at(systick_value) = 0;
    at(systick_control) = 7;
    // The first count loads the period. The next period is written only after that.
    while (at(systick_value) == 0) {
    }
    at(systick_reload) = then - 1;
}

} // namespace

void fail(const char *what)
{
    print("the stand-in for FreeRTOS: ", what, "\n0 passed, 1 failed\n");
    board::exit(2);
}

uint32_t mask()
{
    uint32_t state = 0;
    __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1\n\tdsb\n\tisb"
                     : "=&r"(state)
                     : "r"(configMAX_SYSCALL_INTERRUPT_PRIORITY)
                     : "memory");
    return state;
}

void unmask(uint32_t state)
{
    __asm__ volatile("msr basepri, %0\n\tisb" ::"r"(state) : "memory");
}

void prepare(TaskHandle_t task, StackType_t *stack, uint32_t stack_words)
{
    // The top of the stack is a multiple of eight (AAPCS).
    const uintptr_t top = reinterpret_cast<uintptr_t>(stack + stack_words) & ~uintptr_t{7};
    auto *const first = reinterpret_cast<saved_registers *>(top) - 1;
    *first = {};
    first->pc = run_task;
    first->xpsr = 1u << 24; // Thumb
    task->context = first;
}

void start_first_task()
{
    // SysTick and PendSV have the lowest priority.
    at(system_priorities) = 0xFFFF0000;
    enable_interrupt(pended_irq, kernel_priority);
    enable_interrupt(first_device_irq + ordinary_device, kernel_priority);
    enable_interrupt(first_device_irq + urgent_device, urgent_priority);
    at(dual_timer_control) = free_32_bits;
    stop_systick();
    restart_systick(clock_per_tick);
    // The first task begins on its own stack, and has nothing to restore.
    constexpr uint32_t process_stack = 2;
    __asm__ volatile("msr psp, %0\n\tmsr control, %1\n\tisb\n\tcpsie i\n\tbx %2" ::"r"(current->context),
                     "r"(process_stack), "r"(run_task)
                     : "memory");
    __builtin_unreachable();
}

void request_switch()
{
    uint32_t masks = 0;
    __asm__ volatile("mrs %0, basepri\n\tmrs r3, primask\n\torr %0, r3" : "=r"(masks)::"r3");
    check(in_interrupt() || masks == 0, "a call that may switch tasks, while interrupts are masked");
    at(interrupt_control) = pend_pendsv;
    take_pending_interrupts();
}

bool in_interrupt()
{
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception != 0;
}

void interrupt(void (*handler)())
{
    pended_handler = handler;
    at(interrupt_set_pending) = 1u << pended_irq;
    take_pending_interrupts();
}

void interrupt_every(device_name device, uint32_t counts, void (*handler)())
{
    const uintptr_t timer = devices[device].timer;
    at(timer) = 0;
    // The period may have passed once more before the stop.
    at(timer + timer_clear) = 1;
    at(interrupt_clear_pending) = 1u << (first_device_irq + device);
    if (counts != 0) {
        devices[device].handler = handler;
        at(timer + timer_reload) = counts;
        at(timer + timer_value) = counts;
        at(timer) = timer_interrupts;
    }
}

uint32_t clock()
{
    return ~at(dual_timer_value);
}

void spend(unsigned ticks)
{
    for (const uint32_t from = tick_interrupts; tick_interrupts - from < ticks;) {
    }
}

// ["Low power support", "tickless idle": the default portSUPPRESS_TICKS_AND_SLEEP() of the Cortex-M ports stops
// SysTick, masks by PRIMASK, asks eTaskConfirmSleepModeStatus(), stretches the period of SysTick over the whole
// sleep, lets the interrupt that woke the core run, and steps the tick count by the whole ticks. The tick that ends
// the sleep is SysTick's own interrupt.]
// Sleep code for other timers steps the count by all ticks, and no tick interrupt ends the sleep. The two alternate.
void sleep(TickType_t planned)
{
    constexpr TickType_t longest = 0xFFFFFF / clock_per_tick;
    constexpr uint32_t has_counted_to_0 = 1u << 16;
    planned = planned < longest ? planned : longest;
    stop_systick();
    const uint32_t left = at(systick_value) != 0 ? at(systick_value) : clock_per_tick;
    disable_interrupts();
    const eSleepModeStatus status = eTaskConfirmSleepModeStatus();
    check(status != eNoTasksWaitingTimeout, "nobody waits for a time: a sleep may stop the tick for good");
    if (status == eAbortSleep) {
        restart_systick(left);
        enable_interrupts();
        return;
    }
    const uint32_t whole = left + clock_per_tick * (planned - 1);
    restart_systick(whole, whole);
    TickType_t to_sleep = planned;
    configPRE_SLEEP_PROCESSING(to_sleep);
    if (to_sleep != 0) {
        ++sleeps;
        wait_while_masked();
    }
    configPOST_SLEEP_PROCESSING(planned);
    const bool steps_all = sleeps % 2 == 0 && (at(interrupt_control) & pend_systick) != 0;
    if (steps_all) {
        at(interrupt_control) = unpend_systick;
    }
    enable_interrupts();
    disable_interrupts();
    const bool ended = (at(systick_control) & has_counted_to_0) != 0;
    stop_systick();
    const uint32_t to_end = at(systick_value) != 0 ? at(systick_value) : whole;
    if (ended) {
        // Another stretched period has begun, and `since` counts of it have passed.
        const uint32_t since = whole - to_end;
        restart_systick(since < clock_per_tick ? clock_per_tick - since : clock_per_tick);
        vTaskStepTick(steps_all ? planned : planned - 1);
    } else {
        const uint32_t done = planned * clock_per_tick - to_end;
        restart_systick(clock_per_tick - done % clock_per_tick);
        vTaskStepTick(done / clock_per_tick);
    }
    enable_interrupts();
}

} // namespace stand_in

using namespace stand_in;

extern "C" {

[[gnu::used]] void *stand_in_switch(void *stack_pointer)
{
    const uint32_t state = mask();
    current->context = stack_pointer;
    choose_task();
    unmask(state);
    return current->context;
}

// Returns to the process stack (0xFFFFFFFD).
[[gnu::naked]] void PendSV_Handler()
{
    __asm__ volatile("mrs r0, psp\n\tstmdb r0!, {r4-r11}\n\tbl stand_in_switch\n\tldmia r0!, {r4-r11}\n\t"
                     "msr psp, r0\n\tmvn lr, #2\n\tbx lr");
}

void SysTick_Handler()
{
    const uint32_t state = mask();
    tick_interrupts = tick_interrupts + 1;
    if (increment_tick()) {
        at(interrupt_control) = pend_pendsv;
    }
    unmask(state);
}

void IRQ30_Handler()
{
    pended_handler();
}

void IRQ8_Handler()
{
    device_interrupt(ordinary_device);
}

void IRQ9_Handler()
{
    device_interrupt(urgent_device);
}
}
