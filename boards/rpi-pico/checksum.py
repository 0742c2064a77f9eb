#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the checksum of the second boot stage into a linked firmware. The checksum
covers the first 252 bytes of the flash and fills the next four ("RP2040 Datasheet",
2.8.1.3.1). The boot ROM runs no firmware without it.

    checksum.py <prefix of the cross tools> <firmware.elf>
"""
import pathlib
import struct
import subprocess
import sys
import tempfile


def crc32(data):
    """CRC-32 of the boot ROM: not reflected, starts with all ones, not inverted at the end."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


prefix, firmware = sys.argv[1], pathlib.Path(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder, "boot2")
    subprocess.run([prefix + "objcopy", "-O", "binary", "--only-section=.boot2", firmware, copy], check=True)
    section = copy.read_bytes()
stage = section[:-4]
firmware.write_bytes(firmware.read_bytes().replace(section, stage + struct.pack("<I", crc32(stage)), 1))
