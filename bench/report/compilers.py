# SPDX-License-Identifier: MIT
"""Exact figures belong to a compiler, which each file of limits and the tables of docs/figures.md name. With that compiler every
limit binds, and a page must have each figure. With another one the figures are printed with its name, an average may be a
quarter over its limit, and no page is compared or written: a page keeps the compiler that it names until someone changes the
name.
"""
from pathlib import Path

from counts import output


def compiler_of(name):
    """A compiler as the limits and the page name it: arm-none-eabi-g++ 12.2.1."""
    option = "-dumpversion" if "clang" in name else "-dumpfullversion"
    return f"{Path(name).name} {output(name, option).strip()}"


def others(page, named, used):
    """Those of the compilers in use that a page does not name. It says so."""
    found = sorted(set(used) - set(named))
    if found:
        print(f"({page} has the figures of {', '.join(named)}; those of {', '.join(found)} are neither compared nor written)")
    return found
