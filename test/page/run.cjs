// SPDX-License-Identifier: MIT
// Uses the page in Chromium as a reader does, and compares each firing with a sorted list of its own.
//     NODE_PATH=.. node run.cjs build/page/index.html
'use strict';

const path = require('path');
const { launch, Reader, check, sum_up } = require('./reader.cjs');

const address = 'file://' + path.resolve(process.argv[2]);

// Of a line `0x00007fff C moves: ..`.
const seen_name = (line) => line.split(' ')[1];

const hex = (tick) => '0x' + tick.toString(16).padStart(8, '0');

// The slot for a timer that is armed while no work is left. tv1 takes the ticks before `tv1_end`. For all others the distance
// from the next block says the level. tv2 has a slot for each block of 128 ticks.
function place(clock, tick, tv1_end) {
    if (tick < tv1_end) {
        return `tv1 slot ${tick % 256}`;
    }
    const base = (Math.floor((clock + 1) / 128) + 1) * 128;
    const reach = [14, 20, 26, 32].findIndex((bits) => tick - base < 2 ** bits);
    const slot = reach === 0 ? Math.floor(tick / 128) % 128 : Math.floor(tick / 2 ** (8 + 6 * reach)) % 64;
    return `tv${reach + 2} slot ${slot}`;
}

// --- The tests

async function opens_alone(reader, requests) {
    check('the page asks for nothing but itself', requests, [address]);
    check('the wheel has all slots', await reader.page.locator('#rings .slot').count(), 576);
}

// Nobody has pressed anything: the timers of a cascade move, each in a frame of its own. A reader who has asked for less
// motion sees none.
async function moves_by_itself(reader, still) {
    await reader.page.fill('#speed', '5');
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
    check('a run shows each move', Math.max(...shown.slice(1).map((count, i) => count - shown[i])), 1);
    await reader.press('play');
    const stopped = await reader.clock();
    await reader.page.waitForTimeout(500);
    check('a pause stops the clock', await reader.clock(), stopped);
    check('less motion: nothing moves', await still.clock(), 0x3f7c);
}

// The legend has each mark that the rings have, but for the cursor.
async function explains_its_marks(reader) {
    await reader.scene('Cascade');
    const marks = (inside) => reader.page.locator(`${inside} path`).evaluateAll((paths) =>
        [...new Set(paths.filter((path) => path.getAttribute('d')).flatMap((path) => [...path.classList]))].sort());
    const drawn = (await marks('#rings')).filter((mark) => mark !== 'slot' && mark !== 'cursor');
    check('the legend explains each mark', (await marks('#legend')).filter((mark) => mark !== 'slot'), drawn);
}

// Random arms, cancels, ticks and steps.
async function fires_as_it_was_armed(reader) {
    await reader.scene('Same tick');
    // Fires the three timers of the scene.
    await reader.run_until_fired(3);
    let armed = [];
    let random = 1;
    const below = (limit) => {
        random = (random * 48271) % 0x7fffffff;
        return random % limit;
    };
    for (let round = 0; round < 45; ++round) {
        const clock = await reader.clock();
        const end = await reader.page.evaluate(() => tv1_end());
        const delay = 1 + below(2 ** (2 + below(15)));
        const line = await reader.arm(1 + below(3), delay);
        const [, names, tick, where] = line.match(/^\S+ (.+) armed for (0x\w+): (.+)$/);
        names.split(' ').forEach((name) => armed.push({ name, tick: clock + delay }));
        check('an armed timer has its tick', tick, hex(clock + delay));
        check('an armed timer is in its slot', where, place(clock, clock + delay, end));
        if (below(8) === 0) {
            const name = (await reader.text('#followed_name')).replace('Timer ', '');
            await reader.click('#cancel');
            armed = armed.filter((timer) => timer.name !== name);
        }
        // A step may end in the middle of a tick. The tick after it finishes that, as place() expects.
        await reader.press(...[['tick'], ['skip', 'tick'], ['step', 'step', 'tick'], ['tick', 'tick', 'tick']][below(4)]);
    }
    await reader.run_until_fired(3 + armed.length);
    // The sort keeps the order of arming.
    const firings = armed.sort((a, b) => a.tick - b.tick).map(({ name, tick }) => `${hex(tick)} ${name} fires`);
    check('every timer fires in its tick, in the order of arming', (await reader.log('.fired')).slice(3), firings);
    check('the page has found no fault', await reader.text('#checked'),
        `${3 + armed.length} fired: 0 in a wrong tick, 0 out of order.`);
}

