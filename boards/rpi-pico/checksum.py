#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the checksum of the second boot stage into a linked firmware. The checksum
covers the first 252 bytes of the flash and fills the next four ("RP2040 Datasheet",
2.8.1.3.1). The boot ROM runs no firmware without it.

    checksum.py <prefix of the cross tools> <firmware.elf>
"""
import os
import struct
import subprocess
import sys
import tempfile

STAGE_SIZE = 252


def crc32(data):
    """CRC-32 of the boot ROM: not reflected, starts with all ones, not inverted at the end."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


# The check value of this CRC in the catalogues.
assert crc32(b"123456789") == 0x0376E6E7


def main(prefix, firmware):
    with tempfile.TemporaryDirectory() as folder:
        section = os.path.join(folder, "boot2")
        objcopy = [prefix + "objcopy"]
        subprocess.run(objcopy + ["-O", "binary", "--only-section=.boot2", firmware, section], check=True)
        with open(section, "rb") as file:
            stage = file.read()
        if len(stage) != STAGE_SIZE + 4 or not any(stage[:STAGE_SIZE]):
            sys.exit(f"{firmware}: .boot2 has {len(stage)} bytes, not 256, or all are 0")
        with open(section, "wb") as file:
            file.write(stage[:STAGE_SIZE] + struct.pack("<I", crc32(stage[:STAGE_SIZE])))
        subprocess.run(objcopy + ["--update-section", ".boot2=" + section, firmware], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
