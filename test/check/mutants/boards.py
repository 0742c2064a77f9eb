# SPDX-License-Identifier: MIT
"""The tests that a patch of a port names, since no host program sees it: goals of make, in a copy of the tree."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

from schemata import OUT


class Outcome(Exception):
    """Ends the search: killed, or it does not build."""


class Goal:
    """A goal of make, or another command, in a copy of the tree that has the mutant. Each thread has its own copy."""

    def __init__(self, name, *command):
        self.name = name
        self.command = command or (os.environ.get("MAKE", "make"), "--no-print-directory", "-j1", name)
        # Of each tree in which it has passed: the seconds.
        self.passed = {}

    @staticmethod
    def tree():
        tree = OUT / "trees" / threading.current_thread().name
        if not tree.exists():
            tree.mkdir(parents=True)
            files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                   capture_output=True, check=True).stdout.decode().split("\0")
            for file in files:
                if file and os.path.exists(file):
                    (tree / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(file, tree / file)
            # Warnings are no matter: a mutant leaves things that nobody uses.
            (tree / "bin").mkdir()
            for compiler in ("arm-none-eabi-g++", "arm-none-eabi-gcc", "riscv64-unknown-elf-g++", "g++", "gcc"):
                real = shutil.which(compiler)
                if real:
                    (tree / "bin" / compiler).write_text(f'#!/bin/sh\nexec {real} "$@" -w\n')
                    (tree / "bin" / compiler).chmod(0o755)
        return tree

    def make(self, tree):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "CI")}
        environment["PATH"] = f"{(tree / 'bin').absolute()}:{environment['PATH']}"
        began = time.monotonic()
        ran = subprocess.Popen(self.command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                               stdin=subprocess.DEVNULL, errors="replace", start_new_session=True)
        try:
            # run_tests.py ends a core that computes for ever. One that sleeps may do so for twenty times as long.
            said, errors = ran.communicate(timeout=4 * self.passed.get(tree, 900) + 60)
        except subprocess.TimeoutExpired:
            # The emulator is in a group of its own, which run_tests.py ends.
            os.killpg(ran.pid, signal.SIGTERM)
            ran.communicate()
            return "it hung", True
        if ran.returncode == 0:
            self.passed.setdefault(tree, time.monotonic() - began)
            return None, True
        found = re.search(r"^ *(FAIL.*|.*TEST CASE.*|\S+\.cpp:\d+: .*|[1-9]\d* failed.*)", said, re.M)
        # A compiler's or linker's error is no test's verdict.
        builds = not re.search(r"(: error: |undefined reference|cannot find)", errors) or " failed" in said
        return (found[1] if found else (errors.strip().splitlines() or ["it failed"])[0])[:100], builds

    def thorough(self, changed):
        tree = self.tree()
        if tree not in self.passed:
            why, _ = self.make(tree)
            if why:
                raise SystemExit(f"{self.name} fails on the wheel as it is: {why}")
        try:
            for file, text in changed.texts.items():
                (tree / file).write_bytes(text)
            why, builds = self.make(tree)
        finally:
            for file in changed.texts:
                (tree / file).write_bytes(pathlib.Path(file).read_bytes())
        if why:
            raise Outcome("killed" if builds else "does not build", f"{self.name}: {why}")


GOALS = {name: Goal(name) for name in ("sleep", "sweep-short", "contexts", "test-freertos")}
GOALS["masked"] = Goal("masked", "test/proof/masked/prove_masked.py", "cortex-m3-Os")
for name, port in (("lock-barrier", "cortex_m"), ("lock-barrier-host", "host"), ("lock-barrier-ar", "cortex_ar"),
                   ("lock-barrier-riscv", "riscv"), ("lock-barrier-smp", "smp")):
    GOALS[name] = Goal(name, "test/check/lock_barrier.sh", f"port/{port}")
for name in ("zephyr-host", "zephyr-host-list"):
    GOALS[name] = Goal(name, "sh", "-c", f"make -j1 build/zephyr/{name}/timeouts && build/zephyr/{name}/timeouts")
for name, board in (("counter-sleep", "riscv-virt"), ("soak-sleep", "mps2-an385")):
    GOALS[name] = Goal(name, *GOALS["sleep"].command[:-1], f"BOARD={board}", f"build/results/{name}-{board}")
