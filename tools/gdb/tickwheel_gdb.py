# SPDX-License-Identifier: MIT
"""`info timers` for GDB: who waits for what. Load this file by `source tools/gdb/tickwheel_gdb.py`.

It reads a wheel by the names in core/wheel/slots.hpp, needs debug information (-g), and writes nothing."""
import functools
import os
import re

import gdb


def plain(name):
    return name.replace("(anonymous namespace)::", "")


def scope_of(function):
    """A function as its author calls it: no parameters, no suffix of a compiler's copy."""
    return re.split(r"[(.\[ ]", plain(function))[0]


def attempt(say, *arguments):
    """A part of the listing, or its error, so that one bad timer never costs the list."""
    try:
        return say(*arguments)
    except Exception as fault:
        return f"? {fault}"


def linker_symbol(address):
    """The linker's name of the object that holds an address, and where that begins. None and the address if no symbol
    does. Debug information is no proof: where memory begins at 0, what --gc-sections discarded seems to be there."""
    said = re.match(r"(.+?)(?: \+ (\d+))? in section", gdb.execute(f"info symbol {address}", to_string=True))
    return (said[1], address - int(said[2] or 0)) if said else (None, address)


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
    type = bare(type)
    bases = [field.type for field in type.fields() if field.is_base_class] if type.code == gdb.TYPE_CODE_STRUCT else ()
    return [type.name or "", *(lineage(bases[0]) if bases else ())]


def objects_in(path, type, address, wanted):
    """An object and all objects in it, the outermost first: path, type, address. Only those that are wanted."""
    type = bare(type)
    if wanted(type, address):
        yield path, type, address
        for name, inner, offset in members(type):
            yield from objects_in(path + name, inner, address + offset, wanted)


# --- The variables of the program
def stack_variables():
    """The variables on the stack and the static ones of its functions: name, type, address."""
    frame = gdb.newest_frame() if gdb.selected_thread() is not None else None
    # A stack that ran over has thousands of frames.
    for _ in range(100):
        if frame is None or frame.unwind_stop_reason() not in (gdb.FRAME_UNWIND_NO_REASON, gdb.FRAME_UNWIND_OUTERMOST):
            return
        function = function_at(frame.pc())
        block = frame.block() if function is not None else None
        while block is not None and not block.is_static:
            for symbol in block:
                value = attempt(symbol.value, frame) if symbol.is_variable else None
                if isinstance(value, gdb.Value) and not value.is_optimized_out and value.address is not None:
                    yield f"{scope_of(function.function.name)}::{symbol.name}", value.type, int(value.address)
            block = block.superblock
        frame = frame.older()


