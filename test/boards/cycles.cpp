// SPDX-License-Identifier: MIT
// Measures the wheel on a real core, in cycles of the DWT unit's counter (Cortex-M3
// and up), of the PMU's (Cortex-R and -A) or of mcycle (RISC-V). NOT RUN ON HARDWARE.
// A counter that does not count is an emulator's: the program then prints that and
// ends. QEMU's mcycle counts instructions.
//
// The numbers contain the wait states of flash and caches, so build this as you build
// your firmware. The program calls each tick itself and does not start SysTick, so no
// interrupt disturbs a measurement.
#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"

namespace
{

constexpr unsigned calls = 512;
constexpr jiffies_t far_ahead = 1u << 20;

timer_list always_pending[100];
timer_list measured;

[[maybe_unused]] volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

uint32_t cycle_count()
{
#if defined(__riscv)
    uint32_t cycles = 0;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles));
    return cycles;
#elif __ARM_ARCH_PROFILE != 'M'
    uint32_t cycles = 0;
    __asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(cycles)); // PMCCNTR
    return cycles;
#else
    return at(0xE0001004); // DWT_CYCCNT
#endif
}

/// @return nullptr, or the reason why the core has no cycle counter
const char *start_counter()
{
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
    return "this core has no cycle counter: a Cortex-M3 or larger has one";
#else
#if defined(__riscv)
#elif __ARM_ARCH_PROFILE != 'M'
    // PMCNTENSET: the cycle counter. PMCR: all counters that are enabled.
    __asm__ volatile("mcr p15, 0, %0, c9, c12, 1\n\tmcr p15, 0, %1, c9, c12, 0" ::"r"(1u << 31), "r"(1));
#else
    at(0xE000EDFC) |= 1u << 24;  // DEMCR, TRCENA
    at(0xE0001FB0) = 0xC5ACCE55; // DWT_LAR: unlocks the DWT of a Cortex-M7
    at(0xE0001000) |= 1u;        // DWT_CTRL, CYCCNTENA
#endif
    const uint32_t start = cycle_count();
    for (unsigned i = 0; i < 100; ++i) {
        if (cycle_count() != start) {
            return nullptr;
        }
    }
    return "the cycle counter does not move: an emulator, or a core without one";
#endif
}

class samples {
public:
    void add(uint32_t cycles)
    {
        ++count;
        sum += cycles;
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }

    uint32_t minimum() const
    {
        return least;
    }

    void print_as(const char *name) const
    {
        print(name, ": ", least, ", ", (sum + count / 2) / count, ", ", most, "\n");
    }

private:
    uint32_t count = 0;
    uint32_t sum = 0;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
};

/// The cycles that two reads of the counter take. They are subtracted from each sample.
uint32_t reading;

template <class Call>
uint32_t cycles_of(Call call)
{
    const uint32_t start = cycle_count();
    call();
    return cycle_count() - start - reading;
}

void measure_reading()
{
    samples readings;
    for (unsigned i = 0; i < calls; ++i) {
        readings.add(cycles_of([] {}));
    }
    reading = readings.minimum();
}

/// @return a number from 1 to 65536
jiffies_t random_delay()
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (state >> 16) + 1;
}

uint32_t called_at;

void note_the_cycle(timer_list * /*timer*/)
{
    called_at = cycle_count();
}

void set_up_timers()
{
    tickwheel_timer_setup(&measured, note_the_cycle, 0);
    for (timer_list &timer : always_pending) {
        tickwheel_timer_setup(&timer, note_the_cycle, 0);
        tickwheel_mod_timer(&timer, jiffies + far_ahead + random_delay());
    }
}

void measure_arm_and_cancel()
{
    samples arm;
    samples cancel;
    for (unsigned i = 0; i < calls; ++i) {
        const jiffies_t expires = jiffies + random_delay();
        arm.add(cycles_of([expires] { tickwheel_mod_timer(&measured, expires); }));
        cancel.add(cycles_of([] { tickwheel_timer_delete(&measured); }));
    }
    arm.print_as("arm");
    cancel.print_as("cancel");
}

/// The largest value belongs to the two ticks in which the wheel advances to the next 256.
void measure_idle_tick()
{
    samples tick;
    for (unsigned i = 0; i < calls; ++i) {
        tick.add(cycles_of([] { tickwheel_interrupt(); }));
    }
    tick.print_as("tick, nothing due");
}

void measure_tick_to_callback()
{
    samples latency;
    for (unsigned i = 0; i < calls; ++i) {
        tickwheel_mod_timer(&measured, jiffies + 1);
        const uint32_t start = cycle_count();
        tickwheel_interrupt();
        latency.add(called_at - start - reading);
    }
    latency.print_as("from the tick to its callback");
}

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    const char *problem = start_counter();
    if (problem != nullptr) {
        print(problem, "\n");
        return 0;
    }
    measure_reading();
    set_up_timers();
    print("cycles at ", clock_hz, " Hz, of ", calls, " calls: least, average, most\n");
    measure_arm_and_cancel();
    measure_idle_tick();
    measure_tick_to_callback();
    return 0;
}
