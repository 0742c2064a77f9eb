// SPDX-License-Identifier: MIT
// The recorder and the statistics on a PC. An "interrupt" comes in the middle of a record, where the lock opens. The
// images of the two last cases go to test/trace/images.py, which reads them with records.py.
#include <tickwheel/each_of.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/recorder.hpp>
#include <tickwheel/statistics.hpp>
#include <tickwheel/wheel.hpp>

#include <cstdio>

#include "../unit/support.hpp"

namespace
{

struct core {
    static inline uint32_t time = 0;
    static inline uint32_t running = 0;
    static uint32_t now()
    {
        CHECK_EQ(tickwheel::interrupts.depth != 0, true);
        return time;
    }
    static uint32_t exception()
    {
        return running;
    }
};

constexpr uint32_t size = 8;
using ring = tickwheel::recorder<tickwheel::port_lock, core, size>;
using tickwheel::trace_event;
using tickwheel::trace_record;

timer_list timer;
ring *recording;
unsigned nested;

// Comes once, and records so many events.
void interrupt()
{
    tickwheel::interrupts.on_open = nullptr;
    core::running = 17;
    for (; nested != 0; --nested) {
        recording->cancelled(&timer);
    }
    core::running = 0;
}

uint32_t event_of(const trace_record &record)
{
    return record.head >> 12 & 15;
}

void save(const ring &image, const char *name)
{
    std::FILE *const file = std::fopen(name, "wb");
    CHECK_EQ(std::fwrite(&image, sizeof image, 1, file), 1u);
    std::fclose(file);
}

ring counted_trace;
tickwheel::statistics<tickwheel::port_lock, core> counts;
tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_geometry, tickwheel::wheel_storage<tickwheel::linux_geometry>,
                 tickwheel::each_of<counts, counted_trace>>
    wheel;

void longer(timer_list *)
{
    core::time += 500;
}

void shorter(timer_list *)
{
    core::time += 20;
}

} // namespace

TEST_CASE("a record has its number, event, exception, time, timer and tick")
{
    static ring trace;
    timer.expires = 77;
    core::time = 5;
    trace.armed(&timer);
    core::time = 6;
    core::running = 15;
    trace.tick_with_work(9, 8);
    core::running = 0;
    trace_record record = {};
    CHECK_EQ(trace.take(record), true);
    CHECK_EQ(uint32_t{record.head}, 1u << 12);
    CHECK_EQ(uint32_t{record.time}, 5u);
    CHECK_EQ(uint32_t{record.subject}, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&timer)));
    CHECK_EQ(uint32_t{record.value}, 77u);
    CHECK_EQ(trace.take(record), true);
    CHECK_EQ(uint32_t{record.head}, 1u << 16 | 9u << 12 | 15u);
    CHECK_EQ(uint32_t{record.time}, 6u);
    CHECK_EQ(uint32_t{record.subject}, 9u);
    CHECK_EQ(uint32_t{record.value}, 8u);
    CHECK_EQ(trace.take(record), false);
}

TEST_CASE("a reader above a writer waits for the record")
{
    static ring trace;
    for (unsigned i = 0; i < size; ++i) {
        trace.moved(&timer);
    }
    trace_record record = {};
    while (trace.take(record)) {
    }
    recording = &trace;
    nested = 1;
    tickwheel::interrupts.on_open = [] {
        trace_record early = {};
        interrupt();
        CHECK_EQ(recording->take(early), false);
    };
    trace.armed(&timer);
    CHECK_EQ(trace.take(record), true);
    CHECK_EQ(event_of(record), static_cast<uint32_t>(trace_event::armed));
    CHECK_EQ(trace.take(record), true);
    CHECK_EQ(event_of(record), static_cast<uint32_t>(trace_event::cancelled));
    CHECK_EQ(record.head & 511u, 17u);
    CHECK_EQ(trace.take(record), false);
    CHECK_EQ(trace.lost(), 0u);
}

