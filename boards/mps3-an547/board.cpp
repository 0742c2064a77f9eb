// SPDX-License-Identifier: MIT
// Arm MPS3 with the AN547 image (Cortex-M55, 32 MHz), in the Secure state:
// "Application Note AN547", memory map and FPGA peripherals.
#include "../parts/cmsdk_uart.hpp"

static constexpr uint32_t clock_hz = 32000000;
static constexpr uint32_t uart_clock_hz = 25000000;
static constexpr parts::cmsdk_uart uart = {0x59303000};

#include "../parts/mps.hpp"
