// SPDX-License-Identifier: MIT
// Draws the wheel of page.cpp. Its reader arms timers and lets time pass.
'use strict';

const by_id = (id) => document.getElementById(id);
// The exports of page.cpp.
let core;
const timer_count = 1024;
// WebAssembly returns 32 bits as a signed number.
const now = () => core.now() >>> 0;
// The first tick of the next block. The levels above tv1 are measured from it.
const base = () => core.base() >>> 0;

// --- The slots. The wheel numbers those of all levels in one row.

let slot_count = 0;
// The size of a level and the ticks of its slots, as a power of two, then the inner and the outer radius of its ring.
const levels = [[256, 0, 272, 318], [128, 7, 220, 262], [64, 14, 173, 210], [64, 20, 131, 163], [64, 26, 92, 122]]
    .map(([size, bits, inner, outer], number) => {
        const first = slot_count;
        slot_count += size;
        return { name: `tv${number + 1}`, size, bits, width: 2 ** bits, first, inner, outer };
    });
const level_of = (slot) => levels.findLast(({ first }) => first <= slot);
const slot_at = (level, tick) => level.first + ((tick >>> level.bits) & (level.size - 1));

function slot_name(slot) {
    const { name, first } = level_of(slot);
    return `${name} slot ${slot - first}`;
}

// The ticks from now to the first tick of a slot, when the level comes to it next.
function ticks_to(slot) {
    const { width, size, first } = level_of(slot);
    const turn = width * size;
    const ticks = (slot - first) * width - (now() % turn);
    return ticks > 0 ? ticks : ticks + turn;
}

// How many timers wait in each slot.
function timers_by_slot() {
    const counts = new Uint16Array(slot_count);
    for (let timer = 0; timer < timer_count; ++timer) {
        const slot = core.slot_of(timer);
        if (slot >= 0) {
            ++counts[slot];
        }
    }
    return counts;
}

// --- The rings. Each begins at the top, where its name stands in a gap, and goes clockwise.

const gap = 50;
// Each timer is a brick. A slot shows at most this many.
const bricks = 6;

function element(name, attributes) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    by_id('rings').append(made);
    return made;
}

const at = (radius, angle) => [radius * Math.sin(angle), -radius * Math.cos(angle)];
const point = (radius, angle) => at(radius, angle).map((part) => part.toFixed(2)).join(' ');

// The angle at which a slot of a level begins. A part of a slot is a fraction.
function angle_of({ inner, outer, size }, number) {
    const open = gap / ((inner + outer) / 2);
    return open / 2 + (number / size) * (2 * Math.PI - open);
}

// The outline of so many slots, between two fractions of their depth. The oldest timer is at the inner edge.
function sector(slot, count = 1, low = 0, high = 1) {
    const level = level_of(slot);
    const [begin, end] = [0.06, count - 0.06].map((part) => angle_of(level, slot - level.first + part));
    const [near, far] = [low, high].map((part) => level.inner + part * (level.outer - level.inner));
    return `M${point(near, begin)}L${point(far, begin)}A${far} ${far} 0 0 1 ${point(far, end)}` +
        `L${point(near, end)}A${near} ${near} 0 0 0 ${point(near, begin)}Z`;
}

function centre_of(slot) {
    const level = level_of(slot);
    return at((level.inner + level.outer) / 2, angle_of(level, slot - level.first + 0.5));
}

const rings = {};

function make_rings() {
    rings.slots = [...Array(slot_count).keys()].map((slot) => element('path', { class: 'slot', d: sector(slot) }));
    rings.timers = element('path', { class: 'timers' });
    rings.blocks = element('path', { class: 'blocks' });
    rings.next_block = element('path', { class: 'next_block' });
    rings.now = element('path', { class: 'now', d: 'M0 -320l7 -16h-14z' });
    rings.pointed = element('path', { class: 'pointed' });
    levels.forEach(({ name, inner, outer }) => {
        element('text', { y: -(inner + outer) / 2, dy: '0.35em' }).textContent = name;
    });
    element('text', { y: -22 }).textContent = 'jiffies';
    rings.tick = element('text', { class: 'tick', y: 8 });
    rings.state = element('text', { y: 34 });
}

// The slot under the pointer, or -1.
let pointed = -1;
const hex = (tick) => '0x' + (tick >>> 0).toString(16).padStart(8, '0');

