// SPDX-License-Identifier: MIT
// The traps of boards/startup/riscv in both modes of mtvec, since some cores have only one of them: each interrupt
// comes to its handler. In direct mode it enters at the base, in vectored mode at the entry of its cause.
#include "../support/riscv_registers.hpp"
#include "frame.hpp"

namespace
{

// "QEMU documentation, RISC-V virt": the PLIC, and the UART behind its source 10.
constexpr uintptr_t plic = 0xC000000;
constexpr uintptr_t priorities = plic;
constexpr uintptr_t enabled_sources = plic + 0x2000;
constexpr uintptr_t claimed = plic + 0x200004;
constexpr uint32_t uart_source = 10;
constexpr uintptr_t uart_interrupts = 0x10000001;
constexpr uint8_t transmitter_empty = 1u << 1;

void set_uart_interrupts(uint8_t which)
{
    *reinterpret_cast<volatile uint8_t *>(uart_interrupts) = which;
}

volatile unsigned software;
volatile unsigned timers;
volatile unsigned externals;

extern "C" void MSI_Handler()
{
    at(msip) = 0;
    software = software + 1;
}

extern "C" void MTI_Handler()
{
    stop_alarm();
    timers = timers + 1;
}

extern "C" void MEI_Handler()
{
    const uint32_t source = at(claimed);
    set_uart_interrupts(0);
    at(claimed) = source;
    externals = externals + 1;
}

constexpr uintptr_t modes = 3;

uintptr_t trap_base()
{
    uintptr_t base = 0;
    __asm__ volatile("csrr %0, mtvec" : "=r"(base));
    return base & ~modes;
}

bool set_mode(uintptr_t mode)
{
    const uintptr_t wanted = trap_base() | mode;
    uintptr_t written = 0;
    __asm__ volatile("csrw mtvec, %1\n\tcsrr %0, mtvec" : "=r"(written) : "r"(wanted) : "memory");
    return written == wanted;
}

void take_each()
{
    software = timers = externals = 0;
    at(msip) = 1;
    at(mtimecmp) = 0;
    at(mtimecmp + 4) = 0;
    set_uart_interrupts(transmitter_empty);
    for (unsigned wait = 0; wait < 1000; ++wait) {
        barrier();
    }
    check(software == 1, "the software interrupt comes once");
    check(timers == 1, "the timer's interrupt comes once");
    check(externals == 1, "an external interrupt comes once");
}

} // namespace

int main()
{
    (void)board::init();
    check(trap_base() % 256 == 0, "mtvec is aligned as a core with vectored mode alone needs it");
    stop_alarm();
    at(priorities + 4 * uart_source) = 1;
    at(enabled_sources) = 1u << uart_source;
    enable_interrupt(software_interrupt | timer_interrupt | external_interrupt);
    for (uintptr_t mode = 0; mode < 2; ++mode) {
        check(set_mode(mode), "the emulator has both modes");
        take_each();
    }
    end_checks();
}
