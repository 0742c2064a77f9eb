// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The machine of the stand-in on the MPS2 board with the AN385 image, as tests see it.
#ifndef TICKWHEEL_TEST_STAND_IN_CORTEX_M_HPP
#define TICKWHEEL_TEST_STAND_IN_CORTEX_M_HPP

#include "stand_in.hpp"

namespace stand_in
{

/// Runs `handler` once as an interrupt that comes just after the core has woken from its next sleep.
void interrupt_at_wake(void (*handler)());

/// Runs `handler` again and again, so many cycles apart, from a timer of the board. 0 stops that. The second one is
/// above configMAX_SYSCALL_INTERRUPT_PRIORITY, and must not call the kernel.
void interrupt_every(uint32_t cycles, void (*handler)());
void urgent_interrupt_every(uint32_t cycles, void (*handler)());

} // namespace stand_in

#endif
