// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The machine of the stand-in on the MPS2 board with the AN385 image, as tests see it.
#ifndef TICKWHEEL_TEST_STAND_IN_CORTEX_M_HPP
#define TICKWHEEL_TEST_STAND_IN_CORTEX_M_HPP

#include "stand_in.hpp"

namespace stand_in
{

/// Runs `handler` now as an interrupt above configMAX_SYSCALL_INTERRUPT_PRIORITY. It must not call the kernel.
void urgent_interrupt(void (*handler)());

/// Runs `handler` once as an interrupt that comes just after the core has woken from its next sleep.
void interrupt_at_wake(void (*handler)());

/// Both kinds again and again, so many cycles apart, from two timers of the board. 0 stops them.
void interrupt_every(uint32_t cycles, void (*handler)());
void urgent_interrupt_every(uint32_t cycles, void (*handler)());

/// The cycles of a third clock, which nobody stops or writes.
uint32_t cycles();

/// The ticks that SysTick's handler has counted, without those slept over.
extern volatile uint32_t tick_interrupts;

} // namespace stand_in

#endif
