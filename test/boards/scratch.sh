#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds a board to a copy of the tree by the steps of boards/README.md: copies the folder of a board, edits three files,
# and runs blink. The new board is mps2-an386, with another core, another UART and another RAM. It needs each of the
# three edits. Then the board that no emulator has: it builds, and `make run` and `make test` report it.
#   MAKE=.. scratch.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. test/support/checks.sh
cp -r Makefile make boards core docs examples linker port test "$work" && cd "$work" || exit 2

# $1: file, $2: its model, $3: what sed does to it
edit() {
    sed "$3" "$2" >"$1" && ! cmp -s "$1" "$2"
}
build() {
    MAKEFLAGS= ${MAKE:-make} --no-print-directory "$@"
}
# $1: what must be said; then the arguments of make
says() {
    said=$1
    shift
    build "$@" && grep -q "$said" said
}
refuses() {
    said=$1
    shift
    ! build "$@" && grep -q "$said" said
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

model=boards/mps2-an385
cp -r $model boards/scratch
check "the UART is edited" edit boards/scratch/board.cpp $model/board.cpp 's/0x40004000/0x40005000/'
check "the core and the machine are edited" edit boards/scratch/board.mk $model/board.mk \
    's/cortex-m3/cortex-m4/; s/mps2-an385/mps2-an386/; s/-serial stdio/-serial null -serial stdio/'
check "the RAM is edited" edit linker/scratch.ld linker/mps2-an385.ld \
    '/RAM/s/0x20000000, LENGTH = 4M/0x21000000, LENGTH = 16M/'
check "its lamp goes on and off" lamp_blinks
check "it is built for its own core" grep -q 'cortex-m4' build/scratch/8-6/flags.txt
check "an unknown board's message names it" refuses 'one of.* scratch' run BOARD=none

# The test can fail: without the edit of the UART, nothing is printed.
cp $model/board.cpp boards/scratch/board.cpp
check "without its own board.cpp no lamp is printed" lamp_stays_dark

# The board of this interrupt has more than 32. Number 37 is its USART1.
mkdir examples/far_interrupt
cat >examples/far_interrupt/main.cpp <<'END'
#include "../../boards/board.hpp"
#include "../../test/support/core_registers.hpp"

static volatile bool handled = false;

extern "C" void IRQ37_Handler()
{
    handled = true;
}

int main()
{
    (void)board::init();
    at(interrupt_set_enable + 4) = 1u << (37 - 32);
    at(interrupt_set_pending + 4) = 1u << (37 - 32);
    take_pending_interrupts();
    return handled ? 0 : 1;
}
END
far_interrupt() {
    build elf BOARD=netduinoplus2 EXAMPLE=far_interrupt &&
        examples/integration/run.sh netduinoplus2 "$work/build/netduinoplus2/8-6/far_interrupt.elf"
}
check "an interrupt above 31 reaches its handler" far_interrupt

built_only=$(grep -L '^BOARD_QEMU ' boards/*/board.mk)
check "one board has no emulator" test "$built_only" = boards/nrf52840dk/board.mk
check "the shell builds for it" build elf BOARD=nrf52840dk
check "sleep by RTC1 builds for it" build elf BOARD=nrf52840dk EXAMPLE=lowpower_rtc
check "its program for silicon builds and is named" says silicon.elf silicon BOARD=nrf52840dk
check "make run refuses it" refuses 'no emulator has this board' run BOARD=nrf52840dk
check "make test refuses it" refuses 'no emulator has this board' test BOARD=nrf52840dk
sum_up
