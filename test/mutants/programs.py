# SPDX-License-Identifier: MIT
"""The tests that see a mutant. A host program keeps its objects; for a mutant only those are compiled again that hold
the broken function. Goals of make run on the emulated board, in a copy of the tree."""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import threading

OUT = pathlib.Path("build/mutants")
WHEEL = sorted(map(str, pathlib.Path("core").glob("*.cpp")))
INCLUDES = ["core", "port/host", "port/counter", "port/cortex_m_systick"]
FAST = ["-O0"]
CHECKED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
GEOMETRY = {"8-6": ["-DTICKWHEEL_TVR_BITS=8", "-DTICKWHEEL_TVN_BITS=6"],
            "6-4": ["-DTICKWHEEL_TVR_BITS=6", "-DTICKWHEEL_TVN_BITS=4"]}
# Of the processor's time, beyond twice what the wheel as it is takes.
SPARE_SECONDS = 2
# A test case that takes longer waits for a second run, which most mutants do not need.
SLOW_CASE = 0.15
FEW = 3


class Outcome(Exception):
    """Ends the search: killed, or it does not build."""


class Changed:
    """A mutant's files, in a folder that the compiler searches before core and port."""

    def __init__(self, name, function, texts):
        self.name, self.function, self.texts = name, function, texts
        self.folder = OUT / "work" / re.sub(r"\W+", "-", name)

    def __enter__(self):
        for file, text in self.texts.items():
            path = self.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def names_function(self, symbols):
        function = self.function.split("::")[-1].replace("_", "[ _]")
        return re.search(rf"\b{function}(<.*>|\[abi:\w+\])?\(", symbols) is not None


def limits(seconds, checked):
    def set_them():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
        if not checked:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
    return set_them


