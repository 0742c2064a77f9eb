// SPDX-License-Identifier: MIT
// Places to begin. A scene sets the clock, arms timers and lets time pass.
'use strict';

const arm_at = (tick) => core.arm((tick - now()) | 0, 0);
const pass_until = (tick) => core.run_ticks((tick - now()) >>> 0);

// A number below `limit`. Successive numbers lie far apart.
const scattered = (number, limit) => Math.floor(((Math.imul(number + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * limit);

// The page opens with the first one. set_up() returns the timer to follow.
const scenes = [
    {
        name: 'Cascade',
        text: 'Forty timers wait in slot 1 of tv3. In 4 ticks the block before it begins. From then on each Step moves ' +
            'one timer, and each Tick up to 125.',
        set_up() {
            core.start(0);
            const timers = [];
            for (let i = 0; i < 40; ++i) {
                timers.push(arm_at(0x4000 + scattered(i, 0x4000)));
            }
            pass_until(0x3f7c);
            return timers[9];
        },
    },
    {
        name: 'Five rings',
        text: 'Fourteen timers wait in all five rings. Run, or click a slot to arm a timer there.',
        set_up() {
            core.start(0x203);
            const delays = [6, 20, 20, 20, 61, 120, 700, 1500, 1502, 5200, 9000, 70000, 3e6, 4e8];
            return delays.map((delay) => arm_at(now() + delay))[6];
        },
    },
    {
        name: 'Same tick',
        text: 'A was armed first, then B, then C, all for one tick. A waits in tv3, B and C in tv2. Press Step: the ' +
            'youngest moves first, and each older one goes in front of it. So A fires first.',
        set_up() {
            core.start(0x3f80);
            const first = arm_at(0x8020);
            pass_until(0x7ef0);
            arm_at(0x8020);
            pass_until(0x7f70);
            arm_at(0x8020);
            pass_until(0x7f7d);
            return first;
        },
    },
    {
        name: 'Roll-over',
        text: 'The clock is near the end of its 32 bits. Timers of the next turn wait in slot 0 of tv3. They cascade ' +
            'while the last block runs, and fire in order.',
        set_up() {
            core.start(0xffff0000);
            const ticks = [0xfffffffd, 0xfffffffe, 0xffffffff, 0, 1, 2, 9, 9, 40, 300, 900, 20000];
            const timers = ticks.map(arm_at);
            pass_until(0xffffff7c);
            return timers[8];
        },
    },
];
