# SPDX-License-Identifier: MIT
"""`info timers` for GDB: who waits for what. Load this file by `source tools/gdb/tickwheel_gdb.py`.

It reads a wheel by the names in core/tickwheel/state.hpp, needs debug information (-g), and writes nothing."""
import functools
import os
import re
import types

import gdb


def plain(name):
    return name.replace("(anonymous namespace)::", "")


def linker_name(address):
    """What the linker calls an address, or None. For code and data without debug information."""
    said = gdb.execute(f"info symbol {address}", to_string=True)
    return plain(said.partition(" in section")[0]) if " in section" in said else None


# --- Objects and types
def bare(type):
    return type.strip_typedefs().unqualified()


def snapshot(address, type):
    """The object at an address, by one read of the target. Each member would be a read of its own."""
    return gdb.Value(gdb.selected_inferior().read_memory(address, type.sizeof).tobytes(), type)


def word(value):
    """The number in a shared_word."""
    type = bare(value.type)
    return int(value[type.fields()[0]] if type.code == gdb.TYPE_CODE_STRUCT else value)


def members(type):
    """The parts of a class or an array: what follows the path (nothing for a base), type, offset."""
    if type.code == gdb.TYPE_CODE_ARRAY:
        element = bare(type.target())
        return [(f"[{i}]", element, i * element.sizeof) for i in range(type.range()[1] + 1) if element.sizeof > 8]
    fields = type.fields() if type.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) else ()
    return [("" if field.is_base_class or not field.name else "." + field.name, bare(field.type), field.bitpos // 8)
            for field in fields if hasattr(field, "bitpos") and not field.bitsize]


def lineage(type):
    """The names of a type and of its first bases."""
    bases = [base for name, base, _ in members(bare(type)) if not name]
    return [bare(type).name or "", *(lineage(bases[0]) if bases else ())]


def objects_in(path, type, address, wanted):
    """An object and all objects in it, the outermost first: path, type, address. Only those that are wanted."""
    type = bare(type)
    if wanted(type, address):
        yield path, type, address
        for name, inner, offset in members(type):
            yield from objects_in(path + name, inner, address + offset, wanted)


# --- The variables of the program
def listed(what):
    """What GDB lists of the program's `variables` or `functions`: file, line, declaration."""
    file, said = "", gdb.execute(f"info {what} -q -n", to_string=True)
    # The declaration of an unnamed type has several lines.
    for heading, line, declaration in re.findall(r"^File (.+):$|^(\d+):\t((?:.|\n    |\n\})+;)$", said, re.M):
        file = heading or file
        if line:
            yield file, line, declaration


def variables_of(block, frame=None):
    """The variables of a function that a block sees: name, type, address. Without a frame only the static ones."""
    blocks = []
    while block is not None and not block.is_static and not block.is_global:
        blocks.append(block)
        block = None if block.function is not None else block.superblock
    for symbol in (symbol for one in blocks for symbol in one if symbol.is_variable):
        if frame is not None or not symbol.needs_frame:
            value = symbol.value(frame) if symbol.needs_frame else symbol.value()
            if not value.is_optimized_out and value.address is not None:
                function = plain(blocks[-1].function.name)
                yield f"{function.partition('(')[0]}::{symbol.name}", value.type, int(value.address)


def stack_variables():
    frame = gdb.newest_frame() if gdb.selected_thread() is not None else None
    try:
        while frame is not None:
            if frame.find_sal().symtab is not None:
                yield from variables_of(frame.block(), frame)
            frame = frame.older()
    except RuntimeError:
        return  # GDB cannot follow the stack any further


class Program:
    """What the debug information says. It is read once for each file that GDB loads."""
    last = None

    def __init__(self):
        self.objfiles = gdb.objfiles()
        built_for = gdb.execute("complete print tickwheel_built_for_hz_", to_string=True)
        self.hz = int((re.findall(r"hz_(\d+)", built_for) or [0])[0])
        found = {}
        for file, _, declaration in listed("variables"):
            name = re.search(r"((\(anonymous namespace\)|\w+)::)*\w*(?=(\[\d+\])*;$)", declaration)
            try:
                pointer = gdb.parse_and_eval(f"&'{file}'::'{name[0]}'")
                found[int(pointer)] = plain(name[0]), f" ({os.path.basename(file)})", pointer.type.target()
            except (gdb.error, TypeError):
                pass  # a constant without an address, or a pointer to a function
        names = [name for name, _, _ in found.values()]
        self.variables = [(name + file * (names.count(name) > 1), type, address)
                          for address, (name, file, type) in found.items()]
        self.wheels = list(self.find_wheels())

    @classmethod
    def now(cls):
        if cls.last is None or cls.last.objfiles != gdb.objfiles():
            cls.last = cls()
        return cls.last

    def find_wheels(self):
        """Name, and address and type of the clock and of the slots. The default wheel is first."""
        parts = {name: (address, type) for name, type, address in self.variables}
        if "tickwheel_clock" in parts and "tickwheel_slots" in parts:
            yield "default", parts["tickwheel_clock"], parts["tickwheel_slots"]
        for variable in self.variables:
            # The smallest wheel is larger.
            for path, type, start in objects_in(*variable, lambda type, _: type.sizeof > 200):
                parts = {(kind.name or "").partition("<")[0]: (start + offset, kind)
                         for _, kind, offset in members(type)}
                if "tickwheel::wheel_clock" in parts and "tickwheel::wheel_slots" in parts:
                    yield path, parts["tickwheel::wheel_clock"], parts["tickwheel::wheel_slots"]

    @functools.cached_property
    def statics(self):
        """The static variables of functions. GDB finds them only by the code that sees them."""
        found, seen = [], set()
        for file, line in {file: line for file, line, _ in listed("functions")}.items():
            try:
                tables = [place.symtab.linetable() for place in gdb.decode_line(f"'{file}':{line}")[1] or ()]
            except gdb.error:
                continue  # GDB has read that file under another name
            for block in (gdb.block_for_pc(entry.pc) for table in tables for entry in table):
                if block is not None and (block.start, block.end) not in seen:
                    seen.add((block.start, block.end))
                    found += variables_of(block)
        return found

    def owner(self, address):
        """The path of a timer and its type, or what else is known of its place, and None."""
        for variables in (lambda: self.variables, lambda: self.statics, stack_variables):
            for variable in variables():
                for path, type, start in objects_in(*variable, lambda type, start: 0 <= address - start < type.sizeof):
                    if start == address and "timer_list" in lineage(type):
                        return path, type
        return linker_name(address) or hex(address), None


# --- Callbacks
# The first argument of a template. It may contain templates and lists of parameters.
ARGUMENT = re.compile(r"<((?:[^<>(),]|\([^()]*\)|<(?:[^<>]|<[^<>]*>)*>)*)")


def function_at(pc):
    """The block of the function that holds an address, not of a function that is inlined there."""
    block = gdb.block_for_pc(pc)
    # GCC describes a lambda inside the function around it, which holds no code of the lambda.
    while block and not block.superblock.is_static and block.superblock.start <= block.start < block.superblock.end:
        block = block.superblock
    return block


def place_of_lambda(block):
    """Where the code of a lambda begins: file and line. A function is the lambda, or has it inlined, or calls it."""
    found = set()
    for pc in range(block.start, block.end, 2):
        inner, here = gdb.block_for_pc(pc) or block, gdb.find_pc_line(pc)
        while inner.function is None:
            inner = inner.superblock
        if inner.function.name == block.function.name or "operator()" in inner.function.name:
            if here.line and not re.search(r"tickwheel[/\\]\w+\.hpp$", here.symtab.filename):
                found.add((os.path.basename(here.symtab.filename), here.line))
    if found:
        return "lambda at {}:{}".format(*min(found))
    for instruction in gdb.selected_inferior().architecture().disassemble(block.start, block.end - 1):
        target = re.search(r"0x([0-9a-f]+) <", instruction["asm"])
        called = function_at(int(target[1], 16)) if target else None
        if called is not None and re.search(r"lambda|\$_|operator\(\)|call_closure", called.function.name):
            return place_of_lambda(called)
    return "a lambda"


def callback(function):
    """What a timer's function calls, in the words of its author, and the type of timer that the function takes."""
    address = int(function) & ~1  # bit 0 says Thumb
    block = function_at(address)
    if block is None:
        return linker_name(address) or f"{hex(int(function))}, no function", None
    targets = [bare(bare(symbol.type).target()) for symbol in block if bare(symbol.type).code == gdb.TYPE_CODE_PTR]
    timers = [target for target in targets if "timer_list" in lineage(target)[1:]]
    name = plain(block.function.name)
    if name.startswith("tickwheel::") and "<" in name:
        name = ARGUMENT.search(name)[1]
    if name.startswith("tickwheel::member<"):
        name = ARGUMENT.search(name)[1].strip("&()")
    elif re.search(r"lambda|\$_|_FUN\b|__invoke", name):
        name = place_of_lambda(block)
    return name.partition("(")[0], timers[0] if timers else None


# --- The wheel
class Wheel:
    """A wheel as it is now."""

    def __init__(self, name, clock, slots):
        self.name, self.addresses = name, (clock[0], slots[0])
        self.clock, self.slots = snapshot(*clock), snapshot(*slots)
        self.jiffies, self.next_event = word(self.clock["jiffies"]), word(self.clock["next_event"])
        geometry = bare(slots[1]).template_argument(0)
        self.tvr_bits, self.tvn_bits = (int(geometry.template_argument(i)) for i in (0, 1))
        self.count = self.slots["first"].type.range()[1] + 1

    def ahead(self, tick):
        """The ticks from now to a tick."""
        return (tick - self.jiffies + 2**31) % 2**32 - 2**31

    def level(self, slot):
        staging = slot == self.count - 1
        return "staging" if staging else f"tv{max(1, 2 + (slot - 2**self.tvr_bits >> self.tvn_bits))}"

    def header(self, pending):
        ahead, running = self.ahead(self.next_event), int(self.slots["running"])
        # A mark is an address in the slots, where no timer can be. The first one is the runner's.
        marks = range(self.addresses[1], self.addresses[1] + self.slots.type.sizeof)
        nobody = "nobody, timers come down" if self.slots["coming_down"] else "nobody"
        runner = "the runner, no callback" if running == marks[0] else nobody
        return (f"wheel {self.name}: jiffies {self.jiffies}, next event {self.next_event} "
                f"({f'in {ahead}' if ahead > 0 else 'due'}), lag {max(0, 1 - ahead)}, {pending} pending, "
                f"running: {runner if not running or running in marks else Program.now().owner(running)[0]}")

    def slot(self, number):
        """The timers of a slot by their address, the oldest first, and what is wrong with a link, or None. Behind a
        wrong link it goes on from the youngest."""
        def follow(pointer, behind, ahead, back, found):
            while int(pointer) and int(pointer) not in found:
                address, fault = int(pointer), None
                try:
                    timer = snapshot(address, pointer.type.target())
                    for member, right in (("slot", number), (back, behind)):
                        if right is not None and int(timer[member]) != right:
                            fault = f"whose {member} is {hex(int(timer[member]))}"
                except gdb.error:
                    fault = "which is no memory"
                if fault:
                    link = f"{Program.now().owner(behind)[0]}.{ahead}" if behind else f"first[{number}]"
                    return f"{link} leads to {Program.now().owner(address)[0]}, {fault}"
                found[address], behind, pointer = timer, address, timer[ahead]
        found, younger = {}, {}
        oldest = self.slots["first"][number]
        fault = follow(oldest, None, "next", "prev", found)
        youngest = found[int(oldest)]["prev"] if found else oldest
        if fault and found:
            follow(youngest, 0, "prev", "next", younger)
        elif found and int(youngest) != list(found)[-1]:
            fault = f"{Program.now().owner(int(oldest))[0]}.prev is {hex(int(youngest))}, not the youngest"
        return {**found, **dict(reversed(younger.items()))}, fault

    def listing(self):
        """The pending timers in the order of their slots, and the faults."""
        slots = [(number, *self.slot(number)) for number in range(self.count)]
        return ([self.cells(address, timer) for _, timers, _ in slots for address, timer in timers.items()],
                [f"overwritten, slot {number} of {self.level(number)}: {fault}" for number, _, fault in slots if fault])

    def cells(self, address, timer):
        """A line of the listing."""
        program, slot, tick = Program.now(), int(timer["slot"]), int(timer["expires"])
        due_in = self.ahead(tick)
        owner, owned = program.owner(address)
        called, taken = callback(timer["function"])
        # A bare timer_list may be a part of what its function takes.
        type = owned if owned is not None and lineage(owned)[1:] else taken
        kind = self.kind(snapshot(address, type)) if type is not None else "plain"
        kind += ", deferrable" * int(timer["deferrable"]) + ", overdue" * (due_in < 0)
        milliseconds = due_in * 1000 // program.hz if program.hz else "?"
        return due_in, milliseconds, tick, self.level(slot), slot, owner, called, kind

    def kind(self, timer):
        kinds = " ".join(lineage(timer.type))
        kind = "scoped " if "tickwheel::scoped_timer<" in kinds else ""
        if "tickwheel::periodic_timer<" in kinds:
            kind += f"periodic, period {word(timer['period_'])}, missed {word(timer['missed_'])}"
        elif "tickwheel::long_timer<" in kinds:
            # As wheel_clock::jiffies_64(). The timer parks at ticks with the last 30 bits of its own tick.
            halves, upcoming = word(self.clock["half_wraps"]), (self.jiffies + 1) % 2**32
            now = ((halves + ((halves ^ upcoming >> 31) & 1)) // 2 << 32 | upcoming) - 1
            kind += f"long, {(word(timer['upper_']) << 30 | int(timer['expires']) % 2**30) - now} to go"
        return kind.strip() or "plain"


# --- The command and the printer
class InfoTimers(gdb.Command):
    """List the pending timers of each wheel.
info timers [-w WHEEL] [--by expiry|slot|owner]"""
    columns = ("due in", "ms", "tick", "level", "slot", "owner", "callback", "kind")
    orders = {None: 0, "expiry": 0, "slot": 4, "owner": 5}

    def invoke(self, argument, from_tty):
        options = re.fullmatch(r"( *-w +(?P<wheel>\S+)| *--by +(?P<by>expiry|slot|owner))* *", argument)
        if options is None:
            raise gdb.GdbError(self.__doc__)
        if not gdb.selected_inferior().pid:
            print("warning: there is no target. This is the image in the file, before the program starts.")
        wheels = [Wheel(*parts) for parts in Program.now().wheels]
        chosen = [wheel for wheel in wheels if options["wheel"] in (None, wheel.name)]
        if not chosen:
            raise gdb.GdbError(f"wheels with debug information: {', '.join(wheel.name for wheel in wheels) or 'none'}")
        for wheel in chosen:
            timers, faults = wheel.listing()
            print(wheel.header(len(timers)))
            rows = [self.columns, *sorted(timers, key=lambda cells: cells[self.orders[options["by"]]])]
            widths = [max(len(str(cell)) for cell in cells) for cells in zip(*rows)]
            for row in rows if timers else ():
                print("  " + "  ".join(f"{cell:{'>' if i in (0, 1, 2, 4) else '<'}{widths[i]}}"
                                       for i, cell in enumerate(row)).rstrip())
            print(*(f"  {fault}\n" for fault in faults), sep="", end="")


def statistics(counts):
    """A tickwheel::wheel_counts of tools/trace. A pointer in it names the timer of the number before it."""
    text = []
    for field in bare(counts.type).fields():
        number = counts[field.name]
        if bare(number.type).code != gdb.TYPE_CODE_PTR:
            text.append(f"{field.name.replace('_', ' ')} {word(number)}")
        elif int(number):
            text[-1] += f" ({Program.now().owner(int(number))[0]})"
    pending = (word(counts["armed"]) - word(counts["cancelled"]) - word(counts["fired"])) % 2**32
    return ", ".join([f"pending {pending}", *text])


def printer_of(value):
    """The printer of a timer, a wheel or its statistics: one line. `print/r` shows the members."""
    names = lineage(value.type)
    if names[0].startswith("tickwheel::statistics<"):
        return types.SimpleNamespace(to_string=lambda: statistics(value["counts"]))
    is_timer = "timer_list" in names
    if value.address is None or not is_timer and not names[0].startswith("tickwheel::wheel"):
        return None
    address, text = int(value.address), f"idle, callback {callback(value['function'])[0]}" if is_timer else ""
    for wheel in (Wheel(*parts) for parts in Program.now().wheels):
        if not is_timer and address in wheel.addresses:
            text = wheel.header(len(wheel.listing()[0]))
        found = wheel.slot(int(value["slot"]))[0] if is_timer and int(value["slot"]) < wheel.count else {}
        if address in found:
            cells = zip(InfoTimers.columns, wheel.cells(address, found[address]))
            text = ", ".join(f"{name} {cell}" for name, cell in cells)
    return types.SimpleNamespace(to_string=lambda: text) if text else None


InfoTimers("info timers", gdb.COMMAND_STATUS)
gdb.pretty_printers.append(printer_of)
