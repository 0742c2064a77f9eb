// SPDX-License-Identifier: MIT
// Random differential test of the default wheel against the reference model: fuzz OPS SEED.
//
// Operations come from the main loop, from callbacks, and from an "interrupt" at any point where the host lock opens.
#include <limits.h>
#include <string.h>

#include "../support/number.hpp"
#include "operations.hpp"
#include "random.hpp"
#include <tickwheel/port.hpp>

namespace fuzz
{

namespace
{

void start_afresh()
{
    constexpr jiffies_t around[] = {0,        tv1_ticks, 1u << 10, 1u << 14, 1u << 18,    1u << 20,
                                    1u << 22, 1u << 26,  1u << 31, 3u << 30, 0x12345678u, 0u - 300u * TICKWHEEL_HZ};
    jiffies_t start = around[below(sizeof around / sizeof around[0])];
    start += below(700) - 350;
    interrupt_every = 0;
    for (unsigned i = 0; i < timer_count; ++i) {
        if (contract.timer[i].pending) {
            del(i);
        }
        timers[i] = {};
    }
    tickwheel_init(start);
    // The upper word has up to 30 bits.
    const uint32_t turns = below(1u << below(31));
    support::pass_turns(tickwheel_clock, turns);
    contract.start(int64_t{turns} << 32 | start);
    for (unsigned i = 0; i < timer_count; ++i) {
        set_up(i);
    }
    interrupt_every = one_in(2) ? 0 : 2u << below(7);
    check_clock();
    check_position();
    check_64();
    walk(true);
}

void step()
{
    const uint32_t what = below(16);
    if (what < 5) {
        count(room() != 0);
    } else if (what == 5) {
        count(random_step());
    } else if (what < 8) {
        run(~0u);
    } else if (what == 8) {
        run(one_in(2) ? below(4) : below(128));
    } else if (what == 9) {
        run_step_by_step();
    } else if (what == 10 && one_in(4)) {
        sleep();
    } else if (what == 11 && one_in(16)) {
        const jiffies_t tick = crowd();
        if (one_in(2)) {
            wake_late_before(tick);
        }
    } else {
        operate_on_a_timer();
    }
    if (room() == 0) {
        run(~0u);
    }
}

int main(unsigned long ops, uint64_t with_seed)
{
    op_count = ops;
    seed = random_state = with_seed;
    start_afresh();
    tickwheel::interrupts.on_open = on_open;
    for (op_number = 1; op_number <= op_count; ++op_number) {
        step();
        if (tickwheel::interrupts.depth != 0) {
            fail("the lock is held at depth %u", unsigned{tickwheel::interrupts.depth});
        }
        if (op_number % 64 == 0) {
            walk(tickwheel_slots.running_timer == nullptr);
            check_64();
        }
        if (one_in(4096)) {
            start_afresh();
        }
    }
    printf("geometry %d, seed %llu: %lu operations, %lu fired, %lu interrupts, 0 early, 0 late, 0 out of order\n",
           TICKWHEEL_GEOMETRY, static_cast<unsigned long long>(seed), op_count, fired, interrupts_taken);
    printf("1 passed, 0 failed\n");
    return 0;
}

} // namespace

} // namespace fuzz

extern "C" void tickwheel_bug(const char *what, const timer_list * /*timer*/)
{
    // The fuzzer misuses on purpose what has a defined return: arms and sync deletes in its own callback. It never
    // passes 2^31, and a report of that says so.
    if (strstr(what, "2^31") != nullptr) {
        fuzz::fail("reported: %s", what);
    }
}

// requirement: TW-07, TW-10, TW-12, TW-18, TW-20, TW-21, TW-22, TW-23, TW-24, TW-25, TW-27, TW-31, TW-32
int main(int arguments, char **argument)
{
    unsigned long ops = 0;
    uint64_t with_seed = 0;
    if (arguments != 3 || !read_number(argument[1], 1, ULONG_MAX, ops) ||
        !read_number(argument[2], 0, UINT64_MAX, with_seed)) {
        (void)fprintf(stderr, "usage: fuzz OPS SEED, decimal numbers, OPS at least 1\n");
        return 2;
    }
    return fuzz::main(ops, with_seed);
}
