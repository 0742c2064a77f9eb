# SPDX-License-Identifier: MIT
"""The tests that see a mutant. A host program is compiled once with all mutants in it; the environment says which of them
a run has. A mutant that cannot be put so is compiled alone, into those objects that hold the broken function. boards.py has
those on emulated boards."""
import concurrent.futures
import functools
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading

from boards import GOALS, Outcome
from operators import LLVM
from schemata import OUT, PARTS, lay

WHEEL = sorted(map(str, pathlib.Path("core").glob("*.cpp")))
INCLUDES = ["core", "port/host", "port/cortex_m_systick", "port/smp"]
FAST = ["-O0"]
CHECKED = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# Seconds of the processor, beyond twice what the original takes.
SPARE_SECONDS = 2
# A test case that takes longer waits for a second run, which most mutants do not need.
SLOW_CASE = 0.15


class Changed:
    """A mutant's core and port, in a folder that the compiler searches first."""

    def __init__(self, name, function, texts):
        self.name, self.function, self.texts = name, function, texts

    @functools.cached_property
    def folder(self):
        folder = OUT / "work" / re.sub(r"\W+", "-", self.name)
        lay(folder, self.texts)
        return folder

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.__dict__.pop("folder", ""), ignore_errors=True)

    def names_function(self, symbols, after=r"\("):
        function = "(<.*>)?::".join(self.function.replace("_", "[ _]").split("::"))
        return function != "-" and re.search(rf"\b{function}(<.*>|\[abi:\w+\])?{after}", symbols, re.M) is not None


