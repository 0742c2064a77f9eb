// SPDX-License-Identifier: MIT
// The machine of the contexts test with a RISC-V core. Its soft interrupt is the one of
// port/riscv_clint.
#ifndef TICKWHEEL_TEST_CONTEXTS_RISCV_HPP
#define TICKWHEEL_TEST_CONTEXTS_RISCV_HPP

#include <tickwheel/clint.hpp>

#include "../../support/target.hpp"

namespace machine
{

using clint = tickwheel::clint<10000000>;

/// The next alarm is set from the last one, and the past ones come one after the other.
constexpr bool pends_once = false;

/// Called from an interrupt of `interrupts`. The test defines it.
void foreign_interrupt();

constexpr uint32_t ticks_a_second = 1000;
constexpr uint32_t tick_cycles = clint::hz / ticks_a_second;

inline uint32_t cycles()
{
    return clint::read();
}

inline void init()
{
    enable_interrupt(software_interrupt);
}

inline void tick_start()
{
    board::tick_start(ticks_a_second);
}

inline void tick_stop()
{
    stop_alarm();
}

/// The whole of mstatus.
struct masks {
    uint32_t status;
    friend bool operator==(const masks &a, const masks &b)
    {
        return a.status == b.status;
    }
};

/// Machine mode; MPIE and MIE. The first one lets all interrupts in. A trap would set MPIE, but none comes.
constexpr masks states[] = {{0x1808}, {0x1800}, {0x1880}};

inline masks masks_now()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return {status};
}

inline void set_masks(const masks &to)
{
    __asm__ volatile("csrw mstatus, %0" ::"r"(to.status) : "memory");
}

/// An interrupt that calls the wheel, and whether the lock masks it.
struct interrupt {
    void (*raise)();
    bool masked;
};

/// The soft interrupt runs the wheel, or is foreign.
inline volatile bool runs_wheel;

inline void pend_softirq()
{
    runs_wheel = true;
    clint::pend_softirq();
}

inline void raise_software()
{
    enable_interrupt(software_interrupt);
    at(msip) = 1;
}

constexpr interrupt interrupts[] = {{raise_software, true}};

} // namespace machine

extern "C" void MSI_Handler()
{
    if (machine::runs_wheel) {
        machine::runs_wheel = false;
        machine::clint::run_softirq();
    } else {
        at(msip) = 0;
        machine::foreign_interrupt();
    }
}

#endif
