#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the library for each core, by GCC and by clang, without a warning. An archive must define every symbol that it
# uses, and only its own. builds.sh sees that each choice reaches the compiler.
#   MAKE=.. libraries.sh <cpu>..
set -u
cd "$(dirname "$0")/../.." || exit 2
# Not build/lib, where another test may be building.
work=build/libraries
. test/support/checks.sh

# Prints each symbol that these archives use, and that neither they nor a linker define.
undefined_in() {
    nm "$@" | awk '
        NF < 2 || $NF == "_GLOBAL_OFFSET_TABLE_" { next }
        $(NF - 1) == "U" { wanted[$NF]; next }
        { defined[$NF] }
        END { for (name in wanted) if (!(name in defined)) print name }'
}

complete() {
    missing=$(undefined_in "$@") || return 1
    test $# != 0 && test -z "$missing" || { echo "undefined:" $missing; return 1; }
}

# The wheel defines only names of its own.
own_names() {
    ! nm -C --defined-only --extern-only "$1" | awk 'NF >= 3 { $1 = $2 = ""; print substr($0, 3) }' |
        grep -vE '^(tickwheel_[a-z0-9_]+|jiffies)$|(^| )tickwheel::'
}

# The arguments of make lib
library() {
    check "lib CXX=$compiler $*" builds_library CXX=$compiler "$@"
}
builds_library() {
    MAKEFLAGS= MAKELEVEL=0 ${MAKE:-make} --no-print-directory lib LIB=$work "$@" || return 1
    archives=$(grep "^$work/.*\.a\$" "$work/said")
    wheel=$(echo "$archives" | grep '/libtickwheel\.a$')
    complete $wheel && complete $archives && own_names "$wheel"
}

# A CPU that make lib does not know has no instruction that counts leading zeros. The compiler may prefer memcpy(). The library
# must need no function for either.
other_cpu() {
    arm-none-eabi-g++ -mcpu=arm7tdmi $1 -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -Icore -Iport/template \
        -c core/tickwheel.cpp -o "$work/other_cpu.o" && complete "$work/other_cpu.o"
}
for opt in -O0 -Os -O3; do
    check "an arm7tdmi, $opt" other_cpu $opt
done

# These files have csr instructions, and compile by each name that SDKs have for a RISC-V core. Few name the extension Zicsr,
# which the instructions need in the ISA of GCC since 12. The link of -flto generates code once more.
with_csr="test/proof/masked/drivers.cpp boards/startup/riscv/riscv.cpp"
program="core/tickwheel.cpp boards/startup/memory.cpp boards/riscv-virt/board.cpp examples/blink/main.cpp"
riscv() {
    check "$*" builds_objects "$with_csr" "$@" -Os
}
builds_objects() {
    sources=$1
    shift
    for source in $sources; do
        "$@" -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-unwind-tables -Wall -Wextra -Werror -Icore -Iport/riscv \
            -Iport/riscv_clint -c "$source" -o "$work/$(basename "$source").o" || return 1
    done
}
links() {
    builds_objects "$with_csr $program" "$@" &&
        "$@" -nostdlib -nostartfiles -T linker/riscv-virt.ld "$work"/*.cpp.o -lgcc -o "$work/blink.elf" &&
        riscv64-unknown-elf-objdump -d -M no-aliases "$work/blink.elf" | grep -q 'csrrci.*mstatus,8'
}
riscv riscv64-unknown-elf-g++ -march=rv32ec -mabi=ilp32e
for march in rv32imac rv32imc rv32imac_zicsr rv32imc_zicsr "rv32imac -misa-spec=2.2"; do
    riscv riscv64-unknown-elf-g++ -march=$march -mabi=ilp32
done
riscv clang++-$LLVM --target=riscv32 -nostdlibinc -march=rv32imac
# The binutils of an older GCC warn of the directive that a newer one needs.
directives() {
    riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32 -U__GNUC__ -D__GNUC__=$1 -std=c++17 -ffreestanding -Icore -Iport/riscv \
        -S core/tickwheel.cpp -o "$work/gcc.s" && test "$(grep -c 'option arch' "$work/gcc.s")" $2 0
}
check "GCC 8 gets no .option arch" directives 8 -eq
check "GCC 12 does" directives 12 -gt
check "a program of -flto links" links riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32 -mcmodel=medany -Os -flto

for compiler in g++ clang++-$LLVM; do
    # clang builds one of each instruction set.
    test $compiler = g++ || set -- cortex-m0 cortex-m3 cortex-m33 cortex-a9 rv32imac
    for cpu in host "$@"; do
        library CPU=$cpu
    done
    library CPU=cortex-m0 OPT=-O3
    library CPU=rv32imac OPT=-O3
    library CPU=cortex-m7 OPT=-O2 FLOAT=hard LOCK=basepri:96
    library CPU=cortex-m3 OPT=-Og LOCK=none GEOMETRY=64 DEBUG=1
done
# GNU's linker and objdump take what clang builds.
links_clang() {
    builds_library CPU=rv32imac CXX=clang++-$LLVM &&
        riscv64-unknown-elf-ld -m elf32lriscv -e 0 --whole-archive --defsym=tickwheel_bug=0 "$wheel" -o "$work/clang.elf" &&
        riscv64-unknown-elf-objdump -d -M no-aliases "$work/clang.elf" | grep -q 'csrrci.*mstatus,8'
}
check "GNU ld links a library of clang for RISC-V" links_clang
sum_up
