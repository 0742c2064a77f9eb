# SPDX-License-Identifier: MIT
# nRF52840 DK: Cortex-M4 at 64 MHz. No emulator has it; it builds only. NOT RUN ON HARDWARE.
BOARD_CPU := cortex-m4
# RTC1 counts at 32768 Hz. 1000 does not divide that.
BOARD_HZ  := 1024
