// SPDX-License-Identifier: MIT
// Uses the page in Chromium as a reader does, and compares what it shows with oracle.cjs.
//     NODE_PATH=.. node run.cjs build/page/index.html
'use strict';

const path = require('path');
const { Oracle, hex, base_at, place } = require('./oracle.cjs');
const { launch, Reader } = require('./reader.cjs');

const address = 'file://' + path.resolve(process.argv[2]);
let passed = 0;
let failed = 0;

function check(what, found, expected = true) {
    const [is, should] = [found, expected].map((value) => JSON.stringify(value));
    if (is === should) {
        ++passed;
        return;
    }
    ++failed;
    console.log(`FAIL ${what}\n     is     ${is}\n     should ${should}`);
}

// Of a line `0x00007fff C moves: ..`.
const seen_name = (line) => line.split(' ')[1];

// --- The tests

async function opens_alone(reader, requests) {
    check('the page asks for nothing but itself', requests, [address]);
    check('the wheel has all slots', await reader.page.locator('#rings .slot').count(), 576);
}

// Nobody has pressed anything: the timers of a cascade move, then time stands still. A reader who has asked for less motion
// sees none.
async function moves_by_itself(reader, still) {
    const moved = () => document.querySelectorAll('#log .moved').length;
    const is_over = `(${moved})() === 40 && document.querySelector('#play').textContent === 'Run'`;
    await reader.page.waitForFunction(is_over, undefined, { timeout: 60000 });
    check('the first move ends with the cascade', [await reader.clock(), await reader.state()], [0x3fa7, '']);
    await still.page.waitForTimeout(2000);
    check('less motion: nothing moves', [await still.clock(), await still.page.evaluate(moved)], [0x3f7c, 0]);
}

// The legend has each mark that the rings have, but for the cursor.
async function explains_its_marks(reader) {
    await reader.scene('Cascade');
    const marks = (inside) => reader.page.locator(`${inside} path`).evaluateAll((paths) =>
        [...new Set(paths.filter((path) => path.getAttribute('d')).flatMap((path) => [...path.classList]))].sort());
    const drawn = (await marks('#rings')).filter((mark) => mark !== 'slot' && mark !== 'cursor');
    check('the legend explains each mark', (await marks('#legend')).filter((mark) => mark !== 'slot'), drawn);
}

// In each tick of a turn: the window ends after the next block, at most a turn after the next tick.
async function moves_its_window(reader) {
    await reader.scene('Same tick');
    const ticks = await reader.page.evaluate(() => [...Array(256)].map(() => {
        count_tick();
        return { clock: now(), window: window_end() };
    }));
    check('the window is a turn at most', ticks.filter(({ clock, window }) =>
        window < base_at(clock) + 128 || window > clock + 1 + 256), []);
}

// Random arms, cancels, ticks and steps.
async function fires_as_the_oracle_says(reader) {
    await reader.scene('Same tick');
    await reader.speed(6, false);
    // Fires the three timers of the scene.
    await reader.run_until_fired(3);
    const oracle = new Oracle(await reader.clock());
    let random = 1;
    const below = (limit) => {
        random = (random * 48271) % 0x7fffffff;
        return random % limit;
    };
    for (let round = 0; round < 45; ++round) {
        oracle.clock = await reader.clock();
        const window = await reader.page.evaluate(() => window_end());
        const delay = 1 + below(2 ** (2 + below(15)));
        const line = await reader.arm(1 + below(3), delay);
        const [, names, tick, where] = line.match(/^\S+ (.+) armed for (0x\w+): (.+)$/);
        names.split(' ').forEach((name) => oracle.arm(name, delay));
        check('an armed timer has its tick', tick, hex(oracle.clock + delay));
        check('an armed timer is in its slot', where, place(oracle.clock, oracle.clock + delay, window));
        if (below(8) === 0) {
            const name = (await reader.text('#followed_name')).replace('Timer ', '');
            await reader.click('#cancel');
            oracle.cancel(name);
        }
        // A step may end in the middle of a tick. The tick after it finishes that, as the oracle's place() expects.
        await reader.press(...[['t'], ['e', 't'], ['s', 's', 't'], ['t', 't', 't']][below(4)]);
    }
    await reader.speed(7, false);
    await reader.run_until_fired(3 + oracle.timers.length);
    check('every timer fires in its tick, in the order of arming', (await reader.log('.fired')).slice(3), oracle.firings());
    check('the page has found no fault', await reader.text('#checked'),
        `${3 + oracle.timers.length} fired: 0 in a wrong tick, 0 out of order.`);
}

