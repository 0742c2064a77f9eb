# SPDX-License-Identifier: MIT
"""All mutants of the host's programs in one text: the number in the environment says which of them a run has."""
import json
import os
import pathlib
import re
import threading

import operators

OUT = pathlib.Path("build/mutants")
PARTS = ("core", "port")
# A constant expression cannot read the number, so the compiler names each place that has to be constant.
CHOICE = """
#ifdef __cplusplus
extern "C" int tickwheel_mutant_number;
constexpr
#else
extern int tickwheel_mutant_number;
static inline
#endif
__attribute__((always_inline)) int tickwheel_mutant(int n) { return n < 0 ? 0 : n == tickwheel_mutant_number; }
"""
NUMBER = """
#include <stdlib.h>
int tickwheel_mutant_number;
__attribute__((constructor(101))) static void choose(void) { tickwheel_mutant_number = atoi(getenv("TICKWHEEL_MUTANT")); }
"""


def write(path, text):
    """Leaves a file with this text alone: what was made of it is still good. Others may read it meanwhile."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{threading.get_ident()}")
        fresh.write_bytes(text)
        fresh.replace(path)


def lay(folder, texts):
    """core and port once more, with these texts in place of the files of their names. A file that is quoted in an #include
    is looked for beside the one that includes it, so a folder of the broken files alone would be passed by."""
    for part in PARTS:
        for file in pathlib.Path(part).rglob("*"):
            there = folder / file
            if str(file) in texts or not file.is_file() or there.is_symlink():
                continue
            there.parent.mkdir(parents=True, exist_ok=True)
            there.unlink(missing_ok=True)
            there.symlink_to(os.path.abspath(file))
    for file, text in texts.items():
        write(folder / file, text)


class Schemata:
    """The files with all their mutants, and which of these have to be compiled alone."""

    def __init__(self, mutants):
        self.folder, self.lock = OUT / "schemata", threading.Lock()
        self.mutants = {}
        for mutant in mutants:
            self.mutants.setdefault(mutant.file, []).append(mutant)
        self.texts = {file: None for file in self.mutants}
        self.numbers = {mutant.name: 1000 * index + number for index, file in enumerate(sorted(self.mutants), 1)
                        for number, mutant in enumerate(self.mutants[file])}
        self.alone = {mutant.name for mutant in mutants if mutant.function == "-"}
        self.known = self.folder / "alone.json"
        if self.known.exists():
            self.alone |= set(json.loads(self.known.read_text()))
        self.write()

    def write(self):
        texts = {}
        for file, mutants in self.mutants.items():
            inside = [(self.numbers[mutant.name], mutant) for mutant in mutants if mutant.name not in self.alone]
            texts[file] = operators.schema(pathlib.Path(file).read_bytes(), inside)
        lay(self.folder, texts)
        write(self.folder / "choice.h", CHOICE.encode())
        write(self.folder / "number.c", NUMBER.encode())
        write(self.known, json.dumps(sorted(self.alone)).encode())

    def leave_out(self, errors):
        """Compiles alone from now on: each mutant that an error names, and all mutants of a constant function, or of a function
        whose forbidden call stayed. False if the errors name none."""
        with self.lock:
            constant = re.findall(r"expansion of 'tickwheel_mutant\((\d+)\)'", errors)
            named = {int(number) for number in constant or re.findall(r"tickwheel_mutant\((\d+)\)", errors)}
            # C names the function alone, C++ its type and arguments too.
            said = errors if "declared with attribute error" in errors else ""
            calling = re.findall(r"In function '(?:[^'(]* )?(\w+)[('\[]", said)
            guilty = [mutant for mutants in self.mutants.values() for mutant in mutants
                      if self.numbers[mutant.name] in named or mutant.function in calling]
            functions = {(mutant.file, mutant.function) for mutant in guilty if constant}
            self.alone |= {mutant.name for mutants in self.mutants.values() for mutant in mutants
                           if mutant in guilty or (mutant.file, mutant.function) in functions}
            self.write()
            return bool(guilty)