def symbols_of(compiled):
    return subprocess.run(["nm", "-C", "--defined-only", compiled], capture_output=True, text=True, check=True).stdout


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
    schemata = None

    def __init__(self, name, sources, sees, flags, arguments=((),), doctest=False):
        self.name, self.sees, self.doctest = name, sees, doctest
        self.flags = ["-w", *flags]
        self.checked = any("sanitize" in flag for flag in flags)
        self.sources = [*WHEEL, *sources]
        self.arguments = [list(run) for run in arguments]
        self.symbols, self.called, self.needs, self.optimised, self.built = {}, {}, {}, {}, {}
        self.lock = threading.Lock()

    def compile(self, source, output, changed=None, flags=None, level="-O1"):
        flags = [*(flags or self.flags), "-c", "-o", str(output), "-MMD"]
        if changed:
            flags = [one for flag in flags for one in ([f"-I{changed.folder / flag[2:]}"] * flag.startswith("-I") + [flag])]
        if changed and changed is self.schemata:
            # Each choice takes time.
            flags = ["-include", str(changed.folder / "choice.h"), *flags, *[level] * (not self.checked)]
        own = str(changed.folder / source) if changed and source.split("/")[0] in PARTS else source
        compiler = ["gcc", "-std=c11"] if source.endswith(".c") else ["g++", "-std=c++17"]
        built = subprocess.run([*compiler, *flags, own], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        if built.returncode == 0:
            return
        if changed is self.schemata and level != FAST[0] and "declared with attribute error" in built.stderr:
            # The optimiser is to know a constant, which the choices hide from it.
            self.compile(source, output, changed, None, FAST[0])
            return
        if changed and changed is self.schemata and changed.leave_out(built.stderr):
            self.compile(source, output, changed)
            return
        # What a constant expression must not do is an assertion too.
        said = re.search(r"error: (.*static assertion.*|call to non-'constexpr' function.*)", built.stderr)
        if said:
            raise Outcome("killed", f"{source}: {said[1][:80]}")
        raise Outcome("does not build", (re.findall(r"error: .*", built.stderr) or [built.stderr[:80]])[0])

    def link(self, objects, output):
        sanitizers = [flag for flag in self.flags if "sanitize" in flag]
        # Only there lld has the name by which g++ looks for it.
        linked = subprocess.run(["g++", "-fuse-ld=lld", f"-B/usr/lib/llvm-{LLVM}/bin", *sanitizers, *objects.values(),
                                 self.schemata.folder / "number.c", "-o", output], capture_output=True, text=True)
        if linked.returncode != 0:
            raise Outcome("does not build", linked.stderr.splitlines()[0])

    def build(self, changed):
        """The objects, the executable and its runs: of all mutants, or of the wheel as it is."""
        with self.lock:
            if changed not in self.built:
                try:
                    self.built[changed] = self.make(changed)
                except Outcome as outcome:
                    raise SystemExit(f"{self.name}: {outcome.args[1]}, with the wheel as it is") from None
        return self.built[changed]

    def make(self, changed):
        folder = OUT / "programs" / self.name / ("all" if changed else "none")
        folder.mkdir(parents=True, exist_ok=True)

        def made(source):
            output = folder / (source.replace("/", "-") + ".o")
            listing = output.with_suffix(".d")
            files = listing.read_text().replace("\\\n", " ").split()[1:] if listing.exists() else []
            newest = max((os.path.getmtime(file) for file in files if os.path.exists(file)), default=float("inf"))
            if not output.exists() or output.stat().st_mtime < newest:
                self.compile(source, output, changed)
            return output
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = dict(zip(self.sources, pool.map(made, self.sources)))
        for source, output in objects.items():
            needs = output.with_suffix(".d").read_text().replace(f"{self.schemata.folder}/", "").replace("\\\n", " ")
            self.needs[source] = set(map(os.path.normpath, needs.split()))
            self.symbols[source] = symbols_of(output)
        self.link(objects, folder / "program")
        return objects, folder / "program", self.measured(folder / "program")

    def measured(self, executable):
        """The arguments of each run, and what it may take of the processor."""
        runs = self.arguments
        if self.doctest:
            said = self.run(executable, ["--duration=true"], 600)[1]
            # A comma would end the name.
            slow = ",".join(re.sub(r"[,\\]", "?", case) for seconds, case in re.findall(r"^([\d.]+) s: (.*)$", said, re.M)
                            if float(seconds) > SLOW_CASE)
            once = ["--abort-after=1", "--no-breaks=true"]
            runs = [[*once, f"--test-case-exclude={slow}"], [*once, f"--test-case={slow}"]] if slow else [once]
            # The slow cases repeat what the quick ones do, and take most of the time under the sanitizers.
            runs = runs[:1] if self.checked else runs
        timed = []
        for arguments in runs:
            code, said, took = self.run(executable, arguments, 600)
            if code != 0:
                raise Outcome("", said[-1000:])
            timed.append((arguments, int(2 * took) + SPARE_SECONDS))
        return timed

    def run(self, executable, arguments, seconds, number=0):
        with tempfile.TemporaryFile() as said:
            environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "TICKWHEEL_MUTANT": str(number)}
            process = subprocess.Popen([str(executable), *arguments], stdout=said, stderr=subprocess.STDOUT,
                                       stdin=subprocess.DEVNULL, env=environment, preexec_fn=limits(seconds, self.checked))
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            return process.returncode, said.read(1 << 20).decode(errors="replace"), used.ru_utime + used.ru_stime

    def judge(self, executable, run, number=0):
        code, said, _ = self.run(executable, *run, number)
        if code != 0:
            case = re.search(r"TEST CASE: +(.*)", said)
            failed = re.search(r"^.*FAIL.*$", said, re.M)
            why = "it hung" if code == -signal.SIGXCPU else case[1] if case else failed[0] if failed else f"exit code {code}"
            raise Outcome("killed", f"{self.name}: {why[:100]}")

    def try_out(self, changed, turn):
        """In two turns: the first run, then those that take longer. A mutant alone: the library, then the tests too."""
        if not self.is_alone(changed):
            # This may find that it is.
            _, executable, runs = self.build(self.schemata)
        if self.is_alone(changed):
            self.try_alone(changed, turn)
            return
        for run in runs[1:] if turn else runs[:1]:
            self.judge(executable, run, self.schemata.numbers[changed.name])

    def is_alone(self, changed):
        """Whether the mutant is compiled alone, which takes longer."""
        return changed.name not in self.schemata.numbers or changed.name in self.schemata.alone

    def try_alone(self, changed, turn):
        library, tests = self.holders(changed)
        objects, _, runs = self.build(None)
        again = {}
        for source in library + tests if turn or not library else library:
            output = changed.folder / f"{self.name}-{source.replace('/', '-')}.o"
            self.compile(source, output, changed)
            # A path in the object would differ too; the sources have none.
            if output.read_bytes() != objects[source].read_bytes():
                again[source] = output
        if again:
            executable = changed.folder / self.name
            self.link({**objects, **again}, executable)
            for run in runs if turn else runs[:1]:
                self.judge(executable, run)

    def try_assertions(self, changed):
        """The compiler's assertions about constant functions, in the test with the mutant's name. They need no run."""
        stems = [pathlib.Path(file).stem for file in changed.texts]
        for source in self.sources:
            if changed.name in self.schemata.alone and pathlib.Path(source).stem.removesuffix("_host") in stems and \
                    source not in WHEEL:
                self.compile(source, changed.folder / "checked.o", changed, [*self.flags, "-fsyntax-only", "-DDOCTEST_CONFIG_DISABLE"])

    def holders(self, changed):
        """The sources that a mutant has to be compiled into: the library's, and the tests that hold its function, or all."""
        if not self.built:
            self.build(None)
        users = [source for source in self.sources if self.needs[source] & changed.texts.keys()]
        library = [source for source in users if source in WHEEL]
        tests = [source for source in users if source not in WHEEL]
        naming = [source for source in tests if changed.names_function(self.symbols[source])]
        if naming or any(changed.names_function(self.symbols[source]) for source in library):
            tests = naming
        return library, tests

    def calls(self, changed):
        """Whether anybody calls the broken function. If nobody does, the objects are the same whatever it does."""
        after = r"(\(|$)"  # a function of C has its name alone
        for source in [one for group in self.holders(changed) for one in group]:
            if source not in self.called and not changed.names_function(self.symbols[source], after):
                output = changed.folder / "called.o"
                self.compile(source, output, None, [*self.flags, "-Dalways_inline=noinline"])
                self.called[source] = symbols_of(output)
            if changed.names_function(self.called.get(source, self.symbols[source]), after):
                return True
        return changed.function == "-"

    def same_code(self, changed):
        """Whether the compiler makes the same of the mutant, optimised: nobody can tell the two apart."""
        flags = [flag for flag in self.flags if not flag.startswith(("-O", "-f"))] + ["-O2"]
        for source in [one for group in self.holders(changed) for one in group]:
            output = changed.folder / "optimised.o"
            if source not in self.optimised:
                self.compile(source, output, None, flags)
                self.optimised[source] = output.read_bytes()
            self.compile(source, output, changed, flags)
            if output.read_bytes() != self.optimised[source]:
                return False
        return True


