# SPDX-License-Identifier: MIT
"""Names of functions, short enough for a table."""

import re
import subprocess


def short(name):
    """A demangled name without templates, arguments and clones: slots::remove."""
    name = re.sub(r"\(anonymous namespace\)::|\[[^]]*\]", "", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"^.* (?=\S*\()|\(.*|^tickwheel::", "", name).replace("tickwheel::", "").strip()


def demangled(names):
    """The short name of each."""
    text = subprocess.run(["arm-none-eabi-c++filt"], input="\n".join(names), check=True, capture_output=True, text=True)
    return dict(zip(names, map(short, text.stdout.splitlines())))
