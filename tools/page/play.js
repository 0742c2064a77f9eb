// SPDX-License-Identifier: MIT
// Lets time pass, and connects the page.
'use strict';

const play = {
    running: false,
    // Ticks that have passed on the reader's clock and not on the wheel's.
    owed: 0,
    frame: 0,
    last_frame: 0,
    // For pass_slowly(): when the next timer moves, and how many have moved since a tick without work.
    next_step: 0,
    steps: 0,
    // The page runs by itself until the timers that come down in its first scene are down.
    first_move: false,
    events_before: 0,
    draw_asked: false,
};
// The page takes no more of a frame than this, whatever the speed.
const most_milliseconds = 10;
// Milliseconds between the first timers that move.
const slow_step = 360;
const slow = () => by_id('slow').checked;
const speed = () => 4 ** Number(by_id('speed').value);

function draw() {
    play.draw_asked = false;
    see_events();
    draw_rings(panel.followed);
    rings.state.textContent = core.due() ? 'at work' : core.coming_down() ? 'timers come down' : '';
    draw_followed();
    draw_work();
    describe(rings.cursor_shown ? rings.cursor_slot : -1);
    by_id('play').textContent = play.running ? 'Pause' : 'Run';
    by_id('speed_text').textContent = `${ticks_text(speed())} a second`;
}

function ask_draw() {
    if (!play.draw_asked) {
        play.draw_asked = true;
        requestAnimationFrame(draw);
    }
}

// --- Time

// Runs the wheel step by step until a timer has moved or fired. Returns whether one has.
function step_in_sight() {
    const before = core.event_count();
    while (core.due() && core.event_count() === before) {
        core.step();
    }
    return core.event_count() !== before;
}

function finish_tick() {
    if (core.due()) {
        core.run(-1);
    }
}

function count_tick() {
    finish_tick();
    core.run_ticks(1);
}

// One step of the runner, or a tick if the runner has nothing to do.
function step() {
    if (!core.due()) {
        core.tick();
    }
    step_in_sight();
}

// Passes the ticks before the next event at once, as a sleeping core does. Then counts the tick of the event.
function skip() {
    finish_tick();
    const ticks = core.ticks_to_event() >>> 0;
    if (ticks === 0) {
        note('nothing is pending');
        return;
    }
    core.skip(ticks - 1);
    if (slow()) {
        step();
    } else {
        count_tick();
    }
}

// Sets the clock to 8 ticks before the last block of a ring's turn. Then the timers of the next turn come down. Each
// pending timer keeps its delay.
function wind({ turn }) {
    finish_tick();
    const before = levels[1].width + 8;
    const target = (Math.floor((now() + before) / turn) + 1) * turn - before;
    const timers = pending_timers().sort(by_firing).map((timer) => [timer, ticks_left(timer), core.period_of(timer)]);
    core.start(target);
    panel.events = 0;
    timers.forEach(([timer, delay, period]) => core.arm(timer, delay, period));
    note(`the clock is wound on; ${timers.length} ${timers.length === 1 ? 'timer keeps its' : 'timers keep their'} delay`);
}

// Timers move or fire one by one: the callbacks of a tick while time stands still, and one move in each tick. Each is a
// little faster than the one before.
function pass_slowly(time, ticks) {
    if (time < play.next_step) {
        return;
    }
    const end = performance.now() + most_milliseconds;
    for (; (core.due() || ticks > 0) && performance.now() < end; --ticks) {
        if (!core.due()) {
            core.tick();
        }
        if (step_in_sight()) {
            play.next_step = time + Math.max(30, slow_step * 0.88 ** play.steps++);
            return;
        }
        play.steps = 0;
    }
}

function pass(ticks) {
    finish_tick();
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
    if (slow()) {
        pass_slowly(time, ticks);
    } else {
        pass(ticks);
    }
    play.owed %= 1;
    const is_down = core.event_count() !== play.events_before && !core.due() && !core.coming_down();
    if (play.first_move && is_down) {
        set_running(false);
    } else {
        play.frame = requestAnimationFrame(frame);
    }
    draw();
}

