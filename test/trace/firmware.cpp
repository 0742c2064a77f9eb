// SPDX-License-Identifier: MIT
// A firmware that records. The ticks and the callbacks interrupt the thread, which arms all the time, so records
// nest. It sleeps as well. It writes the files "stream", record by record, and "ram", an image of its RAM.
// test/trace/firmware compares both with what this firmware has counted.
#include <tickwheel/hooks.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/semihosting_file.hpp>
#include <tickwheel/systick.h>

#include "../../boards/print.hpp"

namespace
{

using tickwheel::wheel_statistics;
using tickwheel::wheel_trace;

tickwheel::semihosting_file stream;

void save()
{
    tickwheel::trace_record record = {};
    while (wheel_trace.take(record)) {
        stream.write(&record, sizeof record);
    }
}

void nothing(timer_list *)
{
}

struct sensor {
    void read()
    {
        timeout.start_after_ticks(2);
    }
    tickwheel::periodic_timer<tickwheel::member<&sensor::read>> poll{this};
    tickwheel::timer timeout{nothing};
};
sensor inside{};
sensor outside{};
tickwheel::timer pushed{nothing};
tickwheel::timer far_away{nothing};

// In one of sixteen ticks the thread arms and cancels all the time. In the others it sleeps.
void work(jiffies_t ticks)
{
    const jiffies_t end = jiffies + ticks;
    while (tickwheel_time_before(jiffies, end)) {
        if (jiffies % 16 == 0) {
            (void)pushed.start_after_ticks(300 + jiffies % 8);
            (void)pushed.start_after_ticks(600);
            (void)pushed.cancel();
        } else {
            tickwheel_idle();
        }
        save();
    }
}

// The instructions of an event. The emulator takes 8 ns for an instruction.
uint32_t cost(uint32_t clock_hz)
{
    constexpr uint32_t rounds = 64;
    const tickwheel::locked<tickwheel::port_lock> lock;
    const uint32_t before = tickwheel::systick_core::now();
    for (uint32_t i = 0; i < rounds; ++i) {
        wheel_trace.armed(&far_away);
    }
    const uint32_t counts = tickwheel::systick_core::now() - before;
    return counts * (125000000 / (clock_hz / 100)) / 100 / rounds;
}

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    tickwheel::start_trace(clock_hz);
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    stream.open("stream", 6);
    (void)far_away.start_after_ticks(600);
    inside.poll.start_after_ticks(3, 7);
    outside.poll.start_after_ticks(5, 50);
    work(700);
    inside.poll.stop();
    outside.poll.stop();
    (void)inside.timeout.cancel();
    (void)outside.timeout.cancel();
    (void)far_away.cancel();
    save();
    const tickwheel::wheel_counts &counts = wheel_statistics.counts;
    print("armed ", uint32_t{counts.armed}, ", moved ", uint32_t{counts.moved}, ", cancelled ",
          uint32_t{counts.cancelled}, ", fired ", uint32_t{counts.fired}, ", cascaded ", uint32_t{counts.cascaded},
          ", pending ", wheel_statistics.pending(), "\n");
    print("events ", wheel_trace.recorded(), ", lost ", wheel_trace.lost(), "\n");
    print("an event takes ", cost(clock_hz), " instructions\n");
    tickwheel::semihosting_file image;
    image.open("ram", 3);
    image.write(reinterpret_cast<const void *>(0x20000000), 0x4000);
    board::exit(0);
}