async function cascades_timer_by_timer(reader) {
    await reader.scene('Cascade');
    const armed = 40;
    check('the scene begins before the end of a block', await reader.clock(), 0x3f7c);
    await reader.press('step', 'step', 'step');
    check('until its last tick nothing moves', [await reader.clock(), await reader.log('.moved')], [0x3f7f, []]);
    check('the outlines follow the base', await reader.outlined('#rings .current, #rings .upcoming'),
        [[0, 128], [128, 128], [256, 1], [385, 1], [448, 1], [512, 1]]);
    check('then the cascade begins', await reader.state(), 'cascade');
    for (let moved = 1; moved <= armed; ++moved) {
        await reader.press('step');
        check('a step moves one timer', (await reader.log('.moved')).length, moved);
        check('in a tick of the next block', await reader.clock(), 0x3f7f + moved);
    }
    check('then the cascade is over', await reader.state(), '');
    const order = (await reader.log('.moved')).map(seen_name);
    const names = [...Array(armed).keys()].map((i) => String.fromCharCode(65 + (i % 26)) + (i < 26 ? '' : '2'));
    check('the youngest moves first', order, names.reverse());
    check('each comes from tv3', (await reader.log('.moved')).every((line) => line.includes('tv3 slot 1 →')));
    const followed = await reader.text('#followed_text');
    const [, tick] = followed.match(/Fires at (0x\w+)/);
    check('the followed timer tells its slot', followed.includes(`Waits in ${place(0x3fa7, Number(tick), 0x4080)}.`));
    await reader.scene('Cascade');
    await reader.press('tick', 'tick', 'tick');
    check('a tick moves all forty', [await reader.clock(), (await reader.log('.moved')).map(seen_name)], [0x3f7f, order]);
}

// Each callback takes the place of a move.
async function moves_125_a_tick(reader) {
    await reader.scene('Five rings');
    // With one of the scene, 301 timers wait in one slot of tv2. One fires in the first tick of the block before.
    for (const [timers, tick] of [[200, 0x480], [100, 0x480], [1, 0x400]]) {
        await reader.arm(timers, tick - 0x203);
    }
    await reader.press(...Array(0x401 - 0x203).fill('tick'));
    const moved = (await reader.log('.moved')).filter((line) => line.includes('tv2 slot 9 → tv1'));
    const counts = [0x3ff, 0x400, 0x401].map((tick) => moved.filter((line) => line.startsWith(hex(tick))).length);
    check('ticks move 125 timers at most', counts, [125, 124, 52]);
}

// The page says through which slots a timer will go.
async function foretells_the_way(reader) {
    for (const [scene, timers, way] of [
        ['Cascade', 40, ['tv3 slot 1', 'tv2 slot 23', 'tv1 slot 138']],
        ['Roll-over', 9, ['tv3 slot 0', 'tv1 slot 40']],
    ]) {
        await reader.scene(scene);
        const followed = (await reader.text('#followed_name')).replace('Timer', '').trim();
        check(`${scene}: the way is foretold`, (await reader.text('#followed_text')).match(/tv\d slot \d+/g), way);
        await reader.run_until_fired(timers);
        const moves = (await reader.log('.moved')).filter((line) => seen_name(line) === followed);
        check(`${scene}: it comes so`, moves.map((line) => line.split(' moves: ')[1]),
            way.slice(1).map((to, i) => `${way[i]} → ${to}`));
    }
    const fired = ['0xfffffffd A', '0xfffffffe B', '0xffffffff C', '0x00000000 D', '0x00000001 E', '0x00000002 F',
        '0x00000009 G', '0x00000009 H', '0x00000028 I'].map((line) => `${line} fires`);
    check('timers fire in order across the roll-over', (await reader.log('.fired')).slice(0, 9), fired);
}