function set_running(running) {
    play.running = running;
    play.first_move = false;
    play.owed = 0;
    play.last_frame = performance.now();
    cancelAnimationFrame(play.frame);
    if (running) {
        play.frame = requestAnimationFrame(frame);
    }
}

// Begins the first move after a moment in which the reader sees the wheel at rest.
function move_by_itself() {
    if (still.matches) {
        return;
    }
    set_running(true);
    play.first_move = true;
    play.events_before = core.event_count();
    play.next_step = performance.now() + 900;
}

// --- The page

function begin(scene) {
    set_running(false);
    panel.followed = scene.set_up();
    panel.aims = 0;
    rings.cursor_slot = slot_at(levels[0], now() + 1);
    // The log leaves out what happened during set-up.
    panel.events = core.event_count();
    by_id('log').replaceChildren();
    by_id('scene_text').textContent = scene.text;
    by_id('slow').checked = !scene.together;
    by_id('scenes').childNodes.forEach((button, place) => {
        button.setAttribute('aria-pressed', String(scenes[place] === scene));
    });
}

function add_button(parent, text, action) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    by_id(parent).append(button);
    on(button, 'click', action);
}

// The page is drawn after everything that the reader does.
function on(target, happens, action) {
    target.addEventListener(happens, (event) => {
        action(event);
        ask_draw();
    });
}

const actions = {
    play: () => set_running(!play.running),
    tick: count_tick,
    step,
    skip,
    follow_next,
    cancel: () => core.cancel(panel.followed),
};
const keys = { ' ': 'play', t: 'tick', s: 'step', e: 'skip', f: 'follow_next', c: 'cancel' };

function key_pressed(event) {
    const typing = event.target.matches('input[type="number"]');
    const pressing = event.key === ' ' && event.target.matches('button, input');
    if (event.ctrlKey || event.metaKey || event.altKey || typing || pressing) {
        return;
    }
    const focus = { a: 'arm_delay', w: 'rings' }[event.key];
    if (focus !== undefined) {
        by_id(focus).focus();
    } else if (keys[event.key] !== undefined && !by_id(keys[event.key]).disabled) {
        actions[keys[event.key]]();
    } else {
        return;
    }
    event.preventDefault();
}

function ring_key(event) {
    if (event.key.startsWith('Arrow')) {
        put_cursor(slot_beside(rings.cursor_slot, event.key));
    } else if (event.key === 'Enter') {
        arm_in(rings.cursor_slot);
    } else {
        return;
    }
    event.preventDefault();
}

function arm_asked(event) {
    event.preventDefault();
    const delay = Number(by_id('arm_delay').value);
    arm_timers(Number(by_id('arm_count').value), delay, by_id('arm_again').checked ? delay : 0);
}

async function open_page() {
    await open_core(by_id('core').textContent);
    make_rings();
    make_work();
    scenes.forEach((scene) => add_button('scenes', scene.name, () => begin(scene)));
    levels.forEach((level) => add_button('wind', level.name, () => wind(level)));
    Object.entries(actions).forEach(([id, action]) => on(by_id(id), 'click', action));
    on(by_id('arm'), 'submit', arm_asked);
    on(by_id('speed'), 'input', () => {});
    on(document, 'keydown', key_pressed);
    on(rings.svg, 'keydown', ring_key);
    on(rings.svg, 'pointermove', (event) => put_cursor(slot_under(event)));
    on(rings.svg, 'pointerleave', () => put_cursor(-1));
    on(rings.svg, 'focus', () => put_cursor(rings.cursor_slot));
    on(rings.svg, 'blur', () => put_cursor(-1));
    on(rings.svg, 'click', (event) => {
        const slot = slot_under(event);
        put_cursor(slot);
        if (slot >= 0) {
            arm_in(slot);
        }
    });
    begin(scenes.find((scene) => scene.first));
    draw();
    move_by_itself();
}

open_page();
