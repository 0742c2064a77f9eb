# SPDX-License-Identifier: MIT
"""Weighs each feature for `make size`: the bytes at -Os of a program that uses it, over those of one with a plain timer.

A header that you include and do not use costs nothing: all programs include all headers, and the figure of the plain timer
would grow.
"""

import re

from tools import output

cpus = {"m3": "cortex-m3", "m0": "cortex-m0"}
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore "
         "-Iport/cortex_m -Iport/cortex_m_systick -isystem test/check/vendor").split()

# The callback counts its calls.
program = """
#include <linux/timer.h>
#include <tickwheel/chrono.hpp>
#include <tickwheel/hooks.hpp>
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>
using namespace std::chrono_literals;
volatile unsigned calls = 1;
volatile unsigned number = 1;
[[maybe_unused]] static void count(timer_list *) { calls = calls + 1; }
struct count_one { void operator()() const { calls = calls + 1; } };
%(timer)s
extern "C" void use() { calls = number; %(use)s; }
extern "C" void SysTick_Handler() { (void)tickwheel_interrupt(); }
"""
plain = "tickwheel::timer timer{count};"
member = """struct counter {
    void count() { calls = calls + 1; }
    tickwheel::closure_timer<tickwheel::member<&counter::count>> timer{this};
};
counter object{};"""
periodic = "tickwheel::periodic_timer<count_one> timer{count_one{}};"
burst = "tickwheel::periodic_timer<count_one, tickwheel::missed_periods::burst> timer{count_one{}};"
with_slack = "tickwheel::periodic_timer timer{count_one{}, tickwheel::slack{5}};"
scoped = """tickwheel::scoped_timer timer{[] { calls = calls + 1; }};
    (void)timer.start_after_ticks(10);
    while (calls != 0) {}"""
second = plain + """
tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_small_geometry> second;
tickwheel::basic_timer<second> other{count};"""
start = "(void)timer.start_after_ticks(10)"
start_periodic = "timer.start_after_ticks(10, 10)"

# Its name, what the page calls it, what the program does, and the timer where it is no plain one.
features = (
    ("plain", "the wheel and a plain timer", start),
    ("member", "a member function as the callback", "(void)object.timer.start_after_ticks(10)", member),
    ("lambda", "a lambda", start, "tickwheel::closure_timer timer{[] { calls = calls + 1; }};"),
    ("periodic_skip", "periodic, missed periods left out", start_periodic, periodic),
    ("periodic_burst", "periodic, missed periods made up for", start_periodic, burst),
    ("periodic_slack", "periodic, with a slack", start_periodic, with_slack),
    ("inactivity", "a time-out that is restarted cheaply", "timer.restart_after_ticks(10)",
     "tickwheel::inactivity_timer timer{[] { calls = calls + 1; }};"),
    ("long", "a tick of 64 bits", "(void)timer.start_after_ticks(uint64_t{1} << 40)",
     "tickwheel::long_timer timer{[] { calls = calls + 1; }};"),
    ("scoped", "on the stack, cancelled with its scope", scoped, ""),
    ("linux", "Linux's names, in C or C++", "mod_timer(&timer, jiffies + 10)", "DEFINE_TIMER(timer, count);"),
    ("cancel", "cancel()", f"{start}; (void)timer.cancel()"),
    ("move_to", "move_to()", f"{start}; (void)timer.move_to(number)"),
    ("within", "start_within()", f"{start}; (void)timer.start_within(number, number)"),
    ("start_after_ms", "milliseconds in C, a constant", "(void)tickwheel_start_after_ms(&timer, 30000)"),
    ("chrono_constant", "std::chrono, a constant", "(void)timer.start_after_ticks(tickwheel::ticks(10ms))"),
    ("chrono", "std::chrono, at run time",
     "(void)timer.start_after_ticks(tickwheel::ticks(std::chrono::duration<uint32_t, std::milli>(number)))"),
    ("msecs", "milliseconds, at run time", "(void)timer.start_after_ticks(tickwheel_msecs_to_jiffies(number))"),
    ("jiffies_64", "the tick counter in 64 bits",
     f"{start}; calls = static_cast<unsigned>(tickwheel_get_jiffies_64() >> 32)"),
    ("next_expiry", "the next expiry",
     f"{start}; jiffies_t next = 0; (void)tickwheel_next_expiry(&next); calls = next"),
    ("second_wheel", "a second wheel, small",
     f"{start}; (void)other.start_after_ticks(10); (void)second.interrupt()", second),
)


def weight(made, library, cpu, use, timer=plain):
    """Bytes of flash and of RAM of what a program links. `made` has its source, and `library` is the wheel's object."""
    made.with_suffix(".cpp").write_text(program % {"use": use, "timer": timer})
    output("arm-none-eabi-g++", f"-mcpu={cpu}", *flags, "-c", f"{made}.cpp", "-o", f"{made}.o")
    output("arm-none-eabi-g++", f"-mcpu={cpu}", "-mthumb", "-nostdlib", "-Wl,--gc-sections,-e,use,-u,SysTick_Handler",
           f"{made}.o", str(library), "-lgcc", "-o", f"{made}.elf")
    return bytes_of(f"{made}.elf")


def bytes_of(elf):
    """Bytes of flash and of RAM of a program."""
    table = output("arm-none-eabi-size", "-A", str(elf))
    sizes = re.findall(r"^\.(text|rodata|init_array|data|bss)\S* +(\d+)", table, re.M)
    return (sum(int(size) for name, size in sizes if name != "bss"),
            sum(int(size) for name, size in sizes if name in ("data", "bss")))


def measure(directory, library_of):
    """The figures, and the rows of a table. `library_of` gives the wheel's object for a CPU."""
    figures, rows, base = {}, [], {core: (0, 0) for core in cpus}
    for name, label, *text in features:
        found = {core: weight(directory / f"{name}-{cpu}", library_of(cpu), cpu, *text) for core, cpu in cpus.items()}
        flash = {core: found[core][0] - base[core][0] for core in cpus}
        ram = found["m3"][1] - base["m3"][1]
        rows.append([label, *flash.values(), ram])
        figures.update({f"features.{name}.{core}": bytes for core, bytes in flash.items()} | {f"features.{name}.ram": ram})
        if name == "plain":
            base = found
    return figures, rows
