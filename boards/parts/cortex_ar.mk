# SPDX-License-Identifier: MIT
# The boards with a Cortex-R or Cortex-A, which QEMU emulates. `qemu` is the command, to which a board adds its machine.
include boards/parts/emulated.mk
# Both machines have a sound card.
qemu += -audiodev none,id=silent -global pl041.audiodev=silent -serial stdio
# It needs SysTick.
BOARD_LEAVES_OUT := examples/lowpower