class Program:
    """What the symbols say. They are read once for each file that GDB loads."""
    last = None

    def __init__(self):
        self.objfiles = gdb.objfiles()
        built_for = attempt(gdb.execute, "complete print tickwheel_built_for_hz_", False, True)
        self.hz = int((re.findall(r"hz_(\d+)", built_for) or [0])[0])
        # In one-shot mode the program's jiffies is the counter, and the wheel's the one of its last interrupt.
        built_for = attempt(gdb.execute, "complete print tickwheel_built_for_one_shot_1", False, True)
        self.when = " at the last interrupt" if built_for else ""
        # The linker's symbols, not the debug information: that describes all that --gc-sections discarded, too.
        said = gdb.execute("maint print msymbols", to_string=True)
        self.files = {int(address, 16): (file or name) for address, name, file in
                      re.findall(r"^\[ *\d+\] [dDbB] (0x\w+) (.*) section \S+(?:  (?:.*  )?(.+))?$", said, re.M)}
        self.names = [plain(linker_symbol(address)[0] or "") for address in self.files]
        self.wheels = sorted(self.find_wheels(), key=lambda wheel: (wheel[0] != "default", wheel[0]))

    @classmethod
    def now(cls):
        if cls.last is None or cls.last.objfiles != gdb.objfiles():
            cls.last = cls()
        return cls.last

    @functools.lru_cache(None)
    def variable(self, start):
        """The name and the type of the variable at an address. None if it has no debug information."""
        name, _ = linker_symbol(start)
        for symbol in (gdb.lookup_global_symbol(name), *gdb.lookup_static_symbols(name)):
            if symbol is not None and symbol.is_variable and int(symbol.value().address) == start:
                several = self.names.count(plain(name)) > 1
                return plain(name) + f" ({os.path.basename(symbol.symtab.filename)})" * several, symbol.type
        # A static variable of a function. In C the symbol says nothing of the function (GCC), or has both (clang).
        scope, name = re.match(r"(?:(.*)(?:::|\.|\[))?(\w*)\]?(?:\.\d+)?", name).groups()
        for function in [scope] if scope else self.functions(self.files.get(start)):
            pointer = attempt(gdb.parse_and_eval, f"&'{function}'::{name}")
            if isinstance(pointer, gdb.Value) and int(pointer) == start:
                return f"{scope_of(function)}::{name}", pointer.type.target()
        return None

    def functions(self, file):
        """The functions of a file. None without debug information. GDB 16 finds no place above the first function."""
        for line in range(1, 10000):
            try:
                places = gdb.decode_line(f"'{file}':{line}")[1] or ()
                return [name for place in places for name, _ in functions_in(place.symtab)]
            except gdb.error as fault:
                if not str(fault).startswith("No compiled code"):
                    break
        return []

    def find_wheels(self):
        """Name, and address and type of the clock and of the slots."""
        parts = [attempt(gdb.parse_and_eval, f"&{name}") for name in ("tickwheel_clock", "tickwheel_slots")]
        # Without debug information a variable has no class.
        if all(isinstance(part, gdb.Value) and bare(part.type.target()).code == gdb.TYPE_CODE_STRUCT for part in parts):
            yield "default", *((int(part), bare(part.type.target())) for part in parts)
        starts = sorted(self.files)
        for start, end in zip(starts, [*starts[1:], None]):
            # The smallest wheel, a list, is larger.
            if end is not None and end - start <= 32:
                continue
            large = attempt(lambda: list(objects_in(*self.variable(start), start, lambda type, _: type.sizeof > 32)))
            for path, type, at in large if isinstance(large, list) else ():
                # A debug build derives its slots.
                parts = {name.partition("<")[0]: (at + offset, kind) for _, kind, offset in members(type) for name in lineage(kind)}
                clock = parts.get("tickwheel::wheel_clock") or parts.get("tickwheel::list_clock")
                if clock and "tickwheel::wheel_slots" in parts:
                    yield path, clock, parts["tickwheel::wheel_slots"]

    def owner(self, address):
        """The path of a timer and its type, or what else is known of its place, and None."""
        found = attempt(self.find_owner, address)
        return found if isinstance(found, tuple) else (f"{hex(address)} {found}", None)

    def find_owner(self, address):
        name, start = linker_symbol(address)
        variable = self.variable(start) if name else None
        for variable in [(*variable, start)] if variable else stack_variables():
            for path, type, at in objects_in(*variable, lambda type, at: 0 <= address - at < type.sizeof):
                if at == address and "timer_list" in lineage(type):
                    return path, type
        return f"{plain(name)} + {address - start}".removesuffix(" + 0") if name else hex(address), None


# --- Callbacks
# The first argument of a template. It may contain templates and lists of parameters.
ARGUMENT = re.compile(r"<((?:[^<>(),]|\([^()]*\)|<(?:[^<>]|<[^<>]*>)*>)*)")
# The function that all inactivity timers of C have. Their own one lies behind the timer_list.
IN_C = re.compile(r"tickwheel::inactivity_timer<\(anonymous namespace\)::c_function")


