# SPDX-License-Identifier: MIT
"""Compiles every block of code in every tracked *.md, and prints what does not compile.

A block is a file of its own, with test/check/vendor/vendor.h in front; a block that is no file is the body of a
function, with its includes above that. Without a language it is text, and must not look like code; a language that no
rule here knows is an error.
"""
import re
import subprocess
import sys

flags = ("-mcpu=cortex-m3 -mthumb -ffreestanding -Os -fsyntax-only -Icore -Iport/cortex_m -Iport/cortex_m_systick "
         "-isystem test/check/vendor -include vendor.h -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wno-unused -Werror").split()
languages = {"c": ["arm-none-eabi-gcc", "-std=c11", "-xc"],
             "cpp": ["arm-none-eabi-g++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-xc++"]}


def blocks(page):
    """Each block's first line's number, language and text."""
    text = open(page).read()
    for found in re.finditer(r"^ *```(.*)\n((?:.*\n)*?) *```$", text, re.M):
        yield text.count("\n", 0, found.start()) + 2, found[1].strip(), found[2]


def complaints(language, text, where):
    run = subprocess.run([*languages[language], *flags, "-"], input=f'#line {where[1]} "{where[0]}"\n{text}',
                         capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else ""


def as_body(text):
    is_include = re.compile(r"^ *#include.*\n", re.M)
    return "".join(is_include.findall(text)) + f"void fragment(void);\nvoid fragment(void)\n{{\n{is_include.sub('', text)}}}\n"


pages = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True).stdout.split()
compiled = 0
for page in pages:
    for line, language, text in blocks(page):
        if language in languages:
            wrong = complaints(language, text, (page, line))
            if wrong and complaints(language, as_body(text), (page, line)):
                print(wrong, end="")
            compiled += 1
        elif language:
            print(f"{page}:{line}: no rule says how to check a block of '{language}'")
        elif re.search(r"^ *#include|;$", text, re.M):
            print(f"{page}:{line}: code in a block without a language")
if compiled == 0:
    sys.exit("no block was found")
