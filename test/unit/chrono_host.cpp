// SPDX-License-Identifier: MIT
// std::chrono durations to ticks against 128-bit arithmetic, for many rates in
// one program: the header is read again for each of them. Host only, as no 32-bit
// CPU has that arithmetic; chrono.cpp is for boards too. What must not compile is in
// test/failures.
#include <chrono>
#include <limits>
#include <ratio>

#include <tickwheel/chrono.hpp>

#include "support.hpp"

namespace unit
{

/// What `count` units are in ticks, in whole ones that are not the shorter, or the longest there is.
template <class Duration>
uint64_t ticks_of(__int128 count, uint64_t hz)
{
    const __int128 num = static_cast<__int128>(Duration::period::num) * static_cast<__int128>(hz);
    const __int128 den = Duration::period::den;
    const __int128 exact = count <= 0 ? 0 : (count * num + den - 1) / den;
    return exact > 0x7FFFFFFE ? 0x7FFFFFFE : static_cast<uint64_t>(exact);
}

/// Small counts, powers of two, the ends of the type, wherever the result reaches its limit, and some thousand more.
template <class Duration, class Ticks>
void check_durations(uint64_t hz, Ticks ticks)
{
    using rep = typename Duration::rep;
    constexpr __int128 lowest = std::numeric_limits<rep>::min();
    constexpr __int128 highest = std::numeric_limits<rep>::max();
    unsigned wrong = 0;
    unsigned tried = 0;
    const auto check_around = [&](__int128 value) {
        for (__int128 count = value - 3; count <= value + 3; ++count) {
            if (count >= lowest && count <= highest) {
                ++tried;
                wrong += ticks(Duration(static_cast<rep>(count))) != ticks_of<Duration>(count, hz);
            }
        }
    };
    for (int small = -1000; small < 2000; ++small) {
        check_around(small);
    }
    for (unsigned k = 0; k < 64; ++k) {
        check_around(__int128{1} << k);
        check_around(-(__int128{1} << k));
    }
    const __int128 num = static_cast<__int128>(Duration::period::num) * static_cast<__int128>(hz);
    check_around(__int128{0x7FFFFFFE} * Duration::period::den / num);
    check_around(__int128{0x7FFFFFFF} * Duration::period::den / num);
    check_around((__int128{1} << 32) * Duration::period::den / num);
    check_around((__int128{1} << 63) / num);
    check_around((__int128{1} << 64) / num);
    check_around(lowest);
    check_around(highest);
    uint64_t random = 1;
    for (unsigned i = 0; i < 3000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        check_around(static_cast<__int128>(random >> (random >> 6) % 63));
    }
    CHECK_EQ(wrong, 0u);
    CHECK(tried > 10000);
}

} // namespace unit

#define CHRONO_HZ 1
#include "chrono_at_hz.inc"
#define CHRONO_HZ 3
#include "chrono_at_hz.inc"
#define CHRONO_HZ 24
#include "chrono_at_hz.inc"
#define CHRONO_HZ 60
#include "chrono_at_hz.inc"
#define CHRONO_HZ 100
#include "chrono_at_hz.inc"
#define CHRONO_HZ 250
#include "chrono_at_hz.inc"
#define CHRONO_HZ 300
#include "chrono_at_hz.inc"
#define CHRONO_HZ 1000
#include "chrono_at_hz.inc"
#define CHRONO_HZ 1024
#include "chrono_at_hz.inc"
#define CHRONO_HZ 9999
#include "chrono_at_hz.inc"
#define CHRONO_HZ 32768
#include "chrono_at_hz.inc"
#define CHRONO_HZ 99999
#include "chrono_at_hz.inc"
#define CHRONO_HZ 100000
#include "chrono_at_hz.inc"
