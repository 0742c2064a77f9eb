// SPDX-License-Identifier: MIT
// std::chrono durations and the clock, at this program's tick rate, with the standard library of its CPU.
#include <chrono>
#include <limits>

#include <tickwheel/chrono.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

using namespace std::chrono_literals;

TEST_CASE("a timer may be started after a std::chrono duration, and jiffies_clock counts it")
{
    const unit::fresh wheel(5000);
    tickwheel::timer timer{unit::note};
    const auto before = tickwheel::jiffies_clock::now();
    constexpr jiffies_t second = tickwheel::ticks(1s);
    static_assert(second == TICKWHEEL_HZ, "");
    (void)timer.start_after_at_least(second);
    CHECK_EQ(unit::ticks_to_next_firing(second + 9), second + 1);
    const auto passed = tickwheel::jiffies_clock::now() - before;
    CHECK((passed == 1s + tickwheel::tick_duration(1)));
    CHECK((std::chrono::duration_cast<std::chrono::microseconds>(passed).count() ==
           (second + uint64_t{1}) * 1000000 / second));
    CHECK_EQ(static_cast<uint64_t>(tickwheel::jiffies_clock::now().time_since_epoch().count()),
             uint64_t{5000} + second + 1);
    static_assert(tickwheel::jiffies_clock::is_steady, "");
    // A duration that is no constant and longer than any delay becomes the longest delay.
    volatile int64_t hours = 24 * 365 * 1000;
    CHECK_EQ(tickwheel::ticks(std::chrono::hours(hours)), tickwheel::longest_ticks);
    (void)timer.start_after_at_least(tickwheel::ticks(std::chrono::hours(hours)));
    CHECK_EQ(timer.remaining(), unit::longest_delay);
    CHECK(timer.cancel());
}

TEST_CASE("durations that are no constants become ticks by the CPU's own division")
{
    using units = std::chrono::duration<int64_t, std::ratio<1, 32768>>;
    unsigned wrong = 0;
    for (unsigned bits = 0; bits < 40; ++bits) {
        const int64_t count = int64_t{0x9E3779B9} >> 8 << bits >> 20;
        const uint64_t exact = (static_cast<uint64_t>(count) * TICKWHEEL_HZ + 32767) / 32768;
        wrong += tickwheel::ticks(units(count)) != (exact < 0x7FFFFFFE ? exact : 0x7FFFFFFE);
        wrong += tickwheel::ticks(units(-count)) != 0;
    }
    CHECK_EQ(wrong, 0u);
    volatile int64_t longest = std::numeric_limits<int64_t>::max();
    volatile int64_t shortest = std::numeric_limits<int64_t>::min();
    CHECK_EQ(tickwheel::ticks(std::chrono::nanoseconds(longest)), tickwheel::longest_ticks);
    CHECK_EQ(tickwheel::ticks(std::chrono::seconds(shortest)), 0u);
}
