// SPDX-License-Identifier: MIT
// Checks the corrections of boards/rpi-pico/emulator/chip.mjs, on code that runs in the chip's RAM. A corrected chip
// must do what the manual says. Without the correction it must not: otherwise the correction is no longer needed.
import { corrections, new_chip, step } from "../../boards/rpi-pico/emulator/chip.mjs";

const RAM = 0x20000000;
const CODE = RAM + 0x100;
const [CONTROL, RELOAD, CURRENT] = [0xE000E010, 0xE000E014, 0xE000E018];
const COUNTFLAG = 1 << 16;
const [CPSID, WFI, PUSH_R4_LR, POP_R4_PC, STOP] = [0xB672, 0xBF30, 0xB510, 0xBD10, 0xE7FE];

/** Makes the chip run these instructions, with a SysTick of 100 counts. */
function start(chip, ...instructions) {
    [...instructions, STOP].forEach((instruction, at) => chip.writeUint16(CODE + 2 * at, instruction));
    Object.assign(chip.core, { VTOR: RAM, SP: RAM + 0x8000, PC: CODE });
    chip.writeUint32(RELOAD, 99);
    chip.writeUint32(CURRENT, 0);
    chip.writeUint32(CONTROL, 7);
}

/** Runs so many counts, or until the condition holds. Returns how many it ran. */
function run(chip, counts, ends = () => false) {
    let ran = 0;
    while (ran < counts && !ends()) {
        step(chip, 1e9 / chip.clkSys);
        ++ran;
    }
    return ran;
}

/** What must hold of each correction: what it is, and a function that says whether it holds. */
const checks = {
    wait_for_interrupt: ["a masked SysTick that is pending ends WFI at once, and is not handled", (chip) => {
        start(chip, CPSID, WFI);
        chip.core.pendingSystick = true;
        run(chip, 3);
        return !chip.core.waiting && (chip.core.PC & ~1) === CODE + 4 && chip.readUint32(CURRENT) > 90;
    }],
    systick_period: ["a period of SysTick has RVR + 1 counts, the first too", (chip) => {
        start(chip, CPSID);
        return [1, 2, 3].every(() => {
            chip.core.pendingSystick = false;
            return run(chip, 200, () => chip.core.pendingSystick) === 100;
        });
    }],
    systick_count: ["COUNTFLAG is set when CVR comes to 0", (chip) => {
        start(chip, CPSID);
        run(chip, 50);
        while (chip.readUint32(CURRENT) !== 0) {
            step(chip, 0.25e9 / chip.clkSys);
        }
        return (chip.readUint32(CONTROL) & COUNTFLAG) !== 0;
    }],
    systick_clear: ["a write to CVR clears COUNTFLAG", (chip) => {
        start(chip, CPSID);
        run(chip, 150);
        chip.writeUint32(CURRENT, 0);
        return (chip.readUint32(CONTROL) & COUNTFLAG) === 0;
    }],
    push_and_pop: ["PUSH of one register and LR takes 3 cycles, POP of it and PC 5", (chip) => {
        start(chip, PUSH_R4_LR, POP_R4_PC);
        return chip.core.executeInstruction() === 3 && chip.core.executeInstruction() === 5;
    }],
};

let failed = 0;
for (const name of Object.keys(corrections)) {
    const [what, holds] = checks[name];
    const others = Object.keys(corrections).filter((other) => other !== name);
    for (const [good, message] of [[holds(new_chip()), what], [!holds(new_chip(others)), `without it, not: ${what}`]]) {
        failed += !good;
        good || console.log(`FAILED ${name}: ${message}`);
    }
}
console.log(`${2 * Object.keys(corrections).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
