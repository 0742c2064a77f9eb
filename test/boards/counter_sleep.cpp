// SPDX-License-Identifier: MIT
// Half an hour of sleep by counter_tick on an emulated core: the registers of the Counter of counters/<board>, when
// they interrupt, and where the callbacks run. test/unit/counter_tick_host.cpp has the counting.
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/timer.hpp>

#include "frame.hpp"
#include "tickwheel_counter.hpp"

namespace
{

using counter = tickwheel_counter;
tickwheel::counter_tick<counter> tick;
volatile unsigned alarms;
unsigned callbacks;
bool in_callback;

} // namespace

extern "C" void COUNTER_HANDLER()
{
    counter::clear_alarm();
    alarms = alarms + 1;
    tick.interrupt();
}

#if defined(__riscv)
#include "../support/riscv_registers.hpp"

extern "C" void MSI_Handler()
{
    counter::run_softirq();
}

namespace
{

void start()
{
    tick.start();
    counter::enable();
}

bool in_softirq()
{
    constexpr uint32_t interrupts_on = 1u << 3;
    uint32_t status = 0;
    uint32_t enabled = 0;
    __asm__ volatile("csrr %0, mstatus\n\tcsrr %1, mie" : "=r"(status), "=r"(enabled)::"memory");
    return (status & interrupts_on) != 0 && (enabled & software_interrupt) == 0;
}

// The addresses that others have: "SiFive E31 Core Complex Manual", the SIO of the RP2350 in the pico-sdk, and public
// drivers for the GD32VF103.
template <class Layout>
constexpr bool has_registers(uintptr_t mtime, uintptr_t mtimecmp, uintptr_t softirq, uint32_t pend, uint32_t clear)
{
    return Layout::mtime == mtime && Layout::mtimecmp == mtimecmp && Layout::softirq == softirq &&
           Layout::pend == pend && Layout::clear == clear;
}
static_assert(has_registers<tickwheel::sifive_clint<>>(0x200BFF8, 0x2004000, 0x2000000, 1, 0));
static_assert(has_registers<tickwheel::sifive_clint<0x10000000, 2>>(0x1000BFF8, 0x10004010, 0x10000008, 1, 0));
static_assert(has_registers<tickwheel::rp2350_clint<>>(0xD00001B0, 0xD00001B8, 0xD00001A0, 1, 1u << 8));
static_assert(has_registers<tickwheel::rp2350_clint<1>>(0xD00001B0, 0xD00001B8, 0xD00001A0, 2, 1u << 9));
static_assert(has_registers<tickwheel::gd32vf103_clint>(0xD1000000, 0xD1000008, 0xD1000FFC, 1, 0));

/// Somewhere in the emulator's RAM behind that of the program.
struct layout_in_ram {
    static constexpr uintptr_t mtime = 0x81000010;
    static constexpr uintptr_t mtimecmp = 0x81000024;
    static constexpr uintptr_t softirq = 0x81000038;
    static constexpr uint32_t pend = 1u << 5;
    static constexpr uint32_t clear = 1u << 21;
};

void check_registers()
{
    // The later alarm has a lower word that is past, and another upper word.
    at(mtime) = 0xC0000000;
    counter::set_alarm(counter::read() + counter::hz);
    const unsigned before = alarms;
    counter::set_alarm(counter::read() + (1u << 28));
    check(alarms == before, "replacing an alarm interrupts for nothing");
    // Another layout has its registers elsewhere, and the CLINT stays as it is.
    using other = tickwheel::clint<10000000, layout_in_ram>;
    at(layout_in_ram::mtime) = 0xFFFFFFF0;
    at(layout_in_ram::mtime + 4) = 7;
    const uint32_t state = counter::mask();
    const uint32_t alarm = at(mtimecmp);
    check(other::read() == 0xFFFFFFF0, "read() has the lower word of its mtime");
    other::set_alarm(0x20);
    check(at(layout_in_ram::mtimecmp) == 0x20 && at(layout_in_ram::mtimecmp + 4) == 8,
          "an alarm behind the wrap of the lower word has the next upper word");
    other::pend_softirq();
    check(at(layout_in_ram::softirq) == layout_in_ram::pend, "pend_softirq() writes what pends");
    check(at(mtimecmp) == alarm && at(msip) == 0, "the CLINT of another layout stays as it is");
    other::run_softirq();
    check(at(layout_in_ram::softirq) == layout_in_ram::clear, "run_softirq() writes what clears");
    counter::unmask(state);
}

} // namespace

#else

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

namespace
{

void start()
{
    at(system_priorities) = 0xFFu << 16;
    counter::enable();
    tick.start();
}

uint32_t primask()
{
    uint32_t state = 0;
    __asm__ volatile("mrs %0, primask" : "=r"(state)::"memory");
    return state;
}

bool in_softirq()
{
    constexpr uint32_t pendsv = 14;
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception)::"memory");
    return exception == pendsv && primask() == 0;
}

void check_registers()
{
    const uint32_t outer = counter::mask();
    const uint32_t inner = counter::mask();
    check(primask() == 1, "mask() masks");
    counter::unmask(inner);
    check(primask() == 1, "an inner unmask() leaves interrupts off");
    counter::unmask(outer);
    check(primask() == 0, "the outer one lets them in");
}

} // namespace

#endif

namespace
{

/// Lasts three ticks and a part of one, and then sleeps twice as long as before.
void note(timer_list *timer)
{
    check(in_softirq(), "a callback runs where nothing but the next one waits for it");
    check(!in_callback, "callbacks do not nest");
    in_callback = true;
    check(jiffies == timer->expires, "a callback runs in its tick");
    for (const jiffies_t from = jiffies; jiffies - from < 3;) {
    }
    ++callbacks;
    (void)tickwheel_mod_timer(timer, jiffies + (1u << callbacks));
    in_callback = false;
}

} // namespace

int main()
{
    (void)board::init();
    start();
    static tickwheel::timer timer{note};
    timer.start_after_ticks(1);
    uint32_t sleeps = 0;
    for (; callbacks <= 20; ++sleeps) {
        tick.idle();
    }
    // Each callback ends a sleep, and so does each cascade and each half of the counter.
    report(sleeps < 6 * callbacks, callbacks, " callbacks, ", sleeps, " sleeps");
    check_registers();
    end_checks();
}
