// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The machine of the stand-in on a PC, as tests see it. Time passes only where a test
// says so: a tick comes while the idle task waits, or in spend().
#ifndef TICKWHEEL_TEST_STAND_IN_HOST_HPP
#define TICKWHEEL_TEST_STAND_IN_HOST_HPP

#include <functional>

#include "stand_in.hpp"

namespace stand_in
{

/// Runs `handler` as an interrupt as soon as the hardware has counted `ticks` more ticks, also in a sleep.
void interrupt_after(uint32_t ticks, std::function<void()> handler);

/// True if an interrupt could come now.
bool is_interruptible();

/// An interrupt in the next sleep, between its plan and the masked look at it.
extern std::function<void()> before_next_sleep;

/// The sleep counts all its ticks itself: vTaskStepTick() gets them all, and no tick interrupt comes at the end.
extern bool sleep_steps_all;

/// The ticks that the core has slept, for configPOST_SLEEP_PROCESSING.
extern "C" uint32_t stand_in_slept(void);

} // namespace stand_in

#endif
