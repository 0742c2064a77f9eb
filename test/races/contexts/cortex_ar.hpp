// SPDX-License-Identifier: MIT
// The machines of the contexts test with a Cortex-R or Cortex-A: the Integrator/CP and
// the Versatile Express. Each has a soft interrupt that the tick interrupts, and an FIQ.
#ifndef TICKWHEEL_TEST_CONTEXTS_CORTEX_AR_HPP
#define TICKWHEEL_TEST_CONTEXTS_CORTEX_AR_HPP

#include "../../../boards/parts/registers.hpp"
#include "../../../boards/startup/cortex_ar/cortex_ar.hpp"

namespace machine
{

using parts::at;

/// A tick that has not been handled is lost when the next one comes.
constexpr bool pends_once = true;

/// Called from an interrupt of `interrupts`. The test defines it.
void foreign_interrupt();

#if __ARM_ARCH_PROFILE == 'R'

// Timer 2 counts down at 1 MHz. The tick is timer 1. Bit 0 of the controller is its soft interrupt.
constexpr uintptr_t timer_load = 0x13000200;
constexpr uintptr_t timer_value = 0x13000204;
constexpr uintptr_t timer_control = 0x13000208;
constexpr uintptr_t tick_control = 0x13000108;
constexpr uintptr_t irq_enable = 0x14000008;
constexpr uintptr_t irq_disable = 0x1400000C;
constexpr uintptr_t soft_set = 0x14000010;
constexpr uintptr_t soft_clear = 0x14000014;
constexpr uintptr_t fiq_enable = 0x14000028;
constexpr uintptr_t fiq_disable = 0x1400002C;
constexpr uint32_t soft_interrupt = 1u << 0;
constexpr uint32_t tick_cycles = 2500;

inline uint32_t cycles()
{
    return ~at(timer_value);
}

inline void init()
{
    at(timer_load) = ~0u;
    at(timer_control) = 0x82;
}

inline void raise_irq()
{
    at(irq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
}

inline void end_irq()
{
    at(soft_clear) = soft_interrupt;
}

inline void raise_fiq()
{
    at(irq_disable) = soft_interrupt;
    at(fiq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
    at(fiq_disable) = soft_interrupt;
}

inline void end_fiq()
{
    end_irq();
}

#else

// The global timer counts up at 100 MHz. The tick is the private timer. Software raises interrupts 0 to 15.
constexpr uintptr_t timer_value = 0x1E000200;
constexpr uintptr_t timer_control = 0x1E000208;
constexpr uintptr_t tick_control = 0x1E000608;
constexpr uintptr_t controller_enable = 0x1E000100;
constexpr uintptr_t acknowledge = 0x1E00010C;
constexpr uintptr_t end_of_interrupt = 0x1E000110;
constexpr uintptr_t distributor_enable = 0x1E001000;
constexpr uintptr_t group = 0x1E001080;
constexpr uintptr_t priorities = 0x1E001400;
constexpr uintptr_t software = 0x1E001F00;
constexpr uint32_t to_this_core = 2u << 24;
constexpr uint32_t soft_interrupt = 1;
constexpr uint32_t fiq_number = 2;
constexpr uint32_t tick_cycles = 10000;

inline uint32_t cycles()
{
    return at(timer_value);
}

inline void init()
{
    at(timer_control) = 1;
    // The tick keeps priority 0, the highest.
    at(priorities) = 0x0000F000;
}

inline void raise_irq()
{
    at(software) = to_this_core | soft_interrupt;
}

inline void end_irq()
{
}

/// The controller signals interrupts of group 0 as FIQ if it is told to. Then all others belong in group 1.
inline void raise_fiq()
{
    constexpr uint32_t both_groups_and_fiq = 0xF;
    at(group) = ~(1u << fiq_number);
    at(distributor_enable) = 3;
    at(controller_enable) = both_groups_and_fiq;
    at(software) = to_this_core | fiq_number;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    at(controller_enable) = 1;
    at(distributor_enable) = 1;
    at(group) = 0;
}

inline void end_fiq()
{
    at(end_of_interrupt) = at(acknowledge);
}

#endif

inline void tick_start()
{
    cortex_ar::tick_start(tick_cycles);
}

inline void tick_stop()
{
    at(tick_control) = 0;
}

/// I and F of CPSR, and the mode.
struct masks {
    uint32_t control;
    friend bool operator==(const masks &a, const masks &b)
    {
        return a.control == b.control;
    }
};

/// Supervisor mode. The first one lets all interrupts in.
constexpr masks states[] = {{0x13}, {0x93}, {0x53}, {0xD3}};

inline masks masks_now()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
    return {cpsr & 0xDFu};
}

inline void set_masks(const masks &to)
{
    __asm__ volatile("msr cpsr_c, %0\n\tisb" ::"r"(to.control) : "memory");
}

/// An interrupt that calls the wheel, and whether the lock masks it.
struct interrupt {
    void (*raise)();
    bool masked;
};

constexpr interrupt interrupts[] = {{raise_irq, true}, {raise_fiq, false}};

/// The soft interrupt runs the wheel, or is foreign.
inline volatile bool runs_wheel;

inline void pend_softirq()
{
    runs_wheel = true;
    raise_irq();
}

} // namespace machine

extern "C" void IRQ_Handler(uint32_t /*number*/)
{
    machine::end_irq();
    if (machine::runs_wheel) {
        machine::runs_wheel = false;
        __asm__ volatile("cpsie i" ::: "memory");
        (void)tickwheel_run();
        __asm__ volatile("cpsid i" ::: "memory");
    } else {
        machine::foreign_interrupt();
    }
}

extern "C" void FIQ_Handler()
{
    machine::end_fiq();
    machine::foreign_interrupt();
}

#endif
