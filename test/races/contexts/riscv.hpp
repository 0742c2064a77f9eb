// SPDX-License-Identifier: MIT
// The contexts test on a RISC-V core in machine mode, with the soft interrupt and the tick of its CLINT.
#pragma once

#include <tickwheel/clint.hpp>

#include "../../support/riscv_registers.hpp"

using clint = tickwheel::clint<10000000>;

/// All of mstatus: machine mode, MPIE and MIE. A trap would set MPIE, but none comes.
constexpr uint32_t mask_states[][2] = {{0x1808, 0x1800}, {0x1800, 0x1800}, {0x1880, 0x1880}};

inline uint32_t all_masks()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return status;
}

inline void set_all_masks(uint32_t status)
{
    __asm__ volatile("csrw mstatus, %0" ::"r"(status) : "memory");
}

/// The soft interrupt runs the wheel. Otherwise it is one of `sources`.
inline volatile bool runs_wheel;

inline void raise_software()
{
    enable_interrupt(software_interrupt);
    clint::pend_softirq();
}

inline void pend_softirq()
{
    runs_wheel = true;
    raise_software();
}

struct source {
    void (*raise)();
    bool masked;
};
constexpr source sources[] = {{raise_software, true}};

extern "C" void MSI_Handler()
{
    if (runs_wheel) {
        runs_wheel = false;
        clint::run_softirq();
    } else {
        at(msip) = 0;
        unmasked_interrupt();
    }
}
