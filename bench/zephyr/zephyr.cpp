// SPDX-License-Identifier: MIT
// What the calls of a kernel's timeouts cost on the wheel, behind the front end of test/support/zephyr. The lock is
// the interrupt mask.
#include <stdint.h>

#include <zephyr/kernel.h>

#include "../wheel/workloads.hpp"

// A kernel that ticks needs no driver for its timeouts.
extern "C" {
uint32_t sys_clock_elapsed()
{
    return 0;
}
void sys_clock_set_timeout(uint32_t /*ticks*/)
{
}
void sys_clock_no_timeout()
{
}
}

namespace
{

using namespace bench;

constexpr unsigned max_timeouts = 1000;
_timeout timeouts[max_timeouts + 1];
_timeout *due[max_timeouts + 1];
unsigned due_count;

/// Calls Function with four words.
template <operation Operation, auto *Function>
uint32_t call(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    register uint32_t first __asm__("r0") = a;
    register uint32_t second __asm__("r1") = b;
    register uint32_t third __asm__("r2") = c;
    register uint32_t fourth __asm__("r3") = d;
    __asm__ volatile(BENCH_MARKER(BENCH_BEGIN) "bl %c[function]\n\t" BENCH_MARKER(BENCH_END)
                     : "+r"(first), "+r"(second), "+r"(third), "+r"(fourth)
                     : [op] "i"(Operation), [function] "i"(Function)
                     : "r12", "lr", "cc", "memory");
    return first;
}

uint32_t word(const void *pointer)
{
    return reinterpret_cast<uintptr_t>(pointer);
}

void note(_timeout *timeout)
{
    due[due_count++] = timeout;
}

/// The delays of an arm (bench/README.md).
uint32_t delay()
{
    return numbers.between(1, 0xFFFF);
}

void add(_timeout *timeout)
{
    (void)z_add_timeout(timeout, note, {delay()});
}

void add_due()
{
    while (due_count != 0) {
        add(due[--due_count]);
    }
}

void calls()
{
    _timeout *idle = &timeouts[timers_wanted()];
    for (unsigned i = 0; i < 8192; ++i) {
        call<op_timeout_add, z_add_timeout>(word(idle), reinterpret_cast<uintptr_t>(note), delay(), 0);
        idle = &timeouts[numbers.between(0, timers_wanted())];
        call<op_timeout_remaining, z_timeout_remaining>(word(idle), 0, 0, 0);
        call<op_cancel, z_try_abort_timeout>(word(idle), 0, 0, 0);
        // Time advances, so that the timeouts lie everywhere in the wheel.
        sys_clock_announce(1);
        add_due();
    }
    add(idle);
}

void announces()
{
    for (unsigned i = 0; i < 20000; ++i) {
        call<op_busy_tick, sys_clock_announce>(1, 0, 0, 0);
        add_due();
    }
}

} // namespace

int main()
{
    board::init();
    for (unsigned i = 0; i < timers_wanted(); ++i) {
        add(&timeouts[i]);
    }
    calls();
    announces();
    board::exit(0);
}
