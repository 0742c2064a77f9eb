# SPDX-License-Identifier: MIT
# The searches for races on emulated boards. The Makefile of the root includes this file.

races_out := build/races
# Each of these is for a Cortex-M, with _ar for a Cortex-R, with _riscv for RISC-V.
races_cxx = $(ARM_CXX) -mthumb -Iport/cortex_m
races_cxx_ar = $(ARM_CXX) -mno-unaligned-access -Iport/cortex_ar
races_cxx_riscv := riscv64-unknown-elf-g++ $(call riscv_abi,rv32imac,g++) -Iport/riscv
races_flags := $(FREESTANDING) -Icore -Wall -Wextra -Wshadow -Werror
races_sources := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp
races_sources_ar := boards/startup/memory.cpp boards/startup/cortex_ar/cortex_ar.cpp
# The board has a sound card.
races_silent := -audiodev none,id=silent -global pl041.audiodev=silent
races_sources_riscv := boards/startup/memory.cpp boards/startup/riscv/riscv.cpp
races_qemu_riscv := qemu-system-riscv32 -bios none -display none -monitor none -serial stdio
races_qemu := qemu-system-arm -display none -monitor none -serial stdio
races_qemu_ar := $(races_qemu)

# $1 = name, $2 = board, $3 = sources, $4 = their flags, $5 = those of the wheel, $6 = _ar, _riscv or nothing. The wheel is
# linked first, by itself, so that its code is a library's.
define races_image
$(call objects_in,$(races_out)/$1,$(races_cxx$6),$(races_flags) $4)
$(call objects_in,$(races_out)/$1,$(races_cxx$6),$(races_flags) $5,core/)
$(races_out)/$1.elf: $(patsubst %.cpp,$(races_out)/$1/%.o,core/tickwheel.cpp $3 boards/$2/board.cpp $(races_sources$6)) \
	linker/$2.ld linker/sections.ld
	$(call say,$$@)$(races_cxx$6) $(filter -mcpu=% -marm -mthumb,$4) -nostdlib -nostartfiles -Wl,--gc-sections -T linker/$2.ld \
		$$(filter %.o,$$^) -lgcc -o $$@
endef

# --- sweep ----------------------------------------------------------------------------------------------------------

# The tenth of the pairs that runs, 1 to 10; 0 for all.
sweep_tenth ?= 0
# $1 = name, $2 = board, $3 = CPU, $4 = -icount shift, $5 = where the code begins, $6 = flags of the wheel
define sweep_image
$(call races_image,$1,$2,test/races/sweep/sweep.cpp,-mcpu=$3 -O2 -DSWEEP_CODE_BASE=$5 $(filter -D%,$6),-mcpu=$3 $6)
sweep_run_$1 := $$(races_out)/$1.elf $2 $4
endef
sweep_m4 = $(call sweep_image,$1,netduinoplus2,cortex-m4,3,0x08000000,$2)
$(eval $(call sweep_m4,sweep-m4-O2,-O2))
$(eval $(call sweep_m4,sweep-m4-Os,-Os))
$(eval $(call sweep_m4,sweep-m4-O2-basepri,-O2 -DTICKWHEEL_LOCK_BASEPRI=0x40))
$(eval $(call sweep_m4,sweep-m4-Os-list,-Os -DTICKWHEEL_GEOMETRY=1))
# $1 = level of optimisation. Some aligned loops of -O2 in the test are more than GNU ld can relax.
define sweep_riscv
$(call races_image,sweep-riscv-$1,riscv-virt,test/races/sweep/sweep.cpp,-Os -DSWEEP_CODE_BASE=0x80000000,-$1,_riscv)
sweep_run_sweep-riscv-$1 := $$(races_out)/sweep-riscv-$1.elf virt 7
endef
$(eval $(call sweep_riscv,O2))
$(eval $(call sweep_riscv,Os))
$(eval $(call sweep_image,sweep-m0-Os,microbit,cortex-m0,6,0,-Os))

# $1 = goal, $2 = images, $3 = after how many seconds an image counts as hung
define sweep_goal
.PHONY: $1
$1: $$(patsubst %,$$(races_out)/%.elf,$2)
	@python3 -B test/races/sweep/sweep.py $3 $$(sweep_tenth) $$(foreach image,$2,$$(sweep_run_$$(image)))
