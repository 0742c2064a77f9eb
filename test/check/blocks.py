# SPDX-License-Identifier: MIT
"""Checks the tracked *.md, and prints what is wrong: code that does not compile, programs that do not run, dead links, tables
that are paragraphs. In the sources in C and C++ too: files that do not exist, commands that make does not know.

A block of code is a file of its own, with test/check/vendor/vendor.h in front. One that includes hooks belongs to a build with
hooks; if it defines tickwheel_hooks, it is the file that the library includes. A block that is no file is the body of a
function, with its includes above that. A block with a main() is a whole program: it is linked with whole_program.cpp
for an emulated Cortex-M3, and run; one of "cpp riscv" for an emulated RV32IMAC. A block without a language is text, and must
not look like code. A language that no rule here knows is an error.
"""
import itertools
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

work = Path("build/check/blocks")
freestanding = "-ffreestanding -Os -ffunction-sections -fdata-sections -Icore".split()
warnings = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wno-unused -Werror".split()
without_runtime = "-std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables".split()
emulator = "-display none -monitor none -serial stdio -semihosting-config enable=on,target=native " \
           "-icount shift=3,align=off,sleep=off -kernel".split()
seconds_to_run = 60


class Target:
    """Where the blocks of some languages run: a compiler, an emulated board and its sources."""
    def __init__(self, prefix, cpu, abi, flags, board, startup, command):
        self.cpu, self.board, self.work = cpu, board, work / board
        self.flags = [*abi.split(), *freestanding, *flags.split()]
        self.c, self.cpp = [f"{prefix}gcc", "-std=c11"], [f"{prefix}g++", *without_runtime]
        self.sources = [*startup, f"boards/{board}/board.cpp", "test/check/whole_program.cpp"]
        self.command = [*command.split(), *emulator]

    def archives(self):
        made = subprocess.run(["make", "--no-print-directory", "lib", f"CPU={self.cpu}"], check=True, capture_output=True, text=True)
        return re.findall(r"^build/lib/.*\.a$", made.stdout, re.M)


cortex_m = Target("arm-none-eabi-", "cortex-m3", "-mcpu=cortex-m3 -mthumb",
                  "-Iport/cortex_m -Iport/cortex_m_systick -Iport/smp -Iport/one_shot/pico "
                  "-Iport/freertos -isystem test/support/freertos -isystem test/freertos -DSTAND_IN_KERNEL=11 -isystem test/check/vendor "
                  "-isystem test/support/pico_sdk",
                  "mps2-an385", map(str, Path("boards/startup").glob("*.cpp")), "qemu-system-arm -M mps2-an385")
riscv = Target("riscv64-unknown-elf-", "rv32imac", "-march=rv32imac -mabi=ilp32 -mcmodel=medany",
               "-Iport/riscv -Iport/riscv_clint -isystem test/check/vendor",
               "riscv-virt", ["boards/startup/riscv/riscv.cpp", "boards/startup/memory.cpp"], "qemu-system-riscv32 -bios none -M virt")
languages = {"c": (cortex_m, [*cortex_m.c, "-xc"]), "cpp": (cortex_m, [*cortex_m.cpp, "-xc++"]),
             "cpp riscv": (riscv, [*riscv.cpp, "-xc++"])}


def blocks(page):
    """Each block's first line's number, language and text."""
    for found in re.finditer(r"^ *```(.*)\n((?:.*\n)*?) *```$", page, re.M):
        yield page.count("\n", 0, found.start()) + 2, found[1].strip(), found[2]