def sources(folder):
    return sorted(str(path) for path in pathlib.Path(folder).glob("*.c*") if path.suffix in (".cpp", ".c"))


HOST = ["-DTICKWHEEL_TEST_HOST", *(f"-I{part}" for part in INCLUDES)]
SEEN_BY_UNIT = ("core/", "port/host/", "port/smp/", "port/cortex_m_systick/tickwheel/")


def unit(variant, kind, name="", sees=SEEN_BY_UNIT):
    geometry = variant.partition("-")[0]
    flags = [*kind, *HOST, f"-DTICKWHEEL_GEOMETRY={geometry}", f"-DTICKWHEEL_DEBUG={variant.endswith('debug'):d}"]
    of_slots = [f"test/unit/{test}.cpp" for test in ("slots", "interrupted_host") if geometry == "1"]
    return Program(f"unit-{variant}{name}", [one for one in sources("test/unit") if one not in of_slots], sees, flags, doctest=True)


def fuzz(geometry, sees=("core/",)):
    flags = [*FAST, *HOST, f"-DTICKWHEEL_GEOMETRY={geometry}", "-DTICKWHEEL_DEBUG=0"]
    return Program(f"fuzz-{geometry}", sources("test/fuzz"), sees, flags, [("60000", "7")])


def sleep(name, flags, arguments=((),)):
    common = ["test/races/sleep/simulation.cpp", "test/races/sleep/hal_counter.cpp"]
    source = [f"test/races/sleep/{name}.cpp", *common]
    return Program(f"sleep-{name}{''.join(flags[:1]).replace('-DTICKWHEEL_HZ=', '-')}", source,
                   ("port/cortex_m_systick/tickwheel/", "core/tickwheel/tick_", "core/tickwheel/sleep_loop.hpp"),
                   [*FAST, "-Icore", "-Itest/races/sleep", "-Iport/cortex_m_systick", *flags], arguments)