endef
## make sweep [sweep_tenth=1..10]
##     Interrupts each operation once after every number of instructions, with every interrupting operation, in QEMU:
##     Cortex-M4, PRIMASK and BASEPRI. The gate takes one tenth of the pairs, which the commit chooses. `make sweep-m0` and
##     `make sweep-riscv` do so on a Cortex-M0 and RV32IMAC, and `make sweep-list` of the list, on a Cortex-M4.
# The last two are not in the gate. sweep-short runs the mutants of a port.
$(eval $(call sweep_goal,sweep,sweep-m4-O2 sweep-m4-Os sweep-m4-O2-basepri,600))
$(eval $(call sweep_goal,sweep-m0,sweep-m0-Os,900))
$(eval $(call sweep_goal,sweep-riscv,sweep-riscv-O2 sweep-riscv-Os,1800))
$(eval $(call sweep_goal,sweep-list,sweep-m4-Os-list,600))
$(eval $(call sweep_goal,sweep-short,sweep-m4-O2,300))

# --- two cores ------------------------------------------------------------------------------------------------------

# Each core is a thread of the emulator, so the runs differ.
$(eval $(call races_image,stress-cores,mps2-an521,test/races/cores/cores.cpp,-mcpu=cortex-m33 -Os -Iport/smp,\
    -mcpu=cortex-m33 -Os))
stress_cores_operations ?= 100000
# Of the processor. The default takes two, and one that hangs is to be seen soon.
stress_cores_seconds = $(if $(filter 100000,$(stress_cores_operations)),60,3400)
## make stress-cores [stress_cores_operations=10000000]
##     Two cores work at random on the timers of two wheels, on a Cortex-M33 with two cores in QEMU.
.PHONY: stress-cores
stress-cores: $(races_out)/stress-cores.elf
	@test/run_tests.py --out $(races_out)/stress --show stress-cores "stress-cores $(stress_cores_seconds) $(races_qemu) -M mps2-an521 \
	    -semihosting-config enable=on,target=native,arg=stress,arg=$(stress_cores_operations) \
	    -kernel $(races_out)/stress-cores.elf"

# --- contexts -------------------------------------------------------------------------------------------------------

# $1 = name, $2 = flags of all, $3 = board, $4 = its machine in QEMU, $5 = _ar, _riscv or nothing
define contexts_image
$(call races_image,$1,$3,test/races/contexts/contexts.cpp test/unit/main.cpp test/unit/before_main.cpp,\
    -Os $2,-Os $2,$5)
contexts_programs += $$(races_out)/$1.elf
contexts_tests += "$1 120 $$(races_qemu$5) -M $4 -icount shift=3,align=off,sleep=off \
    -semihosting-config enable=on,target=native -kernel $$(races_out)/$1.elf"
endef
contexts_m3 = $(call contexts_image,$1,-mcpu=cortex-m3 $2,mps2-an385,mps2-an385)
contexts_r5 = $(call contexts_image,$1,-mcpu=cortex-r5 $2,integratorcp-r5,integratorcp -cpu cortex-r5 $(races_silent),_ar)
$(eval $(call contexts_r5,contexts-r5,-mthumb))
$(eval $(call contexts_r5,contexts-r5-arm,-marm))
$(eval $(call contexts_r5,contexts-r5-debug,-mthumb -DTICKWHEEL_DEBUG=1))
$(eval $(call contexts_m3,contexts-primask,))
$(eval $(call contexts_m3,contexts-primask-debug,-DTICKWHEEL_DEBUG=1))
$(eval $(call contexts_m3,contexts-basepri,-DTICKWHEEL_LOCK_BASEPRI=0x40))
$(eval $(call contexts_m3,contexts-basepri-debug,-DTICKWHEEL_LOCK_BASEPRI=0x40 -DTICKWHEEL_DEBUG=1))
# A core of another architecture.
$(eval $(call contexts_image,contexts-m33-basepri,-mcpu=cortex-m33+nodsp -DTICKWHEEL_LOCK_BASEPRI=0x40,mps2-an521,mps2-an521))
$(eval $(call contexts_m3,contexts-basepri-erratum,-DTICKWHEEL_LOCK_BASEPRI=0x40 -DTICKWHEEL_ERRATUM_837070))
contexts_riscv = $(call contexts_image,$1,-Iport/riscv_clint $2,riscv-virt,virt,_riscv)
$(eval $(call contexts_riscv,contexts-riscv,))
$(eval $(call contexts_riscv,contexts-riscv-debug,-DTICKWHEEL_DEBUG=1))

## make contexts
##     The lock's effect on the interrupt mask, and reports of callers that it does not mask, with real interrupts on a
##     Cortex-M3: PRIMASK and BASEPRI, with and without the debug checks; and on a Cortex-R5 and RV32IMAC.
.PHONY: contexts
contexts: $(contexts_programs)
	@test/run_tests.py --out $(races_out)/contexts $(contexts_tests)