async function keeps_the_order(reader) {
    // One may leave a scene in the middle of a cascade.
    await reader.scene('Cascade');
    await reader.press(...Array(9).fill('step'));
    await reader.scene('Same tick');
    // To the first of the three callbacks.
    await reader.press(...Array(0x8020 - 0x7f7d).fill('step'));
    check('the cascade moves the youngest first', (await reader.log('.moved')).map(seen_name), ['C', 'B', 'A']);
    check('a step is one callback', await reader.log('.fired'), ['0x00008020 A fires']);
    await reader.press('step', 'tick');
    check('three timers of one tick fire as they were armed, before the next tick', await reader.log('.fired'),
        ['A', 'B', 'C'].map((name) => `0x00008020 ${name} fires`));
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
    await arm_in(2, 0x302, 0x302, 'tv2 slot 6');
    await arm_in(256 + 20, 0xa00, 0xa7f, 'tv2 slot 20');
    await arm_in(256 + 21, 0xa80, 0xaff, 'tv2 slot 21');
    await arm_in(256 + 4, 0x4200, 0x427f, 'tv2 slot 4');
    await arm_in(256 + 5, 0x4280, 0x42ff, 'tv3 slot 1');
    await arm_in(384 + 5, 0x14000, 0x17fff, 'tv3 slot 5');
    await arm_in(512 + 9, 9 * 2 ** 26, 10 * 2 ** 26 - 1, 'tv5 slot 9');
    check('a slot that is too far away says so', (await reader.click_slot(512 + 60)).includes('too far away'));
    await reader.press(...Array(0x280 - 0x203).fill('tick'));
    await arm_in(5, 0x305, 0x305, 'tv1 slot 5');
    await arm_in(128, 0x380, 0x380, 'tv2 slot 7');
    // A run moves the end of the arc.
    await reader.arm(1, 8);
    await reader.press(...Array(8).fill('tick'));
    check('after a run the arc is a turn long', await reader.beyond_arc(), [136]);
    await arm_in(135, 0x387, 0x387, 'tv1 slot 135');
    await arm_in(136, 0x388, 0x388, 'tv2 slot 7');
    await reader.scene('Roll-over');
    await arm_in(256, 0, 0x7f, 'tv2 slot 0');
    await reader.press(...Array(0x83).fill('tick'));
    check('the last tick of 32 bits', await reader.clock(), 0xffffffff);
    await arm_in(7, 7, 7, 'tv1 slot 7');
    await arm_in(256 + 7, 0x380, 0x3ff, 'tv2 slot 7');
}

async function follows_and_repeats(reader) {
    await reader.scene('Five rings');
    await reader.press('skip');
    check('time goes to the next event', await reader.log('.fired'), ['0x00000209 A fires']);
    await reader.press('follow_next');
    check('G was followed, and now the next timer', await reader.text('#followed_name'), 'Timer H');
    await reader.press('cancel');
    check('it is cancelled', (await reader.log()).pop(), '0x00000209 H is cancelled in tv2 slot 15');
    await reader.page.check('#arm_again');
    await reader.arm(1, 7);
    await reader.page.uncheck('#arm_again');
    await reader.press(...Array(21).fill('tick'));
    const fired = (await reader.log('.fired')).filter((line) => seen_name(line) === 'O');
    check('a timer repeats', fired, ['0x00000210 O fires', '0x00000217 O fires', '0x0000021e O fires']);
}

async function fits(reader, width) {
    const found = await reader.page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        outside: [...document.querySelectorAll('button, input, p, h2, li, text')].filter((each) => {
            const { left, right } = each.getBoundingClientRect();
            return left < 0 || right > innerWidth;
        }).length,
    }));
    check(`${width} pixels: all is inside`, found, { scroll: width, outside: 0 });
}

async function main() {
    const browser = await launch();
    const open = async (reducedMotion) => {
        const page = await browser.newPage({ reducedMotion, viewport: { width: 1280, height: 900 } });
        const requests = [];
        page.on('request', (request) => requests.push(request.url()));
        page.on('pageerror', (error) => check('the page has no error', String(error), ''));
        await page.goto(address);
        await page.waitForSelector('.slot');
        return [new Reader(page), requests];
    };
    try {
        const [still] = await open('reduce');
        const [reader, requests] = await open('no-preference');
        await moves_by_itself(reader, still);
        await opens_alone(reader, requests.filter((url) => !url.startsWith('data:')));
        for (const test of [explains_its_marks, fires_as_it_was_armed, cascades_timer_by_timer, moves_125_a_tick,
            foretells_the_way, keeps_the_order, arms_by_click, follows_and_repeats]) {
            await test(reader);
        }
        for (const width of [1280, 360]) {
            await reader.page.setViewportSize({ width, height: 740 });
            await fits(reader, width);
        }
    } finally {
        await browser.close();
    }
}

main().catch((error) => check('the test comes to its end', String(error), '')).then(sum_up);
