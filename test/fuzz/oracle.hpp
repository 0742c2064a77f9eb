// SPDX-License-Identifier: MIT
// The reference model of the wheel, and the checks against it. The contract leaves the wheel two choices: how far a
// tick that finds nothing reaches, and how far the runner has come over empty ticks. The oracle reads from the wheel
// how far it has come, and the model says whether it may have reached that.
#pragma once

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../support/reference_model.hpp"
#include "../support/walker.hpp"
#include <tickwheel/tickwheel.h>

namespace fuzz
{

using support::no_timer;

constexpr jiffies_t longest_delay = 0x7FFFFFFF;
/// With many timers a slot takes several runs to cascade, and a budget stops in it.
#if !defined(FUZZ_TIMERS)
#define FUZZ_TIMERS 40
#endif
constexpr unsigned timer_count = FUZZ_TIMERS;
constexpr unsigned tv1_ticks = support::geometry::tvr_size;

inline unsigned long op_count;
inline unsigned long op_number;
inline uint64_t seed;

inline timer_list timers[timer_count];
using model = support::reference_model<timer_count>;
inline model contract;

/// The 32 bits of a tick that the wheel knows.
constexpr jiffies_t low_word(int64_t tick)
{
    return static_cast<jiffies_t>(tick);
}

/// timer_jiffies by the wheel's state: min(next_run, jiffies + 1).
inline int64_t timer_jiffies()
{
    const jiffies_t next = tickwheel_clock.next_run;
    const jiffies_t upcoming = low_word(contract.now + 1);
    return contract.now + 1 - (tickwheel_time_before(next, upcoming) ? upcoming - next : 0);
}

[[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char *format, ...)
{
    printf("FAILED: geometry %d, seed %llu, op %lu of %lu, jiffies %#x, timer_jiffies %#x: ", TICKWHEEL_GEOMETRY,
           static_cast<unsigned long long>(seed), op_number, op_count, unsigned{jiffies}, low_word(timer_jiffies()));
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n0 passed, 1 failed\n");
    exit(1);
}

inline int64_t tick_of(unsigned i)
{
    return contract.timer[i].tick;
}

/// The contract's lag: ticks counted and not run, from timer_jiffies to jiffies.
inline uint32_t lag()
{
    return static_cast<uint32_t>(contract.now + 1 - timer_jiffies());
}

/// Checks the caller's side of the contract: a count leaves lag < 2^31. That stays true while timer_jiffies grows;
/// only a budget stop takes it back, by one tick.
inline void check_lag(int64_t now)
{
    if (now + 1 - timer_jiffies() > longest_delay) {
        fail("the fuzzer itself passes 2^31: tick %#x", low_word(now));
    }
}

inline void check_position()
{
    const int64_t position = timer_jiffies();
    // A block's last tick is not over until the next block has cascaded, so the runner is in that tick again.
    if (support::is_cascading(tickwheel_slots) && (~low_word(position) & support::geometry::block_mask) == 0 &&
        position == contract.earliest_position - 1) {
        contract.earliest_position = position;
    }
    if (!contract.may_have_reached(position)) {
        fail("timer_jiffies must be %#x or later, and must not pass a pending timer",
             low_word(contract.earliest_position));
    }
}

inline void check_clock()
{
    if (jiffies != low_word(contract.now)) {
        fail("jiffies is not %#x", low_word(contract.now));
    }
}

inline void check_64()
{
    const uint64_t count = tickwheel_get_jiffies_64();
    if (count != static_cast<uint64_t>(contract.now)) {
        fail("get_jiffies_64 is %#llx, not %#llx", static_cast<unsigned long long>(count),
             static_cast<unsigned long long>(contract.now));
    }
}

/// Checks all timers, and all slots of the wheel.
inline void walk(bool at_rest)
{
    for (unsigned i = 0; i < timer_count; ++i) {
        const model::entry &should = contract.timer[i];
        if ((tickwheel_timer_pending(&timers[i]) != 0) != should.pending) {
            fail("timer %u is %spending", i, should.pending ? "not " : "");
        }
        if (should.pending && timers[i].expires != should.expires) {
            fail("timer %u has expires %#x, not %#x", i, timers[i].expires, should.expires);
        }
    }
    const support::walk seen = support::walk_wheel(at_rest);
    if (seen.found != support::no_fault) {
        fail("the walk over all slots found fault %d", static_cast<int>(seen.found));
    }
    if (seen.timers != contract.pending()) {
        fail("%u timers are in the slots, %u are pending", seen.timers, contract.pending());
    }
}

inline void expect(const char *call, unsigned i, int returned, int wanted)
{
    if (returned != wanted) {
        fail("%s of timer %u returned %d, not %d", call, i, returned, wanted);
    }
}

} // namespace fuzz
