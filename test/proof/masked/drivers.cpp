// SPDX-License-Identifier: MIT
// What the archives do not hold: a tick of a counter, as port/README.md has it, on a counter of 24 bits at 32 768 Hz,
// or on the timer of a RISC-V core;
// and a tickwheel_bug() that returns, so that the walk goes on behind it.
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/port.hpp>
#if defined(__riscv)
#include <tickwheel/clint.hpp>
#elif __ARM_ARCH_PROFILE == 'M'
#include <tickwheel/cortex_m_counter_base.hpp>
#endif

namespace
{

#if defined(__riscv)
using counter = tickwheel::clint<10000000>;
#else

volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

#if __ARM_ARCH_PROFILE == 'M'
using core = tickwheel::cortex_m_counter_base;
#else
struct core {
    static uint32_t mask()
    {
        return tickwheel::port_lock::irq_save();
    }
    static void unmask(uint32_t state)
    {
        tickwheel::port_lock::irq_restore(state);
        __asm__ volatile("isb" ::: "memory");
    }
    static void wait_for_interrupt()
    {
        __asm__ volatile("dsb\n\twfi" ::: "memory");
    }
    static void ticks_passed(uint32_t /*ticks*/)
    {
    }
    static void pend_softirq()
    {
        at(0xE000ED04) = 1u << 28;
    }
};
#endif

struct counter : core {
    static constexpr unsigned bits = 24;
    static constexpr uint32_t hz = 32768;
    static constexpr uint32_t min_ahead = 2;
    static uint32_t read()
    {
        return at(0x40011504);
    }
    static void set_alarm(uint32_t count)
    {
        at(0x40011540) = count;
    }
};
#endif

tickwheel::counter_tick<counter> tick;

} // namespace

extern "C" {

void tickwheel_bug(const char * /*what*/, const timer_list * /*timer*/)
{
}

void counter_start()
{
    tick.start();
}

void counter_interrupt()
{
    tick.interrupt();
}

void counter_idle()
{
    tick.idle();
}

uint64_t counter_now()
{
    return tick.now().ticks;
}
}
