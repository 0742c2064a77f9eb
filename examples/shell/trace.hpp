// SPDX-License-Identifier: MIT
// The trace and the statistics of a shell that is built with TICKWHEEL_HOOKS=1. Any other shell has neither.
#ifndef SHELL_TRACE_HPP
#define SHELL_TRACE_HPP

#include <tickwheel/config.h>

#if TICKWHEEL_HOOKS
#include <tickwheel/hooks.hpp>
#include <tickwheel/semihosting_file.hpp>

#include "timers.hpp"
#endif
#include "../../boards/print.hpp"

namespace trace
{

#if TICKWHEEL_HOOKS

inline tickwheel::semihosting_file file;
inline bool saves;

/// Call this before the clock starts.
inline void start(uint32_t clock_hz)
{
    tickwheel::start_trace(clock_hz);
}

/// Saves what happens from now on, and what the ring still holds.
inline void open()
{
    constexpr char name[] = "tickwheel.trace";
    file.open(name, sizeof name - 1);
    saves = true;
}

/// Saves what has happened since the last call.
inline void save()
{
    tickwheel::trace_record record = {};
    while (saves && tickwheel::wheel_trace.take(record)) {
        file.write(&record, sizeof record);
    }
}

/// The greatest of something, and the timer that it was.
inline void print_greatest(const char *what, uint32_t value, const timer_list *timer)
{
    print(what, value);
    if (timer != nullptr) {
        print(" (timer ", timers::number_of(timer), ")");
    }
}

inline void print_statistics()
{
    const tickwheel::wheel_counts &counts = tickwheel::wheel_statistics.counts;
    print("armed ", uint32_t{counts.armed}, ", moved ", uint32_t{counts.moved}, ", cancelled ",
          uint32_t{counts.cancelled}, ", fired ", uint32_t{counts.fired}, ", cascaded ", uint32_t{counts.cascaded},
          ", pending ", tickwheel::wheel_statistics.pending(), "\n");
    print("most pending ", uint32_t{counts.most_pending}, ", greatest lag ", uint32_t{counts.greatest_lag});
    print_greatest(", greatest lateness ", counts.greatest_lateness, counts.latest);
    print_greatest(", longest callback ", counts.longest_callback, counts.longest);
    print(" counts of SysTick\n");
}

/// Call this when no timer is armed any more.
inline void finish()
{
    save();
    print_statistics();
    print("events ", tickwheel::wheel_trace.recorded(), ", lost ", tickwheel::wheel_trace.lost(), "\n");
}

#else

inline void start(uint32_t /*clock_hz*/)
{
}
inline void save()
{
}
inline void finish()
{
}

#endif

} // namespace trace

#endif