def interleavings(geometry):
    flags = ["-O1", "-DTICKWHEEL_DEBUG=0", *HOST, f"-DTICKWHEEL_GEOMETRY={geometry}"]
    return Program(f"interleavings-{geometry}", sources("test/races/interleavings"), ("core/",), flags, [("1",)])


SMALL_300 = ["-DTICKWHEEL_HZ=300", "-DTICKWHEEL_GEOMETRY=64"]
UNIT = unit("86", FAST)
OF_A_LIST = ("core/list/",)
# In this order: those that kill the most are first. A program that no mutant needs any more is never built.
PROGRAMS = [fuzz("86"), fuzz("1", OF_A_LIST), UNIT, sleep("cases", []), unit("86-debug", FAST), unit("1", FAST, sees=OF_A_LIST),
            unit("1-debug", FAST, sees=OF_A_LIST), fuzz("64"), unit("64", FAST), sleep("cases", SMALL_300),
            sleep("random", [], [("200000000", "1")]), sleep("random", SMALL_300, [("200000000", "1")]),
            sleep("longest_tick", ["-DTICKWHEEL_HZ=10"])]
# For those that have survived the others.
LAST_PROGRAMS = [interleavings("86"), interleavings("64"), unit("86", CHECKED, "-checked"),
                 unit("86-debug", CHECKED, "-checked", ("core/wheel/debug.hpp",))]
# A patch may name the one that sees it.
NAMED = {program.name: program for program in PROGRAMS + LAST_PROGRAMS}


def seen_by(programs, changed):
    """Of the others only unit-86 has a list."""
    of_a_list = all(file.startswith(OF_A_LIST) for file in changed.texts)
    return [program for program in programs if any(file.startswith(program.sees) for file in changed.texts)
            and (program is UNIT or of_a_list == (program.sees is OF_A_LIST))]


def tried(programs, changed, one_by_one):
    """Each program in two turns: all of one program, then of the next; or the first turns of all, then the second ones."""
    turns = [(turn, program) for program in programs for turn in range(2)]
    for turn, program in turns if one_by_one else sorted(turns, key=lambda one: one[0]):
        place = list(NAMED).index(program.name)
        yield place >= len(PROGRAMS), program.is_alone(changed), *((place, turn) if one_by_one else (turn, place))
        program.try_out(changed, turn)


def steps(changed, goals=(), quick=False, short=False):
    """Judges a mutant: yields, before each step, its place in the order of all steps of all mutants, and at last the outcome:
    killed, survived, the same code or does not build; and by what."""
    with changed:
        try:
            yield from tried([NAMED[goal] for goal in goals if goal in NAMED], changed, short)
            for goal in goals:
                if goal in GOALS:
                    yield 2,
                    GOALS[goal].thorough(changed)
            if not goals:
                seeing = seen_by(PROGRAMS, changed)
                yield False, UNIT.is_alone(changed), -1, 0
                UNIT.try_assertions(changed)
                yield from tried(seeing, changed, short)
                if not quick:
                    yield 1,
                    if seeing and any(program.calls(changed) for program in seeing) and \
                            all(program.same_code(changed) for program in seeing):
                        raise Outcome("same code", "")
                    yield from tried(seen_by(LAST_PROGRAMS, changed), changed, short)
            yield Outcome("survived", "")
        except Outcome as outcome:
            yield outcome
