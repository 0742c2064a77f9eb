// SPDX-License-Identifier: MIT
// The wheel's lock on the modelled core: PRIMASK, as in port/cortex_m, and each
// call takes time, in which an interrupt may come where it is let in.
#pragma once

#include <stdint.h>

namespace tickwheel
{

struct port_lock {
    static uint32_t irq_save();
    static void irq_restore(uint32_t state);
    static void irq_mask_all();
    static void interrupt_window(uint32_t state);
};

} // namespace tickwheel
