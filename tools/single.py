#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tickwheel as two files that a program copies: tickwheel.h and tickwheel.cpp. A port with a driver of SysTick
gets tickwheel_systick.h and tickwheel_systick.cpp too. The port "arduino" is cortex_m in a library of Arduino, without
the driver, because the board's core has a SysTick_Handler.

  single.py PORT FOLDER

It follows the includes from the public headers and from the sources, and writes each file once, after those that it
includes. The include guards stay, so a program may also have core/ on its include path.
"""

import pathlib
import re
import shutil
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent
TYPED_TIMERS = ["tickwheel/periodic_timer.hpp", "tickwheel/long_timer.hpp", "tickwheel/inactivity_timer.hpp"]
# Its hooks come last, because they may include tickwheel.h.
HOOKS = ["tickwheel/hooks.hpp"]

TOP = """tickwheel {version}, for {port}: the timer wheel that Linux had before 4.8, for firmware in C and C++.
`make single PORT={port}` has made this file from core/ and port/ of the project.

"""
HEADER = """Copy tickwheel.h and tickwheel.cpp into your program. Compile tickwheel.cpp as C++17 or later, and include
tickwheel.h in C11 or C++17. They need no include path and no other flag. These keep the program small:
  -Os -fno-exceptions -fno-unwind-tables -ffunction-sections -fdata-sections, and -Wl,--gc-sections for the linker

In C this header is <tickwheel/timer.h>: the calls and the Linux kernel's names for them. In C++ it also has
closure_timer, periodic_timer, long_timer and inactivity_timer. With TICKWHEEL_CHRONO defined before the include
it has durations of std::chrono too, which need the standard library.

Write each choice that the part config.h describes, and those of the lock in tickwheel.cpp, into a file
tickwheel_config.h beside this one: #define TICKWHEEL_GEOMETRY 62. All files of the program then have the same
choices. A -D for all of them does the same. With TICKWHEEL_HOOKS 1, your tickwheel_hooks.hpp lies beside it too.

A wheel<> of your own, and sleep by a counter other than SysTick, need the folders of the project. One-shot mode needs
one header of them, tickwheel_counter.hpp.

"""
SYSTICK = """The driver of SysTick: both handlers and the sleep. Leave it out if your program or its SDK has a SysTick_Handler.
Otherwise compile tickwheel_systick.cpp too, and link it as an object, not from an archive behind the start-up code.

"""
# The architectures are those of cores for Cortex-M; for another one the IDE warns. It wants a url, which may be empty.
LIBRARY_PROPERTIES = """name=tickwheel
version={version}
author=the tickwheel authors
maintainer=the tickwheel authors
sentence=Any number of timers on a Cortex-M: the timer wheel that Linux had before 4.8.
paragraph=Arm and cancel take constant time, and no timer needs a heap. The core must compile C++17.
category=Timing
url=
architectures=stm32,rp2040,samd,sam,renesas_uno,renesas_portenta,nrf52,mbed,mbed_nano,mbed_rp2040,mbed_portenta,mbed_giga
includes=tickwheel.h
"""
# A file of choices often has the guard that the part config.h has.
CHOICES = """
#if !defined(TICKWHEEL_CONFIG_H) && defined(__has_include)
#if __has_include("tickwheel_config.h")
#include "tickwheel_config.h"
#undef TICKWHEEL_CONFIG_H
#endif
#endif
"""


def comment(text):
    lines = (text + (TREE / "LICENSE").read_text()).splitlines()
    return "/* SPDX-License-Identifier: MIT */\n/*\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def parts(roots, folders, written):
    """The text of these files, each after those that it includes, without those of `written`. Adds them to that."""
    text = ""
    for path in roots:
        if path in written:
            continue
        written.add(path)
        kept, depth = [], 0
        for line in path.read_text().splitlines():
            directive = re.match(r"\s*#\s*(if|endif|include)\w*\s*(?:([<\"])(.+)[>\"])?", line)
            what, quote, name = directive.groups() if directive else (None, None, None)
            depth += (what == "if") - (what == "endif")
            places = ([path.parent] if quote == '"' else []) + folders if what == "include" else []
            found = [(place / name).resolve() for place in places if (place / name).exists()]
            if not found:
                kept.append(line)
            elif depth > 1:
                sys.exit(f"{path}: {line.strip()} is conditional, so its text cannot move")
            else:
                text += parts(found[:1], folders, written)
        body = "\n".join(line for line in kept if "SPDX-License-Identifier" not in line)
        text += f"\n/* ---- {path.relative_to(TREE)} ---- */\n" + re.sub(r"\n{3,}", "\n\n", body) + "\n"
    return text


def main():
    arduino = sys.argv[1:2] == ["arduino"]
    port = "cortex_m" if arduino else "".join(sys.argv[1:2])
    if len(sys.argv) != 3 or not (TREE / "port" / port / "tickwheel/port.hpp").exists():
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    core, systick = TREE / "core", TREE / "port" / (port + "_systick")
    folders = [core, TREE / "port" / port, systick]
    numbers = re.findall(r"#define TICKWHEEL_VERSION_\w+ (\d+)", (core / "tickwheel/config.h").read_text())
    version = ".".join(numbers)
    top = TOP.format(version=version, port=sys.argv[1])
    if arduino:
        shutil.copytree(TREE / "examples/integration/arduino/Blink", folder / "examples/Blink", dirs_exist_ok=True)
        (folder / "library.properties").write_text(LIBRARY_PROPERTIES.format(version=version))
        folder /= "src"
    folder.mkdir(parents=True, exist_ok=True)

    public = set()
    header = comment(top + HEADER) + CHOICES + parts([core / "tickwheel/timer.h"], folders, public)
    # A program may include the header within extern "C".
    header += '\n#ifdef __cplusplus\nextern "C++" {\n' + parts([core / name for name in TYPED_TIMERS], folders, public)
    header += "\n#ifdef TICKWHEEL_CHRONO\n" + parts([core / "tickwheel/chrono.hpp"], folders, public) + "#endif\n"
    header += parts([core / name for name in HOOKS], folders, public) + "}\n#endif\n"
    (folder / "tickwheel.h").write_text(header)
    source = comment(top) + '#include "tickwheel.h"\n' + parts([core / "tickwheel.cpp"], folders, set(public))
    (folder / "tickwheel.cpp").write_text(source)

    if systick.exists() and not arduino:
        header = comment(top + SYSTICK) + '#include "tickwheel.h"\n'
        header += parts([systick / "tickwheel/systick.h"], folders, public)
        (folder / "tickwheel_systick.h").write_text(header)
        source = comment(top) + '#include "tickwheel_systick.h"\n'
        source += parts([systick / "tickwheel_systick.cpp"], folders, public)
        (folder / "tickwheel_systick.cpp").write_text(source)


main()
