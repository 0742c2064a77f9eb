# SPDX-License-Identifier: MIT
"""Weighs each feature, and checks that a header alone costs nothing: `make size-features`.

features.py DIRECTORY; MAKE=.. in the environment. Links firmwares for a Cortex-M3 and a Cortex-M0 at -Os. One that uses
nothing must be the same to the byte with each public header as without. Each feature is a firmware of its own. Writes
DIRECTORY/figures, for figures.py, and prints a table.
"""
import os
import re
import sys
from pathlib import Path

from tools import output, print_table, write_figures

cpus = {"cortex-m3": "M3", "cortex-m0": "M0"}
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore "
         "-Iport/cortex_m -Iport/cortex_m_systick -isystem test/check/vendor").split()

# The firmware that uses nothing, and the one of a feature: its callback counts its calls. The headers cost nothing.
empty = 'extern "C" void SysTick_Handler()\n{\n}\n\nint main()\n{\n    for (;;) {\n    }\n}\n'
program = """
#include <linux/timer.h>
#include <tickwheel/chrono.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>
namespace
{
volatile unsigned calls = 1;
volatile unsigned number = 1;
[[maybe_unused]] void count(timer_list *) { calls = calls + 1; }
%(timer)s
void use() { %(use)s; }
}
extern "C" void SysTick_Handler() { %(tick)s }
int main() { calls = number; use(); for (;;) {} }
"""
member = """struct counter {
    void count() { calls = calls + 1; }
    tickwheel::closure_timer<tickwheel::member<&counter::count>> timer{this};
};
counter object{};"""
periodic = """struct count_one { void operator()() const { calls = calls + 1; } };
tickwheel::periodic_timer<count_one%s> timer{count_one{}};"""


def periodic_with(option, its_value):
    """A periodic timer with an option."""
    form = periodic % f", tickwheel::missed_periods::skip, tickwheel::default_wheel, tickwheel::{option}"
    return form.replace("count_one{}}", "count_one{}, tickwheel::" + its_value + "}")


second = """tickwheel::timer timer{count};
using geometry = tickwheel::linux_small_geometry;
tickwheel::wheel<tickwheel::port_lock, geometry> second;
tickwheel::basic_timer<second> other{count};"""
start = "(void)timer.start_after_ticks(10)"
start_second = f"{start}; (void)other.start_after_ticks(10); (void)second.interrupt()"


# Its name, what the page calls it, what main() does, and the timer where it is no plain one.
features = (
    ("plain", "the wheel and a plain timer", start),
    ("member", "a member function as the callback", "(void)object.timer.start_after_ticks(10)", member),
    ("lambda", "a lambda", start, "tickwheel::closure_timer timer{[] { calls = calls + 1; }};"),
    ("lambda_of_a_word", "a lambda that captures a word", start,
     "tickwheel::closure_timer timer{[by = &number] { calls = calls + *by; }};"),
    ("periodic_skip", "periodic, missed periods left out", "timer.start_after_ticks(10, 10)", periodic % ""),
    ("periodic_burst", "periodic, missed periods made up for", "timer.start_after_ticks(10, 10)",
     periodic % ", tickwheel::missed_periods::burst"),
    ("periodic_delay", "periodic, from now on after missed periods", "timer.start_after_ticks(10, 10)",
     periodic % ", tickwheel::missed_periods::delay"),
    ("periodic_slack", "periodic, with a slack", "timer.start_after_ticks(10, 10)",
     periodic_with("slack", "slack{5}")),
    ("periodic_count", "periodic, with a count of its calls", "timer.start_after_ticks(10, 10); calls = timer.status()",
     periodic_with("call_count", "call_count{}")),
    ("long", "a tick of 64 bits", "(void)timer.start_after_ticks(uint64_t{1} << 40)",
     "tickwheel::long_timer timer{[] { calls = calls + 1; }};"),
    ("scoped", "on the stack, cancelled with its scope",
     f"tickwheel::scoped_timer timer{{[] {{ calls = calls + 1; }}}}; {start}; while (calls != 0) {{}}", ""),
    ("linux", "Linux's names, in C or C++", "mod_timer(&timer, jiffies + 10)", "DEFINE_TIMER(timer, count);"),
    ("cancel", "cancel()", f"{start}; (void)timer.cancel()"),
    ("pending_only", "move_to()", f"{start}; (void)timer.move_to(number)"),
    ("no_later", "start_no_later_than()", f"{start}; (void)timer.start_no_later_than(number)"),
    ("within", "start_within()", f"{start}; (void)timer.start_within(number, number)"),
    ("start_after_ms", "milliseconds in C, a constant", "(void)tickwheel_start_after_ms(&timer, 30000)"),
    ("chrono_constant", "std::chrono, a constant",
     "using namespace std::chrono_literals; (void)timer.start_after_ticks(tickwheel::ticks(10ms))"),
    ("chrono", "std::chrono, at run time",
     "(void)timer.start_after_ticks(tickwheel::ticks(std::chrono::duration<uint32_t, std::milli>(number)))"),
    ("msecs", "milliseconds, at run time", "(void)timer.start_after_ticks(tickwheel_msecs_to_jiffies(number))"),
    ("jiffies_64", "the tick counter in 64 bits",
     f"{start}; calls = static_cast<unsigned>(tickwheel_get_jiffies_64() >> 32)"),
    ("next_expiry", "the next expiry", f"{start}; jiffies_t next = 0; (void)tickwheel_next_expiry(&next); calls = next"),
    ("advance", "many ticks at once", f"{start}; (void)tickwheel_advance(number); (void)tickwheel_run()"),
    ("budget", "a run with a budget", f"{start}; (void)tickwheel_run_budget(number)"),
    ("second_wheel", "a second wheel, small", start_second, second),
)
expected = []