def function_at(pc):
    """The block of the function that holds an address, not of a function that is inlined there. None if GDB takes the
    address for that of a discarded function."""
    block = gdb.block_for_pc(pc)
    # GCC describes a lambda inside the function around it, which holds no code of the lambda.
    while block and not block.superblock.is_static and block.superblock.start <= block.start < block.superblock.end:
        block = block.superblock
    name, start = linker_symbol(pc)
    return block if block and (name is None or block.start == start) else None


def functions_in(symtab):
    """The functions of the file that a symtab belongs to: name and address."""
    return [(symbol.name, int(symbol.value().address)) for block in (symtab.static_block(), symtab.global_block())
            for symbol in block if symbol.is_function]


def place_of_lambda(address):
    """Where the code of a lambda begins: file and line, or None. The function at this address is the lambda, or has it
    inlined, or calls it.
    GDB mixes the lines of a file's discarded functions, which seem to be at 0, with those of the others."""
    addresses, found = [address], set()
    for function in filter(None, map(function_at, addresses)):
        for pc in range(function.start, function.end, 2):
            block, inlined, place, here = gdb.block_for_pc(pc), None, None, gdb.find_pc_line(pc)
            while block is not None and not block.is_static and block.start >= function.start:
                if block.function and "operator()" in block.function.name:
                    # GDB gives an inlined function the line of its call.
                    place = inlined.function if inlined else here
                block, inlined = block.superblock, block if block.function else inlined
            if place is here and here.line and 0 in (start for _, start in functions_in(here.symtab)):
                return None
            if place is not None and place.line:
                found.add((os.path.basename(place.symtab.filename), place.line))
        if found:
            return "lambda at {}:{}".format(*min(found))
        for instruction in gdb.selected_inferior().architecture().disassemble(function.start, function.end - 1):
            target = re.search(r"0x([0-9a-f]+) <.*(lambda|\$_|operator\(\)|call_closure)", instruction["asm"])
            if target and int(target[1], 16) not in addresses:
                addresses.append(int(target[1], 16))
    return None


def callback(function):
    """The callback of a timer's function, as its author wrote it."""
    address = int(function) & ~1  # bit 0 says Thumb
    name, start = linker_symbol(address)
    if not address or name is None or start != address:
        return f"{hex(int(function))}, no function"
    name = plain(name)
    if name.startswith("tickwheel::") and "<" in name:
        name = ARGUMENT.search(name)[1]
    if name.startswith("tickwheel::member<"):
        name = ARGUMENT.search(name)[1].strip("&()")
    elif re.search(r"lambda|\$_|_FUN\b|__invoke", name):
        return place_of_lambda(address) or name
    return scope_of(name)


