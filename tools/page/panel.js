// SPDX-License-Identifier: MIT
// The timer that one follows, what a slot holds, and what has happened.
'use strict';

const by_id = (id) => document.getElementById(id);

const panel = {
    followed: undefined,
    // Events that are in the log already.
    events: 0,
    // How often the reader has armed a timer by a click.
    aims: 0,
};
const most_lines = 400;
// More events at once are a blur.
const most_flights = 60;
const kinds = ['armed', 'moved', 'fired', 'cancelled'];

// --- The log

function log_line(tick, kind, text, timer) {
    const line = document.createElement('li');
    line.className = kind;
    line.classList.toggle('followed', timer !== undefined && timer === panel.followed);
    for (const [name, content] of [['at', hex(tick)], ['what', text]]) {
        const part = document.createElement('span');
        part.className = name;
        part.textContent = content;
        line.append(part);
    }
    return line;
}

function add_to_log(lines) {
    const log = by_id('log');
    log.append(...lines);
    while (log.childElementCount > most_lines) {
        log.firstElementChild.remove();
    }
    log.scrollTop = log.scrollHeight;
}

const note = (text, timer) => add_to_log([log_line(now(), 'note', text, timer)]);

const event_text = {
    moved: (name, from, to) => `${name} moves: ${slot_name(from)} → ${slot_name(to)}`,
    fired: (name) => `${name} fires`,
    cancelled: (name, from) => `${name} is cancelled in ${slot_name(from)}`,
};

// Writes the events since the last call into the log, and draws the timers' flights.
function see_events() {
    const total = core.event_count();
    const lines = [];
    const fresh = total - panel.events;
    for (let number = total - Math.min(fresh, most_lines); number < total; ++number) {
        const [kind, timer, tick, from, to] = new Uint32Array(core.memory.buffer, core.event_at(number), 5);
        const text = event_text[kinds[kind]];
        if (text === undefined) {
            continue;
        }
        lines.push(log_line(tick, kinds[kind], text(timer_name(timer), from, to), timer));
        if (fresh <= most_flights && kinds[kind] !== 'cancelled') {
            fly(from, kinds[kind] === 'fired' ? undefined : to, timer);
        }
    }
    panel.events = total;
    if (lines.length !== 0) {
        add_to_log(lines);
    }
    const wrong = `${core.wrong_ticks()} in a wrong tick, ${core.wrong_orders()} out of order`;
    by_id('checked').textContent = `${grouped(core.fired_count(0))} fired: ${wrong}.`;
}

// --- Arm and cancel

function arm_timers(count, delay, period) {
    const armed = [];
    while (armed.length < count) {
        const timer = core.idle_timer();
        if (timer < 0) {
            note(`no timer is free: the page has ${grouped(timer_count)}`);
            break;
        }
        core.arm(timer, delay, period);
        armed.push(timer);
    }
    if (armed.length !== 0) {
        panel.followed = armed[armed.length - 1];
        const place = slot_name(core.slot_of(armed[0]));
        note(`${names_of(armed)} armed for ${hex(expires_of(armed[0]))}: ${place}`, panel.followed);
    }
}

// Arms a timer for a slot. Each call takes another tick of the slot, so a cascade spreads the timers.
function arm_in(slot) {
    const delay = ticks_to(slot) + scattered(panel.aims, level_of(slot).width);
    if (delay > longest_delay) {
        note(`${slot_name(slot)} is too far away: the longest delay is 2^31 - 1 ticks`);
        return;
    }
    ++panel.aims;
    arm_timers(1, delay, 0);
}

// --- What a slot holds

function describe(slot) {
    if (slot < 0) {
        by_id('slot_text').textContent = 'Click a slot to arm a timer for it.';
        return;
    }
    const { width } = level_of(slot);
    const first = now() + ticks_to(slot);
    const timers = timers_in(slot);
    const range = width === 1 ? `tick ${hex(first)}` : `ticks ${hex(first)} to ${hex(first + width - 1)}`;
    const away = ticks_text(ticks_to(slot));
    const order = timers.length > 1 ? ', the oldest first' : '';
    const held = timers.length === 0 ? 'Empty.' : `Holds ${names_of(timers)}${order}.`;
    by_id('slot_text').textContent = `${slot_name(slot)}: ${range}, in ${away}. ${held} A click arms a timer for it.`;
}

// --- The followed timer

function follow_next() {
    const timers = pending_timers().sort(by_firing);
    panel.followed = timers[(timers.indexOf(panel.followed) + 1) % timers.length];
}

function where_it_goes(slot, tick) {
    const later = path_of(slot, tick).slice(1).map(slot_name);
    if (later.length === 0) {
        return 'It has arrived.';
    }
    return `It moves ${later.length === 1 ? 'once' : `${later.length} times`}: to ${later.join(', then to ')}.`;
}

function draw_digits(slot, tick) {
    const path = slot < 0 ? [] : path_of(slot, tick);
    const digits = levels.map((level) => {
        const at = slot_at(level, tick);
        const digit = document.createElement('div');
        digit.className = at === path[0] ? 'here' : path.includes(at) ? 'next' : '';
        const name = document.createElement('span');
        name.textContent = level.name;
        digit.append(name, String(number_of(level, at)));
        return digit;
    });
    by_id('digits').replaceChildren(...digits.reverse());
}

function draw_followed() {
    const timer = panel.followed;
    const slot = timer === undefined ? -1 : core.slot_of(timer);
    by_id('cancel').disabled = slot < 0;
    by_id('follow_next').disabled = pending_timers().length === 0;
    by_id('followed_name').textContent = timer === undefined ? 'No timer' : `Timer ${timer_name(timer)}`;
    by_id('digits').hidden = timer === undefined;
    if (timer === undefined) {
        by_id('followed_text').textContent = 'Arm one, and see where it goes.';
        return;
    }
    const tick = expires_of(timer);
    draw_digits(slot, tick);
    const left = ticks_left(timer);
    by_id('followed_text').textContent = slot < 0 ? 'Idle: fired, or cancelled.' :
        `Fires at ${hex(tick)}, ${left > 0 ? `in ${ticks_text(left)}` : 'now'}. Waits in ${slot_name(slot)}. ` +
        where_it_goes(slot, tick);
}
