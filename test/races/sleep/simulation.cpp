// SPDX-License-Identifier: MIT
// The lock, where the wheel finds it.
#include "simulation.hpp"

uint32_t tickwheel::port_lock::irq_save()
{
    return model::cpu.mask();
}
void tickwheel::port_lock::irq_restore(uint32_t state)
{
    model::cpu.unmask(state != 0);
}
void tickwheel::port_lock::irq_mask_all()
{
    (void)irq_save();
}

void tickwheel::port_lock::interrupt_window(uint32_t state)
{
    irq_restore(state);
    irq_mask_all();
}

// This is the function of tickwheel_systick.cpp.
jiffies_t tickwheel_current_tick()
{
    return simulation::driver.current_tick();
}
