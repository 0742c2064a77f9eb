// SPDX-License-Identifier: MIT
// A software watchdog for each task of a main loop. It names the task that hangs
// before the reset; a hardware watchdog cannot do that. Keep the hardware watchdog as
// well, and feed it in SysTick_Handler: it resets the chip if even the tick stops.
#include <tickwheel/periodic_timer.hpp>

#include "devices.hpp"

namespace
{

class watched_task {
public:
    constexpr watched_task(const char *name, jiffies_t ticks) : task(name), patience(ticks)
    {
    }

    /// Call this at the start, and then at least once in `ticks` ticks.
    void alive()
    {
        alive_for(patience);
    }

    /// Call this before something that takes longer, such as erasing flash.
    void alive_for(jiffies_t ticks)
    {
        watchdog.start_after_at_least(ticks);
    }

    /// Call this when the task has nothing to do.
    void asleep()
    {
        watchdog.cancel();
    }

private:
    void silent()
    {
        reset_because_of(task);
    }

    const char *task;
    jiffies_t patience;
    tickwheel::closure_timer<tickwheel::member<&watched_task::silent>> watchdog{this};
};

watched_task measuring{"measuring", tickwheel_msecs_to_jiffies(30)};
watched_task storing{"storing", tickwheel_msecs_to_jiffies(500)};

// Set by timers, cleared by the main loop.
volatile bool measurement_due;
volatile bool storing_due;
tickwheel::periodic_timer measure_again{[] { measurement_due = true; }};
tickwheel::periodic_timer store_again{[] { storing_due = true; }};

void measure()
{
    while (!sensor_answers()) {
    }
    measuring.alive();
}

void store()
{
    // The main loop waits while flash is erased, so the other task needs more time too.
    measuring.alive_for(tickwheel_msecs_to_jiffies(200));
    erase_flash();
    measuring.alive();
    storing.asleep(); // until it is due again
}

} // namespace

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
}

int main()
{
    board::init();
    board::tick_start(TICKWHEEL_HZ);
    measuring.alive();
    measure_again.start_after_ticks(tickwheel_msecs_to_jiffies(10), tickwheel_msecs_to_jiffies(10));
    store_again.start_after_ticks(tickwheel_msecs_to_jiffies(1000), tickwheel_msecs_to_jiffies(1000));
    for (;;) {
        if (measurement_due) {
            measurement_due = false;
            measure();
        }
        if (storing_due) {
            storing_due = false;
            storing.alive();
            store();
        }
        board::idle();
    }
}
