// SPDX-License-Identifier: MIT
// What a board with a Cortex-R or Cortex-A defines, and the handlers that a program may define.
#pragma once

#include <stdint.h>

extern "C" {

/// The board defines it, since the interrupt controller differs: calls the handler of the interrupt that is pending.
/// It runs in Supervisor mode with IRQ masked, on the program's stack. It may unmask IRQ, and is then entered again.
void board_interrupt();

/// A program that uses interrupts defines these. The others report a fault and end the program. IRQ_Handler() gets
/// the number of every interrupt that is not the tick's.
void SysTick_Handler();
void IRQ_Handler(uint32_t number);
void FIQ_Handler();
}
