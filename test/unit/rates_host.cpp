// SPDX-License-Identifier: MIT
// The conversions between ticks and time against 64-bit arithmetic, and std::chrono durations against 128-bit
// arithmetic, for many rates in one program: the headers are read again for each rate. Host only, because no 32-bit
// CPU has that arithmetic. chrono.cpp is for boards too; test/failures has what must not compile.
#include <chrono>
#include <limits>
#include <ratio>
#include <set>

#include <tickwheel/chrono.hpp>

#include "../support/random.hpp"
#include "support.hpp"

namespace unit
{

constexpr uint64_t max_offset = 0x3FFFFFFE;

// Small ones, powers of two, whole units, wherever a result reaches a limit, and some thousand between.
std::set<uint32_t> conversion_values(uint64_t hz)
{
    std::set<uint32_t> values;
    const auto add_around = [&](uint64_t value) {
        for (uint64_t at = value < 3 ? 0 : value - 3; at <= value + 3 && at <= 0xFFFFFFFFu; ++at) {
            values.insert(static_cast<uint32_t>(at));
        }
    };
    for (uint64_t small = 0; small < 1500; ++small) {
        add_around(small);
    }
    for (unsigned k = 0; k <= 32; ++k) {
        add_around(uint64_t{1} << k);
    }
    for (uint64_t unit = 1; unit <= 0xFFFFFFFFu; unit *= 10) {
        for (uint64_t count = 1; count < 10; ++count) {
            add_around(unit * count);
            add_around(hz * unit * count);
        }
    }
    for (const uint64_t units : {uint64_t{1}, uint64_t{1000}, uint64_t{1000000}}) {
        add_around(max_offset * units / hz);
        add_around((max_offset + 1) * units / hz);
        add_around(0xFFFFFFFFu * hz / units);
        add_around((uint64_t{1} << 32) * hz / units);
    }
    random_numbers numbers;
    for (unsigned i = 0; i < 3000; ++i) {
        const uint32_t random = numbers.next();
        values.insert(random >> (random >> 3) % 31);
    }
    return values;
}

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
void check_duration(uint64_t hz, Ticks ticks)
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
    random_numbers numbers;
    for (unsigned i = 0; i < 3000; ++i) {
        const uint64_t random = uint64_t{numbers.next()} << 32 | numbers.next();
        check_around(static_cast<__int128>(random >> (random >> 6) % 63));
    }
    CHECK_EQ(wrong, 0u);
    CHECK(tried > 10000);
}

template <class... Durations, class Ticks>
void check_durations(uint64_t hz, Ticks ticks)
{
    (check_duration<Durations>(hz, ticks), ...);
}

} // namespace unit

#define RATE 1
#include "rates_at_hz.inc"
#define RATE 2
#include "rates_at_hz.inc"
#define RATE 3
#include "rates_at_hz.inc"
#define RATE 7
#include "rates_at_hz.inc"
#define RATE 24
#include "rates_at_hz.inc"
#define RATE 60
#include "rates_at_hz.inc"
#define RATE 100
#include "rates_at_hz.inc"
#define RATE 128
#include "rates_at_hz.inc"
#define RATE 250
#include "rates_at_hz.inc"
#define RATE 300
#include "rates_at_hz.inc"
#define RATE 333
#include "rates_at_hz.inc"
#define RATE 999
#include "rates_at_hz.inc"
#define RATE 1000
#include "rates_at_hz.inc"
#define RATE 1001
#include "rates_at_hz.inc"
#define RATE 1024
#include "rates_at_hz.inc"
#define RATE 1200
#include "rates_at_hz.inc"
#define RATE 9999
#include "rates_at_hz.inc"
#define RATE 10000
#include "rates_at_hz.inc"
#define RATE 32768
#include "rates_at_hz.inc"
#define RATE 65536
#include "rates_at_hz.inc"
#define RATE 99999
#include "rates_at_hz.inc"
#define RATE 100000
#include "rates_at_hz.inc"
