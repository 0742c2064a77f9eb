/* SPDX-License-Identifier: MIT */
/*
 * A firmware on an RTOS that owns PendSV: tickwheel takes neither that nor SysTick.
 * In this program callbacks run in the tick interrupt, by the one line in
 * SysTick_Handler(): before any thread, and they may do what the kernel allows to
 * interrupts, kernel_wake() for one. in_thread.c is the other way.
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
