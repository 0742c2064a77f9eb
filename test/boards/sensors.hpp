// SPDX-License-Identifier: MIT
// Twenty sensors, each read every two to twelve seconds, with a slack of a tenth of the period and without one: how
// often the core wakes.
#ifndef TICKWHEEL_TEST_BOARDS_SENSORS_HPP
#define TICKWHEEL_TEST_BOARDS_SENSORS_HPP

#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/systick.h>

#include "checked.hpp"

class sensor {
public:
    static inline uint32_t readings;
    static inline uint32_t outside;
    /// Ticks in which at least one sensor was read.
    static inline uint32_t distinct;
    static inline jiffies_t last;

    /// `slack` is the part of the period that each reading may be late; 0: none.
    void start(jiffies_t period, jiffies_t slack)
    {
        next = jiffies + period;
        most_late = slack == 0 ? 0 : period / slack;
        reading.set_slack(most_late);
        reading.start_at(next, period);
    }
    void stop()
    {
        (void)reading.stop();
    }

private:
    void read()
    {
        ++readings;
        distinct += jiffies != last;
        last = jiffies;
        outside += jiffies - next > most_late;
        next += reading.period();
    }

    jiffies_t next = 0;
    jiffies_t most_late = 0;
    tickwheel::periodic_timer<tickwheel::member<&sensor::read>, tickwheel::missed_periods::skip,
                              tickwheel::default_wheel, tickwheel::slack>
        reading{this, tickwheel::slack{0}};
};

/// Reads the sensors for so many ticks. Returns how often the core slept.
inline uint32_t sleeps_between_readings(jiffies_t ticks, jiffies_t slack)
{
    static sensor sensors[20];
    sensor::readings = 0;
    sensor::outside = 0;
    sensor::distinct = 0;
    jiffies_t period = 2 * TICKWHEEL_HZ;
    for (sensor &each : sensors) {
        each.start(period, slack);
        // Periods that have no common factor.
        period += TICKWHEEL_HZ / 2 + 17;
    }
    const uint32_t before = tickwheel_sleep_counts().sleeps;
    const jiffies_t end = jiffies + ticks;
    while (tickwheel_time_before(jiffies, end)) {
        tickwheel_idle();
    }
    for (sensor &each : sensors) {
        each.stop();
    }
    return tickwheel_sleep_counts().sleeps - before;
}

inline void compare_slack(jiffies_t ticks)
{
    const uint32_t sleeps = sleeps_between_readings(ticks, 0);
    const uint32_t readings = sensor::readings;
    const uint32_t distinct = sensor::distinct;
    check(readings != 0 && sensor::outside == 0, "each sensor is read in its tick");
    const uint32_t sleeps_within = sleeps_between_readings(ticks, 10);
    print("20 sensors, ", ticks / (60 * TICKWHEEL_HZ), " minutes, ", readings, " readings in ", distinct,
          " ticks, wake-ups ", sleeps, "\n    with 10 % slack ", sensor::readings, " readings in ", sensor::distinct,
          " ticks, wake-ups ", sleeps_within, ": ", sleeps_within * 100 / sleeps, " %\n");
    check(sensor::readings + 20 >= readings && sensor::outside == 0, "with a slack each sensor is read in its range");
    check(sensor::distinct * 100 <= distinct * 65, "with 10 % slack at most 65 % as many ticks have a reading");
    // A fast clock has short periods. Then most wake-ups are SysTick's, and some of them meet a reading.
    check(2 * (sleeps - sleeps_within) >= distinct - sensor::distinct,
          "every second tick that is left out saves a wake-up at least");
}

#endif
