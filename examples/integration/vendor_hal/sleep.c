/* SPDX-License-Identifier: MIT */
/* SysTick stops; what it misses is added to both clocks. */
#include "sleep.h"

#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"

void sleep_until_next_timer(void)
{
    jiffies_t expires = 0;
    int due = 0;
    /* A search, so it is made unmasked; whether an interrupt has overtaken it is asked masked. */
    const int armed = tickwheel_next_expiry(&expires);
    chip_disable_interrupts();
    if (armed && tickwheel_expiry_unchanged(&expires) && time_after(expires, jiffies)) {
        HAL_SuspendTick();
        /* Any interrupt ends it, also a tick that is pending since interrupts are masked: only what has passed
         * counts. */
        const uint32_t passed = HAL_Stop(expires - jiffies);
        HAL_ResumeTick();
        uwTick = uwTick + passed;
        due = tickwheel_advance(passed);
    }
    chip_enable_interrupts();
    if (due) {
        tickwheel_run();
    }
}
