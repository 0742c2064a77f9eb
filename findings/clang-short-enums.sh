#!/bin/sh
# SPDX-License-Identifier: MIT
# clang 19.1.7 (Debian 1:19.1.7-3~deb12u1) beside gcc-arm-none-eabi 12.2 (15:12.2.rel1-1), for arm-none-eabi.
# A good guess: compilers for one ABI of Arm, with the same -mcpu, agree on each structure of C, so a library that GCC built links
# with a program that clang built.
# What they do: GCC gives an enum the smallest type that holds it, and clang gives it an int, because the ABI leaves it to the
# platform. A structure with an enum has other offsets, in silence if clang's linker links the two. GNU ld warns. Name the type
# of each member, or give clang -fshort-enums.
# Output: "gcc: size 2, offset 1", "clang: size 8, offset 4", "clang -fshort-enums: size 2, offset 1", "lld: 0 warnings"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 clang-19=1:19.1.7-3~deb12u1 \
    libclang-cpp19=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 lld-19=1:19.1.7-3~deb12u1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu:$PWD/root/usr/lib/llvm-19/lib"
PATH=$PWD/root/usr/bin:$PATH
clang=$PWD/root/usr/lib/llvm-19/bin/clang
$clang --version | grep -q ' 19\.1\.7 '
arm-none-eabi-gcc -dumpfullversion | grep -qx 12.2.1
cat >timer.c <<'END'
enum state { idle, pending };
struct timer {
    enum state state;
    unsigned char level;
};
const unsigned size = sizeof(struct timer);
const unsigned offset = __builtin_offsetof(struct timer, level);
void start(void)
{
}
END
# $1: the object; $2: a constant in it
word() {
    arm-none-eabi-objcopy -O binary --only-section=".rodata.$2" "$1" word
    od -An -tu4 word | tr -d ' '
}
# $1: what to call it; then the compiler
layout() {
    name=$1
    shift
    "$@" -mcpu=cortex-m3 -Os -fdata-sections -c timer.c -o "$name.o"
    echo "$name: size $(word "$name.o" size), offset $(word "$name.o" offset)"
}
{
    layout gcc arm-none-eabi-gcc -mthumb
    layout clang $clang --target=arm-none-eabi
    layout 'clang -fshort-enums' $clang --target=arm-none-eabi -fshort-enums
    echo 'void start(void); void other(void) { start(); }' >other.c
    $clang --target=arm-none-eabi -mcpu=cortex-m3 -c other.c
    root/usr/lib/llvm-19/bin/ld.lld -e other other.o gcc.o -o program.elf 2>warnings
    echo "lld: $(wc -l <warnings) warnings"
} >said
cat said
printf '%s\n' 'gcc: size 2, offset 1' 'clang: size 8, offset 4' 'clang -fshort-enums: size 2, offset 1' 'lld: 0 warnings' |
    cmp - said
