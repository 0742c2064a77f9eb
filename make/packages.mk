# SPDX-License-Identifier: MIT
# The packages that each goal needs, as test/install_packages.sh names them. A goal that lacks one says so before anything
# is built. test/packaging/packages.sh compares this table with the commands of each goal.

ifneq ($(filter-out help help-all setup clean,$(MAKECMDGOALS)),)
# Of a compiler that the user has named, only the user knows.
package_arm-none-eabi-g++       := gcc-arm-none-eabi
package_arm-none-eabi-ar        := gcc-arm-none-eabi
package_riscv64-unknown-elf-g++ := gcc-riscv64-unknown-elf
package_riscv64-unknown-elf-ar  := gcc-riscv64-unknown-elf
package_clang++-14 := clang-14
package_g++ := g++
package_ar  := g++
package_of = $(package_$(firstword $(1)))

host  := $(call package_of,$(CXX)) python3
cross := $(call package_of,$(ARM_CXX)) python3
arm   := $(cross) qemu-system-arm
riscv := gcc-riscv64-unknown-elf qemu-system-misc python3
board := $(call package_of,$(FIRMWARE_CXX)) $(if $(BOARD_AFTER_LINK),python3)
emulator := $(if $(BOARD_QEMU),$(if $(riscv_board),qemu-system-misc,qemu-system-arm))
emulated := $(board) $(if $(BOARD_EMULATOR),nodejs rp2040js,$(emulator))
unit := $(if $(riscv_board),,libstdc++-arm-none-eabi-dev)

# These two install the first six packages by themselves.
few_packages := gcc-arm-none-eabi libstdc++-arm-none-eabi-dev qemu-system-arm g++ doctest-dev python3
packages_run  := $(filter-out $(few_packages),$(emulated))
packages_test := $(filter-out $(few_packages),$(emulated))
packages_elf  := $(board)
packages_single := python3
packages_lib  := $(call package_of,$(LIB_CXX)) $(call package_of,$(LIB_AR))

packages_fuzz      := $(call package_of,$(CXX))
packages_fuzz-long := g++ clang-14
$(foreach goal,interleavings sleep soak,$(eval packages_$(goal) := $(host)))
$(foreach goal,sweep sweep-m0 sweep-short sweep-short-basepri stress-cores contexts-cortex-m contexts-cortex-ar test-freertos,\
	$(eval packages_$(goal) := $(arm)))
$(foreach goal,sweep-riscv contexts-riscv,$(eval packages_$(goal) := $(riscv)))
packages_contexts    := $(arm) $(riscv)
packages_conformance := g++ doctest-dev python3
packages_test-zephyr := $(host) $(arm) doctest-dev clang-14 cmake
packages_test-gdb    := $(arm) clang-14 gdb-multiarch
packages_test-trace  := $(emulated) gdb-multiarch python3
packages_test-models := spin g++
$(foreach goal,silicon soak-sleep,$(eval packages_$(goal) := $(emulated)))
packages_arguments    := $(host) $(arm) clang-14 cmake
packages_builds       := $(host) $(cross) clang-14 cmake
packages_failures     := $(host) $(arm) clang-14 lld-14
packages_libraries    := $(host) $(cross) clang-14 gcc-riscv64-unknown-elf
packages_two-files    := $(host) $(arm) clang-14 gcc-riscv64-unknown-elf
packages_integrations := $(arm) cmake
packages_packages     := python3
$(foreach variant,$(VARIANTS),$(eval packages_unit-host-$(variant) := $(host) doctest-dev)\
	$(eval packages_unit-$(BOARD)-$(variant) := $(emulated) $(unit) python3))
packages_unit-$(BOARD)-clang := $(emulated) $(unit) python3 clang-14
$(foreach variant,$(GEOMETRIES),$(eval packages_fuzz-$(variant) := $(host))$(eval packages_fuzz-crowd-$(variant) := $(host)))
packages_fuzz-compilers := g++ clang-14 python3
$(foreach name,examples silicon soak-sleep clint-sleep counter-sleep,$(eval packages_$(name)-$(BOARD) := $(emulated) python3))
packages_test-all := $(host) $(arm) $(riscv) doctest-dev libstdc++-arm-none-eabi-dev clang-14 lld-14 cmake nodejs rp2040js

packages_bench  := $(arm) g++
$(foreach goal,bench-wheel bench-peers bench-cores bench-zephyr,$(eval packages_$(goal) := $(packages_bench)))
$(foreach goal,figures figures-check bench-few,$(eval packages_$(goal) := $(packages_bench) gcc-riscv64-unknown-elf))
packages_size   := $(cross) gcc-riscv64-unknown-elf
packages_quick  := $(host) doctest-dev $(emulated) $(unit) $(packages_bench) $(packages_size)
packages_compare := $(packages_bench) $(packages_size)
packages_bench-riscv  := $(riscv) g++
$(foreach goal,masked masked-check,$(eval packages_$(goal) := $(cross) gcc-riscv64-unknown-elf clang-14))
$(foreach goal,worst worst-check,$(eval packages_$(goal) := $(arm) $(riscv) g++ clang-14))
packages_prove    := $(host) $(cross) clang-14 python3-z3
packages_coverage := clang-19 libclang-rt-19-dev llvm-19 doctest-dev python3
packages_page     := clang-14 lld-14
packages_site     := $(packages_page) doxygen doxygen-awesome-css python3
packages_test-page := $(packages_site) chromium
packages_check    := $(packages_site) $(host) $(arm) $(riscv) clang-format-14 clang-tidy-14 python3-clang-14
packages_mutants  := $(host) $(arm) gcc-riscv64-unknown-elf doctest-dev clang-14 lld-14 python3-clang-14
packages_mutants-short := $(packages_mutants)

packages := $(sort $(foreach goal,$(MAKECMDGOALS),$(packages_$(goal:$(RESULTS)/%=%))))
missing  := $(if $(packages),$(shell test/install_packages.sh missing $(packages)))
ifneq ($(missing),)
$(error make $(MAKECMDGOALS) needs $(missing): run `make setup`)
endif
endif