async function cascades_timer_by_timer(reader) {
    await reader.scene('Cascade');
    const armed = 40;
    check('the scene begins before the end of a block', await reader.clock(), 0x3f7c);
    await reader.press('s', 's', 's');
    check('until its last tick nothing moves', [await reader.clock(), await reader.log('.moved')], [0x3f7f, []]);
    check('the outlines follow the base', await reader.outlined('#rings .current, #rings .upcoming'),
        [[0, 128], [128, 128], [256, 1], [385, 1], [448, 1], [512, 1]]);
    check('then timers come down', await reader.state(), 'timers come down');
    for (let moved = 1; moved <= armed; ++moved) {
        await reader.press('s');
        check('a step moves one timer', (await reader.log('.moved')).length, moved);
        check('in a tick of the next block', await reader.clock(), 0x3f7f + moved);
    }
    check('all are down', await reader.state(), '');
    const order = (await reader.log('.moved')).map(seen_name);
    const names = [...Array(armed).keys()].map((i) => String.fromCharCode(65 + (i % 26)) + (i < 26 ? '' : '2'));
    check('the youngest moves first', order, names.reverse());
    check('each comes from tv3', (await reader.log('.moved')).every((line) => line.includes('tv3 slot 1 →')));
    const followed = await reader.text('#followed_text');
    const [, tick] = followed.match(/Fires at (0x\w+)/);
    check('the followed timer tells its slot', followed.includes(`Waits in ${place(0x3fa7, Number(tick), 0x4080)}.`));
    await reader.scene('Cascade');
    await reader.press('t', 't', 't');
    check('a tick moves all forty', [await reader.clock(), (await reader.log('.moved')).map(seen_name)], [0x3f7f, order]);
}

// At most 125 timers come down in a tick, one fewer for each callback. A block does not end before all are down.
async function brings_down_a_part(reader) {
    const crowd_moves = async (key, count) => {
        await reader.scene('Five rings');
        // With one of the scene, 301 timers wait in one list of tv2. One fires in the first tick of the block before.
        for (const [timers, tick] of [[200, 0x480], [100, 0x480], [1, 0x400]]) {
            await reader.arm(timers, tick - 0x203);
        }
        await reader.press(...Array(0x3fe - 0x203).fill('t'), ...Array(count).fill(key));
        const moved = (await reader.log('.moved')).filter((line) => line.includes('tv2 slot 4 (2nd list) → tv1'));
        const ticks = moved.map((line) => Number(line.split(' ')[0]));
        return [...new Set(ticks)].map((tick) => [tick, ticks.filter((other) => other === tick).length]);
    };
    check('ticks move 125 timers at most', await crowd_moves('t', 3), [[0x3ff, 125], [0x400, 124], [0x401, 52]]);
    const alone = [...Array(126).keys()].map((i) => [0x401 + i, 1]);
    check('steps move one a tick, the rest in the last one', await crowd_moves('s', 303), [...alone, [0x47f, 175]]);
}

