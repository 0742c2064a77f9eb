// SPDX-License-Identifier: MIT
// The functions around a whole program of the documents when blocks.py runs it: lamp_toggle(), and
// on mps2-an385 the functions of CMSIS. A program passes when it toggles the lamp five
// times, each time half a second after the last. Then the emulator ends with exit code 0.
#include <vendor.h>

#include <tickwheel/tickwheel.h>

#include "../../boards/board.hpp"

namespace
{

constexpr jiffies_t half_second = TICKWHEEL_HZ / 2;
constexpr unsigned enough = 5;

template <class T>
volatile T &at(uintptr_t address)
{
    return *reinterpret_cast<volatile T *>(address);
}

unsigned toggles;
jiffies_t last;

void toggle()
{
    const jiffies_t now = jiffies;
    if (toggles != 0 && now - last != half_second) {
        board::exit(1);
    }
    last = now;
    if (++toggles == enough) {
        board::exit(0);
    }
}

} // namespace

extern "C" {

// A program in C and one in C++ declare the same function.
void lamp_toggle_of_c() __asm__("lamp_toggle");
void lamp_toggle_of_c()
{
    toggle();
}
void lamp_toggle_of_cpp() __asm__("_Z11lamp_togglev");
void lamp_toggle_of_cpp()
{
    toggle();
}

#ifdef __arm__
uint32_t SystemCoreClock = 25000000;

// The block begins with CPUID; ICSR is its second word.
extern system_control_block *const SCB;
system_control_block *const SCB = reinterpret_cast<system_control_block *>(0xE000ED04);

void NVIC_SetPriority(IRQn interrupt, uint32_t priority)
{
    // SHPR3: PendSV in byte 2, SysTick in byte 3.
    at<uint8_t>(interrupt == PendSV_IRQn ? 0xE000ED22 : 0xE000ED23) =
        static_cast<uint8_t>(priority << (8 - __NVIC_PRIO_BITS));
}

uint32_t SysTick_Config(uint32_t counts)
{
    NVIC_SetPriority(SysTick_IRQn, (1u << __NVIC_PRIO_BITS) - 1);
    at<uint32_t>(0xE000E014) = counts - 1;
    at<uint32_t>(0xE000E018) = 0;
    at<uint32_t>(0xE000E010) = 7;
    return 0;
}
#endif
}
