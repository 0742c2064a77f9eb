#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a page as Doxygen reads it. Each heading gets the label that links to it have, so that no address depends on
where the project lies. A link to a page or a heading of the project names that label. A picture is an <img>, because the
<object> that Doxygen makes of it is white where the page is dark.

    page.py docs/recipes.md"""
import os
import re
import sys
from pathlib import Path

# Files and folders that have a page. A link to another one becomes its words.
on_site = tuple(Path("tools/docs/Doxyfile").read_text().partition("\nINPUT ")[2].partition("\nUSE_")[0].replace("\\", "").split()[1:])


def label(page, heading=""):
    page = re.sub(r"\W+", "-", os.path.splitext(page)[0])
    # Doxygen has its own name for the first page.
    return f"{page}--{heading}" if heading else {"docs-README": "index"}.get(page, page)


def label_of(heading):
    """The label that GitHub makes of a heading, and that links in the pages have."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def text_for_doxygen(page, text):
    headings = 0

    def heading(found):
        nonlocal headings
        headings += 1
        name = label(page) if headings == 1 else label(page, label_of(found[2]))
        return found[0] if name == "index" else f"{found[0]} {{#{name}}}"

    def link(found):
        path, _, target = found[2].partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not path.startswith(on_site) or not path.endswith((".md", ".h", ".hpp")):
            return found[1]
        return f"[{found[1]}](@ref {label(path, target) if path.endswith('.md') else path.removeprefix('core/')})"

    text = re.sub(r"^(#+) (.*)$", heading, text, flags=re.M)
    text = re.sub(r"!\[([^]]*)\]\((?:\S*/)?([^)/\s]+)\)", r'<img src="\2" alt="\1">', text)
    return re.sub(r"\[([^]]*)\]\((?!\w+:)([^)\s]+)\)", link, text)


def main():
    page = os.path.relpath(sys.argv[1])
    # Code stays as it is, but for what stands behind the language of a block.
    parts = re.split(r"(^ *```.*?^ *```$|`[^`]*`)", Path(page).read_text(), flags=re.M | re.S)
    outside = "\0".join(parts[::2])
    outside = text_for_doxygen(page, outside).split("\0")
    code = [re.sub(r"\A( *```\w+) .*", r"\1", part) for part in parts[1::2]]
    # On the site the command is a link to what it makes.
    code = ["[the wheel](wheel.html)" if part == "`make page`" else part for part in code]
    print("".join(part for pair in zip(outside, [*code, ""]) for part in pair), end="")


main()