// The page says through which slots a timer will go.
async function foretells_the_way(reader) {
    for (const [scene, timers, way] of [
        ['Cascade', 40, ['tv3 slot 1', 'tv2 slot 11 (2nd list)', 'tv1 slot 138']],
        ['Roll-over', 9, ['tv3 slot 0', 'tv1 slot 40']],
    ]) {
        await reader.scene(scene);
        const followed = (await reader.text('#followed_name')).replace('Timer', '').trim();
        check(`${scene}: the way is foretold`, (await reader.text('#followed_text')).match(/tv\d slot \d+( \(\w+ list\))?/g), way);
        await reader.speed(7, false);
        await reader.run_until_fired(timers);
        const moves = (await reader.log('.moved')).filter((line) => seen_name(line) === followed);
        check(`${scene}: it comes so`, moves.map((line) => line.split(' moves: ')[1]),
            way.slice(1).map((to, i) => `${way[i]} → ${to}`));
    }
}

async function keeps_the_order(reader) {
    // One may leave a scene in the middle of a cascade.
    await reader.scene('Cascade');
    await reader.press(...Array(9).fill('s'));
    await reader.scene('Same tick');
    // To the last of the three callbacks.
    await reader.press(...Array(0x8020 - 0x7f7d + 2).fill('s'));
    check('the cascade brings the youngest first', (await reader.log('.moved')).map(seen_name), ['C', 'B', 'A']);
    check('three timers of one tick fire as they were armed', await reader.log('.fired'),
        ['A', 'B', 'C'].map((name) => `0x00008020 ${name} fires`));
}

async function winds_to_a_roll_over(reader) {
    await reader.scene('Five rings');
    await reader.arm(3, 150);
    await reader.click('#wind >> text="tv5"');
    check('the clock is wound', await reader.clock(), 0xffffff78);
    await reader.speed(3, false);
    // The scene has six timers with at most 120 ticks left.
    await reader.run_until_fired(9);
    const fired = (await reader.log('.fired')).slice(0, 9);
    check('timers keep their delay across the roll-over', fired,
        ['0xffffff7e A', '0xffffff8c B', '0xffffff8c C', '0xffffff8c D', '0xffffffb5 E', '0xfffffff0 F', '0x0000000e O',
            '0x0000000e P', '0x0000000e Q'].map((line) => `${line} fires`));
}

// A slot stands for the ticks that it will reach next. A timer that is armed by a click on it has one of them.
async function arms_by_click(reader) {
    const arm_in = async (slot, first, last, where) => {
        const line = await reader.click_slot(slot);
        const [, tick, found] = line.match(/armed for (0x\w+): (.+)$/);
        check(`a click on slot ${slot} arms there`, found, where);
        check(`a click on slot ${slot} arms for its ticks`, first <= Number(tick) && Number(tick) <= last);
    };
    await reader.scene('Five rings');
    await arm_in(7, 0x207, 0x207, 'tv1 slot 7');
    check('the arc ends with the block after the next one', await reader.beyond_arc(), [0, 1, 2, 3]);
    await arm_in(2, 0x302, 0x302, 'tv2 slot 3 (1st list)');
    await arm_in(256 + 20, 0xa00, 0xa7f, 'tv2 slot 10 (1st list)');
    await arm_in(256 + 21, 0xa80, 0xaff, 'tv2 slot 10 (2nd list)');
    await arm_in(256 + 4, 0x4200, 0x427f, 'tv2 slot 2 (1st list)');
    await arm_in(256 + 5, 0x4280, 0x42ff, 'tv3 slot 1');
    await arm_in(384 + 5, 0x14000, 0x17fff, 'tv3 slot 5');
    await arm_in(512 + 9, 9 * 2 ** 26, 10 * 2 ** 26 - 1, 'tv5 slot 9');
    check('a slot that is too far away says so', (await reader.click_slot(512 + 60)).includes('too far away'));
    await reader.press(...Array(0x280 - 0x203).fill('t'));
    await arm_in(5, 0x305, 0x305, 'tv1 slot 5');
    await arm_in(128, 0x380, 0x380, 'tv2 slot 3 (2nd list)');
    // A run moves the window.
    await reader.arm(1, 8);
    await reader.press(...Array(8).fill('t'));
    check('after a run the arc is a turn long', await reader.beyond_arc(), [136]);
    await arm_in(135, 0x387, 0x387, 'tv1 slot 135');
    await arm_in(136, 0x388, 0x388, 'tv2 slot 3 (2nd list)');
    await reader.scene('Roll-over');
    await arm_in(256, 0, 0x7f, 'tv2 slot 0 (1st list)');
    await reader.press(...Array(0x83).fill('t'));
    check('the last tick of 32 bits', await reader.clock(), 0xffffffff);
    await arm_in(7, 7, 7, 'tv1 slot 7');
    await arm_in(256 + 7, 0x380, 0x3ff, 'tv2 slot 3 (2nd list)');
}

