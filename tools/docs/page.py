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

# Each stands for a piece of code while the text around it is changed.
CODE, CODE_IN_LINK = "\0", "\1"
# Files and folders that have a page. A link to another one becomes its words.
on_site = tuple(Path("tools/docs/Doxyfile").read_text().partition("\nINPUT ")[2].partition("\nUSE_")[0].replace("\\", "").split()[1:])


def label(page, heading=""):
    page = re.sub(r"\W+", "-", os.path.splitext(page)[0])
    # Doxygen has its own name for the first page.
    return f"{page}--{heading}" if heading else {"README": "index"}.get(page, page)


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
        # Doxygen wants the words of a link in one line.
        words = " ".join(found[1].replace(CODE, CODE_IN_LINK).split())
        return f"[{words}](@ref {label(path, target) if path.endswith('.md') else path.removeprefix('core/')})"

    # Doxygen shows code as text between double quotes.
    text = re.sub(r"^(#+) (.*)$", heading, text.replace('"', "&quot;"), flags=re.M)
    text = re.sub(r"!\[([^]]*)\]\((?:\S*/)?([^)/\s]+)\)", r'<img src="\2" alt="\1">', text)
    return re.sub(r"\[([^]]*)\]\((?!\w+:)([^)\s]+)\)", link, text)


def code_for_doxygen(code, in_link):
    """Code stays as it is, but for what stands behind the language of a block. Doxygen ends code of one backquote at an
    apostrophe, and shows the backquotes in the text of a link."""
    if code.lstrip().startswith("```"):
        return re.sub(r"\A( *```\w+) .*", r"\1", code)
    # On the site the command is a link to what it makes.
    if code == "`make page`":
        return "[the wheel](wheel.html)"
    words = re.sub(r"\A(`+)(.*)\1\Z", r"\2", code, flags=re.S)
    return words if in_link else f"``{words}``"


def main():
    page = os.path.relpath(sys.argv[1])
    parts = re.split(r"(^ *```.*?^ *```$|``[^`].*?``|`[^`]*`)", Path(page).read_text(), flags=re.M | re.S)
    outside, code = text_for_doxygen(page, CODE.join(parts[::2])), iter(parts[1::2])
    print(re.sub(f"[{CODE}{CODE_IN_LINK}]", lambda mark: code_for_doxygen(next(code), mark[0] == CODE_IN_LINK), outside), end="")


main()
