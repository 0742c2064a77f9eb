// SPDX-License-Identifier: MIT
// This chip stops SysTick while it sleeps. So counter_tick makes the tick from RTC1, under the names of SysTick's
// driver. NOT RUN ON HARDWARE.
#include <tickwheel/cortex_m_counter_base.hpp>
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/systick.h>

#include "../../../boards/nrf52840dk/rtc1.hpp"
#include "../../support/core_registers.hpp"
#include "nrf.hpp"

namespace
{

struct reported : board::rtc1, tickwheel::cortex_m_counter_base {
    static void ticks_passed(uint32_t ticks)
    {
        tickwheel_ticks_passed(ticks);
    }
};
tickwheel::counter_tick<reported> tick;

} // namespace

extern "C" void SysTick_Handler()
{
    reported::clear_alarm();
    tick.interrupt();
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

jiffies_t tickwheel_current_tick()
{
    return tick.current_tick();
}

int tickwheel_systick_start(uint32_t /*clock_hz*/)
{
    at(system_priorities) = at(system_priorities) | 0xFFu << 16;
    reported::start();
    // The alarm of TIMER1 must interrupt the tick.
    enable_interrupt(17, 0x40);
    tick.start();
    return 0;
}

void tickwheel_idle()
{
    tick.idle();
}

struct tickwheel_sleeps tickwheel_sleep_counts()
{
    return {0, 0};
}
