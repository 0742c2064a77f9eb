// SPDX-License-Identifier: MIT
// Opens a trace in speedscope, saves a picture of what it shows first, and prints the trace as speedscope saves it.
//     NODE_PATH=.. node speedscope.cjs trace.json trace.png
'use strict';

const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

async function main(file, picture) {
    const browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader'],
    });
    try {
        const page = await browser.newPage({ viewport: { width: 1000, height: 200 } });
        await page.goto('file://' + path.join(process.env.NODE_PATH, 'speedscope/dist/release/index.html'));
        await page.setInputFiles('#file', file);
        // Its name is in the title when it is loaded.
        await page.waitForFunction((name) => document.title.startsWith(name), path.basename(file));
        await page.getByText(/^callbacks|, callbacks /).first().waitFor();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        await page.screenshot({ path: picture });
        const saved = page.waitForEvent('download');
        await page.keyboard.press('Control+s');
        console.log(fs.readFileSync(await (await saved).path(), 'utf8'));
    } finally {
        await browser.close();
    }
}

main(process.argv[2], process.argv[3]).catch((error) => {
    console.error(error);
    process.exit(1);
});
