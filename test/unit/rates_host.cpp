// SPDX-License-Identifier: MIT
// The conversions between ticks and time against 64-bit arithmetic, and std::chrono durations against 128-bit
// arithmetic, for many rates in one program: the headers are read again for each rate. Host only, because no 32-bit
// CPU has that arithmetic. chrono.cpp is for boards too; test/builds has what must not compile.
#include <chrono>
#include <initializer_list>
#include <limits>
#include <ratio>

#include <tickwheel/chrono.hpp>

#include "../support/random.hpp"
#include "support.hpp"

namespace unit
{

constexpr uint64_t max_offset = 0x3FFFFFFE;

/// Calls `check` with those numbers from `lowest` to `highest` that lie around 0, a power of two, a power of ten
/// (also times `hz`), a limit or an end of the range, and with random numbers of all magnitudes.
template <class Check>
void each_number(__int128 lowest, __int128 highest, uint64_t hz, std::initializer_list<__int128> limits, Check check)
{
    const auto check_around = [&](__int128 value) {
        for (__int128 number = value - 3; number <= value + 3; ++number) {
            if (number >= lowest && number <= highest) {
                check(number);
            }
        }
    };
    for (int small = -1000; small <= 2000; small += 7) {
        check_around(small);
    }
    for (unsigned k = 0; k < 64; ++k) {
        check_around(__int128{1} << k);
        check_around(-(__int128{1} << k));
    }
    for (__int128 power = 1; power < highest; power *= 10) {
        for (int digit = 1; digit < 10; ++digit) {
            check_around(power * digit);
            check_around(power * digit * hz);
        }
    }
    for (const __int128 limit : limits) {
        check_around(limit);
    }
    check_around(lowest);
    check_around(highest);
    random_numbers numbers;
    for (unsigned i = 0; i < 3000; ++i) {
        const uint64_t random = uint64_t{numbers.next()} << 32 | numbers.next();
        check_around(static_cast<__int128>(random >> random % 64));
    }
}

/// Checks the numbers of 32 bits that the conversions take in the same way.
template <class Check>
void each_number_of_32_bits(uint64_t hz, Check check)
{
    constexpr __int128 over = max_offset + 1;
    constexpr __int128 all = uint64_t{1} << 32;
    each_number(0, all - 1, hz,
                {over / hz, over * 1000 / hz, over * 1000000 / hz, all * hz, all * hz / 1000, all * hz / 1000000},
                [&](__int128 number) { check(static_cast<uint32_t>(number)); });
}

/// `count` units in ticks, rounded up, at most 2^31 - 2.
template <class Duration>
uint64_t ticks_of(__int128 count, uint64_t hz)
{
    const __int128 num = static_cast<__int128>(Duration::period::num) * static_cast<__int128>(hz);
    const __int128 den = Duration::period::den;
    const __int128 exact = count <= 0 ? 0 : (count * num + den - 1) / den;
    return exact > 0x7FFFFFFE ? 0x7FFFFFFE : static_cast<uint64_t>(exact);
}

template <class Duration, class Ticks>
void check_duration(uint64_t hz, Ticks ticks)
{
    using rep = typename Duration::rep;
    using limits = std::numeric_limits<rep>;
    const __int128 num = static_cast<__int128>(Duration::period::num) * static_cast<__int128>(hz);
    const __int128 den = Duration::period::den;
    unsigned wrong = 0;
    unsigned tried = 0;
    each_number(limits::min(), limits::max(), hz,
                {0x7FFFFFFE * den / num, 0x7FFFFFFF * den / num, (__int128{1} << 32) * den / num,
                 (__int128{1} << 63) / num, (__int128{1} << 64) / num},
                [&](__int128 count) {
                    ++tried;
                    wrong += ticks(Duration(static_cast<rep>(count))) != ticks_of<Duration>(count, hz);
                });
    CHECK_EQ(wrong, 0u);
    CHECK(tried > 3000);
}

template <class... Durations, class Ticks>
void check_durations(uint64_t hz, Ticks ticks)
{
    (check_duration<Durations>(hz, ticks), ...);
}

} // namespace unit

#define RATE 1
#include "rates_at_hz.inc"
#define RATE 3
#include "rates_at_hz.inc"
#define RATE 60
#include "rates_at_hz.inc"
#define RATE 128
#include "rates_at_hz.inc"
#define RATE 250
#include "rates_at_hz.inc"
#define RATE 300
#include "rates_at_hz.inc"
#define RATE 999
#include "rates_at_hz.inc"
#define RATE 1000
#include "rates_at_hz.inc"
#define RATE 1001
#include "rates_at_hz.inc"
#define RATE 1024
#include "rates_at_hz.inc"
#define RATE 10000
#include "rates_at_hz.inc"
#define RATE 32768
#include "rates_at_hz.inc"
#define RATE 99999
#include "rates_at_hz.inc"
#define RATE 100000
#include "rates_at_hz.inc"
#define RATE 1000000
#include "rates_at_hz.inc"
#define RATE 4000000
#include "rates_at_hz.inc"
