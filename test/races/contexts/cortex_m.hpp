// SPDX-License-Identifier: MIT
// The machine of the contexts test: the MPS2 with the AN385 image.
#ifndef TICKWHEEL_TEST_CONTEXTS_CORTEX_M_HPP
#define TICKWHEEL_TEST_CONTEXTS_CORTEX_M_HPP

#include "../../../boards/startup/cortex_m.hpp"
#include "../../support/core_registers.hpp"

namespace machine
{

#if defined(TICKWHEEL_LOCK_BASEPRI)
constexpr bool basepri = true;
#else
constexpr bool basepri = false;
#endif

/// A tick that has not been handled is lost when the next one comes.
constexpr bool pends_once = true;

/// Called from an interrupt of `interrupts`. The test defines it.
void foreign_interrupt();

/// CMSDK TIMER0 counts down at the core's clock.
constexpr uintptr_t timer_control = 0x40000000;
constexpr uintptr_t timer_value = 0x40000004;
constexpr uintptr_t timer_reload = 0x40000008;

inline uint32_t cycles()
{
    return ~at(timer_value);
}

constexpr uint32_t tick_cycles = 2500;

/// Starts the timer. Gives the soft interrupt, PendSV, the lowest priority. The tick is above it.
inline void init()
{
    at(system_priorities) = 0xC0E00000;
    at(timer_reload) = ~0u;
    at(timer_value) = ~0u;
    at(timer_control) = 1;
}

inline void tick_start()
{
    cortex_m::tick_start(tick_cycles);
}

inline void tick_stop()
{
    at(systick_control) = 0;
}

inline void pend_softirq()
{
    at(interrupt_control) = pend_pendsv;
}

struct masks {
    uint32_t primask;
    uint32_t basepri;
    friend bool operator==(const masks &a, const masks &b)
    {
        return a.primask == b.primask && a.basepri == b.basepri;
    }
};

/// The first one lets all interrupts in.
constexpr masks states[] = {{0, 0}, {1, 0}, {0, 0x20}, {0, 0xE0}, {1, 0x20}};

inline masks masks_now()
{
    masks now = {};
    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(now.primask), "=r"(now.basepri));
    return now;
}

inline void set_masks(const masks &to)
{
    __asm__ volatile("msr basepri, %1\n\tmsr primask, %0\n\tisb" ::"r"(to.primask), "r"(to.basepri) : "memory");
}

/// An interrupt that calls the wheel, and whether the lock masks it.
struct interrupt {
    void (*raise)();
    bool masked;
};

template <unsigned Number, uint32_t Priority>
void raise()
{
    enable_interrupt(Number, Priority);
    at(interrupt_set_pending) = 1u << Number;
    take_pending_interrupts();
}

template <uint32_t Priority>
void raise_svc()
{
    at(0xE000ED1C) = Priority << 24;
    __asm__ volatile("svc 0" ::: "memory");
}

template <uint32_t Priority>
void raise_memory_fault()
{
    constexpr uintptr_t system_handlers = 0xE000ED24;
    constexpr uint32_t enabled = 1u << 16;
    at(0xE000ED18) = Priority;
    at(system_handlers) = enabled | 1u << 13;
    take_pending_interrupts();
    at(system_handlers) = 0;
}

inline void raise_hard_fault()
{
    __asm__ volatile("udf #0" ::: "memory");
}

inline void raise_nmi()
{
    at(interrupt_control) = pend_nmi;
    take_pending_interrupts();
}

/// A core has at least the upper three bits of a priority. The lock by BASEPRI has 0x40.
constexpr interrupt interrupts[] = {
    {raise<30, 0x00>, !basepri},      {raise<30, 0x20>, !basepri}, {raise<30, 0x40>, true},
    {raise<30, 0xE0>, true},          {raise<0, 0x20>, !basepri},  {raise<0, 0x60>, true},
    {raise_svc<0x20>, !basepri},      {raise_svc<0x60>, true},     {raise_memory_fault<0x20>, !basepri},
    {raise_memory_fault<0x60>, true}, {raise_hard_fault, false},   {raise_nmi, false},
};

} // namespace machine

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

extern "C" void IRQ30_Handler()
{
    machine::foreign_interrupt();
}

extern "C" void IRQ0_Handler()
{
    machine::foreign_interrupt();
}

extern "C" void SVC_Handler()
{
    machine::foreign_interrupt();
}

extern "C" void MemManage_Handler()
{
    machine::foreign_interrupt();
}

// Goes on after the instruction, which has two bytes.
extern "C" [[gnu::naked]] void HardFault_Handler()
{
    __asm__ volatile(
        "ldr r0, [sp, #24]\n\tadds r0, #2\n\tstr r0, [sp, #24]\n\tb %c0" ::"i"(machine::foreign_interrupt));
}

extern "C" void NMI_Handler()
{
    machine::foreign_interrupt();
}

#endif
