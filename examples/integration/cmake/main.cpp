// SPDX-License-Identifier: MIT
// A beat four times a second, and a time-out that the second beat cancels. Each
// callback prints its tick, counted from the start. The exit code is 1 if a callback
// ran in a wrong tick.
#include <tickwheel/timer.hpp>

#include "../../../boards/print.hpp"
#include "firmware.hpp"

namespace
{

constexpr jiffies_t period = TICKWHEEL_HZ / 4;
constexpr unsigned last_beat = 3;

struct demonstration {
    void beat()
    {
        say("beat", beats_timer.expires());
        beats = beats + 1;
        if (beats == 2) {
            print(time_out_timer.cancel() ? "the time-out is cancelled\n" : "there is no time-out\n");
        }
        beats_timer.start_at(beats_timer.expires() + period);
    }
    void time_out()
    {
        say("time-out", time_out_timer.expires());
        wrong = true;
    }
    void say(const char *what, jiffies_t expires)
    {
        const jiffies_t now = jiffies;
        print("tick ", now - start, ": ", what, "\n");
        wrong = wrong || now != expires;
    }

    jiffies_t start = 0;
    volatile unsigned beats = 0;
    bool wrong = false;
    tickwheel::closure_timer<tickwheel::member<&demonstration::beat>> beats_timer{this};
    tickwheel::closure_timer<tickwheel::member<&demonstration::time_out>> time_out_timer{this};
};

// The braces make the object a constant: no constructor runs before main().
demonstration shown{};

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    print("ticks a second: ", uint32_t{TICKWHEEL_HZ}, "\n");
    shown.start = jiffies;
    shown.beats_timer.start_at(shown.start + period);
    shown.time_out_timer.start_at(shown.start + 3 * period);
    firmware::start_ticks(clock_hz);
    while (shown.beats != last_beat) {
        board::idle();
    }
    return shown.wrong ? 1 : 0;
}
