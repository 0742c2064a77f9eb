/* SPDX-License-Identifier: MIT */
/*
 * A firmware on an RTOS that owns PendSV. The firmware owns SysTick. Callbacks run
 * in the tick interrupt, before any thread. They may do what the kernel allows in an
 * interrupt, for example kernel_wake(). in_thread.c shows the other way.
 */
#include <tickwheel/timer.h>

#include "application.h"
#include "chip.h"
#include "kernel.h"

void SysTick_Handler(void)
{
    tickwheel_interrupt();
}

int main(void)
{
    static void (*const threads[])(void) = {control, measure, idle};
    if (SysTick_Config(SystemCoreClock / HZ)) {
        return 2;
    }
    chip_print("callbacks in the tick interrupt\n");
    kernel_start(threads, sizeof threads / sizeof threads[0]);
}
