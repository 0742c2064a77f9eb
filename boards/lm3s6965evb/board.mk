# SPDX-License-Identifier: MIT
# Stellaris LM3S6965 evaluation board: Cortex-M3 at 12.5 MHz. QEMU emulates it.
include boards/parts/emulated.mk
BOARD_CPU  := cortex-m3
BOARD_QEMU := boards/parts/hold_input.sh $(qemu) -M lm3s6965evb -serial stdio
