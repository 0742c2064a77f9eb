# SPDX-License-Identifier: MIT
"""The shell and `make run` at a terminal. Each case runs a program on a pseudo-terminal
and keeps the screen that a terminal of 80 columns would show.
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
COLUMNS = 80
LONGEST_LINE = 77
PATIENCE = 1200  # seconds: the machine may be busy


class Failure(Exception):
    pass


class Terminal:
    """A program on a pseudo-terminal. `rows` is what its screen shows."""

    def __init__(self, command):
        self.rows = [""]
        self.column = 0
        self.escape = ""
        self.child, self.pty = pty.fork()
        if self.child == 0:
            os.execvp(command[0], command)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.child, signal.SIGKILL)  # pty.fork() made it the leader of a group
        except ProcessLookupError:
            pass
        try:
            os.waitpid(self.child, 0)
        except ChildProcessError:
            pass
        os.close(self.pty)

    def show(self, c):
        row = self.rows[-1]
        if self.escape or c == "\x1b":
            self.escape += c
            if self.escape == "\x1b[K":
                self.rows[-1] = row[: self.column]
            if len(self.escape) > 2:
                self.escape = ""
        elif c == "\r":
            self.column = 0
        elif c == "\n":
            self.rows.append("")
        elif c == "\b":
            self.column = max(0, self.column - 1)
        elif c != "\a":
            if self.column == COLUMNS:
                self.rows.append("")
                row, self.column = "", 0
            self.rows[-1] = row[: self.column].ljust(self.column) + c + row[self.column + 1 :]
            self.column += 1

    def read(self):
        """Reads the new output. Returns False if the program has ended."""
        if not select.select([self.pty], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.pty, 4096)
        except OSError:
            data = b""
        for c in data.decode("latin-1"):
            self.show(c)
        return data != b""

    def count(self, start):
        """Returns the number of rows that start with these words."""
        return sum(row.startswith(start) for row in self.rows)

    def until(self, pattern, times=1):
        """Waits until so many whole rows match the pattern. Returns the index of the last."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = [index for index, row in enumerate(self.rows) if re.fullmatch(pattern, row)]
            if len(found) >= times:
                return found[times - 1]
            if not self.read():
                break
        raise Failure("no row `" + pattern + "`")

    def until_last(self, row):
        """Waits until the last row equals this one."""
        end = time.monotonic() + PATIENCE
        while self.rows[-1] != row and time.monotonic() < end and self.read():
            pass
        if self.rows[-1] != row:
            raise Failure("the last row is not `" + row + "`")

    def type(self, text):
        os.write(self.pty, text.encode("latin-1"))

    def ends(self):
        """Waits for the end of the program. Returns its exit status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self.read():
                return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        raise Failure("it does not end")


def the_shell_says_how_to_leave(shell):
    shell.until(".*`quit` leaves.*")
    shell.until_last("> ")
    shell.type("quit\r")
    if shell.ends() != 0:
        raise Failure("quit ends with an error")


def help_lists_quit(shell):
    shell.until_last("> ")
    shell.type("help\r")
    shell.until("quit  .* leave.*")
    shell.until_last("> ")
    if any(len(row) == COLUMNS for row in shell.rows):
        raise Failure("a row is too wide")


def make_run_says_how_to_leave(blink):
    leave = blink.until("leave: Ctrl-C")
    if blink.until("led on") < leave:
        raise Failure("the hint comes too late")
    blink.type("\x03")
    blink.ends()


def after_answers_in_the_words_of_the_question(shell):
    shell.until_last("> ")
    shell.type("after 500\r")
    shell.until("timer 1 fires after 500 ticks, at tick [0-9]+, in tv[1-5]")


def a_firing_leaves_the_line_that_is_typed(shell, typed="lis", taken="lis"):
    shell.until_last("> ")
    shell.type("every 300\r")
    shell.until("timer 1.*")
    shell.until_last("> ")
    shell.type(typed)
    shell.until_last("> " + taken)
    firing = r"  [0-9]+ ms: timer 1 fired .* \(tv[1-5]\)"
    fired = sum(re.fullmatch(firing, row) is not None for row in shell.rows)
    shell.until(firing, fired + 1)
    shell.until_last("> " + taken)
    if shell.count(typed[:3]) + shell.count("> " + typed[:3]) != 1:
        raise Failure("a piece of the line is left on the screen")


def a_line_goes_on_after_a_firing(shell):
    a_firing_leaves_the_line_that_is_typed(shell)
    shell.type("t\r")
    shell.until("> list")


def a_firing_leaves_a_line_that_is_too_long(shell):
    a_firing_leaves_the_line_that_is_typed(shell, "x" * COLUMNS, "x" * LONGEST_LINE)
    shell.type("\r")
    shell.until(".*%d characters.*" % LONGEST_LINE)
    shell.type("now\r")
    shell.until("now: tick .*")


def cursor_keys_type_nothing(shell):
    shell.until_last("> ")
    shell.type("n\x1b[Ao\x1bOC\x1b[3~w\r")
    shell.until("> now")


def backspace_takes_the_last_character_back(shell):
    shell.until_last("> ")
    shell.type("\x7fnox\x7fw\r")
    shell.until("> now")


CASES = (
    (SHELL, the_shell_says_how_to_leave),
    (SHELL, help_lists_quit),
    # -o: make uses the firmware that exists, and builds nothing while other tests run.
    (["make", "--no-print-directory", "-o", "elf", "run", "BOARD=" + os.path.basename(FOLDER), "EXAMPLE=blink"],
     make_run_says_how_to_leave),
    (SHELL, after_answers_in_the_words_of_the_question),
    (SHELL, a_firing_leaves_the_line_that_is_typed),
    (SHELL, a_line_goes_on_after_a_firing),
    (SHELL, a_firing_leaves_a_line_that_is_too_long),
    (SHELL, cursor_keys_type_nothing),
    (SHELL, backspace_takes_the_last_character_back),
)

failed = 0
for command, case in CASES:
    with Terminal(command) as terminal:
        try:
            case(terminal)
        except Failure as failure:
            failed += 1
            print(case.__name__ + ": " + str(failure), *terminal.rows, sep="\n  | ")
print(len(CASES) - failed, "passed,", failed, "failed")
sys.exit(failed != 0)
