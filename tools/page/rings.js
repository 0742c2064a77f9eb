// SPDX-License-Identifier: MIT
// Draws the five rings, and says which slot lies under a pointer.
'use strict';

// The inner and outer radius of each level.
const bands = [[272, 318], [220, 262], [173, 210], [131, 163], [92, 122]];
// Of the arc outside tv1.
const window_radius = 325;
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

// Where so many slots of a level lie, from the one with this number on.
function area(level, number, count = 1) {
    const { from, each } = angles_of(level);
    return { band: bands[level], begin: from + number * each, end: from + (number + count) * each };
}

// Where a slot lies. The two lists of a slot of tv2 lie close together.
function area_of(slot) {
    const level = level_of(slot);
    const { band, begin, end } = area(level.level, slot - level.first);
    const apart = lists_of(level) === 1 ? 0 : 0.13 * (end - begin);
    return (slot - level.first) % 2 === 0 ? { band, begin: begin + apart, end } : { band, begin, end: end - apart };
}

// The part of an area between two fractions of its depth, 0 at the inner edge.
function sector({ band: [inner, outer], ...angles }, low = 0, high = 1, margin = 0.08) {
    const edge = margin * Math.min(0.1, angles.end - angles.begin);
    const begin = angles.begin + edge;
    const end = angles.end - edge;
    const [near, far] = [low, high].map((part) => inner + part * (outer - inner));
    return `M${point(near, begin)}L${point(far, begin)}A${far} ${far} 0 0 1 ${point(far, end)}` +
        `L${point(near, end)}A${near} ${near} 0 0 0 ${point(near, begin)}Z`;
}

