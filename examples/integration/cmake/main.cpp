// SPDX-License-Identifier: MIT
// A beat four times a second. Each prints its tick, counted from the start. The exit code is 1 if
// one came in a wrong tick.
#include <tickwheel/timer.hpp>

#include "../../../boards/print.hpp"
#include "firmware.hpp"

namespace
{

struct metronome {
    static constexpr jiffies_t period = TICKWHEEL_HZ / 4;

    void beat()
    {
        const jiffies_t now = jiffies;
        print("tick ", now - TICKWHEEL_INITIAL_JIFFIES, "\n");
        wrong = wrong || now != next.expires();
        beats = beats + 1;
        next.start_at(next.expires() + period);
    }

    volatile unsigned beats = 0;
    bool wrong = false;
    tickwheel::closure_timer<tickwheel::member<&metronome::beat>> next{this};
};

// The braces make the object a constant: no constructor runs before main().
metronome ticking{};

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    print("ticks a second: ", uint32_t{TICKWHEEL_HZ}, "\n");
    ticking.next.start_after_ticks(metronome::period);
    firmware::start_ticks(clock_hz);
    while (ticking.beats != 3) {
        board::idle();
    }
    return ticking.wrong ? 1 : 0;
}
