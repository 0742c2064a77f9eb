// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN385 image (Cortex-M3, 25 MHz): "Application Note AN385",
// chapter 3 (memory map), 4 (peripherals).
#include "../parts/cmsdk_uart.hpp"

static constexpr uint32_t clock_hz = 25000000;
static constexpr uint32_t uart_clock_hz = clock_hz;
static constexpr parts::cmsdk_uart uart = {0x40004000};

#include "../parts/mps.hpp"
