/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "chip.h"

enum { stack_words = 128 };

struct thread {
    /* Points to the saved registers while the thread does not run. */
    uint32_t *stack_pointer;
    volatile uint32_t waits;
    volatile uint32_t woken;
    uint64_t stack[stack_words];
};

/* An exception saves all but R4 to R11. The switch saves those below. */
struct saved_registers {
    uint32_t r4_to_r11[8];
    uint32_t r0_to_r3[4];
    uint32_t r12;
    void (*lr)(void);
    void (*pc)(void);
    uint32_t xpsr;
};

/* The last one stands for the code before the first thread. Its registers are saved there and never restored. */
static struct thread threads[kernel_threads_most + 1];
/* 0 before kernel_start(). */
static volatile uint32_t thread_count;
static volatile uint32_t current = kernel_threads_most;

/* Stores the stack pointer of the thread that ran. Returns the stack pointer of the next thread. */
__attribute__((used)) static uint32_t *switch_threads(uint32_t *stack_pointer)
{
    threads[current].stack_pointer = stack_pointer;
    uint32_t next = 0;
    while (next < thread_count - 1 && threads[next].waits && !threads[next].woken) {
        ++next;
    }
    /* A wake-up that comes before the wait is kept for it. */
    if (threads[next].waits) {
        threads[next].waits = 0;
        threads[next].woken = 0;
    }
    current = next;
    return threads[next].stack_pointer;
}

/* Returns to thread code on the process stack (0xFFFFFFFD). kernel_start() itself runs on the main stack. */
__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__("mrs r0, psp\n\t"
            "stmdb r0!, {r4-r11}\n\t"
            "bl switch_threads\n\t"
            "ldmia r0!, {r4-r11}\n\t"
            "msr psp, r0\n\t"
            "mvn lr, #2\n\t"
            "bx lr");
}

static void pend_switch(void)
{
    SCB_ICSR = SCB_ICSR_PENDSVSET;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

void kernel_start(void (*const *entries)(void), uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        void *const top = threads[i].stack + stack_words;
        struct saved_registers *const first = (struct saved_registers *)top - 1;
        first->pc = entries[i];
        first->xpsr = UINT32_C(1) << 24; /* Thumb */
        threads[i].stack_pointer = first->r4_to_r11;
    }
    /* PendSV gets the lowest priority, so it interrupts no handler. SysTick gets the next higher one. */
    SCB_SHPR3 = 0xC0E00000;
    __asm__ volatile("msr psp, %0" ::"r"(threads[current].stack + stack_words));
    thread_count = count;
    pend_switch();
    for (;;) {
    }
}

uint32_t kernel_current(void)
{
    return current;
}

void kernel_wait(void)
{
    threads[current].waits = 1;
    pend_switch();
}

void kernel_wake(uint32_t thread)
{
    threads[thread].woken = 1;
    if (thread_count != 0) {
        pend_switch();
    }
}
