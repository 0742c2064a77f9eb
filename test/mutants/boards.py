# SPDX-License-Identifier: MIT
"""The tests that see a mutant on an emulated board: goals of make, in a copy of the tree. Also whether the compilers for
boards make the same code of it."""
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from schemata import OUT


class Outcome(Exception):
    """Ends the search: killed, or it does not build."""


class Deadline:
    """Of a run with a time limit: a mutant that is not judged by then is left out."""
    at = float("inf")

    @classmethod
    def check(cls):
        if time.monotonic() > cls.at:
            raise Outcome("left out", "")


class Goal:
    """A goal of make, on the emulated board, in a copy of the tree that has the mutant. Each thread has its own copy."""

    def __init__(self, goal, results=(), variables=(), command=()):
        self.name, self.results = goal, results
        self.command = command or [os.environ.get("MAKE", "make"), "--no-print-directory", "-j1", *variables, goal]
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
            for compiler in ("arm-none-eabi-g++", "riscv64-unknown-elf-g++", "g++"):
                real = shutil.which(compiler)
                if real:
                    (tree / "bin" / compiler).write_text(f'#!/bin/sh\nexec {real} "$@" -w\n')
                    (tree / "bin" / compiler).chmod(0o755)
        return tree

    def make(self, tree):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "CI")}
        environment["PATH"] = f"{(tree / 'bin').absolute()}:{environment['PATH']}"
        for result in self.results:
            (tree / "build/results" / result).unlink(missing_ok=True)
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
        said += "".join((tree / "build/results" / result).read_text(errors="replace") for result in self.results
                        if (tree / "build/results" / result).exists())
        failed = ran.returncode != 0 or said.count("\nexit code 0") < len(self.results)
        if not failed:
            self.passed.setdefault(tree, time.monotonic() - began)
            return None, True
        found = re.search(r"^ *(FAIL.*|.*TEST CASE.*|\S+\.cpp:\d+: .*|[1-9]\d* failed.*)", said, re.M)
        # A compiler's or linker's error is no test's verdict.
        builds = not re.search(r"(: error: |undefined reference|cannot find)", errors) or " failed" in said
        return (found[1] if found else (errors.strip().splitlines() or ["it failed"])[0])[:100], builds

    def thorough(self, changed):
        Deadline.check()
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


GOALS = {name: Goal(name) for name in ("sweep-short", "sweep-short-basepri", "contexts", "contexts-cortex-m",
                                       "contexts-cortex-ar", "contexts-riscv", "interleavings", "sleep", "stress-cores",
                                       "test-freertos", "bench-zephyr")}
GOALS["test-freertos-once"] = Goal("test-freertos", variables=["freertos_ways=freertos"])
GOALS["unit-target"] = Goal("build/results/unit-mps2-an385-8-6", ["unit-mps2-an385-8-6"])
GOALS["soak-sleep"] = Goal("build/results/soak-sleep-mps2-an385", ["soak-sleep-mps2-an385"])
GOALS["counter-sleep"] = Goal("build/results/counter-sleep-mps2-an385", ["counter-sleep-mps2-an385"])
GOALS["failures"] = Goal("build/results/failures", ["failures"])
GOALS["clint-sleep"] = Goal("build/results/clint-sleep-riscv-virt", ["clint-sleep-riscv-virt"], ["BOARD=riscv-virt"])
for name, port in (("lock-barrier", "cortex_m"), ("lock-barrier-host", "host"), ("lock-barrier-zephyr", "zephyr")):
    GOALS[name] = Goal(name, command=["test/check/lock_barrier.sh", f"port/{port}"])
GOALS["masked"] = Goal("masked", command=["test/masked/prove_masked.py", "cortex-m3-Os"])
# What no host program can hold.
TARGET_GOALS = {"port/cortex_m/": ["contexts-cortex-m", "unit-target", "sweep-short", "sweep-short-basepri"],
                "port/cortex_ar/": ["contexts-cortex-ar"],
                "port/riscv/": ["contexts-riscv"],
                "port/riscv_clint/": ["contexts-riscv", "clint-sleep"],
                "port/freertos/": ["test-freertos-once", "test-freertos"],
                "port/cortex_m_systick/tickwheel/cortex_m_counter.hpp": ["counter-sleep"],
                "port/cortex_m_systick/tickwheel_systick.cpp": ["soak-sleep", "unit-target", "failures"]}