class Program:
    """One executable of the host: its sources, its flags and the ways to run it."""

    def __init__(self, name, sources, sees, flags, arguments=((),), doctest=False):
        self.name, self.sees, self.doctest = name, sees, doctest
        self.flags = ["-w", *flags]
        self.checked = any("sanitize" in flag for flag in flags)
        self.sources = [*WHEEL, *sources]
        self.folder = OUT / "programs" / name
        self.runs = [(list(run), 60) for run in arguments]
        self.symbols, self.needs, self.kills, self.optimised = {}, {}, {}, {}
        self.ready, self.broken = False, ""
        self.lock = threading.Lock()

    def compile_command(self, source, output, changed=None, flags=None):
        compiler = ["gcc", "-std=c11"] if source.endswith(".c") else ["g++", "-std=c++17"]
        own = str(changed.folder / source) if changed and source in changed.texts else source
        first = [f"-I{changed.folder / part}" for part in INCLUDES] if changed else []
        return [*compiler, *first, *(self.flags if flags is None else flags), "-c", own, "-o", str(output)]

    def object_of(self, source):
        return self.folder / (source.replace("/", "-") + ".o")

    def compile(self, source, output, changed=None, flags=None):
        built = subprocess.run(self.compile_command(source, output, changed, flags), capture_output=True, text=True)
        if built.returncode != 0:
            said = re.search(r"error: (static assertion.*)", built.stderr)
            if said:
                raise Outcome("killed", f"{source}: {said[1][:80]}")
            raise Outcome("does not build", (re.findall(r"error: .*", built.stderr) or [built.stderr[:80]])[0])

    def link(self, first, rest, output):
        link = ["g++", "-fuse-ld=lld", *(flag for flag in self.flags if "sanitize" in flag), *map(str, first + rest)]
        linked = subprocess.run([*link, "-o", str(output)], capture_output=True, text=True)
        if linked.returncode != 0:
            raise Outcome("does not build", linked.stderr.splitlines()[0])

    def build(self):
        """The objects of the wheel as it is, which functions each has, and how long the program takes."""
        with self.lock:
            if self.broken:
                raise SystemExit(self.broken)
            try:
                if not self.ready:
                    self.make_ready()
            except Outcome as outcome:
                self.broken = f"{self.name}: {outcome.args[1]}, with the wheel as it is"
                raise SystemExit(self.broken) from None

    def make_ready(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for source in self.sources:
            output = self.object_of(source)
            asked = subprocess.run([*self.compile_command(source, output)[:-4], "-MM", source], capture_output=True,
                                   text=True, check=True)
            self.needs[source] = set(asked.stdout.replace("\\\n", " ").split())
            newest = max(os.path.getmtime(file) for file in self.needs[source] if os.path.exists(file))
            if not output.exists() or output.stat().st_mtime < newest:
                self.compile(source, output)
            nm = subprocess.run(["nm", "-C", "--defined-only", output], capture_output=True, text=True, check=True)
            self.symbols[source] = nm.stdout
        self.executable = self.folder / "program"
        self.link([], self.linked({}), self.executable)
        self.measure()
        self.ready = True

    def linked(self, again):
        """All but those compiled again. tickwheel_bug() is one that a test may define itself, as from an archive."""
        objects = [self.object_of(source) for source in self.sources if source not in again]
        bug = self.object_of("core/tickwheel_bug.cpp")
        if any(re.search(r" T tickwheel_bug$", self.symbols[source], re.M) for source in self.sources if source != "core/tickwheel_bug.cpp"):
            objects = [one for one in objects if one != bug]
        return objects

    def measure(self):
        timed = []
        if self.doctest:
            said = self.run(self.executable, ["--duration=true"], 600)
            if said[0] != 0:
                raise Outcome("", said[1][-1000:])
            slow = [(float(seconds), case) for seconds, case in re.findall(r"^([\d.]+) s: (.*)$", said[1], re.M)
                    if float(seconds) > SLOW_CASE]
            # A comma would end the name.
            names = ",".join(case.replace(",", "?").replace("\\", "?") for _, case in slow)
            once = ["--abort-after=1", "--no-breaks=true"]
            self.runs = [([*once, f"--test-case-exclude={names}"] if names else once, 60)]
            if names:
                self.runs.append(([*once, f"--test-case={names}"], 60))
        for arguments, _ in self.runs:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            code, said = self.run(self.executable, arguments, 600)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if code != 0:
                raise Outcome("", said[-1000:])
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            timed.append((arguments, int(2 * took) + SPARE_SECONDS))
        self.runs = timed

    def run(self, executable, arguments, seconds):
        with open(f"{executable}.said", "w+b") as said:
            environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
            try:
                code = subprocess.run([str(executable), *arguments], stdout=said, stderr=subprocess.STDOUT,
                                      stdin=subprocess.DEVNULL, env=environment, timeout=20 * seconds + 60,
                                      preexec_fn=limits(seconds, self.checked)).returncode
            except subprocess.TimeoutExpired:
                code = -signal.SIGXCPU
            said.seek(0)
            return code, said.read(1 << 20).decode(errors="replace")

    def try_objects(self, changed, sources):
        """Compiles the sources against the mutant, and runs the program with them; whether any differs from before."""
        again = {}
        for source in sources:
            output = changed.folder / (self.name + "-" + self.object_of(source).name)
            self.compile(source, output, changed)
            # A path in the object would differ too; the sources have none.
            if output.read_bytes() != self.object_of(source).read_bytes():
                again[source] = output
        if not again:
            return False
        executable = changed.folder / self.name
        self.link(list(again.values()), self.linked(again), executable)
        for arguments, seconds in self.runs:
            code, said = self.run(executable, arguments, seconds)
            if code != 0:
                # doctest names the file, and colours it.
                found = re.search(r"(\S+\.c[p]*):\d+: (?:\x1b\[[\d;]*m)*(?:ERROR|FATAL)", said)
                if found:
                    key = (min(changed.texts), found[1].removeprefix("./"))
                    self.kills[key] = self.kills.get(key, 0) + 1
                case = re.search(r"TEST CASE: +(.*)", said)
                failed = re.search(r"^.*FAIL.*$", said, re.M)
                why = "it hung" if code == -signal.SIGXCPU else case[1] if case else failed[0] if failed else f"exit code {code}"
                raise Outcome("killed", f"{self.name}: {why[:100]}")
        return True

    def holders(self, changed):
        """The sources that a mutant has to be compiled into: the library's, those of tests most likely to see it first,
        the other tests."""
        users = [source for source in self.sources if self.needs[source] & changed.texts.keys()]
        library = [source for source in users if source in WHEEL]
        tests = [source for source in users if source not in WHEEL]
        naming = [source for source in tests if changed.names_function(self.symbols[source])]
        if naming or library and any(changed.names_function(self.symbols[source]) for source in library):
            tests = naming
        stem = pathlib.Path(min(changed.texts)).stem.split("_")[0]
        tests.sort(key=lambda source: (-self.kills.get((min(changed.texts), source), 0), stem not in source))
        return library, tests[:FEW], tests[FEW:]

    def quick(self, changed):
        """With the library alone, or where that has nothing of it, the first tests."""
        self.build()
        library, first, _ = self.holders(changed)
        if not (library and self.try_objects(changed, library)) and first:
            self.try_objects(changed, library + first)

    def thorough(self, changed):
        self.build()
        library, first, rest = self.holders(changed)
        if first or rest:
            self.try_objects(changed, library + first + rest)
        elif library:
            self.try_objects(changed, library)

    def same_code(self, changed):
        """Whether the compiler makes the same of the mutant, optimised: nobody can tell the two apart."""
        self.build()
        for source in [one for group in self.holders(changed) for one in group]:
            flags = [flag for flag in self.flags if not flag.startswith(("-O", "-f"))] + ["-O2"]
            if source not in self.optimised:
                original = changed.folder / "original.o"
                self.compile(source, original, None, flags)
                self.optimised[source] = original.read_bytes()
            mutated = changed.folder / "mutated.o"
            self.compile(source, mutated, changed, flags)
            if mutated.read_bytes() != self.optimised[source]:
                return False
        return True


class Goal:
    """A goal of make, on the emulated board, in a copy of the tree that has the mutant. Each thread has its own copy."""

    def __init__(self, goal, results=(), variables=()):
        self.name, self.results = goal, results
        self.command = [os.environ.get("MAKE", "make"), "--no-print-directory", "-j1", "NO_SETUP=1", *variables, *(goal.split())]
        self.passed = set()

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
            for compiler in ("arm-none-eabi-g++", "g++"):
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
        try:
            ran = subprocess.run(self.command, cwd=tree, capture_output=True, text=True, timeout=900, env=environment,
                                 stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "it hung", True
        said = ran.stdout + "".join((tree / "build/results" / result).read_text(errors="replace") for result in self.results
                                    if (tree / "build/results" / result).exists())
        failed = ran.returncode != 0 or said.count("\nexit code 0") < len(self.results)
        if not failed:
            return None, True
        found = re.search(r"^ *(FAIL.*|.*TEST CASE.*|[1-9]\d* failed.*)", said, re.M)
        # A compiler's or linker's error is no test's verdict.
        builds = not re.search(r"(: error: |undefined reference|cannot find)", ran.stderr) or " failed" in said
        return (found[1] if found else (ran.stderr.strip().splitlines() or ["it failed"])[0])[:100], builds

    def thorough(self, changed):
        tree = self.tree()
        if tree not in self.passed:
            why, _ = self.make(tree)
            if why:
                raise SystemExit(f"make {self.name} fails on the wheel as it is: {why}")
            self.passed.add(tree)
        try:
            for file, text in changed.texts.items():
                (tree / file).write_bytes(text)
            why, builds = self.make(tree)
        finally:
            for file in changed.texts:
                (tree / file).write_bytes(pathlib.Path(file).read_bytes())
        if why:
            raise Outcome("killed" if builds else "does not build", f"{self.name}: {why}")


def sources(folder):
    return sorted(str(path) for path in pathlib.Path(folder).glob("*.c*") if path.suffix in (".cpp", ".c"))


HOST = ["-DTICKWHEEL_TEST_HOST", *(f"-I{part}" for part in INCLUDES)]
SEEN_BY_UNIT = ("core/", "port/counter/", "port/host/", "port/cortex_m_systick/tickwheel/")


def unit(variant, kind, name=""):
    geometry, debug = variant[:3], variant.endswith("debug")
    flags = [*kind, *HOST, *GEOMETRY[geometry], f"-DTICKWHEEL_DEBUG={debug:d}"]
    return Program(f"unit-{variant}{name}", sources("test/unit"), SEEN_BY_UNIT, flags, doctest=True)


def fuzz(geometry):
    flags = [*FAST, *HOST, *GEOMETRY[geometry], "-DTICKWHEEL_DEBUG=0"]
    return Program(f"fuzz-{geometry}", sources("test/fuzz"), ("core/",), flags, [("60000", "7")])


def sleep(name, flags, arguments=((),)):
    common = ["test/sleep/simulation.cpp", "test/sleep/hal_counter.cpp"]
    source = [*(sources(f"test/sleep/{name}") or [f"test/sleep/{name}.cpp"]), *common]
    return Program(f"sleep-{name}{''.join(flags[:1]).replace('-DTICKWHEEL_HZ=', '-')}", source,
                   ("port/cortex_m_systick/tickwheel/",),
                   [*FAST, "-Icore", "-Itest/sleep", "-Iport/cortex_m_systick", *flags], arguments)


def interleavings(geometry):
    flags = ["-O1", "-DTICKWHEEL_DEBUG=0", *HOST, *GEOMETRY[geometry]]
    return Program(f"interleavings-{geometry}", sources("test/races/interleavings"), ("core/",), flags, [("1",)])


SMALL_300 = ["-DTICKWHEEL_HZ=300", *GEOMETRY["6-4"]]
# In this order: what kills most soonest is first.
PROGRAMS = [unit("8-6", FAST), unit("6-4", FAST), unit("8-6-debug", FAST), fuzz("8-6"), fuzz("6-4"), sleep("cases", []),
            sleep("cases", SMALL_300), sleep("random", [], [("200000000", "1")]), sleep("random", SMALL_300, [("200000000", "1")]),
            sleep("longest_tick", ["-DTICKWHEEL_HZ=10"])]
# For those that have survived the others.
LAST_PROGRAMS = [unit("8-6", CHECKED, "-checked"), unit("8-6-debug", CHECKED, "-checked"), interleavings("8-6"), interleavings("6-4")]
GOALS = {name: Goal(name) for name in ("sweep-short", "sweep-short-basepri", "contexts", "interleavings", "sleep", "stress",
                                       "masked-sleep", "time-of-day")}
GOALS["unit-target"] = Goal("build/results/unit-mps2-an385-8-6", ["unit-mps2-an385-8-6"])
GOALS["lock-barrier"] = Goal("-f test/check/lock_barrier.mk lock-barrier")
GOALS["lock-barrier-host"] = Goal("-f test/check/lock_barrier.mk lock-barrier-host lock_barrier_port=port/host")
# What no host program can hold.
TARGET_GOALS = {"port/cortex_m/": ["contexts", "sweep-short", "sweep-short-basepri"],
                "port/cortex_m_systick/tickwheel_systick.cpp": ["time-of-day", "masked-sleep", "unit-target"]}


def verdict(changed, goals=()):
    """killed, survived, the same code or does not build; and by what."""
    files = list(changed.texts)
    programs = [program for program in PROGRAMS if any(file.startswith(program.sees) for file in files)]
    last = [program for program in LAST_PROGRAMS if any(file.startswith(program.sees) for file in files)]
    target = list(goals) or next((names for prefix, names in TARGET_GOALS.items() if files[0].startswith(prefix)), [])
    if goals or target:
        programs, last = [], []
    with changed:
        try:
            for program in programs:
                program.quick(changed)
            if programs and all(program.same_code(changed) for program in programs):
                return "same code", ""
            for program in programs:
                program.thorough(changed)
            for program in last:
                program.thorough(changed)
            for goal in target:
                GOALS[goal].thorough(changed)
        except Outcome as outcome:
            return outcome.args
    return "survived", ""
