// SPDX-License-Identifier: MIT
// A firmware that copies core/ and port/cortex_m/ into its own folder, where
// compile_all.sh compiles everything that it finds. A traffic light; somebody who
// wants to cross presses the button, and green ends early.
#include <tickwheel/timer.hpp>

#include "chip.h"

namespace
{

volatile bool finished;

void say(const char *what)
{
    chip_print("tick ");
    chip_print_number(jiffies - TICKWHEEL_INITIAL_JIFFIES);
    chip_print(": ");
    chip_print(what);
    chip_print("\n");
}

struct phase {
    const char *name;
    jiffies_t ticks;
};
constexpr phase phases[] = {{"red", 30}, {"green", 40}, {"amber", 5}};

struct traffic_light {
    void change()
    {
        at = (at + 1) % 3;
        say(phases[at].name);
        wrong = wrong || jiffies != next.expires();
        next.start_at(next.expires() + phases[at].ticks);
        finished = ++changes == 7;
    }

    unsigned at = 2;
    unsigned changes = 0;
    bool wrong = false;
    tickwheel::closure_timer<tickwheel::member<&traffic_light::change>> next{this};
};

// The braces make it a constant: no constructor runs before main().
traffic_light light{};

tickwheel::closure_timer button([] {
    say("button");
    light.next.start_after_ticks(1);
});

} // namespace

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
}

int main()
{
    light.next.start_after_ticks(1);
    button.start_after_ticks(50);
    if (SysTick_Config(SystemCoreClock / TICKWHEEL_HZ) != 0) {
        return 2;
    }
    while (!finished) {
        chip_wait_for_interrupt();
    }
    return light.wrong ? 1 : 0;
}
