// SPDX-License-Identifier: MIT
// Ten seconds of a small device. Callbacks run one after the other, so while one of them erases flash the sensor's
// answer waits. That is what a trace must show. It writes the file "tickwheel.trace".
#include <tickwheel/hooks.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/semihosting_file.hpp>
#include <tickwheel/systick.h>
#include <tickwheel/timer.hpp>

#include "../../boards/board.hpp"

namespace
{

struct lamp_driver {
    void toggle()
    {
        on = !on;
    }
    bool on = false;
    tickwheel::periodic_timer<tickwheel::member<&lamp_driver::toggle>> blink{this};
};

// Each measurement is ready 40 ms after its start.
struct sensor_driver {
    void measure()
    {
        (void)ready.start_after_ticks(40);
    }
    void read()
    {
        ++samples;
    }
    unsigned samples = 0;
    tickwheel::periodic_timer<tickwheel::member<&sensor_driver::measure>> poll{this};
    tickwheel::closure_timer<tickwheel::member<&sensor_driver::read>> ready{this};
};

struct flash_driver {
    void wait_for_erase()
    {
        const jiffies_t end = jiffies + 150;
        while (tickwheel_time_before(jiffies, end)) {
        }
    }
    tickwheel::closure_timer<tickwheel::member<&flash_driver::wait_for_erase>> erase{this};
};

lamp_driver lamp{};
sensor_driver sensor{};
flash_driver flash{};

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    tickwheel::start_trace(clock_hz);
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    tickwheel::semihosting_file file;
    file.open("tickwheel.trace", 15);
    const jiffies_t end = jiffies + 10 * TICKWHEEL_HZ;
    lamp.blink.start_after_ticks(1000, 1000);
    sensor.poll.start_after_ticks(500, 500);
    (void)flash.erase.start_after_ticks(6005);
    while (tickwheel_time_before(jiffies, end)) {
        tickwheel_idle();
        tickwheel::trace_record record = {};
        while (tickwheel::wheel_trace.take(record)) {
            file.write(&record, sizeof record);
        }
    }
    board::exit(sensor.samples == 0);
}
