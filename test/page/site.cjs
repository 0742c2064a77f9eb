// SPDX-License-Identifier: MIT
// Reads the site in Chromium as a visitor does who comes from a search engine: without a server, and without a network.
//     NODE_PATH=.. node site.cjs build/site
'use strict';

const fs = require('fs');
const path = require('path');
const { launch, check, sum_up } = require('./reader.cjs');

const folder = path.resolve(process.argv[2]);
const at = (name) => `file://${folder}/${name}`;

async function main() {
    const browser = await launch();
    const page = await browser.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('requestfailed', (request) => wrong.push(request.url()));
    page.on('request', (request) => {
        if (!/^(file|data|blob):/.test(request.url())) {
            wrong.push(request.url());
        }
    });

    // Each page of the manual opens without an error, and shows its pictures.
    const pages = fs.readdirSync(folder).filter((name) => /^(index|docs-.*|.*DESIGN)\.html$/.test(name));
    check('the site has the pages of the manual', pages.length > 20);
    for (const name of pages) {
        wrong.length = 0;
        await page.goto(at(name));
        const blank = await page.locator('.contents img').evaluateAll((images) =>
            images.filter((image) => image.naturalWidth === 0).map((image) => image.src));
        check(`${name} loads`, [...wrong, ...blank].join(' '), '');
    }

    // From the first page to a chapter, back, and to the wheel.
    await page.goto(at('index.html'));
    await page.locator('.contents a', { hasText: 'Recipes' }).first().click();
    check('the manual leads to the recipes', await page.title(), 'tickwheel: Recipes');
    await page.goBack();
    await page.locator('.contents a', { hasText: 'make page' }).click();
    await page.locator('#rings .slot').first().waitFor({ state: 'attached' });
    check('the manual leads to the wheel', await page.locator('#rings .slot').count(), 576);

    await browser.close();
}

main().then(sum_up);
