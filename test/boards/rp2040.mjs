// SPDX-License-Identifier: MIT
// Checks the corrections of boards/rpi-pico/emulator/chip.mjs, on code that runs in the chip's RAM. A corrected chip
// must do what the manual says. Without the correction it must not: otherwise the correction is no longer needed.
import { corrections, new_chip, step } from "../../boards/rpi-pico/emulator/chip.mjs";

const RAM = 0x20000000;
const CODE = RAM + 0x100;
const HANDLER = RAM + 0x200;
const CONTROL = 0xE000E010;
const RELOAD = 0xE000E014;
const CURRENT = 0xE000E018;
const SET_ENABLE = 0xE000E100;
const COUNTFLAG = 1 << 16;
const ON_WITH_INTERRUPT = 7;
const TIMER = 0x40054000;
const TIMER_RAW_LOW = TIMER + 0x28;
const TIMER_ALARM_0 = TIMER + 0x10;
const TIMER_INTERRUPTS = TIMER + 0x38;

const CPSID = 0xB672;
const CPSIE = 0xB662;
const WFI = 0xBF30;
const PUSH_R4_LR = 0xB510;
const POP_R4_PC = 0xBD10;
const STOP = 0xE7FE; // b .

/** The chip, ready to run these instructions. Every interrupt runs the handler, which stops. */
function with_code(chip, ...instructions) {
    instructions.push(STOP);
    instructions.forEach((instruction, at) => chip.writeUint16(CODE + 2 * at, instruction));
    chip.writeUint16(HANDLER, STOP);
    for (let vector = 1; vector < 48; ++vector) {
        chip.writeUint32(RAM + 4 * vector, HANDLER | 1);
    }
    Object.assign(chip.core, { VTOR: RAM, SP: RAM + 0x8000, PC: CODE });
}

/** Runs until the core executes the code at the address. Returns false if that takes more steps. */
function comes_to(chip, address, steps = 1000) {
    for (; steps !== 0 && (chip.core.waiting || (chip.core.PC & ~1) !== address); --steps) {
        step(chip, 1e9 / chip.clkSys);
    }
    return steps !== 0;
}

function start_systick(chip, reload) {
    chip.writeUint32(CONTROL, 0);
    chip.writeUint32(RELOAD, reload);
    chip.writeUint32(CURRENT, 0);
    chip.writeUint32(CONTROL, ON_WITH_INTERRUPT);
}

/** The counts of SysTick up to each of its first interrupts, which nobody takes. */
function periods(chip, reload) {
    with_code(chip, CPSID);
    start_systick(chip, reload);
    const found = [];
    for (let count = 1, last = 0; count <= 4 * reload; ++count) {
        step(chip, 1e9 / chip.clkSys);
        if (chip.core.pendingSystick) {
            chip.core.pendingSystick = false;
            found.push(count - last);
            last = count;
        }
    }
    return found.join(" ");
}

/** The checks of each correction: what must hold, and a function that says whether it holds. */
const checks = {
    wait_for_interrupt: {
        "a masked SysTick wakes WFI and is not handled": (chip) => {
            with_code(chip, CPSID, WFI);
            start_systick(chip, 99);
            return comes_to(chip, CODE + 4);
        },
        "a SysTick that is pending already wakes WFI at once": (chip) => {
            with_code(chip, CPSID, WFI);
            start_systick(chip, 9999);
            chip.core.pendingSystick = true;
            return comes_to(chip, CODE + 4) && chip.readUint32(CURRENT) > 9990;
        },
        "a masked device interrupt wakes WFI and is handled after the mask": (chip) => {
            with_code(chip, CPSID, WFI, CPSIE);
            chip.writeUint32(SET_ENABLE, 1);
            chip.writeUint32(TIMER_INTERRUPTS, 1);
            chip.writeUint32(TIMER_ALARM_0, chip.readUint32(TIMER_RAW_LOW) + 10);
            return comes_to(chip, CODE + 4) && comes_to(chip, HANDLER);
        },
    },
    systick_period: {
        "a period of SysTick has RVR + 1 counts, the first too": (chip) => periods(chip, 99) === "100 100 100",
        "a new period does not interrupt at its start": (chip) => {
            with_code(chip, CPSID);
            start_systick(chip, 99);
            comes_to(chip, HANDLER, 10);
            chip.writeUint32(CURRENT, 0);
            comes_to(chip, HANDLER, 10);
            return !chip.core.pendingSystick;
        },
    },
    systick_count: {
        "COUNTFLAG is set when CVR comes to 0": (chip) => {
            with_code(chip, CPSID);
            start_systick(chip, 99);
            comes_to(chip, HANDLER, 50);
            while (chip.readUint32(CURRENT) !== 0) {
                step(chip, 0.25e9 / chip.clkSys);
            }
            return (chip.readUint32(CONTROL) & COUNTFLAG) !== 0;
        },
    },
    systick_clear: {
        "a write to CVR clears COUNTFLAG": (chip) => {
            with_code(chip, CPSID);
            start_systick(chip, 99);
            comes_to(chip, HANDLER, 150);
            chip.writeUint32(CURRENT, 0);
            return (chip.readUint32(CONTROL) & COUNTFLAG) === 0;
        },
    },
    push_and_pop: {
        "PUSH of one register and LR takes 3 cycles, POP of it and PC 5": (chip) => {
            with_code(chip, PUSH_R4_LR, POP_R4_PC);
            return chip.core.executeInstruction() === 3 && chip.core.executeInstruction() === 5;
        },
    },
};

let passed = 0;
let failed = 0;

function expect(holds, message) {
    passed += holds;
    failed += !holds;
    if (!holds) {
        console.log("FAILED", message);
    }
}

for (const [name, of_correction] of Object.entries(checks)) {
    const others = Object.keys(corrections).filter((other) => other !== name);
    for (const [what, holds] of Object.entries(of_correction)) {
        expect(holds(new_chip()), `${name}: ${what}`);
        expect(!holds(new_chip(others)), `${name}: ${what} also without the correction, which is no longer needed`);
    }
}
expect(Object.keys(checks).join() === Object.keys(corrections).join(), "each correction has its checks");
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
