# SPDX-License-Identifier: MIT
"""Reads the headers for C by the rules of MISRA C:2012 that cppcheck knows, as misra.c uses them. Prints how many messages
each rule has. Fails if docs/assurance.md has no reason for a rule, if a reason is left over, or if misra.c leaves out a macro
with arguments. With --check it prints only what fails."""
import collections
import re
import subprocess
import sys
from pathlib import Path

SOURCE, PAGE = Path("test/check/misra.c"), Path("docs/assurance.md")
# Those of config.h are for the headers and the library.
HEADERS = [*set(Path("core/tickwheel").glob("*.h")) - {Path("core/tickwheel/config.h")},
           Path("port/cortex_m_systick/tickwheel/systick.h")]
# A 32-bit core, and GCC for a firmware in C.
CPPCHECK = "cppcheck --addon=misra --quiet --std=c11 --language=c --platform=unix32 --suppress=missingIncludeSystem " \
           "--template={id}|{file}:{line} -D__GNUC__=12 -D__ELF__ -D__STDC_HOSTED__=0 -U__cplusplus " \
           "-Icore -Iport/cortex_m_systick".split()


def in_c(text):
    """A header without the parts that C does not see."""
    return re.sub(r"^#ifdef __cplusplus$.*?^#(else|endif)", "", text, flags=re.M | re.S)


ran = subprocess.run([*CPPCHECK, str(SOURCE)], capture_output=True, text=True, check=True)
places = collections.defaultdict(list)
errors = []
for line in ran.stderr.splitlines():
    found = re.fullmatch(r"misra-c2012-([\d.]+)\|(.*)", line)
    if found:
        places[found[1]].append(found[2])
    else:
        errors.append(line)
reasons = set(re.findall(r"^\| (\d+\.\d+) \| .+ \|$", PAGE.read_text(), re.M))
for rule in sorted(places, key=lambda rule: [int(part) for part in rule.split(".")]):
    if "--check" not in sys.argv:
        print(f"{len(places[rule]):4}  rule {rule}")
    if rule not in reasons:
        errors.append(f"{PAGE} has no reason for rule {rule}: {' '.join(places[rule])}")
errors += [f"{PAGE}: rule {rule} has no message" for rule in sorted(reasons - places.keys())]
used = SOURCE.read_text()
for header in HEADERS:
    names = re.findall(r"^#define (\w+[^\W_])\(", in_c(header.read_text()), re.M)
    errors += [f"{SOURCE} leaves out {name} of {header}" for name in names if name + "(" not in used]
sys.exit("\n".join(errors) or 0)
