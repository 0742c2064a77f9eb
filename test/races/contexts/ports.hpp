// SPDX-License-Identifier: MIT
// What each port of the contexts test has: a soft interrupt that the tick interrupts, and interrupts that call the
// wheel though the lock may not mask them.
#ifndef TICKWHEEL_TEST_CONTEXTS_PORTS_HPP
#define TICKWHEEL_TEST_CONTEXTS_PORTS_HPP

#include "../../unit/support.hpp"
#include "../machine/machine.hpp"

/// Calls the wheel from an interrupt of `sources`. The test defines it.
extern "C" void foreign_interrupt();

/// A soft interrupt that has no other way to tell: whether it runs the wheel, or is foreign.
inline volatile bool runs_wheel;

#if defined(__riscv)

#include <tickwheel/clint.hpp>

using clint = tickwheel::clint<10000000>;

/// The next alarm is set from the last one, and the past ones come one after the other.
constexpr bool tick_pends_once = false;

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
        foreign_interrupt();
    }
}

#elif __ARM_ARCH_PROFILE == 'M'

using races::basepri;

/// A tick that has not been handled is lost when the next one comes.
constexpr bool tick_pends_once = true;

/// PendSV has the lowest priority. The tick is above it.
inline void pend_softirq()
{
    at(system_priorities) = 0xC0E00000;
    at(interrupt_control) = pend_pendsv;
}

constexpr unsigned nmi = 2;
constexpr unsigned hard_fault = 3;
constexpr unsigned memory_fault = 4;
constexpr unsigned supervisor_call = 11;
constexpr unsigned interrupt_0 = 16;
constexpr unsigned interrupt_30 = 46;

struct source {
    unsigned exception;
    uint32_t priority;
    bool masked;
    void raise() const
    {
        constexpr uintptr_t system_handlers = 0xE000ED24;
        constexpr uint32_t memory_fault_enabled_and_pending = 1u << 16 | 1u << 13;
        // Of memory faults, and of supervisor calls.
        at(0xE000ED18) = priority;
        at(0xE000ED1C) = priority << 24;
        if (exception == nmi) {
            at(interrupt_control) = pend_nmi;
        } else if (exception == hard_fault) {
            __asm__ volatile("udf #0" ::: "memory");
        } else if (exception == memory_fault) {
            at(system_handlers) = memory_fault_enabled_and_pending;
        } else if (exception == supervisor_call) {
            __asm__ volatile("svc 0" ::: "memory");
        } else {
            enable_interrupt(exception - interrupt_0, priority);
            at(interrupt_set_pending) = 1u << (exception - interrupt_0);
        }
        take_pending_interrupts();
        at(system_handlers) = 0;
    }
};

/// A core has at least the upper three bits of a priority. The lock by BASEPRI has 0x40.
constexpr source sources[] = {
    {interrupt_30, 0x00, !basepri},    {interrupt_30, 0x20, !basepri}, {interrupt_30, 0x40, true},
    {interrupt_30, 0xE0, true},        {interrupt_0, 0x20, !basepri},  {interrupt_0, 0x60, true},
    {supervisor_call, 0x20, !basepri}, {supervisor_call, 0x60, true},  {memory_fault, 0x20, !basepri},
    {memory_fault, 0x60, true},        {hard_fault, 0, false},         {nmi, 0, false},
};

extern "C" {
void PendSV_Handler()
{
    (void)tickwheel_run();
}

void IRQ0_Handler()
{
    foreign_interrupt();
}
[[gnu::alias("IRQ0_Handler")]] void IRQ30_Handler();
[[gnu::alias("IRQ0_Handler")]] void SVC_Handler();
[[gnu::alias("IRQ0_Handler")]] void MemManage_Handler();
[[gnu::alias("IRQ0_Handler")]] void NMI_Handler();

// Goes on after the instruction, which has two bytes.
[[gnu::naked]] void HardFault_Handler()
{
    __asm__ volatile("ldr r0, [sp, #24]\n\tadds r0, #2\n\tstr r0, [sp, #24]\n\tb %c0" ::"i"(foreign_interrupt));
}
}

#else

/// A tick that has not been handled is lost when the next one comes.
constexpr bool tick_pends_once = true;

inline void pend_softirq()
{
    runs_wheel = true;
    races::raise_irq();
}

struct source {
    void (*raise)();
    bool masked;
};
constexpr source sources[] = {{races::raise_irq, true}, {races::raise_fiq, false}};

extern "C" void IRQ_Handler(uint32_t /*number*/)
{
    races::end_irq();
    if (runs_wheel) {
        runs_wheel = false;
        __asm__ volatile("cpsie i" ::: "memory");
        (void)tickwheel_run();
        __asm__ volatile("cpsid i" ::: "memory");
    } else {
        foreign_interrupt();
    }
}

extern "C" void FIQ_Handler()
{
    races::end_fiq();
    foreign_interrupt();
}

#endif

#endif
