// SPDX-License-Identifier: MIT
// Runs a firmware of `make bench` on the Cortex-M0+ of rp2040js, with the memory of mps2-an385. The instructions and
// the cycles of each operation must be those that bench/wheel/count.c counts in QEMU: neither emulator has code of the
// other, and only one knows test/masked/cycles.py.
//   rp2040_cycles.mjs FIRMWARE.elf N COUNTS
import { readFileSync } from "node:fs";
import { new_chip } from "../../boards/rpi-pico/emulator/chip.mjs";

const BEGIN = 0xBF50;
const DIGIT = 0xBF80;
const LOADED = 0x21000000;
const SYS_EXIT = [0x18, 0x20];
const [elf, timers, counts] = process.argv.slice(2);

// A megabyte at 0 and 32 from 0x20000000 on. All registers of devices read 0.
const memory = { code: new ArrayBuffer(1 << 20), ram: new ArrayBuffer(1 << 25) };
const RAM = 0x20000000;
const RAM_END = RAM + (1 << 25);
const chip = new_chip();
for (const [bits, type] of [[8, Uint8Array], [16, Uint16Array], [32, Uint32Array]]) {
    const [code, ram, shift] = [new type(memory.code), new type(memory.ram), Math.log2(bits / 8)];
    chip[`readUint${bits}`] = (address) => {
        const at = address >>> 0;
        return at < RAM ? code[at >>> shift] : at < RAM_END ? ram[at - RAM >>> shift] : 0;
    };
    chip[`writeUint${bits}`] = (address, value) => {
        const at = address >>> 0;
        (at < RAM ? code : ram)[(at < RAM ? at : at - RAM) >>> shift] = value;
    };
}
const firmware = readFileSync(elf);
for (let n = 0, at = firmware.readUInt32LE(28); n < firmware.readUInt16LE(44); ++n, at += firmware.readUInt16LE(42)) {
    const [, offset, , address, bytes] = [0, 4, 8, 12, 16].map((field) => firmware.readUInt32LE(at + field));
    firmware.subarray(offset, offset + bytes).forEach((byte, index) => chip.writeUint8(address + index, byte));
}
chip.writeUint32(LOADED, Number(timers));

const { core } = chip;
let running = true;
chip.onBreak = () => {
    running = !SYS_EXIT.includes(core.registers[0]);
};
Object.assign(core, { VTOR: 0, SP: chip.readUint32(0), PC: chip.readUint32(4) & ~1 });

/** Operation -> how often, then instructions and cycles: all, and the most of one. */
const found = {};
let [executed, begun, digits, number, begins] = [0, [0, 0], 0, 0, false];
while (running) {
    const opcode = chip.readUint16(core.PC);
    if ((opcode & 0xFF0F) !== 0xBF00 || opcode < BEGIN) {
        core.executeInstruction();
        ++executed;
        continue;
    }
    core.PC += 2;
    [digits, number] = opcode < DIGIT ? [2, 0] : [digits - 1, number * 8 + (opcode - DIGIT) / 16];
    begins = opcode < DIGIT ? opcode === BEGIN : begins;
    if (digits === 0 && begins) {
        begun = [executed, core.cycles];
    } else if (digits === 0) {
        const its = found[number] ??= [0, 0, 0, 0, 0];
        const [instructions, cycles] = [executed - begun[0], core.cycles - begun[1]];
        found[number] = [its[0] + 1, its[1] + instructions, Math.max(its[2], instructions),
            its[3] + cycles, Math.max(its[4], cycles)];
    }
}

let [same, differ] = [0, 0];
for (const line of readFileSync(counts, "utf8").trim().split("\n")) {
    const [operation, count, total, most, , , , , , cycles, most_cycles] = line.split(" ");
    const expected = [count, total, most, cycles, most_cycles].join(" ");
    if (count !== "0") {
        const is_same = found[operation]?.join(" ") === expected;
        same += is_same;
        differ += !is_same;
        if (!is_same) {
            console.log(`operation ${operation}: ${found[operation]?.join(" ")}, in QEMU ${expected}`);
        }
    }
}
console.log(`${elf}, N = ${timers}: ${same} operations with the same instructions and cycles, ${differ} differ`);
process.exit(same !== 0 && differ === 0 ? 0 : 1);
