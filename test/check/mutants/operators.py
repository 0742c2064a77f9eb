# SPDX-License-Identifier: MIT
"""The standard operators, applied to every place in a source file that clang's syntax tree names: relational, logical,
arithmetic and bit operators, constants, negated conditions, deleted statements. A template that nobody instantiates has
a tree too, so every header is read on its own."""
import os
import pathlib
import re
import subprocess
from typing import NamedTuple

import clang.cindex
from clang.cindex import CursorKind as Kind

# The boundary, and the opposite.
RELATIONAL = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
LOGICAL = {"&&": ("||",), "||": ("&&",)}
ARITHMETIC = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",)}
BITS = {"&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",)}
for of_two in (ARITHMETIC, BITS):
    of_two.update({f"{token}=": (f"{other[0]}=",) for token, other in list(of_two.items())})
OPERATORS = {"relational": RELATIONAL, "logical": LOGICAL, "arithmetic": ARITHMETIC, "bits": BITS}

FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE, Kind.CONSTRUCTOR, Kind.DESTRUCTOR,
             Kind.CONVERSION_FUNCTION)
SCOPES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
CONDITIONAL = (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR)
STATEMENTS = (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR,
              Kind.CSTYLE_CAST_EXPR, Kind.UNEXPOSED_EXPR, Kind.BREAK_STMT, Kind.CONTINUE_STMT, Kind.RETURN_STMT)
