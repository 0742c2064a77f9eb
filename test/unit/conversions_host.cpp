// SPDX-License-Identifier: MIT
// The conversions between ticks and time against 64-bit arithmetic, for many
// rates in one program: the header is read again for each of them. Host only,
// since it is plain 32-bit arithmetic and there are millions of values.
#include <set>
#include <vector>

#include "unit_test.hpp"

namespace unit
{

constexpr uint64_t max_offset = 0x3FFFFFFE;

moment limited(uint32_t value, uint32_t what, uint64_t ticks)
{
    return {value, what, static_cast<jiffies_t>(ticks > max_offset ? max_offset : ticks)};
}

moment saturated(uint32_t value, uint32_t what, uint64_t units)
{
    return {value, what, static_cast<jiffies_t>(units > 0xFFFFFFFFu ? 0xFFFFFFFFu : units)};
}

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
    uint32_t random = 1;
    for (unsigned i = 0; i < 3000; ++i) {
        random = random * 1664525 + 1013904223;
        values.insert(random >> (random >> 3) % 31);
    }
    return values;
}

} // namespace unit

#define CONVERSIONS_HZ 1
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 2
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 3
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 7
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 10
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 24
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 60
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 64
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 99
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 100
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 128
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 250
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 256
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 300
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 333
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 512
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 999
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 1000
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 1001
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 1024
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 1200
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 4096
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 9999
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 10000
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 32768
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 50000
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 65536
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 99999
#include "conversions_at_hz.inc"
#define CONVERSIONS_HZ 100000
#include "conversions_at_hz.inc"
