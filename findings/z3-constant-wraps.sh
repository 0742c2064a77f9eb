#!/bin/sh
# SPDX-License-Identifier: MIT
# z3 4.8.12 (Debian 4.8.12-3.1), its Python module.
# A good guess: a number that does not fit the 32 bits of the term beside it is refused, or makes the term wider, as in C, where
# x < 4294967296 is true for each uint32_t x.
# What it does: it takes the number modulo 2^32, without a word. So ULT(x, 2**32) is ULT(x, 0), which nothing satisfies, and as an
# assumption it proves whatever one asks. Let the solver check first that the assumptions alone can be satisfied.
# Output: "ULT(x, 0), x == 0, assumed: unsat"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.py <<'END'
from z3 import BitVec, Solver, ULT, get_version_string

assert get_version_string() == "4.8.12"
x, solver = BitVec("x", 32), Solver()
solver.add(ULT(x, 2**32))
print(f"{ULT(x, 2**32)}, {x == 2**32}, assumed: {solver.check()}")
END
apt-get download -q python3-z3=4.8.12-3.1 libz3-4=4.8.12-3.1 >log 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" root
done
export PYTHONPATH="$PWD/root/usr/lib/python3/dist-packages" LD_LIBRARY_PATH="$PWD/root/usr/lib/x86_64-linux-gnu"
/usr/bin/python3 -c 'import z3; print(z3.__file__)' | grep -qF "$PYTHONPATH/"
/usr/bin/python3 main.py | tee said
grep -qxF 'ULT(x, 0), x == 0, assumed: unsat' said
