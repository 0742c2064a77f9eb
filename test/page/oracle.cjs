// SPDX-License-Identifier: MIT
// The contract of timers without a wheel: a list, sorted on demand. Its ticks have more than 32 bits, so nothing wraps.
'use strict';

class Oracle {
    constructor(clock) {
        this.clock = clock;
        this.timers = [];
    }

    arm(name, delay) {
        this.timers.push({ name, tick: this.clock + delay, order: this.timers.length });
    }

    cancel(name) {
        this.timers = this.timers.filter((timer) => timer.name !== name);
    }

    // All firings, as the page writes them.
    firings() {
        return [...this.timers]
            .sort((a, b) => a.tick - b.tick || a.order - b.order)
            .map(({ name, tick }) => `${hex(tick)} ${name} fires`);
    }
}

const hex = (tick) => '0x' + (tick % 2 ** 32).toString(16).padStart(8, '0');

// The first tick of the block after the one that runs, while no work is left.
const base_at = (clock) => (Math.floor((clock + 1) / 128) + 1) * 128;

// The slot for a timer that is armed while no work is left. tv1 takes the ticks before `window`. For all others the distance
// from the next block says the level. Bit 7 of the tick chooses one of the two lists of a slot of tv2.
function place(clock, tick, window) {
    if (tick < window) {
        return `tv1 slot ${tick % 256}`;
    }
    const reach = [14, 20, 26, 32].findIndex((bits) => tick - base_at(clock) < 2 ** bits);
    const slot = `tv${reach + 2} slot ${Math.floor(tick / 2 ** (8 + 6 * reach)) % 64}`;
    return reach === 0 ? `${slot} (${tick % 256 < 128 ? '1st' : '2nd'} list)` : slot;
}

module.exports = { Oracle, hex, base_at, place };
