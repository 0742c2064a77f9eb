#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs test programs, at most JOBS at a time, and adds up what they count.

    JOBS=2 run_tests.py [--out FOLDER] [--show "NAME .."] TEST..

A TEST is one argument: a name, a limit in seconds for test/with_limit, and a command for the shell. @FILE stands for the tests
in FILE, one a line. A program prints `N passed, M failed` last.
It has failed, whatever it counted, if it ran no test, printed no such line, exceeded its limit, or ended with another
exit code than 0. FOLDER keeps the output under the name.
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
LINES_OF_A_FAILURE = 40
# A test that runs make gets none of this make's jobs and options.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
WITH_LIMIT = pathlib.Path(__file__).with_name("with_limit")
running = set()


def end(process):
    """Ends a test with all programs that it has started. Each test has a process group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run(test, folder):
    """Returns the name, the two counts, why the test failed apart from these, what it printed, and its seconds of the processor."""
    name, seconds, command = test.split(None, 2)
    path = folder / name
    with path.open("w") as output:
        process = subprocess.Popen([WITH_LIMIT, seconds, "sh", "-c", command], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env=ENVIRONMENT, start_new_session=True)
        running.add(process)
        _, status, usage = os.wait4(process.pid, 0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        running.discard(process)
        # test/with_limit ends only the shell.
        end(process)
        # timeout ends as the program does, and the shell adds 128 to its signal.
        if code in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            ended = f"more than {seconds} seconds of the processor"
        else:
            ended = f"exit code {code}" if code != 124 else "asleep"
    said = path.read_text(errors="replace")
    path.write_text(said + ("" if said.endswith("\n") or not said else "\n") + ended + "\n")
    counts = COUNTS.findall(said)
    passed, failed = map(int, counts[-1]) if counts else (0, 0)
    why = ended if ended != "exit code 0" else "" if passed or failed else "it ran no test"
    return name, passed, failed or int(why != ""), why, said, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
    parser.add_argument("--out", type=pathlib.Path, default="build/results")
    parser.add_argument("--show", default="", help="also print what these tests say when they pass")
    parser.add_argument("tests", nargs="+")
    options = parser.parse_args()
    jobs = os.environ.get("JOBS") or str(os.cpu_count())
    if not re.fullmatch("[1-9][0-9]{0,3}", jobs):
        parser.error(f"JOBS={jobs}: a decimal number from 1")
    if len({test.split()[0] for test in options.tests}) != len(options.tests):
        parser.error("two tests have the same name")
    options.out.mkdir(parents=True, exist_ok=True)
    # SIGTERM ends the tests too, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sums = [0, 0]
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        try:
            tests = [pool.submit(run, test, options.out) for test in options.tests]
            for done in concurrent.futures.as_completed(tests):
                name, passed, failed, why, said, used = done.result()
                sums = [sums[0] + passed, sums[1] + failed]
                print(f"{name}: {passed} passed, {failed} failed" + (f" ({why})" if why else f", {used:.0f} s"))
                lines = ["    " + line for line in said.splitlines() if failed or not COUNTS.match(line)]
                if failed:
                    print(*lines[-LINES_OF_A_FAILURE:], f"    all of it: {options.out / name}", sep="\n")
                elif name in options.show.split():
                    print(*lines, sep="\n")
                sys.stdout.flush()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                end(process)
            return 130
    print(f"{sums[0]} passed, {sums[1]} failed")
    return sums[1] != 0


if __name__ == "__main__":
    sys.exit(main())