def complaints(language, text, where, *to):
    text, hooks = f'#line {where[1]} "{where[0]}"\n{text}', []
    if "hooks.hpp>" in text:
        hooks = ["-DTICKWHEEL_HOOKS=1"]
        if "struct tickwheel_hooks " in text:
            folder = Path("build/check/hooks")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "tickwheel_hooks.hpp").write_text(text)
            hooks += ["-I", str(folder)]
            text = "#include <tickwheel/hooks.hpp>\n"
    target, compiler = languages[language]
    run = subprocess.run([*compiler, *hooks, *target.flags, *warnings, "-include", "vendor.h", *(to or ["-fsyntax-only"]), "-"],
                         input=text, capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else ""


def as_body(text):
    is_include = re.compile(r"^ *#include.*\n", re.M)
    return "".join(is_include.findall(text)) + f"void fragment(void);\nvoid fragment(void)\n{{\n{is_include.sub('', text)}}}\n"


def failure_of_run(language, text, where):
    """The faults of a whole program, which ends by itself when its lamp has blinked."""
    target, _ = languages[language]
    target.work.mkdir(parents=True, exist_ok=True)
    main, elf = str(target.work / "main.o"), str(target.work / "program.elf")
    wrong = complaints(language, text, where, "-c", "-o", main)
    if wrong:
        return wrong
    linked = subprocess.run([*target.cpp, *target.flags, "-I.", "-nostdlib", "-nostartfiles", "-Wl,--gc-sections", "-T",
                             f"linker/{target.board}.ld", main, *target.sources, *target.archives(), "-lgcc", "-o", elf],
                            capture_output=True, text=True)
    if linked.returncode != 0:
        return f"{where[0]}:{where[1]}: the program does not link\n{linked.stderr}"
    ran = subprocess.run(["test/with_limit", str(seconds_to_run), *target.command, elf],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ran.returncode in (-signal.SIGXCPU, 124):
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


def broken_tables(name, page):
    """Each line of a table must be a row with as many cells as its head, or the rest of the table is a paragraph."""
    lines = re.sub(r"^ *```.*?^ *```$|(`+).*?\1", lambda found: "\n" * found[0].count("\n"), page, flags=re.M | re.S).split("\n")
    cells = lambda line: len(re.findall(r"(?<!\\)\|", line)) if re.match(r" *\|.*\| *$", line) else 0
    for number, line in enumerate(lines):
        if re.search(r"\| *:?--+:? *\|", line):
            below = itertools.takewhile(lambda row: row.strip() and not row.startswith("<!--"), lines[number + 1:])
            if not re.fullmatch(r" *(\| *:?-+:? *)+\| *", line) or {cells(row) for row in (lines[number - 1], *below)} != {cells(line)}:
                print(f"{name}:{number + 1}: this table is a paragraph")


def dead_names(name, text):
    """Each file that a page or a source names, and that is not there. The compiler looks for what a source includes."""
    for found in re.finditer(r"(?<![\w/.*$}<\"-])((?:[\w.-]+/)*[a-zA-Z][\w-]*\.(?:md|hpp|cpp|py|mk)|(?:test|tools|boards|bench|make)/[\w/.-]*\w)(?![\w*]|\.\w)",
                             text):
        path = found[1]
        if Path(name).parent.joinpath(path).exists() or Path(path).exists() or any(f"/{known}".endswith(f"/{path}") for known in tracked):
            continue
        print(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: there is no {path}")


def unknown_commands(name, text):
    """Each `make goal` that make help-all does not list. `make -C` is another Makefile's."""
    for found in re.finditer(r"`make\s(?:\s*(?://|\*)?\s*)([a-z][\w-]*)", text):
        if found[1] not in goals:
            print(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: make help-all does not list {found[1]}")


def listed(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], check=True, capture_output=True, text=True).stdout.split()


goals = set(re.findall(r"make ([a-z][\w-]*)", subprocess.run(["make", "--no-print-directory", "help-all"], check=True, capture_output=True,
                                                           text=True).stdout)) | {"help", "help-all"}
tracked = listed()
for name in listed("*.h", "*.hpp", "*.c", "*.cpp"):
    source = re.sub(r"^ *#.*", "", Path(name).read_text(), flags=re.M)
    dead_names(name, source)
    unknown_commands(name, source)
pages = listed("*.md")
compiled = ran = 0
shutil.rmtree(work, ignore_errors=True)
for name in pages:
    page = Path(name).read_text()
    dead_links(name, page)
    broken_tables(name, page)
    dead_names(name, page)
    unknown_commands(name, page)
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
