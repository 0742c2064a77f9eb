/* SPDX-License-Identifier: MIT */
/* SysTick stops. The time that it misses is added to both clocks. */
#include "sleep.h"

#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"

void sleep_until_next_timer(void)
{
    jiffies_t event = 0;
    int due = 0;
    /* Masked, so no interrupt can arm an earlier timer before the core stops. */
    chip_disable_interrupts();
    if (tickwheel_next_event(&event) && time_after(event, jiffies)) {
        /* Any interrupt ends the sleep, even a tick that is already pending. Only the time that passed counts. */
        const uint32_t passed = HAL_Stop(event - jiffies);
        uwTick = uwTick + passed;
        due = tickwheel_advance(passed);
    }
    chip_enable_interrupts();
    if (due) {
        tickwheel_run();
    }
}
