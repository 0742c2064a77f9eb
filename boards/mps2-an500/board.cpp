// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN500 image (Cortex-M7, 25 MHz): "Application Note AN500".
// NOLINTNEXTLINE(bugprone-suspicious-include): what the board.cpp of the AN385 uses is at the same addresses.
#include "../mps2-an385/board.cpp"