def expect(what, holds):
    expected.append(holds)
    if not holds:
        print(f"not so: {what}")


class Cpu:
    """Builds everything of a firmware except its own source, once."""

    def __init__(self, directory, cpu):
        self.folder = directory / cpu
        self.folder.mkdir(parents=True, exist_ok=True)
        self.compile = ["arm-none-eabi-g++", f"-mcpu={cpu}", *flags]
        library = f"{self.folder}/lib"
        output("env", "MAKEFLAGS=", os.environ.get("MAKE", "make"), "lib", f"CPU={cpu}", "CXX=g++", "OPT=-Os",
               f"LIB={library}")
        self.rest = [f"{library}/libtickwheel.a"]
        for source in [*Path("boards/startup").glob("*.cpp"), Path("boards/mps2-an385/board.cpp")]:
            self.rest.append(str(self.folder / f"{source.stem}.o"))
            output(*self.compile, "-c", str(source), "-o", self.rest[-1])
        self.rest.sort(reverse=True)

    def firmware(self, name, text):
        made = self.folder / name
        made.with_suffix(".cpp").write_text(text)
        output(*self.compile, "-c", f"{made}.cpp", "-o", f"{made}.o")
        output("arm-none-eabi-g++", *self.compile[1:3], "-nostdlib", "-nostartfiles", "-Wl,--gc-sections", "-T",
               "linker/mps2-an385.ld", f"{made}.o", *self.rest, "-lgcc", "-o", f"{made}.elf")
        return f"{made}.elf"


def weight(elf):
    """Bytes of flash and of RAM."""
    text, exidx, data, bss = (sum(map(int, re.findall(rf"^{name} +(\d+)", output("arm-none-eabi-size", "-A", elf), re.M)))
                              for name in (r"\.text", r"\.ARM\.exidx", r"\.data", r"\.bss"))
    return text + exidx + data, data + bss


def image(elf):
    """The bytes of a firmware, and what it weighs: .bss is not among the bytes."""
    output("arm-none-eabi-objcopy", "-O", "binary", elf, f"{elf}.bin")
    return Path(f"{elf}.bin").read_bytes(), weight(elf)


def headers_cost_nothing(cpu, make):
    without = image(make.firmware("empty", empty))
    public = "core/*.h", "core/*.hpp", "port/cortex_m/*.hpp", "port/cortex_m_systick/*.h"
    for header in output("git", "ls-files", *public).split():
        name = "/".join(header.split("/")[-2:])
        including = make.firmware(f"with_{name.replace('/', '_').replace('.', '_')}", f"#include <{name}>\n{empty}")
        expect(f"a firmware for {cpu} that includes {name} is the same without", image(including) == without)


def text_of(use, timer="tickwheel::timer timer{count};", tick="(void)tickwheel_interrupt();"):
    return program % {"use": use, "timer": timer, "tick": tick}


def main(directory):
    programs = {"nothing": text_of("", "", "")} | {name: text_of(use, *timer) for name, _, use, *timer in features}
    weights = {}
    for cpu, core in cpus.items():
        make = Cpu(directory, cpu)
        headers_cost_nothing(cpu, make)
        weights.update(((core, name), weight(make.firmware(name, text))) for name, text in programs.items())
    figures, rows = {}, []
    for name, label, *_ in features:
        over = "nothing" if name == "plain" else "plain"
        (flash_m3, ram_m3), (flash_m0, ram_m0) = (
            [here - there for here, there in zip(weights[core, name], weights[core, over])] for core in cpus.values())
        expect(f"{name} takes the same RAM on every core", ram_m3 == ram_m0)
        rows.append([label, flash_m3, flash_m0, ram_m3])
        figures.update({f"features.{name}.m3": flash_m3, f"features.{name}.m0": flash_m0, f"features.{name}.ram": ram_m3})
    write_figures(directory / "figures", figures)
    print_table("bytes at -Os, over a plain timer", ["", "flash M3", "flash M0", "RAM"], *rows)
    print(f"{sum(expected)} passed, {len(expected) - sum(expected)} failed")
    return not all(expected)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
