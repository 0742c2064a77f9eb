#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a firmware on an emulated board, in the emulator's own time: run.sh <board> <absolute path of the firmware>
set -eu
cd "$(dirname "$0")/../.."
qemu=$(MAKEFLAGS= make --no-print-directory BOARD="$1" --eval='line: ; @echo $(BOARD_QEMU) $(BOARD_QEMU_EXACT)' line)
# Of the processor: the machine may be busy.
ulimit -S -t 60 2>/dev/null || true
exec timeout 1200 $qemu -kernel "$2" </dev/null
