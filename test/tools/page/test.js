// SPDX-License-Identifier: MIT
// Uses the page as a reader does, and compares slots and firings with what it computes itself. test/tools/page/open_page.sh puts this
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

const text = (id) => document.getElementById(id).textContent;
const shown_tick = () => Number(text('clock'));
const press = (id) => document.getElementById(id).click();
const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const lines = [...document.querySelectorAll('#rings .slot')];
const bars = [...document.querySelectorAll('#rings .timers')];
const height = (bar) => bar.getAttribute('y2') - bar.getAttribute('y1');
const firsts = [['tv2', 448, 7, 128], ['tv3', 384, 14, 64], ['tv4', 320, 20, 64], ['tv5', 256, 26, 64], ['tv1', 0, 0, 256]];
const start = 0x3f7c;
// Forty timers of slot 1 of tv3, in the order in which they are armed.
const cascade = [...Array(40).keys()].map((i) => 0x4000 + (((i + 1) * 0x9e3) & ((i + 1) % 4 ? 0x3fff : 0x7f)));
const narrow = innerWidth === 390;

// A reader presses Step, unless the scene plays by itself.
async function play_scene(id) {
    press(id);
    const start = shown_tick();
    await sleep(5000);
    check(`${id}: it moves by itself unless a reader asked for less motion`, shown_tick() !== start, !narrow);
    check(`${id}: the button is pressed`, [...document.querySelectorAll('[aria-pressed=true]')].map((button) => button.id), [id]);
    for (let steps = 0; narrow && steps < 50 && !/tick/.test(text('said')); ++steps) {
        press('step');
    }
    await sleep(30000);
    check(`${id}: then it stands`, text('play'), 'Run');
    return [shown_tick() - start, Number(text('checked').match(/^\d+/)), text('said')];
}

async function play_scenes() {
    // The cascade begins in the last tick of a block, three ticks on. A tick has four steps: one is for a callback or the
    // lack of one, and three move a timer each.
    const [ticks, fired, said] = await play_scene('cascade');
    check('cascade: what has fired', fired, [6, 20, 20, 61, 120, 700].filter((delay) => delay <= ticks).length);
    check('cascade: its end', said, `Slot 1 of tv3 is empty in tick 0x0000${(start + ticks).toString(16)}, ` +
        `${0x4000 - start - ticks} ticks before its block begins.`);
    check('cascade: its ticks', ticks, 3 + Math.ceil(40 / 3));
    const slots = new Set(cascade.map((tick) => (tick < 0x4080 ? tick % 256 : 448 + (tick >> 7) % 128)));
    check('cascade: each timer is in its place', [...slots].filter((slot) => height(bars[slot]) === 0), []);
    check('cascade: slot 1 of tv3 is empty', height(bars[385]), 0);

    check('watchdog: it barks 20 ticks after the last of 24 restarts', await play_scene('watchdog'),
        [23 + 20, 1, `The watchdog barks in tick 0x000000${(0x10 + 23 + 20).toString(16)}.`]);
    check('watchdog: no timer is left', bars.filter((bar) => height(bar) !== 0), []);
    const [slept, callbacks, wakes] = await play_scene('sleep');
    check('sleep: the last of its timers has fired', [slept, callbacks], [3000000, 4]);
    check('sleep: each timer wakes once', wakes, '3000000 ticks took 4 wakes.');
}

