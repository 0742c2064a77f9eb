// SPDX-License-Identifier: MIT
// The timer that one follows, what a slot holds, and what has happened.
'use strict';

const by_id = (id) => document.getElementById(id);

let followed;
// How often the reader has armed a timer by a click.
let aims = 0;
const most_lines = 400;
// More events at once are a blur.
const most_flights = 60;

// --- The log

function log_line(tick, kind, text, timer) {
    const line = document.createElement('li');
    line.className = kind;
    line.classList.toggle('followed', timer === followed);
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

// Writes the events into the log, and draws the timers' flights.
function see_events() {
    const lines = events.slice(-most_lines).map(({ tick, timer, from, to }) => to === undefined ?
        log_line(tick, 'fired', `${timer_name(timer)} fires`, timer) :
        log_line(tick, 'moved', `${timer_name(timer)} moves: ${slot_name(from)} → ${slot_name(to)}`, timer));
    if (lines.length !== 0) {
        add_to_log(lines);
    }
    if (events.length <= most_flights) {
        events.forEach(fly);
    }
    events.length = 0;
    const wrong = `${core.wrong_ticks()} in a wrong tick, ${core.wrong_orders()} out of order`;
    by_id('checked').textContent = `${grouped(core.fired_count())} fired: ${wrong}.`;
}

// --- Arm and cancel

function arm_timers(count, delay, period) {
    const armed = [];
    while (armed.length < count) {
        const timer = core.arm(delay, period);
        if (timer < 0) {
            note(`no timer is free: the page has ${grouped(timer_count)}`);
            break;
        }
        armed.push(timer);
    }
    if (armed.length !== 0) {
        followed = armed[armed.length - 1];
        const place = slot_name(core.slot_of(followed));
        note(`${names_of(armed)} armed for ${hex(expires_of(followed))}: ${place}`, followed);
    }
}

// Arms a timer for a slot. Each call takes another tick of the slot, so a cascade spreads the timers.
function arm_in(slot) {
    const delay = ticks_to(slot) + scattered(aims, level_of(slot).width);
    if (delay > longest_delay) {
        note(`${slot_name(slot)} is too far away: the longest delay is 2^31 - 1 ticks`);
        return;
    }
    ++aims;
    arm_timers(1, delay, 0);
}

function cancel() {
    note(`${timer_name(followed)} is cancelled in ${slot_name(core.slot_of(followed))}`, followed);
    core.cancel(followed);
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
    const timers = pending_timers().sort((a, b) => ticks_left(a) - ticks_left(b));
    followed = timers[(timers.indexOf(followed) + 1) % timers.length];
}

function where_it_goes(slot, tick) {
    const later = path_of(slot, tick).slice(1).map(slot_name);
    if (later.length === 0) {
        return 'It has arrived.';
    }
    return `It moves ${later.length === 1 ? 'once' : `${later.length} times`}: to ${later.join(', then to ')}.`;
}

function draw_followed() {
    const slot = core.slot_of(followed);
    const tick = expires_of(followed);
    const left = ticks_left(followed);
    by_id('cancel').disabled = slot < 0;
    by_id('follow_next').disabled = pending_timers().length === 0;
    by_id('followed_name').textContent = `Timer ${timer_name(followed)}`;
    by_id('followed_text').textContent = slot < 0 ? 'Idle: fired, or cancelled.' :
        `Fires at ${hex(tick)}, ${left > 0 ? `in ${ticks_text(left)}` : 'now'}. Waits in ${slot_name(slot)}. ` +
        where_it_goes(slot, tick);
}