# Debug builds have code that others lack, and the other way round.
HOST = "-Icore -Iport/host -Iport/cortex_m_systick -Iport/smp -DTICKWHEEL_TEST_HOST".split()
LLVM = os.environ.get("LLVM", "19")
# libclang does not find clang's own headers by itself.
OWN_HEADERS = subprocess.run([f"clang++-{LLVM}", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip() + "/include"


class Mutant(NamedTuple):
    """One change of one place, in an expression or a statement `whole`. `number` counts those of its operator within its
    function."""
    file: str
    function: str
    operator: str
    number: int
    start: int
    end: int
    text: bytes
    whole: tuple

    @property
    def name(self):
        return f"{self.file} {self.function} {self.operator} {self.number}"

    def applied(self, source):
        return source[:self.start] + self.text + source[self.end:]

    def shown(self, source):
        """The line as it was and what stands there now, for a reader."""
        first = source.rfind(b"\n", 0, self.start) + 1
        line = source[:self.start].count(b"\n") + 1
        before = source[self.start:self.end].decode()
        whole = source[first:source.find(b"\n", self.end)].decode().strip()
        return f"line {line}: `{before}` -> `{self.text.decode()}` in: {whole}"


class Reader:
    """Collects the changes of one file as (function, operator, start, end, text)."""

    def __init__(self, file):
        self.file = file
        self.source = pathlib.Path(file).read_bytes()
        self.found = set()
        # What clang does not understand, it leaves out of the tree.
        self.errors = set()

    def read(self, flags):
        tree = clang.cindex.Index.create().parse(self.file, args=["-xc++", "-std=c++17", "-isystem", OWN_HEADERS, *flags])
        errors = [error.spelling for error in tree.diagnostics if error.severity >= clang.cindex.Diagnostic.Error]
        self.errors.update(errors)
        for cursor in tree.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.file:
                self.visit(cursor, None, (), False)

    def text(self, extent):
        return self.source[extent.start.offset:extent.end.offset].decode()

    def add(self, scope, operator, start, end, text, whole):
        self.found.add(("::".join(scope) or "-", operator, start, end, text.encode(), whole))

    def visit(self, cursor, parent, scope, in_function):
        kind = cursor.kind
        # Neither has code that runs.
        if kind == Kind.STATIC_ASSERT or cursor.spelling.startswith("<deduction guide"):
            return
        if kind in FUNCTIONS and not in_function:
            scope, in_function = (*scope, cursor.spelling.split("<")[0].replace(" ", "_") or cursor.spelling), True
        elif kind in SCOPES and not in_function:
            scope = (*scope, cursor.spelling)
        self.change(cursor, parent, scope)
        children = list(cursor.get_children())
        if kind == Kind.CALL_EXPR and self.text(cursor.extent).startswith("__builtin_expect("):
            # What is expected changes no result.
            children = children[:-1]
        for child in children:
            self.visit(child, cursor, scope, in_function)

    def change(self, cursor, parent, scope):
        kind = cursor.kind
        children = list(cursor.get_children())
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            left, right = children[0].extent.end.offset, children[1].extent.start.offset
            between = self.source[left:right].decode()
            # What a macro makes of its own does not stand here.
            token = between.strip()
            for operator, tokens in OPERATORS.items():
                for other in tokens.get(token, ()):
                    at = left + between.index(token)
                    self.add(scope, operator, at, at + len(token), other, (start, end))
        if kind == Kind.UNARY_OPERATOR:
            token = re.match(r"\+\+|--|[~!]|", self.text(cursor.extent))[0] or self.text(cursor.extent)[-2:]
            if token in ("++", "--"):
                at = start if self.text(cursor.extent).startswith(token) else end - 2
                self.add(scope, "arithmetic", at, at + 2, "--" if token == "++" else "++", (start, end))
            elif token[:1] == "~":
                self.add(scope, "bits", start, start + 1, "", (start, end))
            elif token[:1] == "!" and not (parent is not None and parent.kind in CONDITIONAL):
                self.add(scope, "negated", start, start + 1, "!!", (start, end))
        if kind == Kind.INTEGER_LITERAL:
            written = self.text(cursor.extent)
            if re.fullmatch(r"[0-9][0-9a-fA-FxX']*[uUlL]*", written):
                one = int(re.sub(r"['uUlL]", "", written), 0) == 1
                self.add(scope, "constant", start, end, f"({written} {'-' if one else '+'} 1)", (start, end))
        if kind == Kind.CXX_BOOL_LITERAL_EXPR:
            written = self.text(cursor.extent)
            if written in ("true", "false"):
                self.add(scope, "constant", start, end, "false" if written == "true" else "true", (start, end))
        if kind in CONDITIONAL and children and children[0].kind != Kind.VAR_DECL:
            condition = children[0]
            written = self.text(condition.extent)
            # Those of a comparison are the opposite operator already.
            compared = condition.kind == Kind.BINARY_OPERATOR and self.is_comparison(condition)
            # The `?:` of a macro's text has the whole macro for a condition.
            own = condition.extent != cursor.extent
            if written and own and not compared and "\n#" not in written:
                whole = condition.extent.start.offset, condition.extent.end.offset
                self.add(scope, "negated", *whole, f"!({written})", whole)
        if parent is not None and parent.kind == Kind.COMPOUND_STMT and kind in STATEMENTS:
            written = self.text(cursor.extent)
            # `(void)name` does nothing.
            idle = kind == Kind.RETURN_STMT and children or re.fullmatch(r"\(void\)\w+", written)
            if self.source[end:end + 1] == b";" and not idle:
                self.add(scope, "deleted", start, end, "", (start, end))

    def is_comparison(self, cursor):
        left, right = list(cursor.get_children())
        return self.source[left.extent.end.offset:right.extent.start.offset].decode().strip() in RELATIONAL


def mutants_of(file):
    """All of a file, in the order in which they stand there, and what clang did not understand."""
    reader = Reader(file)
    for debug in (0, 1):
        reader.read([*HOST, f"-DTICKWHEEL_DEBUG={debug}"])
    counts = {}
    mutants = []
    for function, operator, start, end, text, whole in sorted(reader.found, key=lambda change: (change[2], change[3], change)):
        number = counts[function, operator] = counts.get((function, operator), 0) + 1
        mutants.append(Mutant(file, function, operator, number, start, end, text, whole))
    return mutants, [f"{file}: {error}" for error in sorted(reader.errors)]


def schema(source, numbered):
    """The text with all these mutants in it, each behind tickwheel_mutant(its number), which is an expression."""
    sites = {}
    for number, one in numbered:
        start, end = one.whole
        condition = one.text.startswith(b"!(")
        order = 0 if one.operator == "deleted" else 1 if condition else 2
        sites.setdefault((start, -end, order), []).append((number, one.applied(source)[start:end - len(source) or None]))
    waiting = sorted(sites)

    def written(start, end):
        parts = []
        while waiting and waiting[0][0] < end:
            first, last, order = site = waiting.pop(0)
            parts.append(source[start:first])
            text = written(first, -last)
            if order == 1:
                # A pointer may be a condition.
                text = b"!!(%s)" % text
            for number, mutated in sites[site]:
                text = b"if (!tickwheel_mutant(%d)) %s" % (number, text) if order == 0 else \
                    b"(tickwheel_mutant(%d) ? %s : %s)" % (number, mutated, text)
            parts.append(text)
            start = -last
        return b"".join([*parts, source[start:end]])
    return written(0, len(source))
