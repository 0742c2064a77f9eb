// SPDX-License-Identifier: MIT
// Runs a firmware of the Raspberry Pi Pico. UART0 is standard output. A change of the lamp is printed. The firmware ends
// it by semihosting, with its exit code, and reads the command line so.
//   run.mjs [-icount shift=N] -kernel FIRMWARE.elf [-append ARGUMENT]
// With -icount every run is the same, as in QEMU: an instruction takes 2^N ns, and time jumps while the core sleeps.
// Without it an instruction takes its cycles, and time passes as it does outside.
import { readFileSync, writeSync } from "node:fs";
import { new_chip, step } from "./chip.mjs";

const FLASH = 0x10000000;
const BOOT_STAGE_SIZE = 256;
const BOOT_STAGE_RUNS_AT = 0x20041F00;
const LAMP_PIN = 25;
const SEMIHOSTING = 0xAB;
const SYS_GET_CMDLINE = 0x15;
const SYS_EXIT_EXTENDED = 0x20;
/** The simulated time after which the emulator waits for the time outside, in nanoseconds. */
const SLICE = 5e6;

/** Copies what a programmer would write into the flash: the segments of the ELF file, at their load addresses. */
function load(flash, file) {
    const firmware = readFileSync(file);
    const [headers, size, count] = [firmware.readUInt32LE(28), firmware.readUInt16LE(42), firmware.readUInt16LE(44)];
    for (let header = headers; header < headers + size * count; header += size) {
        const [type, offset, , address, bytes] = [0, 4, 8, 12, 16].map((at) => firmware.readUInt32LE(header + at));
        if (type === 1 && bytes !== 0) {
            flash.set(firmware.subarray(offset, offset + bytes), address - FLASH);
        }
    }
}

/** Does what the boot ROM does: runs a copy of the first 256 bytes of the flash if their checksum is right. */
function boot({ flash, sram, core }) {
    const stage = flash.subarray(0, BOOT_STAGE_SIZE);
    let checksum = 0xFFFFFFFF;
    for (const byte of stage.subarray(0, BOOT_STAGE_SIZE - 4)) {
        checksum ^= byte << 24;
        for (let bit = 0; bit < 8; ++bit) {
            checksum = checksum << 1 ^ (checksum < 0 ? 0x04C11DB7 : 0);
        }
    }
    if (Buffer.from(stage).readInt32LE(BOOT_STAGE_SIZE - 4) !== (checksum | 0)) {
        throw new Error("the checksum of the second boot stage is wrong");
    }
    sram.set(stage, BOOT_STAGE_RUNS_AT & 0xFFFFF);
    core.SP = BOOT_STAGE_RUNS_AT;
    core.PC = BOOT_STAGE_RUNS_AT;
}

function serve_semihosting(chip, command_line) {
    chip.onBreak = (number) => {
        const [operation, block] = chip.core.registers;
        if (number === SEMIHOSTING && operation === SYS_EXIT_EXTENDED) {
            process.exit(chip.readUint32(block + 4));
        }
        if (number !== SEMIHOSTING || operation !== SYS_GET_CMDLINE) {
            throw new Error(`breakpoint ${number} at ${(chip.core.PC - 2).toString(16)}`);
        }
        const text = Buffer.from(command_line + "\0");
        text.forEach((byte, at) => chip.writeUint8(chip.readUint32(block) + at, byte));
        chip.core.registers[0] = 0;
    };
}

function connect_lamp(chip) {
    chip.gpio[LAMP_PIN].addListener((now, before) => {
        if (now <= 1 && before <= 1) {
            writeSync(1, now ? "led on\n" : "led off\n");
        }
    });
}

/** What follows an option, or nothing. */
function option(name) {
    const at = process.argv.indexOf(name);
    return at < 0 ? "" : process.argv[at + 1];
}

const shift = /^shift=(\d+)/.exec(option("-icount"));
const instruction = shift ? 2 ** shift[1] : undefined;
const chip = new_chip();
load(chip.flash, option("-kernel"));
boot(chip);
serve_semihosting(chip, `firmware ${option("-append")}`);
connect_lamp(chip);

chip.uart[0].onByte = (byte) => writeSync(1, Uint8Array.of(byte));

const started = performance.now();
const waiting = new Int32Array(new SharedArrayBuffer(4));
let next_wait = SLICE;
while (step(chip, instruction)) {
    if (chip.core.PC < FLASH) {
        throw new Error("the firmware calls the boot ROM, which this emulator does not have");
    }
    const { nanos } = chip.clock;
    if (!instruction && nanos >= next_wait) {
        Atomics.wait(waiting, 0, 0, nanos / 1e6 - (performance.now() - started));
        next_wait = nanos + SLICE;
    }
}
throw new Error("the core sleeps, and nothing can wake it");
