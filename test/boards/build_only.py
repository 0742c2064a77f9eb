#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the boards that no emulator has: they build, and `make run` and `make test` report
that no emulator has them. The boot ROM accepts the boot stage of the RP2040.

    MAKE=.. build_only.py
"""
import glob
import os
import subprocess
import sys
import zlib

MAKE = os.environ.get("MAKE", "make")
passed = failed = 0


def expect(what, holds, said=""):
    global passed, failed
    passed += bool(holds)
    failed += not holds
    if not holds:
        print("FAILED", what)
        print(said)


def make(*arguments):
    environment = dict(os.environ, MAKEFLAGS="")
    done = subprocess.run([MAKE, "--no-print-directory", *arguments], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def check_board(board):
    for example in "shell", "blink":
        code, said = make("elf", "BOARD=" + board, "EXAMPLE=" + example)
        expect(f"{board}: {example} builds", code == 0, said)
    code, said = make("silicon", "BOARD=" + board)
    expect(f"{board}: silicon builds and names its file", code == 0 and "silicon.elf" in said, said)
    for goal in "run", "test":
        code, said = make(goal, "BOARD=" + board)
        expect(f"{board}: make {goal} reports that there is no emulator", code != 0 and "no emulator has this board" in said,
               said)


def reversed_bits(value, width):
    return int(format(value, f"0{width}b")[::-1], 2)


def check_boot_stage(firmware):
    """Computes the checksum with zlib's CRC, which is the same one with all bits reversed."""
    binary = firmware + ".boot2"
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "--only-section=.boot2", firmware, binary], check=True)
    with open(binary, "rb") as file:
        stage = file.read()
    os.remove(binary)
    turned = bytes(reversed_bits(byte, 8) for byte in stage[:252])
    checksum = reversed_bits(zlib.crc32(turned) ^ 0xFFFFFFFF, 32)
    expect("the boot stage has 256 bytes and ends with its checksum",
           len(stage) == 256 and int.from_bytes(stage[252:], "little") == checksum, stage.hex())
    code = subprocess.run(["arm-none-eabi-objdump", "-d", "-j", ".boot2", firmware], check=True, capture_output=True,
                          text=True).stdout
    expect("the boot stage calls nothing", "\tbl" not in code and "\tbx" in code, code)


def main():
    boards = []
    for path in sorted(glob.glob("boards/*/board.mk")):
        with open(path, encoding="utf-8") as file:
            if "\nBOARD_QEMU " not in file.read():
                boards.append(path.split("/")[1])
    expect("there is one such board", boards == ["nrf52840dk"], boards)
    for board in boards:
        check_board(board)
    code, said = make("elf", "BOARD=nrf52840dk", "EXAMPLE=lowpower_rtc")
    expect("nrf52840dk: sleep by RTC1 builds", code == 0, said)
    code, said = make("elf", "BOARD=rpi-pico", "EXAMPLE=blink")
    expect("rpi-pico: blink builds", code == 0, said)
    check_boot_stage("build/rpi-pico/8-6/blink.elf")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
