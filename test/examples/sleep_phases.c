/* SPDX-License-Identifier: MIT */
/*
 * Tests sleep_until_next_timer() of examples/integration/vendor_hal. A tick or another
 * interrupt comes at each phase of the sleep. A timer that never stops measures the
 * time-out. It must not be early, and at most one tick late.
 */
#include <tickwheel/timer.h>

#include "chip.h"
#include "hal.h"
#include "sleep.h"

#define TIMER1_CONTROL CHIP_REGISTER(0x40001000)
#define TIMER1_VALUE CHIP_REGISTER(0x40001004)
#define TIMER1_RELOAD CHIP_REGISTER(0x40001008)
#define TIMER1_INTERRUPT_CLEAR CHIP_REGISTER(0x4000100C)
#define TIMER1_CONTROL_ENABLE_WITH_INTERRUPT UINT32_C(9)
#define DUALTIMER_VALUE CHIP_REGISTER(0x40002004)
#define DUALTIMER_CONTROL CHIP_REGISTER(0x40002008)
#define DUALTIMER_CONTROL_FREE_32_BITS UINT32_C(0x82)

/* A smaller phase is shorter than one read of SysTick. */
enum { milliseconds = 100, first_phase = 10, phases = 200 };

static volatile unsigned interrupts;
static volatile int fired;

void TIMER1_Handler(void)
{
    TIMER1_INTERRUPT_CLEAR = 1;
    interrupts = interrupts + 1;
}

static void time_out(struct timer_list *timer)
{
    (void)timer;
    fired = 1;
}

static unsigned sweep(const char *what)
{
    static struct timer_list timer;
    unsigned slept = 0;
    unsigned early = 0;
    unsigned late = 0;
    timer_setup(&timer, time_out, 0);
    for (uint32_t phase = first_phase; phase < first_phase + phases; ++phase) {
        fired = 0;
        /* About this many cycles before the next tick. The loop takes some of them. */
        while (SYSTICK_CURRENT > phase) {
        }
        const uint32_t from = DUALTIMER_VALUE;
        mod_timer(&timer, jiffies + milliseconds);
        for (; !fired; ++slept) {
            sleep_until_next_timer();
        }
        const uint32_t passed = from - DUALTIMER_VALUE;
        early += passed < (milliseconds - 1) * (SystemCoreClock / 1000);
        late += passed > (milliseconds + 1) * (SystemCoreClock / 1000);
    }
    chip_print(what);
    chip_print(slept > phases ? ", which end some sleeps: " : ", which end no sleep: ");
    chip_print_number(early);
    chip_print(" time-outs early, ");
    chip_print_number(late);
    chip_print(" late\n");
    return early + late + (slept <= phases);
}

int main(void)
{
    HAL_Init();
    DUALTIMER_CONTROL = DUALTIMER_CONTROL_FREE_32_BITS;
    unsigned wrong = sweep("ticks");
    NVIC_ENABLE = UINT32_C(1) << TIMER1_IRQ;
    TIMER1_RELOAD = SystemCoreClock / 137;
    TIMER1_VALUE = SystemCoreClock / 137;
    TIMER1_CONTROL = TIMER1_CONTROL_ENABLE_WITH_INTERRUPT;
    wrong += sweep("ticks and other interrupts");
    return wrong != 0;
}