function centre_of(slot) {
    const { band, begin, end } = area_of(slot);
    const angle = (begin + end) / 2;
    const radius = (band[0] + band[1]) / 2;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

function make_rings() {
    const { svg } = rings;
    const ground = element('g', {}, svg);
    const timers = element('g', {}, svg);
    rings.upcoming = element('path', { class: 'upcoming' }, svg);
    const { first, size } = levels[levels.length - 1];
    for (let slot = 0; slot < first + size; ++slot) {
        rings.slots.push({
            ground: element('path', { class: 'slot', d: sector(area_of(slot)) }, ground),
            timers: element('path', { class: 'timers' }, timers),
            count: 0,
        });
    }
    for (const { level, name } of levels) {
        const [inner, outer] = bands[level];
        element('text', { class: name, y: -(inner + outer) / 2, dy: '0.35em' }, svg).textContent = name;
        rings.currents[level] = element('path', { class: 'current' }, svg);
    }
    rings.window = element('path', { class: 'window' }, svg);
    rings.now = element('path', { class: 'now', d: 'M0 -329l6 -13h-12z' }, svg);
    rings.later = element('path', { class: 'later' }, svg);
    rings.mine = element('path', { class: 'mine' }, svg);
    rings.cursor = element('path', { class: 'cursor' }, svg);
    rings.flights = element('g', {}, svg);
    element('text', { y: -22 }, svg).textContent = 'jiffies';
    rings.tick = element('text', { class: 'tick', y: 8 }, svg);
    rings.state = element('text', { class: 'state', y: 34 }, svg);
}

// The brick of a slot's timer. The oldest has place 0, at the inner edge. The last brick stands for all that follow.
function brick(slot, place) {
    const at = Math.min(place, bricks - 1);
    return sector(area_of(slot), (at + 0.08) / bricks, (at + 0.92) / bricks);
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

// The two blocks of tv1. In the current one the slots whose tick has passed are paler.
function draw_blocks() {
    const { size } = levels[0];
    const half = size / 2;
    const first = slot_at(levels[0], block());
    const past = (now() - block() + 1) | 0;
    rings.slots.slice(0, size).forEach(({ ground }, slot) => {
        ground.classList.toggle('past', slot >= first && slot < first + past);
    });
    [[rings.currents[0], first], [rings.upcoming, half - first]].forEach(([outline, from]) => {
        outline.setAttribute('d', sector(area(0, from, half), -0.04, 1.04, -0.04));
    });
}

// The ticks for which tv1 takes a timer: from the next one to the last before the window's end.
function draw_window() {
    const { size } = levels[0];
    const first = slot_at(levels[0], now() + 1);
    const count = Math.min((window_end() - now() - 1) | 0, size);
    const before_wrap = Math.min(count, size - first);
    const arc = (from, slots) => {
        const { begin, end } = area(0, from, slots);
        const large = end - begin > Math.PI ? 1 : 0;
        return `M${point(window_radius, begin)}A${window_radius} ${window_radius} 0 ${large} 1 ${point(window_radius, end)}`;
    };
    const after_wrap = count > before_wrap ? arc(0, count - before_wrap) : '';
    rings.window.setAttribute('d', arc(first, before_wrap) + after_wrap);
}

function draw_rings(followed) {
    const counts = new Uint16Array(rings.slots.length);
    for (const timer of pending_timers()) {
        ++counts[core.slot_of(timer)];
    }
    counts.forEach((count, slot) => draw_slot(slot, count));
    draw_blocks();
    draw_window();
    levels.slice(1).forEach((level) => {
        rings.currents[level.level].setAttribute('d', sector(area_of(slot_at(level, base())), -0.04, 1.04, -0.04));
    });
    const { from, each } = angles_of(0);
    const angle = from + ((now() & (levels[0].size - 1)) + 0.5) * each;
    const degrees = ((angle * 180) / Math.PI).toFixed(3);
    rings.now.setAttribute('transform', `rotate(${degrees})`);
    rings.tick.textContent = hex(now());
    const slot = followed === undefined ? -1 : core.slot_of(followed);
    rings.mine.setAttribute('d', slot < 0 ? '' : brick(slot, timers_in(slot).indexOf(followed)));
    rings.later.setAttribute('d', slot < 0 ? '' :
        path_of(slot, expires_of(followed)).slice(1).map((later) => sector(area_of(later), 0, 1, 0)).join(''));
}

// Draws the flight of a timer that has moved or fired. Readers may have asked their system for less motion.
const still = matchMedia('(prefers-reduced-motion: reduce)');

function fly(from, to, timer) {
    if (still.matches) {
        return;
    }
    const [x, y] = centre_of(from);
    // A timer that fires leaves the wheel.
    const [to_x, to_y] = to === undefined ? [x * 1.12, y * 1.12] : centre_of(to);
    const dot = element('circle', { class: 'flight', r: 5 }, rings.flights);
    dot.classList.toggle('followed', timer === panel.followed);
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
    const { first, size } = levels[level];
    const { begin, end } = area(level, 0, size);
    const angle = (Math.atan2(at.x, -at.y) + 2 * Math.PI) % (2 * Math.PI);
    return angle >= begin && angle < end ? first + Math.floor(((angle - begin) * size) / (end - begin)) : -1;
}

// -1 hides the cursor. The arrow keys go on from the slot where it was.
function put_cursor(slot) {
    rings.cursor_shown = slot >= 0;
    rings.cursor.classList.toggle('shown', rings.cursor_shown);
    if (rings.cursor_shown) {
        rings.cursor_slot = slot;
        rings.cursor.setAttribute('d', sector(area_of(slot), -0.05, 1.05, -0.05));
    }
}

// The slot that an arrow key chooses: along the ring, or at the same place of the next ring.
function slot_beside(slot, key) {
    const { level, first, size } = level_of(slot);
    const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (along) {
        return first + (slot - first + along + size) % size;
    }
    const part = (slot - first + 0.5) / size;
    const beside = levels[level + { ArrowUp: -1, ArrowDown: 1 }[key]];
    return beside ? beside.first + Math.floor(part * beside.size) : slot;
}
