# SPDX-License-Identifier: MIT
"""The shell and `make run` at a terminal. Each case runs a program on a pseudo-terminal.
    QEMU=.. terminal.py <folder of the firmwares>"""
import os
import pty
import re
import select
import signal
import sys
import time

FOLDER = sys.argv[1]
SHELL = os.environ["QEMU"].split() + ["-kernel", FOLDER + "/8-6/shell.elf"]
# -o: make uses the firmware that exists, and builds nothing while other tests run.
BLINK = ["make", "--no-print-directory", "-o", "elf", "run", "BOARD=" + os.path.basename(FOLDER), "EXAMPLE=blink"]
PATIENCE = 1200  # seconds: the machine may be busy
PROMPT = "\n> $"
WRONG = "this command is `{}`: `help` says what T and N may be"
ANSWERS = (
    ("foo", "'foo' is not a command"),
    ("afterwards 5", "'afterwards 5' is not a command"),
    *((wrong, WRONG.format("after N")) for wrong in ("after", "after 12x", "after 5 6", "after 0", "after 2147483648",
                                                     "after 99999999999")),
    *((wrong, WRONG.format("mod T N")) for wrong in ("mod 3", "mod 9 10")),
    ("del 3", "timer 3 is not armed"),
    ("after 2147483647", r"timer 1 fires after 2147483647 ticks, at tick \d+, in tv5"),
    ("mod 1 100000", r"timer 1 fires after 100000 ticks, at tick \d+, in tv[34]"),
    ("skip 200000", r"timer 1 fired at tick \d+, late: `skip` passed its tick \d+ \(tv[34]\)"),
    # The shell keeps 8 records until it prints.
    ("every 10000", r"timer 1 fires after 10000 ticks, at tick \d+, in tv[23], then every 10000 ticks"),
    ("skip 400000", r"\n  3[12] more fired, too many at once to print"),
    *(("every 1000000", f"timer {number} fires after 1000000 ticks") for number in range(2, 9)),
    ("after 5", "no timer is free: all 8 are armed"),
)


class Terminal:
    """A program on a pseudo-terminal, which ends with the `with`. `said` is all that it has printed."""

    def __init__(self, command):
        self.said = ""
        self.child, self.pty = pty.fork()
        if self.child == 0:
            os.execvp(command[0], command)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.child, signal.SIGKILL)  # pty.fork() made it the leader of a group
            os.waitpid(self.child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.pty)

    def read(self):
        """Reads the new output. Returns False if the program has ended."""
        if not select.select([self.pty], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.pty, 4096)
        except OSError:
            data = b""
        self.said += data.decode("latin-1").replace("\r\n", "\n")
        return data != b""

    def until(self, pattern, start=0):
        """Waits until the pattern is in the output, after `start`. Returns where it ends."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, self.said[start:])
            if found:
                return start + found.end()
            if not self.read():
                break
        raise ValueError("no `" + pattern + "`")

    def type(self, text):
        os.write(self.pty, text.encode("latin-1"))

    def exit_code(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def make_run_says_how_to_leave(blink):
    blink.until("led on", blink.until("leave: Ctrl-C"))
    blink.type("\x03")
    blink.exit_code()


def help_says_how_to_leave(shell):
    shell.until(PROMPT, shell.until("`quit` leaves"))
    shell.type("help\r")
    shell.until(PROMPT, shell.until("\nquit: .* leaves"))
    if max(map(len, shell.said.split("\n"))) >= 80:
        raise ValueError("a row is too wide")
    shell.type("quit\r")
    if shell.exit_code() != 0:
        raise ValueError("quit ends with an error")


def each_line_has_its_answer(shell):
    typed = shell.until(PROMPT)
    for line, answer in ANSWERS:
        shell.type(line + "\r")
        typed = shell.until(answer, shell.until(re.escape(line + "\n"), typed))
    shell.type("quit\r")
    shell.until(r"[1-9]\d* late after a skip", typed)


def a_firing_leaves_the_line_that_is_typed(shell):
    shell.until(PROMPT)
    shell.type("every 300\r")
    shell.until(PROMPT, shell.until("timer 1 fires after 300 ticks, at tick [0-9]+, in tv[1-5]"))
    # The shell must take back no more than what was typed, and no more than fits into a row.
    shell.type("\x7flisx\x7f")
    typed = shell.until("> lisx\b \b")
    shell.until(r"\n  [0-9]+ ms: timer 1 fired [^\n]* \(tv[1-5]\)\n> lis", typed)
    shell.type("t\r")
    shell.until("now: tick", typed)
    shell.type("#" + 80 * "x" + "\r")
    shell.until("> #" + 76 * "x" + "\n", typed)


CASES = ((BLINK, make_run_says_how_to_leave), (SHELL, help_says_how_to_leave), (SHELL, each_line_has_its_answer),
         (SHELL, a_firing_leaves_the_line_that_is_typed))

failed = 0
for command, case in CASES:
    with Terminal(command) as terminal:
        try:
            case(terminal)
        except ValueError as failure:
            failed += 1
            print(case.__name__ + ": " + str(failure), terminal.said, sep="\n")
print(len(CASES) - failed, "passed,", failed, "failed")
sys.exit(failed != 0)
