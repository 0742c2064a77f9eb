// SPDX-License-Identifier: MIT
// An RP2040 of the emulator rp2040js. What the emulator does wrong is corrected from outside. Without one of these
// corrections, `make soak-sleep BOARD=rpi-pico` or the test one-shot-rpi-pico fails.
import { createRequire } from "node:module";

// test/install_packages.sh puts the emulator there.
const { RP2040, LogLevel, ConsoleLogger } = createRequire(new URL("../../../build/npm/", import.meta.url))("rp2040js");

/** Each corrects one chip. */
const corrections = {
    // WFI ends when an interrupt is pending, also while PRIMASK masks it. The handler then waits until the mask is
    // open (Armv6-M ARM, "Wait For Interrupt"). The emulator does not look for a pending SysTick while it waits, and lets a device
    // interrupt through the mask.
    wait_for_interrupt({ core }) {
        const take = core.checkForInterrupts.bind(core);
        core.checkForInterrupts = () => {
            const pending = core.pendingInterrupts & core.enabledInterrupts;
            if (pending || core.pendingSystick || core.pendingPendSV || core.pendingNMI) {
                core.waiting = false;
            }
            return !core.waiting && take();
        };
    },

    // SysTick reloads one count after it has come to 0, so a period has RVR + 1 counts. After a write to CVR, the next
    // count is a reload, without an interrupt. RVR = 0 stops it (Armv6-M ARM, B3.3.1). In the emulator a period has
    // RVR counts, the first one ends at once, and RVR = 0 hangs.
    systick_period({ ppb }) {
        const { systickTimer: timer, systickAlarm: alarm } = ppb;
        const come_to_zero = alarm.clockAlarm.callback;
        const reload = () => timer.set(ppb.systickReload);
        alarm.callback = () => {
            ppb.systickCountFlag = true;
            if (ppb.systickIntEnable) {
                ppb.rp2040.core.pendingSystick = true;
                ppb.rp2040.core.interruptsUpdated = true;
            }
        };
        alarm.schedule = () => {
            const counts = timer.counter;
            alarm.clockAlarm.callback = counts === 0 ? reload : come_to_zero;
            if (counts !== 0 || ppb.systickReload !== 0) {
                alarm.clockAlarm.schedule(timer.toNanos(counts || 1));
            }
        };
    },

    // A count begins when the one before has ended. The emulator rounds, so CVR reads 0 half a count before COUNTFLAG is
    // set.
    systick_count({ clock, ppb: { systickTimer: timer } }) {
        // Less than a count, and more than the errors of floating-point numbers.
        const nearly = 1e-3;
        Object.defineProperty(timer, "rawCounter", { get() {
            const counts = timer.enabled ? Math.floor((clock.nanos - timer.baseNanos) * timer.baseFreq / 1e9 + nearly) : 0;
            return Math.max(timer.baseValue - counts, 0);
        } });
    },

    // An alarm of the timer comes when the count begins that it names. The emulator comes up to a count before.
    timer_alarm({ clock, peripherals }) {
        for (const alarm of peripherals[0x40054].alarms) {
            const schedule = alarm.clockAlarm.schedule.bind(alarm.clockAlarm);
            alarm.clockAlarm.schedule = () => {
                const counts = (alarm.targetMicros - Math.floor(clock.nanos / 1000)) >>> 0;
                schedule((counts || 2 ** 32) * 1000 - clock.nanos % 1000);
            };
        }
    },
};

/** A chip after reset. */
export function new_chip() {
    const chip = new RP2040();
    chip.logger = new ConsoleLogger(LogLevel.Error, true);
    Object.values(corrections).forEach((correct) => correct(chip));
    return chip;
}

/**
 * Runs one instruction, or sleeps until the next event. An instruction takes `ns`, or its cycles. Returns false if the
 * core sleeps and nothing can wake it.
 */
export function step({ core, clock, clkSys }, ns) {
    // An interrupt that is pending already ends WFI before any time passes.
    if (core.waiting) {
        core.checkForInterrupts();
    }
    if (!core.waiting) {
        const cycles = core.executeInstruction();
        clock.tick(ns ?? cycles * 1e9 / clkSys);
        return true;
    }
    const event = clock.nextAlarm !== null;
    clock.tick(clock.nanosToNextAlarm);
    core.checkForInterrupts();
    return event || !core.waiting;
}
