// SPDX-License-Identifier: MIT
// Uses the page as a reader does, and compares slots and firings with what it computes itself. test/page/open_page.sh puts this
// script behind those of the page, and Chromium prints the page with the results.
'use strict';

let passed = 0;
const failures = [];

function check(what, found, expected = true) {
    const [is, should] = [found, expected].map((value) => JSON.stringify(value));
    if (is === should) {
        ++passed;
    } else {
        failures.push(`FAIL ${what}: ${is}, not ${should}`);
    }
}

// The slot for a timer that is armed when no work is left. tv1 has the ticks of this block and of the next one. For all
// others the distance from the next block says the level.
function place(at, tick) {
    const next_block = (Math.floor((at + 1) / 128) + 1) * 128;
    if (tick < next_block + 128) {
        return `tv1 slot ${tick % 256}`;
    }
    const reach = [14, 20, 26, 32].findIndex((bits) => tick - next_block < 2 ** bits);
    const [bits, size] = [[7, 128], [14, 64], [20, 64], [26, 64]][reach];
    return `tv${reach + 2} slot ${Math.floor(tick / 2 ** bits) % size}`;
}

async function use() {
    const text = (id) => document.getElementById(id).textContent;
    const shown_tick = () => Number(text('clock'));
    const press = (id) => document.getElementById(id).click();
    const lines = [...document.querySelectorAll('.slot')];
    const filled = (ring) => [...document.querySelectorAll('.timers')].slice(ring, ring + 64)
        .filter((bar) => bar.getAttribute('y1') !== bar.getAttribute('y2')).length;

    check('the wheel has all slots', lines.length, 576);
    check('it begins before the end of a block', shown_tick(), 0x3f7c);
    check('the slot of this tick', lines.findIndex((line) => line.matches('.now')), 0x7c);
    // The other slots of its block, and one of each other level.
    check('coloured slots', document.querySelectorAll('.block').length, 127 + 4);
    const waiting = filled(384);
    [1, 2, 3].forEach(() => press('step'));
    check('in the last tick of a block the cascade begins', [shown_tick(), text('state')], [0x3f7f, 'cascade']);
    for (let tick = 0; tick < 40 && text('state') !== ''; ++tick) {
        press('step');
    }
    check('then it ends', text('state'), '');
    check('its slot of tv3 is empty', filled(384), waiting - 1);

    press('again');
    const start = shown_tick();
    const armed = [6, 20, 20, 61, 120, 700, 1500, 5200].map((delay) => start + delay);
    for (let i = 1; i <= 40; ++i) {
        armed.push(0x4000 + ((i * 0x9e3) & 0x3fff));
    }
    // Where a reader points at the slot, nothing else may lie.
    for (const slot of [16, 70, 200, 448 + 20, 384 + 1, 384 + 33, 320 + 9, 256 + 9]) {
        lines[slot].scrollIntoView();
        const box = lines[slot].getBoundingClientRect();
        const target = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        check(`what lies at slot ${slot}`, target === lines[slot]);
        target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        const [, tick, found] = text('armed').match(/^A timer for tick (0x\w+) waits in (.*)\.$/);
        const [first, bits, size] = [[448, 7, 128], [384, 14, 64], [320, 20, 64], [256, 26, 64], [0, 0, 256]]
            .find((level) => slot >= level[0]);
        check(`a click on slot ${slot} takes a tick of it`, first + Math.floor(Number(tick) / 2 ** bits) % size, slot);
        check('that timer waits in its place', found, place(start, Number(tick)));
        armed.push(Number(tick));
    }

    // Pass all ticks without work, until the first fifty have fired.
    armed.sort((earlier, later) => earlier - later);
    const fired = [];
    const count = () => Number(text('checked').match(/^\d+/));
    for (let steps = 0; fired.length < 50 && steps < 10000; ++steps) {
        for (const id of ['skip', 'step']) {
            const before = count();
            press(id);
            fired.push(...Array(count() - before).fill(shown_tick()));
        }
    }
    check('timers fire in their ticks', fired.slice(0, 50), armed.slice(0, 50));

    // Nobody steps: time passes by itself.
    const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
    press('play');
    const before = shown_tick();
    await sleep(1010);
    press('play');
    const stopped = shown_tick();
    check('time passes', stopped > before);
    await sleep(300);
    check('a pause stops the clock', shown_tick(), stopped);
    check('the page has found no fault', /^\d+ fired, 0 of them in a wrong tick\.$/.test(text('checked')));
    const asked = performance.getEntriesByType('resource').map(({ name }) => name);
    check('the page asks for nothing', asked.filter((name) => !name.startsWith('data:')), []);
    check('all is inside 500 pixels', document.documentElement.scrollWidth, document.documentElement.clientWidth);
}

window.addEventListener('error', ({ message }) => failures.push(`FAIL ${message}`));
opened.then(use).catch((error) => failures.push(`FAIL the test comes to its end: ${error}`)).then(() => {
    document.body.textContent = [...failures, `${passed} passed, ${failures.length} failed`, ''].join('\n');
});
