# SPDX-License-Identifier: MIT
# A goal that lacks a package says so before anything is built, and asks for no more than it runs. A make that another one calls
# has been checked. test/install_packages.sh has all names.

# The results of tests are named like the goals that have them, or like what they run.
goals := $(filter-out help help-all setup basic-packages clean,$(patsubst unit-%,test,$(patsubst unit-%-clang,test-rest,\
	$(patsubst build/results/%,%,$(MAKECMDGOALS)))))
basic_packages :=
ifeq ($(MAKELEVEL),0)
ifneq ($(goals),)
for_arm   := gcc-arm-none-eabi picolibc-arm-none-eabi
for_riscv := gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf
# A compiler that the user has named has no entry here.
package_arm-none-eabi-g++       := $(for_arm)
package_arm-none-eabi-ar        := gcc-arm-none-eabi
package_riscv64-unknown-elf-g++ := $(for_riscv)
package_riscv64-unknown-elf-ar  := gcc-riscv64-unknown-elf
clang := clang-$(LLVM)
package_clang++-$(LLVM) := $(clang)
package_g++ := g++
package_ar  := g++
package_of = $(package_$(firstword $(1)))

# $(1) goals, $(2) what they need
needed_by = $(foreach goal,$(1),$(eval packages_$(goal) := $(2)))
emulator := $(if $(BOARD_QEMU),$(if $(BOARD_EMULATOR),nodejs rp2040js,$(if $(riscv_board),qemu-system-riscv,qemu-system-arm)))
elf      := $(call package_of,$(FIRMWARE_CXX)) $(if $(BOARD_AFTER_LINK),python3)
host     := $(call package_of,$(CXX)) python3
on_arm   := $(for_arm) qemu-system-arm python3
on_riscv := $(for_riscv) qemu-system-riscv python3
on_both  := $(on_arm) $(on_riscv)
tested   := $(elf) $(emulator) $(host) doctest-dev $(if $(filter gcc-arm-none-eabi,$(elf)),libstdc++-arm-none-eabi-dev)
measured := $(on_arm) $(for_riscv) g++
page     := $(clang) lld-$(LLVM)
site     := $(page) doxygen doxygen-awesome-css python3
# `make clean` removes rp2040js, so only those goals ask for it that run it.
rest     := $(on_both) $(host) doctest-dev libstdc++-arm-none-eabi-dev $(page) cmake nodejs rp2040js

$(call needed_by,elf,$(elf))
$(call needed_by,run silicon soak-sleep,$(elf) $(emulator))
$(call needed_by,lib,$(call package_of,$(LIB_CXX)) $(call package_of,$(LIB_AR)))
$(call needed_by,single packages,python3)
$(call needed_by,fuzz,$(call package_of,$(CXX)))
$(call needed_by,fuzz-long fuzz-compilers,$(host) $(clang))
$(call needed_by,test,$(tested))
$(call needed_by,quick,$(tested) $(measured))
$(call needed_by,test-all test-rest failures builds libraries two-files integrations arguments,$(tested) $(rest))
$(call needed_by,sleep soak interleavings,$(host))
$(call needed_by,sweep sweep-m0 sweep-list sweep-short stress-cores test-freertos,$(on_arm))
$(call needed_by,sweep-riscv,$(on_riscv))
$(call needed_by,contexts,$(on_both))
$(call needed_by,test-gdb,$(on_arm) $(clang) gdb-multiarch)
$(call needed_by,test-zephyr,$(on_arm) $(host) doctest-dev $(clang) cmake)
$(call needed_by,test-debian,debootstrap)
$(call needed_by,test-models,g++ spin)
$(call needed_by,bench bench-cores bench-one-shot,$(on_arm) g++)
$(call needed_by,bench-few,$(measured))
$(call needed_by,size,$(measured) libstdc++-arm-none-eabi-dev)
$(call needed_by,figures figures-check,$(measured) $(host) libstdc++-arm-none-eabi-dev)
$(call needed_by,worst worst-check,$(measured))
$(call needed_by,masked masked-check,$(for_arm) $(for_riscv) $(clang) python3)
$(call needed_by,prove,$(for_arm) $(host) $(clang) python3-z3)
$(call needed_by,coverage,$(clang) llvm-$(LLVM) libclang-rt-$(LLVM)-dev doctest-dev python3)
$(call needed_by,page,$(page))
$(call needed_by,site,$(site))
$(call needed_by,test-page,$(site) chromium)
$(call needed_by,check,$(site) $(on_both) $(host) libstdc++-arm-none-eabi-dev \
	clang-format-$(LLVM) clang-tidy-$(LLVM) python3-clang-$(LLVM))
$(call needed_by,mutants mutants-short,$(on_both) $(host) doctest-dev $(page) python3-clang-$(LLVM))

# `run` and `test` install these by themselves.
basic_packages := $(filter $(for_arm) libstdc++-arm-none-eabi-dev qemu-system-arm g++ doctest-dev python3,\
	$(foreach goal,$(filter run test,$(MAKECMDGOALS)),$(packages_$(goal))))
packages := $(filter-out $(basic_packages),$(foreach goal,$(goals),$(if $(filter default file,$(origin packages_$(goal))),$(packages_$(goal)))))
missing  := $(if $(strip $(packages)),$(shell LLVM=$(LLVM) test/install_packages.sh missing $(packages)))
ifneq ($(missing),)
$(error make $(MAKECMDGOALS) needs $(missing): install this, or all by `make setup`)
endif
endif
endif
