#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds a board to a copy of the tree by the steps of boards/README.md: copies the folder of a board, edits three files,
# and runs blink. The new board is mps2-an386, with another core, another UART and another RAM. It needs each of the
# three edits.
#   MAKE=.. scratch.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. test/support/checks.sh
cp -r Makefile make boards core examples linker port test "$work" && cd "$work" || exit 2

# $1: file, $2: its model, $3: what sed does to it
edit() {
    sed "$3" "$2" >"$1" && ! cmp -s "$1" "$2"
}
build() {
    MAKEFLAGS= ${MAKE:-make} --no-print-directory "$@"
}
# Like make run, but in the emulator's own time: on a busy machine, three real seconds may be too short for the lamp.
blink() {
    qemu=$(build BOARD=scratch --eval='line: ; @echo $(BOARD_QEMU) $(BOARD_QEMU_EXACT)' line)
    build elf BOARD=scratch EXAMPLE=blink && QEMU=$qemu EXACT= examples/run_unattended.sh build/scratch blink </dev/null
}
lamp_blinks() {
    blink && grep -q '^led on$' said && grep -q '^led off$' said
}
lamp_stays_dark() {
    blink && ! grep -q '^led' said
}
names_the_board() {
    ! build run BOARD=none && grep -q 'one of.* scratch' said
}

model=boards/mps2-an385
cp -r $model boards/scratch
check "the UART is edited" edit boards/scratch/board.cpp $model/board.cpp 's/0x40004000/0x40005000/'
check "the core and the machine are edited" edit boards/scratch/board.mk $model/board.mk \
    's/cortex-m3/cortex-m4/; s/mps2-an385/mps2-an386/; s/-serial stdio/-serial null -serial stdio/'
check "the RAM is edited" edit linker/scratch.ld linker/mps2-an385.ld \
    '/RAM/s/0x20000000, LENGTH = 4M/0x21000000, LENGTH = 16M/'
check "its lamp goes on and off" lamp_blinks
check "it is built for its own core" grep -q 'cortex-m4' build/scratch/8-6/flags.txt
check "an unknown board's message names it" names_the_board

# The test can fail: without the edit of the UART, nothing is printed.
cp $model/board.cpp boards/scratch/board.cpp
check "without its own board.cpp no lamp is printed" lamp_stays_dark

# The board of this interrupt has more than 32. Number 37 is its USART1.
mkdir examples/far_interrupt
cat >examples/far_interrupt/main.cpp <<'END'
#include "../../boards/board.hpp"

static volatile bool handled = false;

extern "C" void IRQ37_Handler()
{
    handled = true;
}

int main()
{
    (void)board::init();
    constexpr uintptr_t set_enable = 0xE000E104;
    constexpr uintptr_t set_pending = 0xE000E204;
    *reinterpret_cast<volatile uint32_t *>(set_enable) = 1u << (37 - 32);
    *reinterpret_cast<volatile uint32_t *>(set_pending) = 1u << (37 - 32);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    return handled ? 0 : 1;
}
END
far_interrupt() {
    build elf BOARD=netduinoplus2 EXAMPLE=far_interrupt &&
        examples/integration/run.sh netduinoplus2 "$work/build/netduinoplus2/8-6/far_interrupt.elf"
}
check "an interrupt above 31 reaches its handler" far_interrupt
sum_up