async function works_by_keyboard(reader) {
    await reader.scene('Five rings');
    await reader.press('w', 'ArrowDown', 'ArrowDown', 'ArrowUp', ...Array(4).fill('ArrowRight'), 'Enter');
    const chosen = await reader.text('#slot_text');
    const armed = (await reader.log()).pop();
    check('arrows choose along a ring and across', chosen.startsWith('tv2 slot 3 (2nd list):'));
    check('Enter arms in the slot that the arrows chose', chosen.split(':')[0], armed.split(': ')[1]);
    check('the followed timer is drawn', (await reader.page.locator('#rings .mine').getAttribute('d')) !== '');
    await reader.press('a');
    check('A leads to the form', await reader.page.evaluate(() => document.activeElement.id), 'arm_delay');
    await reader.page.keyboard.press('ControlOrMeta+a');
    await reader.page.keyboard.type('77');
    await reader.press('Enter');
    check('Enter in the form arms', (await reader.log()).pop().includes(`armed for ${hex(0x203 + 77)}`));
    await reader.page.evaluate(() => document.activeElement.blur());
    const name = await reader.text('#followed_name');
    await reader.press('c');
    check('C cancels the followed timer', (await reader.log()).pop().includes('is cancelled'));
    await reader.press('f');
    check('F follows another timer', (await reader.text('#followed_name')) !== name);
    await reader.press('t');
    check('T counts a tick', await reader.clock(), 0x204);
    await reader.press('e');
    check('E goes to the next event', await reader.log('.fired'), [`${hex(0x209)} A fires`]);
    await reader.speed(4, false);
    await reader.page.evaluate(() => document.activeElement.blur());
    await reader.press(' ');
    await reader.page.waitForFunction(() => Number(document.querySelector('#rings .tick').textContent) > 0x240);
    await reader.press(' ');
    const stopped = await reader.clock();
    await reader.page.waitForTimeout(200);
    check('Space runs and stops', await reader.clock(), stopped);
}

// A slow run shows each move in a frame of its own.
async function runs_slowly(reader) {
    await reader.scene('Cascade');
    await reader.speed(5, true);
    await reader.page.click('#play');
    const shown = await reader.page.evaluate(() => new Promise((done) => {
        const counts = new Set();
        const look = () => {
            const moved = document.querySelectorAll('#log .moved').length;
            counts.add(moved);
            if (moved >= 40) {
                done([...counts]);
            } else {
                requestAnimationFrame(look);
            }
        };
        look();
    }));
    await reader.click('#play');
    check('a run shows each move', Math.max(...shown.slice(1).map((count, i) => count - shown[i])), 1);
}

const fired_counts = (reader) => reader.page.evaluate(() => [0, 1, 2].map((which) => core.fired_count(which)));

