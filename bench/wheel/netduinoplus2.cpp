// SPDX-License-Identifier: MIT
// Just enough of QEMU's netduinoplus2 (STM32F405) for the cross-check by TIM2: a console and an end.
#include "../../boards/board.hpp"
#include "../../boards/startup/cortex_m.hpp"

uint32_t board::init()
{
    constexpr uintptr_t usart1_control = 0x4001100C;
    constexpr uint32_t usart_and_transmitter_enable = 1u << 13 | 1u << 3;
    *reinterpret_cast<volatile uint32_t *>(usart1_control) = usart_and_transmitter_enable;
    return 168000000;
}

void board::console_put(char c)
{
    // The emulated USART is never busy.
    constexpr uintptr_t usart1_data = 0x40011004;
    *reinterpret_cast<volatile uint32_t *>(usart1_data) = static_cast<unsigned char>(c);
}

void board::exit(int code)
{
    cortex_m::semihosting_exit(code);
}
