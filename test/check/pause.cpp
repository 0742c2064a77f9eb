// SPDX-License-Identifier: MIT
// Runs the recipe "Pause and resume" of docs/recipes.md, which test/check/run copies
// out of the page. Prints each check that fails.
#include <stdio.h>

#include <pause_cpp.hpp>

#include <pause_c.hpp>

namespace
{

unsigned calls;
int failed;

void check(bool good, const char *what)
{
    if (!good) {
        printf("%s\n", what);
        failed = 1;
    }
}

void pass(jiffies_t ticks)
{
    while (ticks-- != 0) {
        (void)tickwheel_interrupt();
    }
}

// A timer for 30 ticks, paused for 1000 of them after 10, and then one that is overdue when it is paused.
template <class Arm, class Pause, class Resume>
void pauses(Arm arm, Pause pause_it, Resume resume_it)
{
    calls = 0;
    arm(30);
    pass(10);
    pause_it();
    pass(500);
    pause_it();
    pass(500);
    check(calls == 0, "a paused timer does not fire");
    resume_it();
    resume_it();
    pass(19);
    check(calls == 0, "the rest of the delay is kept");
    pass(1);
    check(calls == 1, "a resumed timer fires");
    resume_it();
    pass(100);
    check(calls == 1, "a timer that was not paused is not resumed");

    arm(2);
    (void)tickwheel_tick();
    (void)tickwheel_tick();
    (void)tickwheel_tick();
    pause_it();
    pass(100);
    check(calls == 1, "an overdue timer can be paused");
    resume_it();
    pass(1);
    check(calls == 2, "an overdue timer fires in the next tick");
}

void count(timer_list * /*timer*/)
{
    ++calls;
}

} // namespace

int main()
{
    tickwheel::timer timer{count};
    pausable<tickwheel::timer> paused{timer};
    pauses([&](jiffies_t ticks) { (void)timer.start_after_ticks(ticks); }, [&] { paused.pause(); },
           [&] { paused.resume(); });

    static timer_list plain;
    timer_setup(&plain, count, 0);
    pauses([&](jiffies_t ticks) { (void)mod_timer(&plain, jiffies + ticks); }, [&] { pause(&plain); },
           [&] { resume(&plain); });
    return failed;
}
