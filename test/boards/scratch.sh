#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds a board to a copy of the tree by the steps of boards/README.md: copies the folder
# of a board, edits three files, and runs blink. The new board is mps2-an386, with
# another core, another UART and another RAM. It needs each of the three edits.
#   MAKE=.. scratch.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp -r Makefile make boards core examples linker port test "$tree" && cd "$tree" || exit 2
passed=0
failed=0

# $1: what is expected; then the command that checks it
expect() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED $what"
        failed=$((failed + 1))
    fi
}

# $1: file, $2: its model, $3: what sed does to it
edit() {
    sed "$3" "$2" >"$1"
    expect "the edit changes $1" eval "! cmp -s '$1' '$2'"
}

scratch() {
    MAKEFLAGS= ${MAKE:-make} --no-print-directory BOARD=scratch EXAMPLE=blink "$@"
}
# Like make run, but in the emulator's own time: on a busy machine, three real seconds may be too short for the lamp.
blink() {
    qemu=$(scratch --eval='line: ; @echo $(BOARD_QEMU) $(BOARD_QEMU_EXACT)' line)
    scratch elf >said 2>&1 && QEMU=$qemu EXACT= examples/run_unattended.sh build/scratch blink </dev/null >>said 2>&1
}
lamp_blinks() {
    grep -q '^led on$' said && grep -q '^led off$' said
}

model=boards/mps2-an385
cp -r $model boards/scratch
edit boards/scratch/board.cpp $model/board.cpp 's/0x40004000/0x40005000/'
edit boards/scratch/board.mk $model/board.mk 's/cortex-m3/cortex-m4/; s/mps2-an385/mps2-an386/; s/-serial stdio/-serial null -serial stdio/'
edit linker/scratch.ld linker/mps2-an385.ld '/RAM/s/0x20000000, LENGTH = 4M/0x21000000, LENGTH = 16M/'
blink
expect "blink runs on it" test $? = 0
expect "its lamp goes on and off" lamp_blinks
expect "it is built for its own core" grep -q 'cortex-m4' build/scratch/8-6/flags.txt
scratch run BOARD=none >listed 2>&1
expect "an unknown board's message names it" grep -q 'one of.* scratch' listed
test "$failed" = 0 || head -n 40 said

# The test can fail: without the edit of the UART, nothing is printed.
cp $model/board.cpp boards/scratch/board.cpp
blink
expect "without its own board.cpp, no lamp is printed" eval '! lamp_blinks'

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
    MAKEFLAGS= ${MAKE:-make} --no-print-directory elf BOARD=netduinoplus2 EXAMPLE=far_interrupt >said 2>&1 &&
        examples/integration/run.sh netduinoplus2 "$tree/build/netduinoplus2/8-6/far_interrupt.elf" >>said 2>&1
}
expect "an interrupt above 31 reaches its handler" far_interrupt
echo "$passed passed, $failed failed"
test "$failed" = 0
