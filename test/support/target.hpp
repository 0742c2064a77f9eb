// SPDX-License-Identifier: MIT
// The registers and masks of the core that a test is built for.
#ifndef TICKWHEEL_TEST_SUPPORT_TARGET_HPP
#define TICKWHEEL_TEST_SUPPORT_TARGET_HPP

#if defined(__riscv)
#include "riscv_registers.hpp"
#else
#include "core_registers.hpp"
#endif

#endif