# For those that have survived the host's programs: a slower way to the same result masks for longer.
LAST_GOALS = {"port/cortex_m_systick/tickwheel/": ["soak-sleep"], "port/smp/": ["stress-cores"],
              "port/zephyr/tickwheel/port.hpp": ["lock-barrier-zephyr"],
              "port/zephyr/": ["bench-zephyr"]}


def target_goals(file, of=None):
    return next((names for prefix, names in (of or TARGET_GOALS).items() if file.startswith(prefix)), [])


# The ways in which each port is compiled for a board.
CORTEX_M = "arm-none-eabi-g++ -mthumb -Iport/cortex_m -Iport/cortex_m_systick"
CORTEX_AR = "arm-none-eabi-g++ -Iport/cortex_ar"
FREERTOS = f"{CORTEX_M} -mcpu=cortex-m3 -Iport/freertos -Itest/support/freertos -Itest/freertos"
RISCV = ("riscv64-unknown-elf-g++ -march=rv32imac -misa-spec=2.2 -mabi=ilp32 -Iport/riscv -Iport/riscv_clint -Iport/counter "
         "-Iport/cortex_m_systick")
WAYS = {"port/cortex_m": [f"{CORTEX_M} -mcpu=cortex-m3 -DTICKWHEEL_LOCK_BASEPRI=96 -DTICKWHEEL_DEBUG=1",
                          f"{CORTEX_M} -mcpu=cortex-m7 -DTICKWHEEL_LOCK_BASEPRI=96 -DTICKWHEEL_ERRATUM_837070 -DTICKWHEEL_DEBUG=1",
                          f"{CORTEX_M} -mcpu=cortex-m0 -DTICKWHEEL_DEBUG=1", f"{CORTEX_M} -mcpu=cortex-m3",
                          f"{CORTEX_M} -mcpu=cortex-m0", f"{CORTEX_M} -mcpu=cortex-m3 -DTICKWHEEL_LOCK_NONE"],
        "port/freertos": [f"{FREERTOS} -DSTAND_IN_KERNEL=11",
                          f"{FREERTOS} -DSTAND_IN_KERNEL=10 -DTICKWHEEL_DEBUG=1 -DconfigINITIAL_TICK_COUNT=1000000"],
        "port/cortex_ar": [f"{CORTEX_AR} -mcpu=cortex-r5 -mthumb", f"{CORTEX_AR} -mcpu=cortex-a9 -marm -DTICKWHEEL_DEBUG=1"],
        "port/riscv": [RISCV, f"{RISCV} -DTICKWHEEL_DEBUG=1"]}
# The source files with what a header has; else core/tickwheel.cpp, which has the lock.
HOLDERS = {"port/riscv_clint/": ["test/boards/clint_sleep.cpp"],
           "port/cortex_m_systick/": ["port/cortex_m_systick/tickwheel_systick.cpp"],
           "port/freertos/": ["port/freertos/tickwheel_freertos.cpp", "port/freertos/tickwheel_freertos_timers.cpp"]}


@functools.lru_cache(None)
def firmware(way, file, broken):
    """The object that the cross compiler makes of a file. The compiler searches the folder `broken` first."""
    compiler, *flags = way.split()
    flags = [one for flag in flags for one in ([f"-I{broken}/{flag[2:]}"] * (flag.startswith("-I") and broken != "") + [flag])]
    with tempfile.NamedTemporaryFile() as made:
        built = subprocess.run([compiler, "-std=c++17", "-O2", "-w", "-ffreestanding", "-fno-exceptions", "-fno-rtti", *flags,
                                "-Icore", "-c", "-o", made.name, file], capture_output=True, text=True)
        if built.returncode != 0:
            raise Outcome("does not build", (re.findall(r"error: .*", built.stderr) or [built.stderr[:80]])[0])
        return pathlib.Path(made.name).read_bytes()


def same_firmware(changed):
    """Whether the cross compiler makes the same of the mutant in each way: no board can tell the two apart."""
    first = next(iter(changed.texts))
    ways = next((ways for prefix, ways in WAYS.items() if first.startswith(prefix)), [])
    if first.endswith(".cpp"):
        return all(firmware(way, first, "") == firmware(way, str(changed.folder / first), str(changed.folder)) for way in ways)
    holders = next((holders for prefix, holders in HOLDERS.items() if first.startswith(prefix)), ["core/tickwheel.cpp"])
    return all(firmware(way, file, "") == firmware(way, file, str(changed.folder)) for way in ways for file in holders)
