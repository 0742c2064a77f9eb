// SPDX-License-Identifier: MIT
// A vendor's HAL, which counts ticks of its own, in a file of its own: where the hook is defined, it is never null.
#include <tickwheel/systick.h>

uint32_t hal_ticks;
void (*hal_hook)();

void tickwheel_ticks_passed(uint32_t ticks)
{
    // A call for no tick would be wrong, so it shows.
    hal_ticks += ticks != 0 ? ticks : 1;
    if (hal_hook != nullptr) {
        hal_hook();
    }
}
