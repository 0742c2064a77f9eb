// SPDX-License-Identifier: MIT
// Draws the five rings, and says which slot lies under a pointer.
'use strict';

// The inner and outer radius of each level.
const bands = [[272, 318], [220, 262], [173, 210], [131, 163], [92, 122]];
// Of the arc outside tv1.
const arc_radius = 325;
// The width of the gap at the top, where each ring begins and ends. Their names stand in it.
const gap = 50;
// Each timer is a brick. A slot shows at most this many.
const bricks = 6;

const rings = {
    svg: document.getElementById('rings'),
    slots: [],
    currents: [],
    // The slot under the pointer, or -1.
    pointed: -1,
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

// Where a slot lies.
function area_of(slot) {
    const level = level_of(slot);
    return area(level.level, slot - level.first);
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
    for (let slot = 0; slot < slot_count; ++slot) {
        rings.slots.push(element('path', { class: 'slot', d: sector(area_of(slot)) }, svg));
    }
    rings.timers = element('path', { class: 'timers' }, svg);
    rings.upcoming = element('path', { class: 'upcoming' }, svg);
    for (const { level, name } of levels) {
        const [inner, outer] = bands[level];
        element('text', { y: -(inner + outer) / 2, dy: '0.35em' }, svg).textContent = name;
        rings.currents[level] = element('path', { class: 'current' }, svg);
    }
    rings.arc = element('path', { class: 'arc' }, svg);
    rings.now = element('path', { class: 'now', d: 'M0 -329l6 -13h-12z' }, svg);
    rings.later = element('path', { class: 'later' }, svg);
    rings.mine = element('path', { class: 'mine' }, svg);
    rings.cursor = element('path', { class: 'cursor' }, svg);
    element('text', { y: -22 }, svg).textContent = 'jiffies';
    rings.tick = element('text', { class: 'tick', y: 8 }, svg);
    rings.state = element('text', { class: 'state', y: 34 }, svg);
}

// The brick of a slot's timer. The oldest has place 0, at the inner edge. The last brick stands for all that follow.
function brick(slot, place) {
    const at = Math.min(place, bricks - 1);
    return sector(area_of(slot), (at + 0.08) / bricks, (at + 0.92) / bricks);
}

// The two blocks of tv1. In the current one the slots whose tick has passed are paler.
function draw_blocks() {
    const { size } = levels[0];
    const half = size / 2;
    const first = slot_at(levels[0], block());
    const past = (now() - block() + 1) | 0;
    rings.slots.slice(0, size).forEach((ground, slot) => {
        ground.classList.toggle('past', slot >= first && slot < first + past);
    });
    [[rings.currents[0], first], [rings.upcoming, half - first]].forEach(([outline, from]) => {
        outline.setAttribute('d', sector(area(0, from, half), -0.04, 1.04, -0.04));
    });
}

// The ticks for which tv1 takes a timer: from the next one to the last before tv1_end().
function draw_arc() {
    const { size } = levels[0];
    const first = slot_at(levels[0], now() + 1);
    const count = Math.min((tv1_end() - now() - 1) | 0, size);
    const before_wrap = Math.min(count, size - first);
    const part = (from, slots) => {
        const { begin, end } = area(0, from, slots);
        const large = end - begin > Math.PI ? 1 : 0;
        return `M${point(arc_radius, begin)}A${arc_radius} ${arc_radius} 0 ${large} 1 ${point(arc_radius, end)}`;
    };
    const after_wrap = count > before_wrap ? part(0, count - before_wrap) : '';
    rings.arc.setAttribute('d', part(first, before_wrap) + after_wrap);
}

function draw_rings() {
    const counts = new Uint16Array(slot_count);
    const drawn = pending_timers().map((timer) => core.slot_of(timer)).map((slot) => brick(slot, counts[slot]++));
    rings.timers.setAttribute('d', drawn.join(''));
    draw_blocks();
    draw_arc();
    levels.slice(1).forEach((level) => {
        rings.currents[level.level].setAttribute('d', sector(area_of(slot_at(level, base())), -0.04, 1.04, -0.04));
    });
    const { from, each } = angles_of(0);
    const angle = from + ((now() & (levels[0].size - 1)) + 0.5) * each;
    const degrees = ((angle * 180) / Math.PI).toFixed(3);
    rings.now.setAttribute('transform', `rotate(${degrees})`);
    rings.tick.textContent = hex(now());
    const slot = core.slot_of(followed);
    rings.mine.setAttribute('d', slot < 0 ? '' : brick(slot, timers_in(slot).indexOf(followed)));
    rings.later.setAttribute('d', slot < 0 ? '' :
        path_of(slot, expires_of(followed)).slice(1).map((later) => sector(area_of(later), 0, 1, 0)).join(''));
}

// Draws the flight of a timer that has moved or fired. Readers may have asked their system for less motion.
const still = matchMedia('(prefers-reduced-motion: reduce)');

function fly({ timer, from, to }) {
    if (still.matches) {
        return;
    }
    const [x, y] = centre_of(from);
    // A timer that fires leaves the wheel.
    const [to_x, to_y] = to === undefined ? [x * 1.12, y * 1.12] : centre_of(to);
    const dot = element('circle', { class: 'flight', r: 5 }, rings.svg);
    dot.classList.toggle('followed', timer === followed);
    dot.animate([
        { transform: `translate(${x}px, ${y}px)`, opacity: 1 },
        { transform: `translate(${to_x}px, ${to_y}px)`, opacity: to === undefined ? 0 : 1 },
    ], { duration: 320, easing: 'ease-in-out' }).finished.then(() => dot.remove());
}

// Outlines the slot under the pointer.
function point_at(slot) {
    rings.pointed = slot;
    rings.cursor.setAttribute('d', slot < 0 ? '' : sector(area_of(slot), -0.05, 1.05, -0.05));
}
