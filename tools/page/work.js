// SPDX-License-Identifier: MIT
// Draws how many words of memory each algorithm reads and writes in a tick.
'use strict';

const history_ticks = 256;
const algorithms = ['this wheel', 'ordered list', 'binary heap'];
const figures = [
    ['last tick', (which) => core.tick_words(which)],
    ['average', (which) => core.mean_words(which)],
    ['worst tick', (which) => core.worst_words(which)],
    ['an arm', (which) => core.mean_arm_words(which)],
];
const charts = [];

function make_work() {
    algorithms.forEach((name, which) => {
        const peer = document.createElement('article');
        peer.innerHTML = `<h3>${name}</h3><div class="plot"><svg viewBox="0 0 ${history_ticks} 100"
            preserveAspectRatio="none" role="img" aria-label="words per tick, ${name}"><g class="grid"></g>
            <path class="bars"/></svg></div><dl></dl>`;
        const list = peer.querySelector('dl');
        const values = figures.map(([label]) => {
            const pair = document.createElement('div');
            pair.innerHTML = `<dt>${label}</dt><dd>–</dd>`;
            list.append(pair);
            return pair.querySelector('dd');
        });
        by_id('peers').append(peer);
        charts.push({ which, values, plot: peer.querySelector('.plot'), grid: peer.querySelector('.grid'),
            bars: peer.querySelector('.bars'), decades: 0 });
    });
}

// A line for each power of ten.
function draw_grid(chart, decades) {
    if (chart.decades === decades) {
        return;
    }
    chart.decades = decades;
    chart.grid.replaceChildren();
    chart.plot.querySelectorAll('span').forEach((label) => label.remove());
    for (let power = 1; power < decades; ++power) {
        const y = 100 - (100 * power) / decades;
        element('path', { d: `M0 ${y}h${history_ticks}` }, chart.grid);
        const label = document.createElement('span');
        label.textContent = grouped(10 ** power);
        label.style.top = `${y}%`;
        chart.plot.append(label);
    }
}

function draw_work() {
    const ticks = core.tick_count();
    const worst = Math.max(...charts.map(({ which }) => core.worst_words(which)));
    const decades = Math.max(3, Math.ceil(Math.log10(worst + 1)));
    for (const chart of charts) {
        draw_grid(chart, decades);
        const words = new Uint32Array(core.memory.buffer, core.history_of(chart.which), history_ticks);
        let path = '';
        // The newest tick is at the right.
        for (let column = 0; column < history_ticks; ++column) {
            const tick = ticks - history_ticks + column;
            if (tick >= 0) {
                const height = (100 * Math.log10(Math.max(1, words[tick % history_ticks]))) / decades;
                path += `M${column} 100v${-height.toFixed(1)}h1V100z`;
            }
        }
        chart.bars.setAttribute('d', path);
        figures.forEach(([, value], place) => {
            const number = value(chart.which);
            chart.values[place].textContent = ticks === 0 && place !== 3 || Number.isNaN(number) ? '–' :
                number < 100 && number % 1 !== 0 ? number.toFixed(1) : grouped(number);
        });
    }
}
