// SPDX-License-Identifier: MIT
// The compiled core, and its ticks, slots and timers as text.
'use strict';

// The exports of page.cpp.
let core;
// The timers that have moved or fired since the log was written. One that has fired has no `to`.
const events = [];
// From the outside. Level 0 is tv1, and a slot of it is one tick. Level 1 is tv2, with a slot for each block of 128 ticks.
let slot_count = 0;
const levels = [[256, 0], [128, 7], [64, 14], [64, 20], [64, 26]].map(([size, shift], level) => {
    const first = slot_count;
    slot_count += size;
    const width = 2 ** shift;
    return { level, name: `tv${level + 1}`, shift, width, first, size, turn: size * width };
});
const timer_count = 1024;
const longest_delay = 0x7fffffff;

async function open_core(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const page = {
        timer_moved: (timer, from, to) => events.push({ tick: now(), timer, from, to }),
        timer_fired: (timer) => events.push({ tick: now(), timer, from: slot_at(levels[0], now()) }),
    };
    core = (await WebAssembly.instantiate(bytes, { page })).instance.exports;
}

// WebAssembly returns 32 bits as a signed number.
const now = () => core.now() >>> 0;
const expires_of = (timer) => core.expires_of(timer) >>> 0;

// --- Slots

const level_of = (slot) => levels.find(({ first, size }) => slot >= first && slot < first + size);
// The slot of a tick in a level, as the wheel numbers all slots in one row.
const slot_at = (level, tick) => level.first + ((tick >>> level.shift) & (level.size - 1));
// The first tick of the next block. The levels above tv1 are measured from it.
const base = () => core.base() >>> 0;
// The first tick of the block that runs. A block has the ticks of a slot of tv2.
const block = () => (base() - levels[1].width) >>> 0;
// The first tick that is too late for tv1.
const tv1_end = () => core.tv1_end() >>> 0;

// The ticks from now to the first one that a slot stands for. If the level has passed the slot, that is in the next turn.
function ticks_to(slot) {
    const { level, first, width, turn } = level_of(slot);
    const from = level === 0 ? block() : base();
    const ahead = (from - now()) | 0;
    const away = ((slot - first) * width - (from % turn) + turn) % turn;
    // A slot in the middle of its cascade still holds the timers of this turn.
    const is_empty = away === 0 && core.oldest_of(slot) < 0;
    const passed = level === 0 ? away + ahead <= 0 : is_empty;
    return away + ahead + (passed ? turn : 0);
}

// This slot of a timer, and the slots that it will move to. A timer skips a level where the number of its slot is 0.
function path_of(slot, tick) {
    const path = [slot];
    for (let { level } = level_of(slot); --level >= 0;) {
        const { width, turn } = levels[level];
        if (level === 0 || tick % turn >= width) {
            path.push(slot_at(levels[level], tick));
        }
    }
    return path;
}

function timers_in(slot) {
    const timers = [];
    for (let timer = core.oldest_of(slot); timer >= 0; timer = core.younger_than(timer)) {
        timers.push(timer);
    }
    return timers;
}

function pending_timers() {
    const timers = [];
    for (let timer = 0; timer < timer_count; ++timer) {
        if (core.slot_of(timer) >= 0) {
            timers.push(timer);
        }
    }
    return timers;
}

const ticks_left = (timer) => (expires_of(timer) - now()) | 0;

// --- Text

const hex = (tick) => '0x' + (tick >>> 0).toString(16).padStart(8, '0');
const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const ticks_text = (ticks) => `${grouped(ticks)} ${ticks === 1 ? 'tick' : 'ticks'}`;
const timer_name = (timer) => String.fromCharCode(65 + (timer % 26)) + (timer < 26 ? '' : Math.floor(timer / 26) + 1);

function slot_name(slot) {
    const { name, first } = level_of(slot);
    return `${name} slot ${slot - first}`;
}

function names_of(timers) {
    const shown = timers.slice(0, 12).map(timer_name).join(' ');
    return timers.length > 12 ? `${shown} and ${grouped(timers.length - 12)} more` : shown;
}
