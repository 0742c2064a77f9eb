#!/bin/sh
# SPDX-License-Identifier: MIT
# A firmware's build that knows no file by name, as those of many IDEs: compiles every
# .c and .cpp in and below this folder and links them all. Of tickwheel are the first two -I.
set -e
include="-Icore -Icortex_m -Ivendor"
flags="-mcpu=cortex-m7 -mthumb -Os -g -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-unwind-tables"
objects=
for source in $(find . -name '*.c' -o -name '*.cpp' | sort); do
    echo "$source"
    case $source in
    *.c) arm-none-eabi-gcc -std=c11 $flags $include -c "$source" -o "$source.o" ;;
    *.cpp) arm-none-eabi-g++ -std=c++17 $flags $include -c "$source" -o "$source.o" ;;
    esac
    objects="$objects $source.o"
done
arm-none-eabi-g++ -mcpu=cortex-m7 -mthumb -nostdlib -T vendor/chip.ld $objects -lgcc -o firmware.elf
