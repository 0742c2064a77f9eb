// SPDX-License-Identifier: MIT
// The page as a reader sees and uses it.
'use strict';

const { chromium } = require('playwright-core');

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

function sum_up() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed !== 0 ? 0 : 1;
}

// Debian's Chromium, which asks nobody for anything.
function launch() {
    return chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync'],
    });
}

class Reader {
    constructor(page) {
        this.page = page;
    }

    text(selector) {
        return this.page.locator(selector).innerText();
    }

    // The slots that each outline surrounds: the first one, and how many.
    outlined(selector) {
        return this.page.locator(selector).evaluateAll((outlines) => outlines.map((outline) => {
            const inside = (slot) => outline.isPointInFill(new DOMPoint(...centre_of(slot)));
            const slots = [...rings.slots.keys()].filter(inside);
            return [slots[0], slots.length];
        }));
    }

    // The slots of tv1 that are not under the arc.
    beyond_arc() {
        return this.page.evaluate(() => [...Array(256).keys()].filter((slot) => {
            const [x, y] = centre_of(slot);
            const out = arc_radius / Math.hypot(x, y);
            return !rings.arc.isPointInStroke(new DOMPoint(x * out, y * out));
        }));
    }

    // What stands below the clock.
    state() {
        return this.page.locator('#rings .state').textContent();
    }

    async clock() {
        return Number(await this.page.locator('#rings .tick').textContent());
    }

    // The lines of the log, the oldest first.
    async log(kind = 'li') {
        const lines = await this.page.locator(`#log ${kind}`).allInnerTexts();
        return lines.map((line) => line.replace(/\s+/g, ' ').trim());
    }

    // A click, and the drawing that follows it.
    async click(selector) {
        await this.page.click(selector);
        await this.drawn();
    }

    // Presses so many buttons, one after the other.
    async press(...ids) {
        await this.page.evaluate((each) => each.forEach((id) => document.getElementById(id).click()), ids);
        await this.drawn();
    }

    drawn() {
        return this.page.evaluate(() => new Promise((done) => {
            requestAnimationFrame(() => requestAnimationFrame(done));
        }));
    }

    // Returns the line that the log then has.
    async click_slot(slot) {
        const box = await this.page.locator('#rings .slot').nth(slot).boundingBox();
        await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await this.drawn();
        return (await this.log()).pop();
    }

    scene(name) {
        return this.click(`#scenes >> text="${name}"`);
    }

    // Arms so many timers by the form. Returns the line that says so.
    async arm(count, delay) {
        await this.page.fill('#arm_count', String(count));
        await this.page.fill('#arm_delay', String(delay));
        await this.click('#arm button');
        return (await this.log()).pop();
    }

    // Runs fast until so many timers have fired.
    async run_until_fired(count) {
        await this.page.fill('#speed', '7');
        await this.page.uncheck('#slow');
        await this.page.click('#play');
        await this.page.waitForFunction((enough) => {
            const [fired] = document.querySelector('#checked').textContent.split(' fired');
            return Number(fired.replace(/\s/g, '')) >= enough;
        }, count, { timeout: 60000 });
        await this.click('#play');
    }
}

module.exports = { launch, Reader, check, sum_up };
