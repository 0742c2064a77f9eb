// SPDX-License-Identifier: MIT
/// @file
/// TIM2 of an STM32 for one-shot mode, by its channel 1 (RM0090, chapter TIM2 to TIM5). It must have 32 bits, so not
/// that of an F1, L0 or L1. It stands still in Stop mode. QEMU 7.2's has no compare. NOT RUN ON HARDWARE.
#ifndef TICKWHEEL_COUNTER_HPP
#define TICKWHEEL_COUNTER_HPP

#include <stdint.h>

#define TICKWHEEL_JIFFIES_ADDRESS 0x40000024

/// The counter of the default wheel. TIM2_IRQHandler() calls clear_alarm(), then tickwheel_interrupt().
struct tickwheel_counter {
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = 1000000;
    /// An alarm for the current count comes a turn later.
    static constexpr uint32_t min_ahead = 1;

    /// Starts TIM2. The program enables TIM2's clock before, and its interrupt in the NVIC afterwards.
    static void enable(uint32_t clock_mhz)
    {
        word(prescaler) = clock_mhz - 1;
        word(reload) = ~0u;
        // TIM2 takes the prescaler at this event.
        word(events) = 1;
        word(interrupts) = channel_1;
        word(control) = 1;
    }
    static uint32_t read()
    {
        return word(counter);
    }
    static void set_alarm(uint32_t at)
    {
        word(compare_1) = at;
    }
    static void pend_alarm()
    {
        word(events) = channel_1;
    }
    static void clear_alarm()
    {
        word(status) = ~channel_1;
        // Read back, or the interrupt may end before the write reaches TIM2, and come again.
        [[maybe_unused]] const uint32_t read = word(status);
    }

private:
    enum : uintptr_t { control, interrupts = 12, status = 16, events = 20 };
    enum : uintptr_t { counter = 36, prescaler = 40, reload = 44, compare_1 = 52 };
    /// Its bit in `interrupts`, `status` and `events`.
    static constexpr uint32_t channel_1 = 2;

    static volatile uint32_t &word(uintptr_t offset)
    {
        return *reinterpret_cast<volatile uint32_t *>(0x40000000 + offset);
    }
};

#endif
