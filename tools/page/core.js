// SPDX-License-Identifier: MIT
// The compiled core, and its ticks, slots and timers as text.
'use strict';

// The exports of page.cpp.
let core;
// Level 0 is tv1. A slot of it is one tick.
const levels = [];
const timer_count = 1024;
const longest_delay = 0x7fffffff;

async function open_core(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    core = (await WebAssembly.instantiate(bytes)).instance.exports;
    for (let level = 0; level < 5; ++level) {
        levels.push({
            level,
            name: `tv${level + 1}`,
            shift: core.level_shift(level),
            first: core.level_first(level),
            size: core.level_size(level),
        });
    }
}

// WebAssembly returns 32 bits as a signed number.
const now = () => core.now() >>> 0;
const expires_of = (timer) => core.expires_of(timer) >>> 0;

// --- Slots

const level_of = (slot) => levels.findLast((level) => slot >= level.first);
// The slot of a tick in a level, as the wheel numbers all slots in one row.
const slot_at = (level, tick) => level.first + ((tick >>> level.shift) & (level.size - 1));
// The first of the 256 ticks whose timers are in tv1.
const block = () => core.block() >>> 0;

// The first tick that a slot stands for. If the level has reached the slot or passed it, that is in the next turn.
function first_tick_of(slot) {
    const { level, shift, first, size } = level_of(slot);
    const turn = 2 ** shift * size;
    const from = block();
    let tick = Math.floor(from / turn) * turn + (slot - first) * 2 ** shift;
    const passed = level === 0 ? tick <= now() && now() - from < size : tick <= from;
    if (passed) {
        tick += turn;
    }
    return tick;
}

// This slot of a timer, and the slots that it will move to. A timer skips a level where the number of its slot is 0.
function path_of(slot, tick) {
    const path = [slot];
    for (let { level } = level_of(slot); --level >= 0;) {
        const next = slot_at(levels[level], tick);
        if (level === 0 || next !== levels[level].first) {
            path.push(next);
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
// The order in which they fire.
const by_firing = (a, b) => ticks_left(a) - ticks_left(b) || core.age_of(a) - core.age_of(b);

// --- Text

const hex = (tick) => '0x' + (tick >>> 0).toString(16).padStart(8, '0');
const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const ticks_text = (ticks) => `${grouped(ticks)} ${ticks === 1 ? 'tick' : 'ticks'}`;
const timer_name = (timer) => String.fromCharCode(65 + (timer % 26)) + (timer < 26 ? '' : Math.floor(timer / 26) + 1);

function slot_name(slot) {
    const level = level_of(slot);
    return `${level.name} slot ${slot - level.first}`;
}

function names_of(timers) {
    const shown = timers.slice(0, 12).map(timer_name).join(' ');
    return timers.length > 12 ? `${shown} and ${grouped(timers.length - 12)} more` : shown;
}
