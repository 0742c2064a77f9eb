// SPDX-License-Identifier: MIT
// What timers do, in four seconds. Each timer notes the tick in which it fires, and the program ends with an error if
// that is not the tick that was asked for.
#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>

#include "../../boards/print.hpp"

namespace
{

using masked = tickwheel::lock_guard<tickwheel::port_lock>;

struct firing {
    const char *name;
    jiffies_t asked;
    jiffies_t got;
};
/// The interrupt writes a firing, and the main loop prints it. No more than these fire between two of its turns.
constexpr uint32_t kept = 8;
firing firings[kept];
uint32_t fired;
uint32_t printed;
uint32_t in_wrong_tick;

class noted_timer {
public:
    constexpr explicit noted_timer(const char *its_name) : name(its_name)
    {
    }

    /// Fires once. If the timer is pending, it moves.
    void after(jiffies_t ticks)
    {
        asked = jiffies + ticks;
        timer.start_at(asked);
    }

    void every(jiffies_t ticks)
    {
        period = ticks;
        after(ticks);
    }

    void cancel()
    {
        timer.cancel();
    }

private:
    void fire()
    {
        firings[fired++ % kept] = {name, asked, jiffies};
        if (period != 0) {
            // Counts from the tick that was asked for, not from now, so the timer does not drift.
            asked += period;
            timer.start_at(asked);
        }
    }

    const char *name;
    /// A copy, so that the check does not trust what the wheel holds.
    jiffies_t asked = 0;
    jiffies_t period = 0;
    tickwheel::closure_timer<tickwheel::member<&noted_timer::fire>> timer{this};
};

/// @return false if every firing has been printed
bool take(firing &one)
{
    const masked interrupts;
    if (printed == fired) {
        return false;
    }
    one = firings[printed++ % kept];
    return true;
}

void print_firings()
{
    firing one = {};
    while (take(one)) {
        const bool right = one.got == one.asked;
        in_wrong_tick += !right;
        print("  ", tickwheel_jiffies_to_msecs(one.got - TICKWHEEL_INITIAL_JIFFIES), " ms, tick ", one.got, ": ",
              one.name, right ? "\n" : ", in a WRONG tick\n");
    }
}

void wait(jiffies_t ticks)
{
    const jiffies_t end = jiffies + ticks;
    while (tickwheel_time_before(jiffies, end)) {
        board::idle();
        print_firings();
    }
}

/// Lets all ticks pass at once before the one in which the next timer fires, as a core does that sleeps.
void skip()
{
    const masked interrupts;
    jiffies_t next = 0;
    if (tickwheel_next_expiry(&next) != 0 && tickwheel_advance(next - 1 - jiffies) != 0) {
        (void)tickwheel_run();
    }
}

noted_timer lamp{"the lamp blinks"};
noted_timer time_out{"the answer did not come"};
noted_timer watchdog{"the watchdog was not fed"};
noted_timer first{"first"};
noted_timer second{"second"};
noted_timer third{"third"};
noted_timer levels[] = {noted_timer{"level 1"}, noted_timer{"level 2"}, noted_timer{"level 3"},
                        noted_timer{"level 4"}, noted_timer{"level 5"}};

} // namespace

extern "C" void SysTick_Handler()
{
    (void)tickwheel_interrupt();
}

int main()
{
    (void)board::init();
    print("A lamp blinks every 500 ticks, until its timer is cancelled.\n");
    board::tick_start(TICKWHEEL_HZ);
    lamp.every(500);
    wait(2100);
    lamp.cancel();

    print("A time-out of 300 ticks: the first answer comes after 120 and cancels it, the second never comes.\n");
    time_out.after(300);
    wait(120);
    time_out.cancel();
    time_out.after(300);
    wait(400);

    print("A watchdog of 100 ticks is fed twice, and then no more.\n");
    for (unsigned times = 0; times < 3; ++times) {
        watchdog.after(100);
        wait(80);
    }
    wait(70);

    print("Timers of one tick fire in the order in which they were armed.\n");
    first.after(300);
    wait(250);
    second.after(50);
    third.after(50);
    wait(60);

    print("One timer in each level of the wheel. All ticks between them pass at once, as for a core that sleeps.\n");
    static constexpr jiffies_t delays[] = {5, 300, 20000, 1100000, 70000000};
    for (unsigned level = 0; level < 5; ++level) {
        levels[level].after(delays[level]);
    }
    wait(310);
    skip();
    wait(5);
    print("Before the next one fires, jiffies wraps from 4294967295 to 0.\n");
    skip();
    wait(5);
    skip();
    wait(5);
    print(fired, " fired, ", in_wrong_tick, " of them in a wrong tick\n");
    return in_wrong_tick != 0;
}
