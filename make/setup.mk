# SPDX-License-Identifier: MIT
# Packages. `make run` and `make test` install what they need, and every goal does on a CI server. The others say what
# is missing and how to install it. A plain `make` and `make clean` need nothing.

# The sets of test/install_packages.sh that a goal needs. A goal that is not here needs those of tools_else.
with_clang = $(if $(findstring clang,$(CXX)),$(1))
tools_else  = arm qemu host python $(BOARD_TOOLCHAIN)
tools_setup = arm qemu host doctest python coverage clang tidy cindex cmake doxygen riscv qemu-riscv gdb rp2040js browser \
	models solver
tools_lib   = $(if $(filter host,$(CPU)),host,$(if $(filter $(CPUS_RISCV),$(CPU)),riscv,arm) $(call with_clang,host))
tools_elf   = $(or $(BOARD_TOOLCHAIN),arm) $(BOARD_TOOLS)
tools_run   = $(tools_elf) $(or $(BOARD_EMULATOR),qemu)
tools_silicon = $(if $(BOARD_QEMU),$(tools_run),$(tools_elf))
tools_test     = $(tools_else) doctest $(tools_run)
tools_test-all = $(tools_test) clang cmake riscv qemu-riscv rp2040js
tools_test-else = $(tools_test-all)
tools_test-freertos = $(tools_test)
tools_test-zephyr = $(tools_test) clang cmake
tools_conformance = host python doctest
tools_coverage = host doctest python coverage
tools_check    = $(tools_test) clang tidy cindex doxygen riscv qemu-riscv
tools_mutants  = $(tools_test) clang cindex riscv qemu-riscv
tools_mutants-short = $(tools_mutants)
tools_fuzz     = host $(call with_clang,clang)
tools_fuzz-long = host clang
tools_bench-riscv = host riscv qemu-riscv python
tools_sweep-riscv = host riscv qemu-riscv python
tools_contexts = $(tools_else) riscv qemu-riscv
tools_contexts-riscv = $(tools_sweep-riscv)
tools_masked   = arm host clang python riscv
tools_prove    = arm host clang python solver
tools_worst = arm qemu host python riscv qemu-riscv
tools_worst-check = $(tools_worst)
tools_test-models = host models
tools_test-gdb = arm qemu clang python gdb
tools_page      = clang python
tools_test-page = $(tools_page) browser
tools_site      = $(tools_page) doxygen
tools_test-trace = $(tools_test) gdb
# A file is built without a look at what is installed.
TOOLS = $(sort $(foreach goal,$(MAKECMDGOALS),$(if $(findstring /,$(goal)),,$(or $(tools_$(goal)),$(tools_else)))))

#: setup
## make setup
##     Installs what any of these commands needs, from Debian and from npm. It says what, and asks first on a terminal.
##     `make run` and `make test` do so for their own. The others only say what is missing.
## make clean
##     Removes build/.
.PHONY: setup clean
setup:
	@CXX='$(CXX)' ARM_CXX='$(ARM_CXX)' GOALS='$(MAKECMDGOALS)' test/install_packages.sh \
		$(if $(or $(filter setup run test,$(MAKECMDGOALS)),$(filter true,$(CI))),,--check) $(TOOLS)
clean:
	rm -rf build
