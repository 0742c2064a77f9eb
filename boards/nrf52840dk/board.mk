# SPDX-License-Identifier: MIT
# nRF52840 DK: Cortex-M4 at 64 MHz. Builds only: no emulator has it, and it was NOT RUN ON HARDWARE.
BOARD_CPU := cortex-m4
# RTC1 counts 32768 Hz, which 1000 does not divide.
BOARD_HZ  := 1024
