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

// The slot for a timer that is armed while no work is left. tv1 has two blocks. The distance from the start of the slot of
// tv2 that the second one is in says the level.
function place(clock, tick) {
    const block = Math.floor((clock + 1) / 128) * 128;
    const base = Math.floor((block + 128) / 256) * 256;
    const reach = [8, 14, 20, 26, 32];
    const level = tick < block + 256 ? 0 : reach.findIndex((bits) => tick - base < 2 ** bits);
    if (level === 0 && tick >= block + 256) {
        return 'staging';
    }
    const [width, size] = level === 0 ? [1, 256] : [2 ** reach[level - 1], 64];
    return `tv${level + 1} slot ${Math.floor(tick / width) % size}`;
}

module.exports = { Oracle, hex, place };