function draw() {
    const counts = timers_by_slot();
    const drawn = [];
    counts.forEach((count, slot) => {
        for (let i = 0; i < Math.min(count, bricks); ++i) {
            drawn.push(sector(slot, 1, (i + 0.08) / bricks, (i + 0.92) / bricks));
        }
    });
    rings.timers.setAttribute('d', drawn.join(''));
    const [tv1, ...above] = levels;
    // The block that runs is one half of tv1, the next one is the other half.
    const half = tv1.size / 2;
    const next = slot_at(tv1, base());
    rings.blocks.setAttribute('d', [sector(half - next, half), ...above.map((level) => sector(slot_at(level, base())))].join(''));
    rings.next_block.setAttribute('d', sector(next, half));
    const degrees = (angle_of(tv1, (now() % tv1.size) + 0.5) * 180) / Math.PI;
    rings.now.setAttribute('transform', `rotate(${degrees.toFixed(3)})`);
    rings.tick.textContent = hex(now());
    rings.state.textContent = core.coming_down() ? 'cascade' : '';
    rings.pointed.setAttribute('d', pointed < 0 ? '' : sector(pointed));
    if (pointed >= 0) {
        const first = now() + ticks_to(pointed);
        by_id('slot_text').textContent = `${slot_name(pointed)}: ticks ${hex(first)} to ` +
            `${hex(first + level_of(pointed).width - 1)}, holds ${counts[pointed]} timers.`;
    }
    by_id('checked').textContent = `${core.fired_count()} fired, ${core.wrong_count()} of them in a wrong tick or out of order.`;
    by_id('play').textContent = timer_of_play ? 'Pause' : 'Run';
}

// A dot goes with a timer that moves. One that fires leaves the wheel. Readers may have asked their system for less motion.
const still = matchMedia('(prefers-reduced-motion: reduce)');

function fly(from, to) {
    const target = to < 0 ? centre_of(from).map((part) => 1.12 * part) : centre_of(to);
    by_id('happened').textContent = to < 0 ? `A timer fires in tick ${hex(now())}.` :
        `A timer moves from ${slot_name(from)} to ${slot_name(to)}.`;
    if (!still.matches && document.querySelectorAll('.flight').length < 60) {
        const dot = element('circle', { class: 'flight', r: 5 });
        const frames = [centre_of(from), target].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
        dot.animate(frames, { duration: 320, easing: 'ease-in-out' }).finished.then(() => dot.remove());
    }
}

// --- What a reader does

function arm(delay) {
    const timer = core.arm(delay);
    by_id('happened').textContent = timer < 0 ? 'No timer is free.' :
        `A timer for tick ${hex(now() + delay)} waits in ${slot_name(core.slot_of(timer))}.`;
}

// Forty timers of a slot of tv3 cascade in four ticks. The others wait in all levels.
function begin() {
    core.start(0);
    for (let i = 1; i <= 40; ++i) {
        core.arm(0x4000 + ((i * 0x9e3) & 0x3fff));
    }
    [3e6, 4e8].forEach(core.arm);
    core.pass(0x3f7c);
    [6, 20, 20, 61, 120, 700, 1500, 5200].forEach(core.arm);
    by_id('happened').textContent = '';
}

let timer_of_play;

function play() {
    clearInterval(timer_of_play);
    const steps = 4 ** Number(by_id('speed').value);
    timer_of_play = timer_of_play ? undefined : setInterval(() => {
        for (let i = 0; i < steps; ++i) {
            core.step();
        }
        draw();
    }, 50);
}

function arm_asked(event) {
    event.preventDefault();
    for (let i = 0; i < Number(by_id('count').value); ++i) {
        arm(Number(by_id('delay').value));
    }
}

// Another tick of the slot each time, so that a cascade spreads the timers.
let clicks = 0;

function arm_pointed() {
    const delay = pointed < 0 ? 0 : ticks_to(pointed) + ((++clicks * 0x9e37) % level_of(pointed).width);
    if (delay > 0 && delay < 2 ** 31) {
        arm(delay);
    }
}

function on(id, event, action) {
    by_id(id).addEventListener(event, (happened) => {
        action(happened);
        draw();
    });
}

async function open_page() {
    const bytes = Uint8Array.from(atob(by_id('core').textContent), (character) => character.charCodeAt(0));
    core = (await WebAssembly.instantiate(bytes, { page: { timer_moved: fly } })).instance.exports;
    make_rings();
    on('play', 'click', play);
    on('step', 'click', () => core.step());
    on('skip', 'click', () => core.skip());
    on('again', 'click', begin);
    on('arm', 'submit', arm_asked);
    // CSS lets the pointer through all that is drawn over the slots.
    on('rings', 'pointermove', ({ target }) => { pointed = rings.slots.indexOf(target); });
    on('rings', 'click', arm_pointed);
    begin();
    draw();
}

open_page();
