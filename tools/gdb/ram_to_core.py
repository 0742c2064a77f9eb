#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a core file for GDB of images of RAM, as a probe or a crash handler of an Arm firmware saves them.

    ram_to_core.py FIRMWARE.elf CORE IMAGE@ADDRESS .. [REGISTER=VALUE ..]

GDB takes code and constants from the firmware: `gdb-multiarch FIRMWARE.elf CORE`. With at least pc, sp and lr GDB
shows the stack too. Registers are r0 to r12, sp, lr, pc and xpsr."""
import struct
import sys
from pathlib import Path

REGISTERS = [*(f"r{i}" for i in range(13)), "sp", "lr", "pc", "xpsr"]
HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
SEGMENT = struct.Struct("<8I")
LOAD, NOTE, CORE, READ_WRITE = 1, 4, 4, 6


def note_of_registers(values):
    """The note prstatus of Arm: 72 bytes that GDB does not need, the registers, and two words more. Without pc and lr
    the stack ends where no code is."""
    words = [values.get(name, {"pc": 0xE0000000, "lr": 0xFFFFFFFF}.get(name, 0)) for name in REGISTERS]
    status = struct.pack("<12xH10xI44x17I2I", 5, 1, *words, 0, 0)
    return struct.pack("<III8s", 5, len(status), 1, b"CORE") + status


def core(firmware, images, values):
    ident, _, machine, version, *_, flags = HEADER.unpack(firmware[:HEADER.size])[:8]
    if ident[:6] != b"\x7fELF\x01\x01":
        sys.exit("the firmware is no little-endian ELF file of 32 bits")
    pieces = [(NOTE, 0, note_of_registers(values)), *((LOAD, address, image) for address, image in images)]
    offset = HEADER.size + SEGMENT.size * len(pieces)
    segments = b""
    for kind, address, content in pieces:
        segments += SEGMENT.pack(kind, offset, address, 0, len(content), len(content), READ_WRITE, 4)
        offset += len(content)
    header = HEADER.pack(ident, CORE, machine, version, 0, HEADER.size, 0, flags, HEADER.size, SEGMENT.size,
                         len(pieces), 0, 0, 0)
    return header + segments + b"".join(content for _, _, content in pieces)


def main(words):
    if len(words) < 3:
        sys.exit(__doc__)
    firmware, out, *rest = words
    images = [(int(address, 0), Path(file).read_bytes())
              for file, at, address in (word.rpartition("@") for word in rest) if at]
    values = {name: int(value, 0) for name, equals, value in (word.partition("=") for word in rest) if equals}
    unknown = [word for word in rest if "@" not in word and word.partition("=")[0] not in REGISTERS]
    if unknown or not images:
        sys.exit(f"{unknown[0]}: no such register" if unknown else "no image: FILE@ADDRESS")
    Path(out).write_bytes(core(Path(firmware).read_bytes(), images, values))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError, struct.error) as error:
        sys.exit(f"ram_to_core.py: {error}")
