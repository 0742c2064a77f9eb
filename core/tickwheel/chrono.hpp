// SPDX-License-Identifier: MIT
/// @file
/// std::chrono durations in ticks, and the tick counter as a clock. No other header here needs a standard library.
#ifndef TICKWHEEL_CHRONO_HPP
#define TICKWHEEL_CHRONO_HPP

#include <chrono>
#include <ratio>

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// A number of ticks, as a duration.
using tick_duration = std::chrono::duration<int64_t, std::ratio<1, TICKWHEEL_HZ>>;

/// The tick counter in 64 bits as a std::chrono clock.
struct jiffies_clock {
    /// Counts ticks.
    using rep = tick_duration::rep;
    /// One tick.
    using period = tick_duration::period;
    /// A number of ticks.
    using duration = tick_duration;
    /// A tick.
    using time_point = std::chrono::time_point<jiffies_clock>;
    /// The clock never goes back.
    static constexpr bool is_steady = true;

    /// The current tick, as tickwheel_get_jiffies_64(). Every context.
    static time_point now()
    {
        return time_point(tick_duration(static_cast<int64_t>(tickwheel_get_jiffies_64())));
    }
};

/// The longest delay that ticks() returns. start_after_at_least() can still add a tick to it.
constexpr jiffies_t longest_ticks = TICKWHEEL_LONGEST_DELAY - 1;

/// ticks() calls this for a longer duration. It is not constexpr, so a constant that is too long does not compile.
inline jiffies_t duration_longer_than_2_to_the_31_ticks()
{
    return longest_ticks;
}

/// Converts a duration to ticks, rounded up, exactly for any TICKWHEEL_HZ: `start_after_at_least(ticks(20ms))`.
/// Returns 0 for a duration that is not positive, and `longest_ticks` for a longer one. A constant that is too long
/// does not compile: `constexpr jiffies_t patience = ticks(24h * 365);`. Every context.
template <class Rep, class Period>
constexpr jiffies_t ticks(std::chrono::duration<Rep, Period> duration)
{
    static_assert(static_cast<Rep>(1) / 2 == 0, "a duration in a floating-point number: duration_cast it first");
    static_assert(sizeof(Rep) <= sizeof(uint64_t), "a duration in more than 64 bits: duration_cast it first");
    using ticks_a_unit = std::ratio_multiply<Period, std::ratio<TICKWHEEL_HZ>>;
    constexpr uint64_t num = static_cast<uint64_t>(ticks_a_unit::num);
    constexpr uint64_t den = static_cast<uint64_t>(ticks_a_unit::den);
    static_assert(num <= (~uint64_t{0} - den) / den, "units so fine that a rest of them times HZ passes 64 bits");
    if (duration.count() <= 0) {
        return 0;
    }
    // count * num / den in two parts. The remainder is below den, so no product exceeds 64 bits.
    const uint64_t count = static_cast<uint64_t>(duration.count());
    const uint64_t whole = count / den;
    const uint64_t part = (count % den * num + den - 1) / den;
    if (whole > longest_ticks / num || whole * num + part > longest_ticks) {
        return duration_longer_than_2_to_the_31_ticks();
    }
    return static_cast<jiffies_t>(whole * num + part);
}

} // namespace tickwheel

#endif
