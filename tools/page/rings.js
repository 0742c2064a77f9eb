// SPDX-License-Identifier: MIT
// Draws the five rings, and says which slot lies under a pointer.
'use strict';

// The inner and outer radius of each ring, from tv1 to tv5.
const bands = [[270, 324], [220, 258], [174, 209], [132, 164], [93, 123]];
// The width of the gap at the top, where each ring begins and ends. Their names stand in it.
const gap = 50;
// Each timer is a brick. A slot shows at most this many.
const bricks = 6;

const rings = {
    svg: document.getElementById('rings'),
    // For each slot: its ground, the path of its bricks, and how many timers that shows.
    slots: [],
    currents: [],
    cursor_slot: 0,
    past: 0,
};

function element(name, attributes, parent) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) {
        made.setAttribute(key, value);
    }
    parent.append(made);
    return made;
}

// Clockwise from the top.
const point = (radius, angle) => `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;

function angles_of(level) {
    const [inner, outer] = bands[level];
    const open = gap / ((inner + outer) / 2);
    return { from: open / 2, each: (2 * Math.PI - open) / levels[level].size };
}

// The part of a slot between two fractions of its depth, 0 at the inner edge.
function sector(slot, low = 0, high = 1, margin = 0.08) {
    const { level, first } = level_of(slot);
    const [inner, outer] = bands[level];
    const { from, each } = angles_of(level);
    const begin = from + (slot - first + margin) * each;
    const end = from + (slot - first + 1 - margin) * each;
    const [near, far] = [low, high].map((part) => inner + part * (outer - inner));
    return `M${point(near, begin)}L${point(far, begin)}A${far} ${far} 0 0 1 ${point(far, end)}` +
        `L${point(near, end)}A${near} ${near} 0 0 0 ${point(near, begin)}Z`;
}

function centre_of(slot) {
    const { level, first } = level_of(slot);
    const { from, each } = angles_of(level);
    const angle = from + (slot - first + 0.5) * each;
    const radius = (bands[level][0] + bands[level][1]) / 2;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

function make_rings() {
    const { svg } = rings;
    const ground = element('g', {}, svg);
    const timers = element('g', {}, svg);
    const slot_count = levels[4].first + levels[4].size;
    for (let slot = 0; slot < slot_count; ++slot) {
        rings.slots.push({
            ground: element('path', { class: 'slot', d: sector(slot) }, ground),
            timers: element('path', { class: 'timers' }, timers),
            count: 0,
        });
    }
    for (const { level, name } of levels) {
        const [inner, outer] = bands[level];
        element('text', { y: -(inner + outer) / 2, dy: '0.35em' }, svg).textContent = name;
        rings.currents.push(element('path', { class: 'current' }, svg));
    }
    rings.now = element('path', { class: 'now', d: 'M0 -329l6 -13h-12z' }, svg);
    rings.later = element('path', { class: 'later' }, svg);
    rings.mine = element('path', { class: 'mine' }, svg);
    rings.cursor = element('path', { class: 'cursor' }, svg);
    rings.flights = element('g', {}, svg);
    element('text', { y: -22 }, svg).textContent = 'jiffies';
    rings.tick = element('text', { class: 'tick', y: 8 }, svg);
    rings.state = element('text', { y: 34 }, svg);
}

// The brick of a slot's timer. The oldest has place 0, at the inner edge. The last brick stands for all that follow.
function brick(slot, place) {
    const at = Math.min(place, bricks - 1);
    return sector(slot, (at + 0.08) / bricks, (at + 0.92) / bricks);
}

function draw_slot(slot, count) {
    const drawn = rings.slots[slot];
    if (drawn.count !== count) {
        drawn.count = count;
        let path = '';
        for (let place = 0; place < Math.min(count, bricks); ++place) {
            path += brick(slot, place);
        }
        drawn.timers.setAttribute('d', path);
    }
}

// Slots of tv1 whose tick has passed are paler.
function draw_past() {
    const past = Math.max(0, Math.min(levels[0].size, (now() - block() + 1) | 0));
    for (let slot = Math.min(past, rings.past); slot < Math.max(past, rings.past); ++slot) {
        rings.slots[slot].ground.classList.toggle('past', slot < past);
    }
    rings.past = past;
}

function draw_rings(followed) {
    const counts = new Uint16Array(rings.slots.length);
    for (const timer of pending_timers()) {
        ++counts[core.slot_of(timer)];
    }
    counts.forEach((count, slot) => draw_slot(slot, count));
    draw_past();
    levels.slice(1).forEach((level) => {
        rings.currents[level.level].setAttribute('d', sector(slot_at(level, block()), -0.04, 1.04, -0.04));
    });
    const { from, each } = angles_of(0);
    const angle = from + ((now() & (levels[0].size - 1)) + 0.5) * each;
    const degrees = ((angle * 180) / Math.PI).toFixed(3);
    rings.now.setAttribute('transform', `rotate(${degrees})`);
    rings.tick.textContent = hex(now());
    const slot = followed === undefined ? -1 : core.slot_of(followed);
    rings.mine.setAttribute('d', slot < 0 ? '' : brick(slot, timers_in(slot).indexOf(followed)));
    rings.later.setAttribute('d', slot < 0 ? '' :
        path_of(slot, expires_of(followed)).slice(1).map((later) => sector(later, 0, 1, 0)).join(''));
}

// Draws the flight of a timer that has moved or fired. Readers may have asked their system for less motion.
const still = matchMedia('(prefers-reduced-motion: reduce)');

function fly(from, to, is_followed) {
    if (still.matches) {
        return;
    }
    const [x, y] = centre_of(from);
    // A timer that fires leaves the wheel.
    const [to_x, to_y] = to === undefined ? [x * 1.12, y * 1.12] : centre_of(to);
    const dot = element('circle', { class: is_followed ? 'flight followed' : 'flight', r: 5 }, rings.flights);
    dot.animate([
        { transform: `translate(${x}px, ${y}px)`, opacity: 1 },
        { transform: `translate(${to_x}px, ${to_y}px)`, opacity: to === undefined ? 0 : 1 },
    ], { duration: 320, easing: 'ease-in-out' }).finished.then(() => dot.remove());
}

// --- The slot under the pointer or the arrow keys

function slot_under(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(rings.svg.getScreenCTM().inverse());
    const radius = Math.hypot(at.x, at.y);
    const level = bands.findIndex(([inner, outer]) => radius >= inner - 6 && radius <= outer + 6);
    if (level < 0) {
        return -1;
    }
    const { from, each } = angles_of(level);
    const angle = (Math.atan2(at.x, -at.y) + 2 * Math.PI) % (2 * Math.PI);
    const place = Math.floor((angle - from) / each);
    return place >= 0 && place < levels[level].size ? levels[level].first + place : -1;
}

// -1 hides the cursor. The arrow keys go on from the slot where it was.
function put_cursor(slot) {
    rings.cursor_shown = slot >= 0;
    rings.cursor.classList.toggle('shown', rings.cursor_shown);
    if (rings.cursor_shown) {
        rings.cursor_slot = slot;
        rings.cursor.setAttribute('d', sector(slot, -0.05, 1.05, -0.05));
    }
}

// The slot that an arrow key chooses: along the ring, or at the same place of the next ring.
function slot_beside(slot, key) {
    const { level, first, size } = level_of(slot);
    const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (along) {
        return first + (slot - first + along + size) % size;
    }
    const beside = levels[level + { ArrowUp: -1, ArrowDown: 1 }[key]];
    return beside ? beside.first + Math.floor(((slot - first) * beside.size) / size) : slot;
}
