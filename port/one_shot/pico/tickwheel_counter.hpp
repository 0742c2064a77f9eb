// SPDX-License-Identifier: MIT
/// @file
/// The timer of an RP2040 or RP2350 for one-shot mode, by its alarm 0 and interrupt 0. It counts microseconds once
/// the pico-sdk has started. Without the SDK, release TIMER from its reset and start the tick of the watchdog before,
/// which rp2040js does not need. The SDK's alarm pool takes alarm 3. The RP2350 has not run.
#ifndef TICKWHEEL_COUNTER_HPP
#define TICKWHEEL_COUNTER_HPP

#include <stdint.h>

/// @{ The lower word of the timer.
#if defined(PICO_RP2350) && PICO_RP2350
#define TICKWHEEL_JIFFIES_ADDRESS 0x400B0028
#else
#define TICKWHEEL_JIFFIES_ADDRESS 0x40054028
#endif
/// @}

struct timer_list;
extern "C" void tickwheel_bug(const char *what, const struct timer_list *timer);

/// The counter of the default wheel. `isr_irq0()` of the pico-sdk, or IRQ0_Handler(), calls clear_alarm(), then
/// tickwheel_interrupt().
struct tickwheel_counter {
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = 1000000;
    /// An alarm for the current count comes a turn later.
    static constexpr uint32_t min_ahead = 1;

    /// Enables the interrupt, here and in the NVIC. A debug build reports a handler that is not in the vector table.
    static void enable([[maybe_unused]] void (*handler)() = nullptr)
    {
#if defined(TICKWHEEL_DEBUG) && TICKWHEEL_DEBUG
        constexpr uintptr_t vector_table = 0xE000ED08;
        if (handler != nullptr && word(word(vector_table) + 4 * 16) != reinterpret_cast<uintptr_t>(handler)) {
            tickwheel_bug("tickwheel_counter: the vector table does not lead to the alarm's handler", nullptr);
        }
#endif
        constexpr uintptr_t interrupt_set_enable = 0xE000E100;
        word(enabled + set_bits) = 1;
        word(interrupt_set_enable) = 1;
    }
    static uint32_t read()
    {
        return word(count);
    }
    static void set_alarm(uint32_t at)
    {
        word(alarm_0) = at;
    }
    static void pend_alarm()
    {
        word(forced + set_bits) = 1;
    }
    static void clear_alarm()
    {
        word(forced + clear_bits) = 1;
        word(raw) = 1;
    }

private:
    static constexpr uintptr_t count = TICKWHEEL_JIFFIES_ADDRESS;
    static constexpr uintptr_t alarm_0 = count - 0x18;
    /// The RP2350 has two more registers before its interrupts.
    static constexpr uintptr_t raw = count + (count == 0x40054028 ? 0xC : 0x14);
    static constexpr uintptr_t enabled = raw + 4;
    static constexpr uintptr_t forced = raw + 8;
    /// A write at these distances sets or clears bits of the register.
    static constexpr uintptr_t set_bits = 0x2000;
    static constexpr uintptr_t clear_bits = 0x3000;

    static volatile uint32_t &word(uintptr_t address)
    {
        return *reinterpret_cast<volatile uint32_t *>(address);
    }
};

#endif
