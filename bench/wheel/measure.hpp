// SPDX-License-Identifier: MIT
// What the measuring firmwares share: N, which the emulator's loader writes, and measured calls. A count begins at
// the BL and ends after the return. The arguments are in their registers before it.
#pragma once

#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"
#include "../../test/support/random.hpp"

namespace bench
{

/// The words that the loader writes lie where no section is, on the MPS2 in its second RAM.
constexpr uintptr_t loaded = 0x21000000;

/// N, the number of pending timers.
inline uint32_t timers_wanted()
{
    return *reinterpret_cast<const volatile uint32_t *>(loaded);
}

inline void check(bool holds)
{
    if (!holds) {
        board::exit(1);
    }
}

/// The random numbers of all workloads.
inline random_numbers numbers = {2463534242};

/// What is measured. Its place is the number in a marker, and report/counts.py reads the names. Each group is a
/// workload of bench/README.md.
enum operation : unsigned {
    // Outside the markers; a call, five NOPs and a return; a loop of 2 x 1000.
    op_none,
    op_seven,
    op_loop,
    // arm, cancel, move
    op_arm,
    op_cancel,
    op_move,
    // busy tick, idle tick: periodic timers, nothing pending, all far ahead
    op_busy_tick,
    op_idle_tick,
    op_far_tick,
    // time-out, short time-out
    op_timeout_arm,
    op_timeout_cancel,
    op_timeout_tick,
    op_short_arm,
    op_short_cancel,
    op_short_tick,
    // Calls on one timer, for the table of `make worst`
    op_arm_far,
    op_arm_overdue,
    op_move_overdue,
    op_move_same,
    op_add,
    op_reduce_idle,
    op_reduce_pending,
    op_mod_pending_idle,
    op_mod_pending_pending,
    op_cancel_idle,
    op_try_cancel,
    op_shutdown,
    op_jiffies_64,
    op_advance,
    // catch-up, with nothing pending and with N timers far ahead
    op_catch_up,
    op_far_catch_up,
    // burst
    op_burst_tick,
    // cascade, lag
    op_cascade_tv2,
    op_budget_1,
    op_budget_64,
    // next event, with nothing pending and with N timers
    op_no_event,
    op_event,
    // crowd
    op_crowd_tick,
    op_crowd_callback,
    // few timers
    op_watchdog_restart,
    op_watchdog_tick,
    op_inactivity_restart,
    op_inactivity_tick,
    op_single_timeout_arm,
    op_single_timeout_cancel,
    op_single_timeout_tick,
    op_period_tick,
    op_one_shot_tick,
    op_ten_periods_tick,
    // asleep
    op_sleep_arm,
    op_sleep_ask,
    op_sleep_wake,
    op_periodic_wake,
    operation_count
};
static_assert(operation_count <= 64, "two digits of three bits name an operation");

// A marker of count.c. A hint has its number in bits 4 to 7.
#define BENCH_MARKER(hint)                                                                                           \
    ".inst.n 0xb" hint "\n\t.inst.n 0xbf80 + ((%c[op] >> 3) << 4)\n\t.inst.n 0xbf80 + ((%c[op] & 7) << 4)\n\t"
#define BENCH_BEGIN "f50"
#define BENCH_END "f60"
#if defined(__thumb2__)
#define BENCH_COUNT(call) "bl " call "\n\tcbz r0, 0f\n\tbl tickwheel_run\n0:\n\t"
#else
#define BENCH_COUNT(call) "bl " call "\n\tcmp r0, #0\n\tbeq 0f\n\tbl tickwheel_run\n0:\n\t"
#endif
#define BENCH_ASM(code, operands)                                                                                    \
    __asm__ volatile(BENCH_MARKER(BENCH_BEGIN) code BENCH_MARKER(BENCH_END)                                          \
                     : "+r"(first), "+r"(second)                                                                     \
                     : [op] "i"(Operation)operands                                                                   \
                     : "r2", "r3", "r12", "lr", "cc", "memory")
#define BENCH_COMMA ,

/// Calls Function with at most two arguments, each of one register.
template <operation Operation, auto *Function, class... Arguments>
uint32_t call(Arguments... arguments)
{
    // Each is a number or a pointer.
    const uint32_t words[] = {(uint32_t)arguments..., 0, 0};
    register uint32_t first __asm__("r0") = words[0];
    register uint32_t second __asm__("r1") = words[1];
    BENCH_ASM("bl %c[function]\n\t", BENCH_COMMA[function] "i"(Function));
    return first;
}

/// A tick as a user pays for it: `if (tickwheel_tick()) tickwheel_run();` with everything it calls.
template <operation Operation>
void tick()
{
    register uint32_t first __asm__("r0") = 0;
    register uint32_t second __asm__("r1") = 0;
    BENCH_ASM(BENCH_COUNT("tickwheel_tick"), );
}

/// The same after a sleep of that many ticks, by tickwheel_advance().
template <operation Operation>
void wake(uint32_t ticks)
{
    register uint32_t first __asm__("r0") = ticks;
    register uint32_t second __asm__("r1") = 0;
    BENCH_ASM(BENCH_COUNT("tickwheel_advance"), );
}

/// Counts from mark_begin() to mark_end(), which may be in a callback.
template <operation Operation>
[[gnu::always_inline]] inline void mark_begin()
{
    __asm__ volatile(BENCH_MARKER(BENCH_BEGIN) : : [op] "i"(Operation) : "memory");
}
template <operation Operation>
[[gnu::always_inline]] inline void mark_end()
{
    __asm__ volatile(BENCH_MARKER(BENCH_END) : : [op] "i"(Operation) : "memory");
}

} // namespace bench
