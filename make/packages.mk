# SPDX-License-Identifier: MIT
# A goal that lacks a package says so before anything is built. The goals that a newcomer runs need a few packages, and every
# other one needs what `make setup` installs. A make that another one calls has been checked.

goals := $(filter-out help help-all setup basic-packages clean,$(MAKECMDGOALS))
ifeq ($(MAKELEVEL),0)
ifneq ($(goals),)
# A compiler that the user has named has no entry here.
package_arm-none-eabi-g++       := gcc-arm-none-eabi
package_arm-none-eabi-ar        := gcc-arm-none-eabi
package_riscv64-unknown-elf-g++ := gcc-riscv64-unknown-elf
package_riscv64-unknown-elf-ar  := gcc-riscv64-unknown-elf
package_clang++-$(LLVM) := clang-$(LLVM)
package_g++ := g++
package_ar  := g++
package_of = $(package_$(firstword $(1)))

emulator := $(if $(BOARD_EMULATOR),nodejs rp2040js,$(if $(riscv_board),qemu-system-misc,qemu-system-arm))
packages_elf    := $(call package_of,$(FIRMWARE_CXX)) $(if $(BOARD_AFTER_LINK),python3)
packages_lib    := $(call package_of,$(LIB_CXX)) $(call package_of,$(LIB_AR))
packages_single := python3
packages_fuzz   := $(call package_of,$(CXX))
# `run` and `test` install these by themselves, the first six of test/install_packages.sh.
basic_packages  := gcc-arm-none-eabi libstdc++-arm-none-eabi-dev qemu-system-arm g++ doctest-dev python3
packages_run    := $(filter-out $(basic_packages),$(packages_elf) $(emulator))
packages_test   := $(packages_run)
packages_quick  := $(basic_packages) gcc-riscv64-unknown-elf $(emulator)
# `make clean` removes rp2040js, so only those goals ask for it that run it.
packages_test-all  := all rp2040js
packages_test-rest := all rp2040js

packages := $(foreach goal,$(goals),$(if $(filter undefined,$(origin packages_$(goal))),all $(emulator),$(packages_$(goal))))
missing  := $(if $(strip $(packages)),$(shell LLVM=$(LLVM) test/install_packages.sh missing $(packages)))
ifneq ($(missing),)
$(error make $(MAKECMDGOALS) needs $(missing): run `make setup`)
endif
endif
endif
