// SPDX-License-Identifier: MIT
// Opens a trace in speedscope, and prints the tracks that it shows.
//     NODE_PATH=.. node speedscope.cjs trace.json
'use strict';

const path = require('path');
const { chromium } = require('playwright-core');

async function main(file) {
    const browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader'],
    });
    try {
        const page = await browser.newPage();
        await page.goto('file://' + path.join(process.env.NODE_PATH, 'speedscope/dist/release/index.html'));
        await page.setInputFiles('#file', file);
        // Its name is in the title when it is loaded. The key t lists the tracks.
        await page.waitForFunction((name) => document.title.startsWith(name), path.basename(file));
        await page.keyboard.press('t');
        const tracks = page.getByText(/^[a-z]+ \(pid \d+\), .* \(tid \d+\)$/);
        await tracks.first().waitFor();
        for (const text of await tracks.allInnerTexts()) {
            console.log(text.replace(/^.*\(pid \d+\), (.*) \(tid \d+\)$/, '$1'));
        }
    } finally {
        await browser.close();
    }
}

main(process.argv[2]).catch((error) => {
    console.error(error);
    process.exit(1);
});
