// SPDX-License-Identifier: MIT
// The firmware leaves SysTick and PendSV to tickwheel.
#include <tickwheel/systick.h>

#include "../../../boards/print.hpp"
#include "firmware.hpp"

void firmware::start_ticks(uint32_t clock_hz)
{
    if (tickwheel_systick_start(clock_hz) != 0) {
        print("fault: the clock cannot make TICKWHEEL_HZ ticks a second\n");
        board::exit(1);
    }
}
