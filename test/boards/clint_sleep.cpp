// SPDX-License-Identifier: MIT
// Half an hour of sleep by port/riscv_clint on an emulated board, by mtime. Delays are longer and shorter than half
// of the counter's lower word.
#include <tickwheel/clint.hpp>
#include <tickwheel/counter_tick.hpp>

#include "../support/riscv_registers.hpp"
#include "counter_hours.hpp"

namespace
{

using counter = tickwheel::clint<10000000>;
tickwheel::counter_tick<counter> tick;

constexpr uint32_t tick_counts = counter::hz / TICKWHEEL_HZ;
uint64_t first_count;

volatile unsigned alarms;

extern "C" void MTI_Handler()
{
    alarms = alarms + 1;
    tick.interrupt();
}

extern "C" void MSI_Handler()
{
    counter::run_softirq();
}

/// The later alarm has a lower word that is past, and another upper word.
void replace_an_alarm()
{
    constexpr uint32_t second = counter::hz;
    while (counter::read() < (1u << 31) + second || counter::read() > 0u - 2 * second) {
        tick.idle();
    }
    counter::set_alarm(counter::read() + second);
    const unsigned before = alarms;
    counter::set_alarm(counter::read() + (1u << 31) - 1);
    check(alarms == before, "replacing an alarm interrupts for nothing");
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

/// The registers of another layout, and nothing else of the CLINT.
void work_on_another_layout()
{
    using other = tickwheel::clint<counter::hz, layout_in_ram>;
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

/// There are 10000 counts in a tick; libgcc divides.
uint64_t ticks_begun()
{
    return TICKWHEEL_INITIAL_JIFFIES + (read_mtime() - first_count) / tick_counts;
}

void check_context()
{
    constexpr uint32_t interrupts_on = 1u << 3;
    uint32_t status = 0;
    uint32_t enabled = 0;
    __asm__ volatile("csrr %0, mstatus\n\tcsrr %1, mie" : "=r"(status), "=r"(enabled)::"memory");
    check((status & interrupts_on) != 0 && (enabled & software_interrupt) == 0,
          "a callback runs with interrupts on, but for the software interrupt");
}

int main()
{
    (void)board::init();
    tick.start();
    counter::enable();
    // start() has read the counter a few counts ago.
    const auto moment = tick.now();
    first_count = read_mtime() - (moment.ticks - TICKWHEEL_INITIAL_JIFFIES) * tick_counts - moment.counts;
    const volatile int work = 1;
    const uint64_t before = read_mtime();
    tick.idle(&work);
    check(read_mtime() - before < tick_counts, "idle() does not sleep while there is work");
    sleep_for_half_an_hour(tick);
    replace_an_alarm();
    work_on_another_layout();
    end_checks();
}
