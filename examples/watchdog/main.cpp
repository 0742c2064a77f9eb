// SPDX-License-Identifier: MIT
// A watchdog for each task of a main loop, in software: a task that has not said in
// time that it is alive is named before the reset, which a hardware watchdog cannot
// do. That one still belongs below, fed in SysTick_Handler, for the case that even
// the tick stands still.
#include <tickwheel/periodic_timer.hpp>

#include "../print.hpp"

namespace
{

[[noreturn]] void reset_because_of(const char *task)
{
    // Nothing else prints any more. In your firmware: the name to where a reset leaves it, then NVIC_SystemReset().
    print(tickwheel_jiffies_to_msecs(jiffies - TICKWHEEL_INITIAL_JIFFIES), " ms: reset, no life in task ", task,
          "\n");
    board::exit(0);
}

class watched_task {
public:
    constexpr watched_task(const char *name, jiffies_t ticks) : task(name), patience(ticks)
    {
    }

    /// To be called more often than once in `ticks` ticks, the first time at the start.
    void alive()
    {
        alive_for(patience);
    }

    /// Before what takes longer: to erase flash, to wait for a modem.
    void alive_for(jiffies_t ticks)
    {
        watchdog.start_after_at_least(ticks);
    }

    /// While the task has nothing to do.
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

/// A sensor, played: it answers until its cable comes off.
bool sensor_answers()
{
    const jiffies_t cable_comes_off = TICKWHEEL_INITIAL_JIFFIES + tickwheel_msecs_to_jiffies(3500);
    return tickwheel_time_before(jiffies, cable_comes_off);
}

void measure()
{
    while (!sensor_answers()) {
    }
    measuring.alive();
}

void store()
{
    print(tickwheel_jiffies_to_msecs(jiffies - TICKWHEEL_INITIAL_JIFFIES), " ms: storing\n");
    // The main loop stands while flash is erased, so both say so.
    measuring.alive_for(tickwheel_msecs_to_jiffies(200));
    const jiffies_t erased = jiffies + tickwheel_msecs_to_jiffies(120);
    while (tickwheel_time_before(jiffies, erased)) {
    }
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