TEST_CASE("newer events overwrite older ones, and the reader counts those")
{
    static ring trace;
    for (unsigned i = 0; i < size + 3; ++i) {
        core::time = i;
        trace.moved(&timer);
    }
    trace_record record = {};
    for (unsigned i = 3; i < size + 3; ++i) {
        CHECK_EQ(trace.take(record), true);
        CHECK_EQ(uint32_t{record.time}, i);
    }
    CHECK_EQ(trace.take(record), false);
    CHECK_EQ(trace.lost(), 3u);
    CHECK_EQ(trace.recorded(), size + 3);
}

TEST_CASE("a writer that was interrupted for a whole turn")
{
    static ring trace;
    trace.start(1000000, 1000);
    recording = &trace;
    nested = size + 2;
    tickwheel::interrupts.on_open = interrupt;
    trace.armed(&timer);
    CHECK_EQ(trace.recorded(), size + 4);
    save(trace, "turn.ram");
    trace_record record = {};
    unsigned taken = 0;
    for (; trace.take(record); ++taken) {
        CHECK_EQ(event_of(record), static_cast<uint32_t>(trace_event::cancelled));
    }
    CHECK_EQ(taken, size - 1);
    CHECK_EQ(trace.lost(), 5u);
}

TEST_CASE("a RAM image in the middle of a record")
{
    static ring trace;
    trace.start(1000000, 0);
    trace.moved(&timer);
    recording = &trace;
    tickwheel::interrupts.on_open = [] { save(*recording, "torn.ram"); };
    trace.armed(&timer);
    tickwheel::interrupts.on_open = nullptr;
}

TEST_CASE("a wheel counts for itself")
{
    static tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_geometry,
                            tickwheel::wheel_storage<tickwheel::linux_geometry>,
                            tickwheel::statistics<tickwheel::port_lock, core>>
        first, second;
    tickwheel_timer_setup(&timer, shorter, 0);
    CHECK_EQ(first.mod_timer(&timer, first.jiffies() + 2), 0);
    CHECK_EQ(first.timer_delete(&timer), 1);
    CHECK_EQ(second.mod_timer(&timer, second.jiffies() + 2), 0);
    (void)second.tick();
    (void)second.tick();
    CHECK_EQ(second.run(), 1u);
    CHECK_EQ(first.counts.cancelled + first.counts.fired * 10, 1u);
    CHECK_EQ(second.counts.cancelled + second.counts.fired * 10, 10u);
}

TEST_CASE("statistics")
{
    static timer_list near;
    static timer_list far;
    wheel.init(1000);
    tickwheel_timer_setup(&near, longer, 0);
    tickwheel_timer_setup(&far, shorter, 0);
    CHECK_EQ(wheel.mod_timer(&near, 1003), 0);
    CHECK_EQ(wheel.mod_timer(&far, 1003 + 512), 0);
    CHECK_EQ(counts.counts.most_pending, 2u);
    for (unsigned i = 0; i < 7; ++i) {
        (void)wheel.tick();
    }
    CHECK_EQ(counts.counts.greatest_lag, 5u);
    CHECK_EQ(wheel.run(), 1u);
    CHECK_EQ(counts.counts.greatest_lateness, 4u);
    CHECK_EQ(counts.counts.latest == &near, true);
    CHECK_EQ(counts.counts.longest_callback, 500u);
    CHECK_EQ(counts.counts.longest == &near, true);
    CHECK_EQ(counts.pending(), 1u);
    while (counts.pending() != 0) {
        (void)wheel.interrupt();
    }
    // From tv2 to tv1.
    CHECK_EQ(counts.counts.cascaded, 1u);
    CHECK_EQ(counts.counts.greatest_lateness, 4u);
    CHECK_EQ(counts.counts.longest == &near, true);
    CHECK_EQ(wheel.mod_timer(&far, wheel.jiffies() + 9), 0);
    CHECK_EQ(wheel.mod_timer(&far, wheel.jiffies() + 8), 1);
    CHECK_EQ(wheel.timer_delete(&far), 1);
    CHECK_EQ(counts.counts.armed, 3u);
    CHECK_EQ(counts.counts.moved, 1u);
    CHECK_EQ(counts.counts.cancelled, 1u);
    CHECK_EQ(counts.counts.fired, 2u);
    CHECK_EQ(counts.counts.most_pending, 2u);
    CHECK_EQ(counts.pending(), 0u);
}
