# SPDX-License-Identifier: MIT
"""Runs make site, and prints what is wrong with build/site: a public header or a page of the manual that has no page, a dead
link, an address that depends on where the project lies, a call without a summary. Doxygen itself reports what has no
description."""
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from urllib.parse import unquote

html, described = Path("build/site"), Path("build/check/documentation")
headers = "linux/timer.h linux/jiffies.h tickwheel/timer.h tickwheel/jiffies.h linux_jiffies.h tickwheel.h config.h systick.h " \
          "timer.hpp periodic_timer.hpp long_timer.hpp chrono.hpp wheel.hpp geometry.hpp hooks.hpp lock.hpp tickless.hpp " \
          "counter_tick.hpp core_wheel.hpp port.hpp".split()


def addresses(text):
    """The anchors of a page, and the addresses that it links to."""
    return set(re.findall(r'(?:id|name)="([^"]+)"', text)), re.findall(r'(?:href|src|data)="([^"]+)"', text)


def dead_links(pages):
    anchors = {name: addresses(text)[0] for name, text in pages.items()}
    for name, text in pages.items():
        for address in addresses(text)[1]:
            path, _, anchor = unquote(address).partition("#")
            path = path or name
            if re.match(r"\w+:", address):
                continue
            if not (html / path).exists():
                print(f"{name}: {address} leads nowhere")
            elif anchor and anchor not in anchors.get(path, ()):
                print(f"{name}: {path} has no '{anchor}'")


def calls_without_summary():
    """Each function and macro of the public headers, but for a function that nobody can call."""
    found = 0
    for path in sorted(described.glob("*.xml")):
        for member in xml.parse(path).iter("memberdef"):
            is_call = member.get("kind") in ("function", "define") and member.get("prot") == "public"
            if is_call and "=delete" not in (member.findtext("argsstring") or ""):
                found += 1
                if not "".join(member.find("briefdescription").itertext()).strip():
                    where = member.find("location")
                    print(f"{where.get('file')}:{where.get('line')}: {member.findtext('name')} has no summary")
    return found


run = subprocess.run(["make", "--no-print-directory", "site"], capture_output=True, text=True)
if run.returncode != 0:
    sys.exit(run.stdout + run.stderr)
pages = {path.name: path.read_text() for path in sorted(html.glob("*.html"))}
if "timer wheel for bare-metal firmware" not in re.sub(r"(?s).*?<div class=\"contents\">", "", pages["index.html"]):
    print("the front page is blank")
for header in headers:
    name = header.replace("_", "__").replace("/", "_2").replace(".", "_8") + ".html"
    if name not in pages:
        print(f"{header} has no page")
for page in Path("docs").glob("*.md"):
    if page.stem != "README" and f"docs-{page.stem}.html" not in pages:
        print(f"{page} has no page")
dead_links(pages)
as_address = "md_" + re.sub(r"\W", "_", str(Path.cwd()))
for name, text in pages.items():
    if f"{Path.cwd()}/" in text or as_address in text or as_address in name:
        print(f"{name} has the path of this folder")
described.mkdir(parents=True, exist_ok=True)
settings = Path("core/Doxyfile").read_text() + f"GENERATE_HTML = NO\nGENERATE_XML = YES\nOUTPUT_DIRECTORY = .\nXML_OUTPUT = {described}\n"
subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
if calls_without_summary() < 100:
    sys.exit("documentation.py finds no calls")
