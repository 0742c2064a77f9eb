// SPDX-License-Identifier: MIT
// The functions of the core that a board.cpp is built for, as `core`.
#ifndef BOARDS_STARTUP_CORE_HPP
#define BOARDS_STARTUP_CORE_HPP

#if defined(__riscv)
#include "riscv/riscv.hpp"
namespace core = riscv;
#elif __ARM_ARCH_PROFILE != 'M'
#include "cortex_ar/cortex_ar.hpp"
namespace core = cortex_ar;
#else
#include "cortex_m.hpp"
namespace core = cortex_m;
#endif

#endif
