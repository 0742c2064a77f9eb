// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace firmware
{

/// Starts TICKWHEEL_HZ ticks a second. Either own_handler.cpp or ready_made_handlers.cpp defines it.
void start_ticks(uint32_t clock_hz);

} // namespace firmware