// A table or block of the manual that is too wide scrolls within itself.
async function read_manual() {
    const [manual, design] = [...document.querySelectorAll('header a')].map((link) => link.href);
    const pages = [manual, document.querySelector('section a').href];
    for (const page of pages) {
        const frame = document.createElement('iframe');
        Object.assign(frame, { width: innerWidth, height: 800, src: page });
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        document.body.append(frame);
        await loaded;
        await sleep(50);
        const shown = frame.contentDocument;
        if (page === manual) {
            pages.push(...[...shown.querySelectorAll('.contents a[href$=".html"]')].map((link) => link.href));
        }
        const { scrollWidth, clientWidth } = shown.querySelector('#doc-content') ?? shown.documentElement;
        check(`${page} does not scroll sideways`, scrollWidth <= clientWidth);
        // What Doxygen does not understand it shows as text.
        shown.querySelectorAll('code, pre, .fragment').forEach((code) => code.remove());
        check(`${page} shows no markup`, shown.body.innerText.match(/@ref|@section|<\/?t|\\ilinebr|\| \||`/), null);
        frame.remove();
    }
    check('the manual and the wheel link to each other', pages.some((page) => page.endsWith('/wheel.html')));
    check('the manual has DESIGN', pages.includes(design));
}

async function use() {
    check('the wheel has all slots', lines.length, 576);
    check('it plays at once', text('play'), narrow ? 'Run' : 'Pause');
    // A slow machine has already played a part. A scene that begins anew plays no step before this function waits.
    if (!narrow) {
        press('restart');
    }
    check('it begins before the end of a block', shown_tick(), start);
    check('the slot of this tick', lines.findIndex((line) => line.matches('.now')), 0x7c);
    // The other slots of its block, and one of every upper level.
    check('coloured slots', document.querySelectorAll('#rings .block').length, 127 + 4);
    check('the words of the clock', ['jiffies', 'next_block', 'tv1_limit', 'next_run'].map((id) => Number(text(id))),
        [start, 0x3f80, 0x4000, 0x3f7f]);
    [1, 2, 3].forEach(() => press('step'));
    check('in the last tick of a block the cascade begins', [shown_tick(), text('state')], [0x3f7f, 'cascade']);
    check('slots that cascade', lines.flatMap((line, slot) => (line.matches('.cascading') ? [slot] : [])), [385, 448]);
    await play_scenes();

    press('cascade');
    press('restart');
    if (!narrow) {
        press('play');
    }
    const armed = [...[6, 20, 20, 61, 120, 700, 1500, 5200].map((delay) => start + delay), ...cascade];
    function check_armed(slot) {
        const [, tick, found] = text('said').match(/^A timer for tick (0x\w+) waits in (.*)\.$/);
        const [name, first, bits, size] = firsts.find((level) => slot >= level[1]);
        check(`it takes a tick of slot ${slot}`, first + Math.floor(Number(tick) / 2 ** bits) % size, slot);
        check('that timer waits in its place', found, place(start, Number(tick)));
        const shown = ['level', 'slot'].map((id) => document.getElementById(id).value);
        check('the form names the slot', shown, [name, `${slot - first}`]);
        armed.push(Number(tick));
    }
    // Where a reader points at a slot, nothing else may lie.
    for (const slot of [0, 16, 70, 200, 255, 448 + 20, 384 + 1, 384 + 33, 320 + 9, 256 + 9]) {
        lines[slot].scrollIntoView();
        const box = lines[slot].getBoundingClientRect();
        const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
        document.elementFromPoint(clientX, clientY).dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY }));
        check_armed(slot);
    }
    // A reader who cannot hit a slot chooses it.
    for (const slot of [99, 448 + 127, 384 + 7]) {
        const [name, first] = firsts.find((level) => slot >= level[1]);
        document.getElementById('level').value = name;
        document.getElementById('slot').value = slot - first;
        document.querySelector('form button').click();
        check_armed(slot);
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

    press('play');
    await sleep(1010);
    press('play');
    const stopped = shown_tick();
    await sleep(1000);
    check('a pause stops the clock', shown_tick(), stopped);
    check('the page has found no fault', /^\d+ fired, 0 of them in a wrong tick\.$/.test(text('checked')));
    const asked = performance.getEntriesByType('resource').map(({ name }) => name);
    check('the page asks for nothing', asked.filter((name) => !name.startsWith('data:')), []);
    check('the page does not scroll sideways', document.documentElement.scrollWidth, document.documentElement.clientWidth);
    const small = [...document.querySelectorAll('a, button, select, input')]
        .filter((target) => Math.min(target.offsetWidth, target.offsetHeight) < 24).map(({ textContent }) => textContent);
    check('each target has 24 pixels', small, []);
    // An SVG scales its text.
    const scale = lines[0].getScreenCTM().a;
    const sizes = [...document.querySelectorAll('#rings text')]
        .map((label) => parseFloat(getComputedStyle(label).fontSize) * scale);
    check('labels can be read', sizes.filter((size) => size < 12), []);
    await read_manual();
}

window.addEventListener('error', ({ message }) => failures.push(`FAIL ${message}`));
opened.then(use).catch((error) => failures.push(`FAIL the test comes to its end: ${error}`)).then(() => {
    parent.document.body.textContent = [...failures, `${passed} passed, ${failures.length} failed`, ''].join('\n');
});
