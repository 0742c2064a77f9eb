// SPDX-License-Identifier: MIT
#include "../riscv-virt/board.cpp" // NOLINT(bugprone-suspicious-include): the same machine
