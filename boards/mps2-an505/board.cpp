// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN505 image (Cortex-M33, 20 MHz), in the Secure state:
// "Application Note AN505", memory map and FPGA peripherals.
#include "../parts/cmsdk_uart.hpp"

static constexpr uint32_t clock_hz = 20000000;
static constexpr uint32_t uart_clock_hz = clock_hz;
static constexpr parts::cmsdk_uart uart = {0x50200000};

#include "../parts/mps.hpp"
