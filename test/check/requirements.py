# SPDX-License-Identifier: MIT
"""Writes the table of docs/assurance.md: the requirements of requirements.txt, each with the tests that show it and a mutant
that dies. A test shows a requirement if the line above it is the comment "requirement: TW-01". With --check it writes
nothing, and fails if the page has another table. It always fails if a requirement has no test, or if a mark, a mutant or a
file is wrong."""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append("test/mutants")
import operators  # noqa: E402

PAGE, SOURCE = Path("docs/assurance.md"), Path("test/check/requirements.txt")
BEGIN, END = "<!-- requirements -->\n", "<!-- end of requirements -->"
errors = []


def requirements():
    """{id: (from, mutant, figure, sentence)}"""
    found = {}
    for line in SOURCE.read_text().splitlines():
        if not line.startswith("#"):
            name, *rest = [cell.strip() for cell in line.split("|")]
            if len(rest) != 4 or not re.fullmatch(r"TW-\d\d", name) or name in found or not re.fullmatch(r".+\.", rest[3]):
                errors.append(f"{SOURCE}: not a new id, four columns and a sentence: {line}")
            else:
                found[name] = rest
    return found


def marked(known):
    """{id: the files whose tests name it}"""
    files = {name: [] for name in known}
    listed = subprocess.run(["git", "ls-files", "test"], capture_output=True, text=True, check=True).stdout
    for path in map(Path, listed.split()):
        if path.suffix in (".py", ".txt") or not path.exists():
            continue
        lines = path.read_text(errors="replace").splitlines()
        for mark, test in zip(lines, lines[1:] + [""]):
            names = re.fullmatch(r"(?://|#) requirement: (.*)", mark)
            if not names:
                continue
            if path.suffix in (".cpp", ".inc") and "_CASE(" not in test and "int main(" not in test:
                errors.append(f"{path}: no test below '{mark}'")
            for name in names[1].split(", "):
                if name not in files:
                    errors.append(f"{path}: there is no requirement {name}")
                elif path not in files[name]:
                    files[name].append(path)
    return files


def mutant(text, functions={}):
    """The name of a patch, or of a function that has mutants."""
    file, _, function = text.partition(" ")
    if not function:
        if f"\n{text}: " not in Path("test/mutants/patches.txt").read_text():
            errors.append(f"there is no mutant {text} in test/mutants/patches.txt")
        return f"`{text}`"
    if file not in functions:
        functions[file] = {one.function for one in operators.mutants_of(file)[0]} if Path(file).exists() else ()
    if function not in functions[file]:
        errors.append(f"{file} has no mutant in {function}")
    return f"each in `{function}()`"


def link(page):
    """To a section of a page, by its name. Another file has only its name."""
    file, _, section = page.partition("#")
    if file and not Path(file).exists():
        errors.append(f"there is no {file}")
    return f"[{section.replace('-', ' ')}](../{page})" if section else f"`{file.split('/')[-1]}`" if file else ""


def table(known):
    tests = marked(known)
    rows = ["| id | requirement | from | shown by | a mutant that dies | figure |", "|---|---|---|---|---|---|"]
    for name, (source, killed, figure, sentence) in known.items():
        if not tests[name]:
            errors.append(f"{name} has no test")
        shown = ", ".join(f"`{path.relative_to('test')}`" for path in tests[name])
        rows.append(f"| {name} | {sentence} | {link(source)} | {shown} | {mutant(killed)} | {link(figure)} |")
    return "\n".join(rows) + "\n"


def main():
    text = PAGE.read_text()
    before, begin, rest = text.partition(BEGIN)
    after = rest[rest.find(END):]
    if not begin or END not in rest:
        sys.exit(f"{PAGE} has no place for the table")
    page = before + begin + table(requirements()) + after
    if "--check" not in sys.argv:
        PAGE.write_text(page)
    elif page != text:
        errors.append(f"{PAGE} is stale: run make requirements")
    sys.exit("\n".join(errors) or 0)


main()