# --- The wheel
class Wheel:
    """A wheel as it is now."""

    def __init__(self, name, clock, slots):
        self.name, self.addresses = name, (clock[0], slots[0])
        self.clock, self.slots = snapshot(*clock), snapshot(*slots)
        self.jiffies, self.next_run = word(self.clock["jiffies"]), word(self.clock["next_run"])
        geometry = bare(slots[1]).template_argument(0)
        self.cascade_unfinished = int(self.slots["cascade_unfinished"])
        self.tvr_bits, self.tvn_bits = (int(geometry.template_argument(i)) for i in (0, 1))
        self.count = self.slots["first"].type.range()[1] + 1

    def ahead(self, tick):
        """The ticks from now to a tick."""
        return (tick - self.jiffies + 2**31) % 2**32 - 2**31

    def place(self, number):
        """The level of a slot, and its number there. tv2 is as long as two of the levels above it. With 32 slots or more
        the levels are numbered from tv5 down to tv2, and two slots beyond tv5 come last."""
        size = 2**self.tvn_bits
        above = number - 2**self.tvr_bits
        if above < 0:
            return "tv1", number
        row, slot = divmod(above, size)
        if size >= 32 and row < 5:
            return ("tv2", above - 3 * size) if row > 2 else (f"tv{5 - row}", slot)
        return ("tv2", above) if row < 2 else (f"tv{row + 1}", slot)

    def header(self, pending):
        ahead, running = self.ahead(self.next_run), int(self.slots["running_timer"])
        # A mark is an address in the slots, where no timer can be. The first one is the runner's.
        marks = range(self.addresses[1], self.addresses[1] + self.slots.type.sizeof)
        nobody = "nobody, timers cascade" if self.cascade_unfinished else "nobody"
        runner = "the runner, no callback" if running == marks[0] else nobody
        return (f"wheel {self.name}: jiffies {self.jiffies}{Program.now().when}, next run {self.next_run} "
                f"({f'in {ahead}' if ahead > 0 else 'due'}), lag {max(0, 1 - ahead)}, {pending} pending, "
                f"running: {runner if not running or running in marks else Program.now().owner(running)[0]}")

    def slot(self, number):
        """The timers of a slot by their address, the oldest first, and what is wrong with a link, or None. Behind a
        wrong link it continues from the youngest."""
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
        slots = [(self.place(number), *self.slot(number)) for number in range(self.count)]
        return ([self.cells(address, timer) for _, timers, _ in slots for address, timer in timers.items()],
                [f"overwritten, slot {slot} of {level}: {fault}" for (level, slot), _, fault in slots if fault])

    def cells(self, address, timer):
        """A line of the listing."""
        program, place, tick = Program.now(), self.place(int(timer["slot"])), int(timer["expires"])
        due_in = self.ahead(tick)
        owner, owned = program.owner(address)
        kind = attempt(self.kind, address, timer, owned)
        kind += ", deferrable" * int(timer["deferrable"]) + ", overdue" * (due_in < 0)
        milliseconds = due_in * 1000 // program.hz if program.hz else "?"
        function = timer["function"]
        if IN_C.match(linker_symbol(int(function) & ~1)[0] or ""):
            function = snapshot(address, gdb.lookup_type("struct tickwheel_inactivity_timer"))["function"]
        return due_in, milliseconds, tick, *place, owner, attempt(callback, function), kind

    def jiffies_64(self):
        """As wheel_clock::jiffies_64()."""
        halves, upcoming = word(self.clock["jiffies_halves"]), (self.jiffies + 1) % 2**32
        return ((halves + ((halves ^ upcoming >> 31) & 1)) // 2 << 32 | upcoming) - 1

    def kind(self, address, timer, owned):
        # A bare timer_list may be a part of what its function takes.
        function = function_at(int(timer["function"]) & ~1) if owned is None or not lineage(owned)[1:] else None
        taken = [bare(bare(symbol.type).target()) for symbol in function or ()
                 if bare(symbol.type).code == gdb.TYPE_CODE_PTR]
        types = [type for type in taken if "timer_list" in lineage(type)[1:]] or [owned or timer.type]
        timer = snapshot(address, types[0])
        kinds = " ".join(lineage(timer.type))
        kind = "scoped " if "tickwheel::scoped_timer<" in kinds else ""
        if "tickwheel::periodic_timer<" in kinds:
            kind += f"periodic, period {word(timer['period_'])}, missed {word(timer['missed_'])}"
        elif "tickwheel::inactivity_timer<" in kinds:
            kind += f"inactivity, {self.ahead(word(timer['deadline_']))} to go"
        elif "tickwheel::long_timer<" in kinds:
            # The timer parks at ticks with the last 30 bits of its own tick.
            to_go = (word(timer['upper_']) << 30 | int(timer['expires']) % 2**30) - self.jiffies_64()
            kind += f"long, {to_go} to go"
        # Without the type, the name of the function has the kind.
        named = re.match(r"tickwheel::(periodic|inactivity|long)_timer<", linker_symbol(int(timer["function"]) & ~1)[0] or "")
        return kind.strip() or (named[1] if named else "plain")


class List(Wheel):
    """The list of TICKWHEEL_GEOMETRY=1. All its timers are in slot 0 of "list"."""

    def __init__(self, name, clock, slots):
        self.name, self.addresses, self.cascade_unfinished = name, (clock[0], slots[0]), 0
        self.clock, self.slots = snapshot(*clock), snapshot(*slots)
        self.jiffies, self.next_run = word(self.clock["jiffies"]), word(self.clock["next_run"])

    def place(self, number):
        return "list", 0

    def jiffies_64(self):
        turns, upcoming = word(self.clock["jiffies_quarters"]), (self.jiffies + 1) % 2**32
        return ((turns + ((upcoming >> 30) - turns) % 4) // 4 << 32 | upcoming) - 1

    def listing(self):
        # The ends are the first member.
        ends, before, found = self.addresses[1], self.addresses[1], {}
        pointer = self.slots["ends"]["next"]
        while int(pointer) != ends:
            address = int(pointer)
            timer = attempt(snapshot, address, pointer.type.target())
            if isinstance(timer, str) or address in found or int(timer["prev"]) != before:
                link = f"{Program.now().owner(before)[0]}.next" if found else "ends.next"
                return self.lines(found), [f"overwritten: {link} leads to {Program.now().owner(address)[0]}"]
            found[address], before, pointer = timer, address, timer["next"]
        return self.lines(found), []

    def lines(self, found):
        return [self.cells(address, timer) for address, timer in found.items()]


# --- The core
def core_exceptions():
    """Who has SysTick and PendSV on a Cortex-M, and whether the one interrupts the other. None for another core, and where
    the registers of the core cannot be read, as in most core files."""
    def read(address):
        return int.from_bytes(gdb.selected_inferior().read_memory(address, 4).tobytes(), "little")

    def handler(vector):
        name, start = linker_symbol(vector & ~1)  # bit 0 says Thumb
        return plain(name) if name and start == vector & ~1 else f"{hex(vector)}, no function"
    if "is_m = yes" not in gdb.execute("maint print architecture", to_string=True):
        return None
    try:
        table, priorities = read(0xe000ed08), read(0xe000ed20)
        pendsv, systick = read(table + 4 * 14), read(table + 4 * 15)
        # The lower PRIGROUP + 1 bits of a priority do not preempt.
        preempts = -2 << (read(0xe000ed0c) >> 8 & 7)
    except gdb.error:
        return None
    above, below = priorities >> 24, priorities >> 16 & 0xff
    return (f"SysTick: {handler(systick)}, priority {above:#04x}; PendSV: {handler(pendsv)}, priority {below:#04x}" +
            ", which SysTick does not interrupt" * (above & preempts >= below & preempts))


# --- The command
class InfoTimers(gdb.Command):
    """List the pending timers of each wheel, in the order in which they expire. On a Cortex-M say who has SysTick and
PendSV."""
    columns = ("due in", "ms", "tick", "level", "slot", "owner", "callback", "kind")

    def invoke(self, argument, from_tty):
        if not gdb.selected_inferior().pid:
            print("warning: there is no target. This is the image in the file, before the program starts.")
        wheels = Program.now().wheels
        if not wheels:
            raise gdb.GdbError("no wheel with debug information")
        for parts in wheels:
            said = attempt(self.table, parts)
            print(f"wheel {parts[0]}: {said}" if said.startswith("?") else said)
        exceptions = attempt(core_exceptions)
        if exceptions:
            print(exceptions)

    def table(self, parts):
        """A wheel, its timers, and what is wrong with it."""
        wheel = (List if "tickwheel::list_clock" in lineage(parts[1][1]) else Wheel)(*parts)
        timers, faults = wheel.listing()
        timers.sort(key=lambda cells: cells[0])
        rows = [self.columns, *timers] if timers else ()
        widths = [max(len(str(cell)) for cell in cells) for cells in zip(*rows)]
        lines = ("  ".join(f"{cell:{'>' if i in (0, 1, 2, 4) else '<'}{widths[i]}}" for i, cell in enumerate(row))
                 for row in rows)
        return "\n  ".join([wheel.header(len(timers)), *(line.rstrip() for line in lines), *faults])


InfoTimers("info timers", gdb.COMMAND_STATUS)
