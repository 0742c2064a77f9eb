// SPDX-License-Identifier: MIT
// Uses the page in Chromium as a reader does, and compares slots and firings with what it computes itself.
//     NODE_PATH=.. node run.cjs build/page/index.html
'use strict';

const path = require('path');
const { chromium } = require('playwright-core');

const address = 'file://' + path.resolve(process.argv[2]);
let passed = 0;
let failed = 0;

function check(what, found, expected = true) {
    const [is, should] = [found, expected].map((value) => JSON.stringify(value));
    if (is === should) {
        ++passed;
    } else {
        ++failed;
        console.log(`FAIL ${what}\n     is     ${is}\n     should ${should}`);
    }
}

const hex = (tick) => '0x' + (tick >>> 0).toString(16).padStart(8, '0');

// The slot for a timer that is armed when no work is left. tv1 has the ticks of this block and of the next one. For all others
// the distance from the next block says the level.
function place(clock, tick) {
    const base = (Math.floor((clock + 1) / 128) + 1) * 128;
    if (tick < base + 128) {
        return `tv1 slot ${tick % 256}`;
    }
    const reach = [14, 20, 26, 32].findIndex((bits) => tick - base < 2 ** bits);
    const [bits, size] = [[7, 128], [14, 64], [20, 64], [26, 64]][reach];
    return `tv${reach + 2} slot ${Math.floor(tick / 2 ** bits) % size}`;
}

async function use(page) {
    const text = (selector) => page.locator(selector).textContent();
    const state = () => text('#rings text:last-of-type');
    const clock = async () => Number(await text('#rings .tick'));
    // So many clicks. Returns what the page said after each.
    const press = (id, times = 1) => page.evaluate(([button, count]) => Array.from({ length: count }, () => {
        document.getElementById(button).click();
        return document.getElementById('happened').textContent;
    }), [id, times]);

    check('the wheel has all slots', await page.locator('#rings .slot').count(), 576);
    check('it begins before the end of a block', await clock(), 0x3f7c);
    const drawn = await page.locator('.timers').getAttribute('d');
    check('a slot shows six timers at most', drawn.split('M').length - 1, 6 + 10);

    await press('step', 3);
    check('in the last tick of a block the cascade begins', [await clock(), await state()], [0x3f7f, 'cascade']);
    // Three steps are callbacks.
    const moves = (await press('step', 43)).filter((line) => line.startsWith('A timer moves from tv3 slot 1 to tv'));
    check('a step moves one timer', moves.length, 40);
    check('then the cascade is over', await state(), '');

    // Arm by the form, and by clicks on slots.
    await press('again');
    const start = await clock();
    const armed = [6, 20, 20, 61, 120, 700, 1500, 5200].map((delay) => start + delay);
    for (const delay of [5, 127, 128, 259, 260, 300, 16000, 20000, 2000000, 100000000, 2147483647]) {
        await page.fill('#delay', String(delay));
        await page.click('#arm button');
        const tick = start + delay;
        check(`a delay of ${delay}`, await text('#happened'), `A timer for tick ${hex(tick)} waits in ${place(start, tick)}.`);
        armed.push(tick);
    }
    for (const slot of [200, 256 + 20, 384 + 5, 448 + 9, 512 + 9]) {
        const box = await page.locator('#rings .slot').nth(slot).boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        const [, tick, found] = (await text('#happened')).match(/^A timer for tick (0x\w+) waits in (.*)\.$/);
        check(`a click on slot ${slot} takes a tick of it`, await page.evaluate((at) => slot_at(level_of(at[0]), at[1]),
            [slot, Number(tick)]), slot);
        check(`that timer waits in ${found}`, found, place(start, Number(tick)));
        armed.push(Number(tick));
    }

    // Pass all ticks without work, and run the others step by step, until the first ten have fired.
    armed.sort((a, b) => a - b);
    const fired = await page.evaluate(() => {
        const ticks = [];
        while (ticks.length < 10) {
            for (const id of ['skip', 'step']) {
                const before = core.fired_count();
                document.getElementById(id).click();
                const [tick] = document.getElementById('happened').textContent.match(/0x\w+|$/);
                ticks.push(...Array(core.fired_count() - before).fill(Number(tick)));
            }
        }
        return ticks;
    });
    check('timers fire in their ticks', fired.slice(0, 10), armed.slice(0, 10));

    // Nobody steps: time passes by itself.
    await page.fill('#speed', '6');
    await press('play');
    await page.waitForFunction(() => core.fired_count() > 50, undefined, { timeout: 60000 });
    await press('play');
    const stopped = await clock();
    await page.waitForTimeout(300);
    check('a pause stops the clock', await clock(), stopped);
    check('the page has found no fault', /^\d+ fired, 0 of them in a wrong tick or out of order\.$/.test(await text('#checked')));

    await page.setViewportSize({ width: 360, height: 740 });
    check('all is inside 360 pixels', await page.evaluate(() => document.documentElement.scrollWidth), 360);
}

async function main() {
    const browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync'],
    });
    try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
        const requests = [];
        page.on('request', (request) => requests.push(request.url()));
        page.on('pageerror', (error) => check('the page has no error', String(error), ''));
        await page.goto(address);
        await page.waitForSelector('.slot', { state: 'attached' });
        check('the page asks for nothing but itself', requests.filter((url) => !url.startsWith('data:')), [address]);
        await use(page);
    } finally {
        await browser.close();
    }
}

main().catch((error) => check('the test comes to its end', String(error), '')).then(() => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
});
