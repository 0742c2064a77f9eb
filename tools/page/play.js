// SPDX-License-Identifier: MIT
// Lets time pass, and connects the page.
'use strict';

const play = {
    running: false,
    // Ticks that have passed on the reader's clock and not on the wheel's.
    owed: 0,
    frame: 0,
    last_frame: 0,
    // For pass_slowly(): when the next timer moves.
    next_step: 0,
    draw_asked: false,
};
// The page takes no more of a frame than this, whatever the speed.
const most_milliseconds = 10;
// Milliseconds between two timers that move.
const slow_step = 120;
const slow = () => by_id('slow').checked;
const speed = () => 4 ** Number(by_id('speed').value);

function draw() {
    play.draw_asked = false;
    see_events();
    draw_rings();
    rings.state.textContent = core.due() ? 'at work' : core.coming_down() ? 'cascade' : '';
    draw_followed();
    describe(rings.pointed);
    by_id('play').textContent = play.running ? 'Pause' : 'Run';
    by_id('speed_text').textContent = `${ticks_text(speed())} a second`;
}

// --- Time

const count_tick = () => core.run_ticks(1);

// Steps of the runner, until a timer has moved or fired or the tick is done. Returns whether one has.
function step() {
    const before = events.length;
    do {
        core.step();
    } while (core.due() && events.length === before);
    return events.length !== before;
}

function skip() {
    if (!core.skip()) {
        note('nothing is pending');
    } else if (slow()) {
        step();
    } else {
        count_tick();
    }
}

// Timers move or fire one by one: the callbacks of a tick while time stands still, and one move in each tick.
function pass_slowly(time, ticks) {
    if (time < play.next_step) {
        return;
    }
    const end = performance.now() + most_milliseconds;
    for (; (core.due() || ticks > 0) && performance.now() < end; --ticks) {
        if (step()) {
            play.next_step = time + slow_step;
            return;
        }
    }
}

function pass(ticks) {
    const end = performance.now() + most_milliseconds;
    for (; ticks > 0 && performance.now() < end; ticks -= 64) {
        core.run_ticks(Math.min(ticks, 64));
    }
}

function frame(time) {
    // A page in the background gets no frames, and does not catch up.
    play.owed += (Math.min(time - play.last_frame, 1000) / 1000) * speed();
    play.last_frame = time;
    const ticks = Math.floor(play.owed);
    play.owed -= ticks;
    if (slow()) {
        pass_slowly(time, ticks);
    } else {
        pass(ticks);
    }
    play.frame = requestAnimationFrame(frame);
    draw();
}

function set_running(running) {
    play.running = running;
    play.owed = 0;
    play.last_frame = performance.now();
    cancelAnimationFrame(play.frame);
    if (running) {
        play.frame = requestAnimationFrame(frame);
    }
}

// --- The page

function begin(scene) {
    set_running(false);
    followed = scene.set_up();
    // The log leaves out what happened during set-up.
    events.length = 0;
    by_id('log').replaceChildren();
    by_id('scene_text').textContent = scene.text;
    by_id('slow').checked = true;
    by_id('scenes').childNodes.forEach((button, place) => {
        button.setAttribute('aria-pressed', String(scenes[place] === scene));
    });
}

function arm_asked(event) {
    event.preventDefault();
    const delay = Number(by_id('arm_delay').value);
    arm_timers(Number(by_id('arm_count').value), delay, by_id('arm_again').checked ? delay : 0);
}

// The page is drawn after everything that the reader does.
function on(target, happens, action) {
    target.addEventListener(happens, (event) => {
        action(event);
        if (!play.draw_asked) {
            play.draw_asked = true;
            requestAnimationFrame(draw);
        }
    });
}

async function open_page() {
    await open_core(by_id('core').textContent);
    make_rings();
    for (const scene of scenes) {
        const button = document.createElement('button');
        button.textContent = scene.name;
        by_id('scenes').append(button);
        on(button, 'click', () => begin(scene));
    }
    const actions = { play: () => set_running(!play.running), tick: count_tick, step, skip, follow_next, cancel };
    Object.entries(actions).forEach(([id, action]) => on(by_id(id), 'click', action));
    on(by_id('arm'), 'submit', arm_asked);
    on(by_id('speed'), 'input', () => {});
    // Only the slots are under the pointer: CSS lets it through all that is drawn over them.
    const slot_under = (event) => rings.slots.indexOf(event.target);
    on(rings.svg, 'pointermove', (event) => point_at(slot_under(event)));
    on(rings.svg, 'pointerleave', () => point_at(-1));
    on(rings.svg, 'click', (event) => {
        point_at(slot_under(event));
        if (rings.pointed >= 0) {
            arm_in(rings.pointed);
        }
    });
    begin(scenes[0]);
    draw();
    // Readers may have asked their system for less motion.
    set_running(!still.matches);
}

open_page();