// The search of the list reads two words of each timer that it passes: the link and the tick.
async function counts_words(reader) {
    const words = await reader.page.evaluate(() => {
        core.start(0);
        const arms = [0, 1, 2].map(() => []);
        let sums = [0, 0, 0];
        for (let n = 1; n <= 60; ++n) {
            core.arm(core.idle_timer(), 200 - n, 0);
            const next = [0, 1, 2].map((which) => core.mean_arm_words(which) * n);
            next.forEach((sum, which) => arms[which].push(Math.round(sum - sums[which])));
            sums = next;
        }
        core.tick();
        return { arms, tick: [0, 1, 2].map((which) => core.tick_words(which)) };
    });
    const [wheel, list] = words.arms;
    check('an arm of the list passes all later timers', list.slice(2).map((arm, i) => arm - list[i + 1]), Array(58).fill(2));
    check('an arm of the wheel costs the same with any number', new Set(wheel).size, 1);
    check('a tick without work: jiffies twice, and the next event', words.tick[0], 3);
    await reader.scene('1000 timers');
    await reader.speed(7, false);
    await reader.run_until_fired(300);
    const fired = await fired_counts(reader);
    check('all three fire the same timers', fired, Array(3).fill(fired[0]));
    const averages = await reader.page.locator('#peers dl div:nth-child(2) dd').allInnerTexts();
    const [own, ordered, heap] = averages.map((text) => Number(text.replace(/\s/g, '')));
    check('with 1000 timers the wheel takes fewest words and the list most', own < heap && heap < ordered);
    await reader.scene('Five rings');
    const each = [];
    for (let event = 0; event < 30; ++event) {
        await reader.press('e', 't');
        each.push(await fired_counts(reader));
    }
    check('all three pass empty blocks together', each.filter((counts) => new Set(counts).size > 1), []);
}

// --- Sizes and colours

// The contrast of two colours as the Web Content Accessibility Guidelines define it.
function contrast(one, other) {
    const [a, b] = [one, other].map((colour) => {
        const [red, green, blue] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
            const value = part / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    });
    return Math.max(a, b) / Math.min(a, b);
}

async function is_legible(reader, scheme, width) {
    const found = await reader.page.evaluate(() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        return {
            paper: style('body').backgroundColor,
            texts: ['body', '.small', '#scene_text', '#followed h2'].map((each) => style(each).color),
            timer: style('.timers').fill,
            slot: style('.slot').fill,
            scroll: document.documentElement.scrollWidth,
            outside: [...document.querySelectorAll('button, input, p, h2, li, dd, text')].filter((each) => {
                const { left, right } = each.getBoundingClientRect();
                return left < 0 || right > innerWidth;
            }).length,
        };
    });
    const where = `${scheme}, ${width} pixels`;
    check(`${where}: dark or light`, contrast(found.paper, 'rgb(0, 0, 0)') > 10, scheme === 'light');
    check(`${where}: text has contrast`, found.texts.every((text) => contrast(text, found.paper) >= 4.5));
    check(`${where}: a timer stands out from its slot`, contrast(found.timer, found.slot) >= 3);
    check(`${where}: nothing to scroll sideways`, found.scroll, width);
    check(`${where}: nothing lies outside`, found.outside, 0);
}

async function main() {
    const browser = await launch();
    const open = async (colorScheme, width, height, reducedMotion = 'no-preference') => {
        const page = await browser.newPage({ colorScheme, reducedMotion, viewport: { width, height } });
        const requests = [];
        page.on('request', (request) => requests.push(request.url()));
        page.on('pageerror', (error) => check('the page has no error', String(error), ''));
        await page.goto(address);
        await page.waitForSelector('.slot');
        return [new Reader(page), requests];
    };
    try {
        const [reader, requests] = await open('light', 1280, 900);
        await opens_alone(reader, requests.filter((url) => !url.startsWith('data:')));
        const [still] = await open('light', 1280, 900, 'reduce');
        await moves_by_itself(reader, still);
        for (const test of [explains_its_marks, moves_its_window, fires_as_the_oracle_says, cascades_timer_by_timer,
            brings_down_a_part, foretells_the_way, keeps_the_order, winds_to_a_roll_over, arms_by_click, works_by_keyboard, runs_slowly, counts_words]) {
            await test(reader);
        }
        for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 360], ['dark', 360]]) {
            const [other] = await open(scheme, width, 740);
            await other.scene('Cascade');
            await other.press(...Array(20).fill('s'));
            await is_legible(other, scheme, width);
        }
    } finally {
        await browser.close();
    }
}

main().catch((error) => check('the test comes to its end', String(error), '')).then(() => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed !== 0 ? 0 : 1;
});
