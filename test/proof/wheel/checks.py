#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the formulas of invariants.py as C++, for one geometry: checks.py 86. test/support/proved.hpp calls them."""
import sys

try:
    import z3  # noqa: F401
except ImportError:
    print("Without the package python3-z3 no test looks at the invariants.", file=sys.stderr)
    sys.exit(0)
import invariants
import wheel
from levels import Geometry
from sections import Wheel
from z3 import (Z3_OP_CONCAT, Z3_OP_EXTRACT, Z3_OP_ITE, Z3_OP_SIGN_EXT, Z3_OP_UNINTERPRETED, Z3_OP_ZERO_EXT, is_bool,
                is_bv_value)

CALLS = {"bvadd": "+", "bvsub": "-", "bvand": "&", "bvor": "|", "bvxor": "^", "bvshl": "<<", "bvlshr": ">>", "and": "&&",
         "or": "||", "bvuge": ">=", "bvugt": ">", "bvule": "<=", "bvult": "<", "=": "==", "distinct": "!="}
SIGNED = {"bvsge": ">=", "bvsgt": ">", "bvsle": "<=", "bvslt": "<"}
# The runner's counts are not seen from outside, and no claim that names them is checked.
HIDDEN = ("the budget has 31 bits",)


class Writer:
    """Each term becomes a local variable, once."""

    def __init__(self):
        self.names, self.lines, self.variables = {}, [], {}

    def name(self, term):
        if term.get_id() not in self.names:
            text = self.text(term)
            kind = "bool" if is_bool(term) else "uint64_t"
            if not is_bool(term) and term.size() < 64:
                text = f"({text}) & {hex((1 << term.size()) - 1)}u"
            # The term is kept, because z3 gives its number to another when it is gone.
            self.names[term.get_id()] = f"t{len(self.lines)}", term
            self.lines.append(f"    const {kind} t{len(self.lines)} = {text};")
        return self.names[term.get_id()][0]

    def text(self, term):
        kind, name = term.decl().kind(), term.decl().name()
        if is_bv_value(term):
            return f"{hex(term.as_long())}u"
        if name in ("true", "false"):
            return name
        if kind == Z3_OP_UNINTERPRETED:
            self.variables[name] = "bool" if is_bool(term) else "uint64_t"
            return f"w.{name}"
        parts = [self.name(one) for one in term.children()]
        if name in CALLS:
            return f" {CALLS[name]} ".join(parts)
        if name in SIGNED:
            size = term.arg(0).size()
            return f"extended({parts[0]}, {size}) {SIGNED[name]} extended({parts[1]}, {size})"
        if name in ("not", "bvnot", "bvneg"):
            return {"not": "!", "bvnot": "~", "bvneg": "0 - "}[name] + parts[0]
        if name == "=>":
            return f"!{parts[0]} || {parts[1]}"
        if kind == Z3_OP_ITE:
            return f"{parts[0]} ? {parts[1]} : {parts[2]}"
        if kind == Z3_OP_EXTRACT:
            return f"{parts[0]} >> {term.params()[1]}"
        if kind == Z3_OP_ZERO_EXT:
            return parts[0]
        if kind == Z3_OP_SIGN_EXT:
            return f"static_cast<uint64_t>(extended({parts[0]}, {term.arg(0).size()}))"
        if kind == Z3_OP_CONCAT:
            text = parts[0]
            for part, one in zip(parts[1:], term.children()[1:]):
                text = f"({text}) << {one.size()} | {part}"
            return text
        raise ValueError(f"no C++ for {name}")


def function(name, claims, variables):
    writer = Writer()
    for title, claim in claims:
        if title not in HIDDEN:
            writer.lines.append(f"    if (!{writer.name(claim)}) {{\n        return \"{title}\";\n    }}")
    variables.update(writer.variables)
    body = "\n".join(writer.lines)
    return f"inline const char *{name}([[maybe_unused]] const words &w)\n{{\n{body}\n    return nullptr;\n}}\n"


def main():
    geometry = Geometry(*map(int, sys.argv[1]))
    variables, functions, tables = {}, [], []
    for what, claims_of in (("clock", invariants.of_clock), ("timer", lambda w: invariants.of_timer(w, w.a)),
                            ("pair", invariants.of_pair)):
        for number, place in enumerate(wheel.PLACES):
            functions.append(function(f"{what}_{number}", claims_of(Wheel(geometry, place)), variables))
        names = ", ".join(f"{what}_{number}" for number in range(len(wheel.PLACES)))
        tables.append(f"constexpr const char *(*of_{what}[])(const words &) = {{{names}}};")
    places = ", ".join(place.replace(" ", "_") for place in wheel.PLACES)
    fields = "\n".join(f"    {kind} {name} = {{}};" for name, kind in sorted(variables.items()))
    print("// Written by test/proof/wheel/checks.py.", "#define TICKWHEEL_TEST_PROVED 1", "#include <stdint.h>",
          "namespace proved", "{", f"enum place {{{places}}};",
          f"constexpr unsigned levels = {len(geometry.levels)};", f"struct words {{\n{fields}\n}};",
          "constexpr int64_t extended(uint64_t value, unsigned bits)\n{\n"
          "    return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);\n}", *functions, *tables, "}", sep="\n")


if __name__ == "__main__":
    sys.exit(main())
