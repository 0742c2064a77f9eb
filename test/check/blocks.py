# SPDX-License-Identifier: MIT
"""Checks the tracked *.md, and prints what is wrong: code that does not compile, programs that do not run, dead links,
commands that make does not know.

A block of code is a file of its own, with test/check/vendor/vendor.h in front. A block that is no file is the body of a
function, with its includes above that. A block with a main() is a whole program: it is linked with whole_program.cpp
for an emulated Cortex-M3, and run. A block without a language is text, and must not look like code. A language that no
rule here knows is an error.
"""
import re
import subprocess
import sys
from pathlib import Path

work = Path("build/check/blocks")
cpu = "-mcpu=cortex-m3 -mthumb".split()
compile_flags = [*cpu, *("-ffreestanding -Os -ffunction-sections -fdata-sections -Icore -Iport/cortex_m -Iport/cortex_m_systick -Iport/smp "
                         "-Itools/trace -Itools/trace/systick -Iport/freertos -isystem test/support/freertos "
                         "-isystem test/freertos -DSTAND_IN_KERNEL=11 -isystem test/check/vendor").split()]
warnings = "-include vendor.h -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wno-unused -Werror".split()
c = ["arm-none-eabi-gcc", "-std=c11"]
cpp = ["arm-none-eabi-g++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-unwind-tables"]
languages = {"c": [*c, "-xc"], "cpp": [*cpp, "-xc++"]}
board = "mps2-an385"
emulator = "qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio -semihosting-config enable=on,target=native " \
           "-icount shift=3,align=off,sleep=off -kernel".split()
seconds_to_run = 60


def blocks(page):
    """Each block's first line's number, language and text."""
    for found in re.finditer(r"^ *```(.*)\n((?:.*\n)*?) *```$", page, re.M):
        yield page.count("\n", 0, found.start()) + 2, found[1].strip(), found[2]


def complaints(language, text, where, *to):
    run = subprocess.run([*languages[language], *compile_flags, *warnings, *(to or ["-fsyntax-only"]), "-"],
                         input=f'#line {where[1]} "{where[0]}"\n{text}', capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else ""


def as_body(text):
    is_include = re.compile(r"^ *#include.*\n", re.M)
    return "".join(is_include.findall(text)) + f"void fragment(void);\nvoid fragment(void)\n{{\n{is_include.sub('', text)}}}\n"


def build(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)


def firmware():
    """All of a firmware but its program. The sources are archives, so a program takes only the handlers that it asks for."""
    work.mkdir(parents=True, exist_ok=True)
    for name, sources in (("board", [*Path("boards/startup").glob("*.cpp"), *Path("boards", board).glob("*.cpp")]),
                          ("program", ["test/check/whole_program.cpp"]), ("wheel", Path("core").glob("*[!g].cpp")),
                          ("systick", Path("port/cortex_m_systick").glob("*.cpp"))):
        build(*cpp, *compile_flags, "-I.", "-r", "-nostdlib", *map(str, sources), "-o", str(work / f"{name}.o"))
    (work / "libsystick.a").unlink(missing_ok=True)
    build("arm-none-eabi-ar", "rcsD", str(work / "libsystick.a"), str(work / "systick.o"), str(work / "wheel.o"))


def failure_of_run(language, text, where):
    """What goes wrong with a whole program. It ends by itself when its lamp has blinked."""
    wrong = complaints(language, text, where, "-c", "-o", str(work / "main.o"))
    if wrong:
        return wrong
    linked = subprocess.run([*cpp, *cpu, "-nostdlib", "-nostartfiles", "-Wl,--gc-sections", "-T", f"linker/{board}.ld",
                             *(str(work / f"{name}.o") for name in ("main", "board", "program")),
                             str(work / "libsystick.a"), "-lgcc", "-o", str(work / "program.elf")], capture_output=True, text=True)
    if linked.returncode != 0:
        return f"{where[0]}:{where[1]}: the program does not link\n{linked.stderr}"
    try:
        ran = subprocess.run([*emulator, str(work / "program.elf")], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=seconds_to_run)
    except subprocess.TimeoutExpired:
        return f"{where[0]}:{where[1]}: the program runs, and its lamp does not blink\n"
    return f"{where[0]}:{where[1]}: the program ends with exit code {ran.returncode}\n{ran.stdout}" if ran.returncode != 0 else ""


def anchors(page):
    """The headings of a page, as GitHub makes links of them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^ *```.*?^ *```$", "", page, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(name, page):
    text = re.sub(r"^ *```.*?^ *```$|`[^`]*`", lambda found: "\n" * found[0].count("\n"), page, flags=re.M | re.S)
    for found in re.finditer(r"\]\(([^)\s]+)\)", text):
        path, _, heading = found[1].partition("#")
        target = Path(name).parent / path if path else Path(name)
        where = f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
        if re.match(r"\w+:", found[1]):
            continue
        if not target.exists():
            print(f"{where}: {found[1]} leads nowhere")
        elif heading and heading not in anchors(target.read_text()):
            print(f"{where}: {target} has no heading '{heading}'")


def unknown_commands(name, page, known):
    """Each `make goal` of a page that make help does not list. `make -C` is another Makefile's."""
    for found in re.finditer(r"`make ([a-z][\w-]*)", page):
        if found[1] not in known:
            print(f"{name}:{page.count(chr(10), 0, found.start()) + 1}: make help does not list {found[1]}")


# Beside the goals of make help: those that it names in a description.
known = set(re.findall(r"[\w-]+", subprocess.run(["make", "--no-print-directory", "help"], check=True, capture_output=True, text=True).stdout))
pages = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True).stdout.split()
compiled = ran = 0
firmware()
for name in pages:
    page = Path(name).read_text()
    dead_links(name, page)
    unknown_commands(name, page, known)
    for line, language, text in blocks(page):
        if language in languages:
            if re.search(r"^int main\(", text, re.M):
                print(failure_of_run(language, text, (name, line)), end="")
                ran += 1
            else:
                wrong = complaints(language, text, (name, line))
                if wrong and complaints(language, as_body(text), (name, line)):
                    print(wrong, end="")
            compiled += 1
        elif language:
            print(f"{name}:{line}: no rule says how to check a block of '{language}'")
        elif re.search(r"^ *#include|;$", text, re.M):
            print(f"{name}:{line}: code in a block without a language")
if compiled == 0 or ran < 2:
    sys.exit(f"{compiled} blocks and {ran} programs were found: too few")
