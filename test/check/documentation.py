# SPDX-License-Identifier: MIT
"""Runs make site, and prints what is wrong: a public header or a page of the manual that has no page in build/site, a dead
link, an address that depends on where the project lies, Markdown that a reader sees as text, a page with two names, a call
without a summary. Doxygen itself reports what has no description. Then a call that only the headers or only docs/api.md has,
and a report of docs/debugging.md that no source makes."""
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from html import unescape
from pathlib import Path
from urllib.parse import unquote

html, described = Path("build/site"), Path("build/check/documentation")
headers = "linux/timer.h linux/jiffies.h tickwheel/timer.h tickwheel/jiffies.h linux_jiffies.h tickwheel.h config.h systick.h " \
          "timer.hpp periodic_timer.hpp inactivity_timer.hpp long_timer.hpp chrono.hpp wheel.hpp geometry.hpp hooks.hpp " \
          "lock.hpp tickless.hpp counter_tick.hpp core_wheel.hpp port.hpp".split()
# The columns of docs/api.md, and the headers of each.
columns = {"C": r"core/tickwheel/(tickwheel|jiffies)\.h|.*/systick\.h", "Linux": r"core/tickwheel/(timer|linux_jiffies)\.h",
           "C++": r"core/tickwheel/(\w*timer|chrono)\.hpp|.*/counter_tick\.hpp"}


def dead_links(pages):
    """Doxygen itself reports an anchor that is not there."""
    for name, text in pages.items():
        for address in re.findall(r'(?:href|src|data)="([^":#]+)["#]', text):
            if not (html / unquote(address)).exists():
                print(f"{name}: {address} leads nowhere")


def markdown_in_the_text(pages):
    """A backquote outside code, a table that is a paragraph, and Doxygen's own command for the end of a line."""
    code = re.compile(r'<(code|pre|script|style)\b.*?</\1>|<div class="fragment">.*?</div><!-- fragment -->', re.S)
    for name, text in pages.items():
        for line in unescape(re.sub("<[^>]*>", "", code.sub("", text))).splitlines():
            if re.search(r"`|\\ilinebr|\| *:?[-–—]", line):
                print(f"{name} shows Markdown: {line.strip()[:100]}")


def pages_with_two_names():
    """docs/README.md calls a page by its heading."""
    for words, page in re.findall(r"^\| \[(.*?)\]\((.*?)\)", Path("docs/README.md").read_text(), re.M):
        heading = Path("docs", page).read_text().partition("\n")[0].removeprefix("# ")
        if words != heading:
            print(f"docs/README.md calls {page} '{words}' and not '{heading}'")


def calls():
    """Each public function, and each macro that stands for one: its name, its header, the struct or class, and its element."""
    for path in sorted(described.glob("*.xml")):
        for compound in xml.parse(path).iter("compounddef"):
            for member in compound.iter("memberdef"):
                deleted = "=delete" in (member.findtext("argsstring") or "")
                called = member.get("kind") == "function" or member.get("kind") == "define" and (
                    member.find("param") is not None or member.findtext("name").islower())
                if called and member.get("prot") == "public" and not deleted:
                    yield member.findtext("name"), member.find("location").get("file"), compound, member


def called_by_a_user(name, compound, arguments):
    """False for constructors, operators, deduction guides and the inside of templates."""
    kind, class_name = compound.get("kind"), compound.findtext("compoundname").split("::")[-1]
    return name != class_name and not name.startswith(("~", "operator", "duration_longer_than_")) and \
        (kind != "struct" or class_name == "jiffies_clock") and (kind != "namespace" or "->" not in arguments)


def calls_in_the_table():
    """The calls in the columns of docs/api.md whose headings begin with C, Linux or C++."""
    told, faces = {face: set() for face in columns}, []
    for line in Path("docs/api.md").read_text().splitlines():
        cells = line.strip("|").split("|") if line.startswith("|") else []
        faces = faces[:len(cells)] or [re.match(r" (C\+\+|C|Linux|)", cell)[1] for cell in cells]
        for face, cell in zip(faces, cells):
            told.get(face, set()).update(re.findall(r"`(?:\w+::)?(\w+)(?:<[^>]*>)?\(", cell))
    return told


run = subprocess.run(["make", "--no-print-directory", "site"], capture_output=True, text=True)
if run.returncode != 0:
    sys.exit(run.stdout + run.stderr)
pages = {path.name: path.read_text() for path in sorted(html.glob("*.html"))}
for part in ("timer wheel", "out of order", "SysTick_Handler", "MIT licence"):
    if part not in re.sub(r"(?s).*?<div class=\"contents\">", "", pages["index.html"]):
        print(f"the first page does not say {part}")
for header in headers:
    name = header.replace("_", "__").replace("/", "_2").replace(".", "_8") + ".html"
    if name not in pages:
        print(f"{header} has no page")
for page in Path("docs").glob("*.md"):
    if f"docs-{page.stem}.html" not in pages:
        print(f"{page} has no page")
dead_links(pages)
markdown_in_the_text(pages)
pages_with_two_names()
as_address = "md_" + re.sub(r"\W", "_", str(Path.cwd()))
for name, text in pages.items():
    if f"{Path.cwd()}/" in text or as_address in text or as_address in name:
        print(f"{name} has the path of this folder")

described.mkdir(parents=True, exist_ok=True)
settings = Path("tools/docs/Doxyfile").read_text() + \
    f"GENERATE_HTML = NO\nGENERATE_XML = YES\nOUTPUT_DIRECTORY = .\nXML_OUTPUT = {described}\n"
subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
declared = {face: set() for face in columns}
for name, header, compound, member in calls():
    if not "".join(member.find("briefdescription").itertext()).strip():
        print(f"{header}:{member.find('location').get('line')}: {name} has no summary")
    for face, pattern in columns.items():
        if re.fullmatch(pattern, header) and called_by_a_user(name, compound, member.findtext("argsstring") or ""):
            declared[face].add(name)
for face, told in calls_in_the_table().items():
    if len(declared[face]) < 10:
        sys.exit(f"documentation.py finds no calls in the headers of {face}")
    declared[face] = {name for name in declared[face] if face != "C" or name.startswith("tickwheel_")}
    for name in sorted(told ^ declared[face]):
        print(f"docs/api.md, {face}: {name}() is only in the " + ("table" if name in told else "headers"))

sources = "".join(path.read_text() for folder in ("core", "port") for path in sorted(Path(folder).rglob("*.[ch]*")))
rows = Path("docs/debugging.md").read_text().partition("### What the reports mean")[2].partition("\n## ")[0]
reports = [report for row in re.findall(r"^\| (`[^|]*) \|", rows, re.M) for report in re.findall("`([^`]*)`", row)]
for report in reports:
    if f'"{report}' not in sources and f'{report}"' not in sources:
        print(f"docs/debugging.md: no source reports '{report}'")
if len(reports) < 10:
    sys.exit("documentation.py finds no reports in docs/debugging.md")
