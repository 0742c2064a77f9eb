# SPDX-License-Identifier: MIT
"""A trace in CTF 1.8, the Common Trace Format: one packet of one stream."""
import struct

import records

MAGIC = 0xC1FC1FC1
HEAD = """/* CTF 1.8 */
typealias integer {{ size = 16; align = 8; signed = false; }} := uint16_t;
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 32; align = 8; signed = false; base = 16; }} := address_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
trace {{
    major = 1;
    minor = 8;
    byte_order = le;
    packet.header := struct {{ uint32_t magic; uint32_t stream_id; }};
}};
clock {{ name = core; freq = {time_hz}; }};
typealias integer {{ size = 64; align = 8; signed = false; map = clock.core.value; }} := core_time_t;
stream {{
    id = 0;
    packet.context := struct {{
        core_time_t timestamp_begin;
        core_time_t timestamp_end;
        uint64_t content_size;
        uint64_t packet_size;
        uint64_t events_discarded;
    }};
    event.header := struct {{ uint16_t id; core_time_t timestamp; }};
    event.context := struct {{ uint16_t exception; string context; }};
}};
"""


def fields_of(subject, value):
    """The fields of an event: type and name."""
    yield ("address_t" if subject == "timer" else "uint32_t"), subject
    if subject == "timer":
        yield "string", "owner"
    if value:
        yield "uint32_t", value


def metadata(trace):
    text = HEAD.format(time_hz=trace.time_hz)
    for number, (name, subject, value) in enumerate(records.KINDS, 1):
        fields = "".join(f" {kind} {field};" for kind, field in fields_of(subject, value))
        if name == "callback_begins":
            fields += " uint32_t lateness;"
        text += f'event {{ id = {number}; name = "{name}"; stream_id = 0; fields := struct {{{fields} }}; }};\n'
    return text


def stream(trace, names):
    numbers = {name: number for number, (name, _, _) in enumerate(records.KINDS, 1)}
    parts = []
    for event in trace.events:
        _, subject, value = records.KINDS[numbers[event.kind] - 1]
        parts.append(struct.pack("<HQH", numbers[event.kind], event.time, event.exception) + event.context.encode() + b"\0")
        parts.append(struct.pack("<I", event.subject))
        if subject == "timer":
            parts.append(names[event.subject].encode() + b"\0")
        if value:
            parts.append(struct.pack("<I", event.value))
        if event.kind == "callback_begins":
            parts.append(struct.pack("<I", event.lateness or 0))
    events = b"".join(parts)
    size = 8 * (8 + 40 + len(events))
    return struct.pack("<IIQQQQQ", MAGIC, 0, 0, trace.events[-1].time, size, size, trace.lost + trace.torn) + events
