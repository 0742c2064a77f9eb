#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the page together in one file, so that it works without a server: the styles and scripts that page.html names, and
the compiled core as base64.

    assemble.py page.html core.wasm index.html"""
import base64
import re
import sys
from pathlib import Path

source, core, target = map(Path, sys.argv[1:])


def inline(tag):
    """A function that replaces a reference to a file by an element that holds its text."""
    def element(reference):
        text = (source.parent / reference[1]).read_text()
        # The browser would take this for the end of the element.
        assert "</" + tag not in text, reference[1]
        return f"<{tag}>\n{text}</{tag}>"
    return element


page = source.read_text()
page = re.sub(r'<link rel="stylesheet" href="([^"]+)">', inline("style"), page)
page = re.sub(r'<script src="([^"]+)"></script>', inline("script"), page)
page = page.replace("{{core}}", base64.b64encode(core.read_bytes()).decode())
target.write_text(page)
