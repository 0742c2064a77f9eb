// SPDX-License-Identifier: MIT
// All interleavings of one call with a few interrupts, on the host:
//
//     interleavings [depth]                                   2 unless said; 3 takes some hundred times as long
//     interleavings --replay "<scenario>" <menu> <choice>...  one of them, told in words
//
// A call comes to points: right before it closes the lock, right after it has
// opened it, and before it touches a word of the wheel with the lock open, but for
// the first such touch after another point. So a tick has one between its count and its look.
// What does not begin with the lock has a point at its begin, and a tick one
// at its end. At each point an interrupt may come or not and do one call of a menu,
// and then another one may come. A run is a list of these choices, played from a fresh
// wheel; the next list differs in the last choice that has a next, until none has.
//
// Enumerated: all such lists, for each of scenarios.hpp, of up to `depth` interrupts
// from the full menu and of up to `depth` + 1 from the short one. Those of level 1
// interrupt the scenario's call and its callbacks, those of level 2 one of level 1.
//
// Not enumerated: an interrupt within a locked stretch, where it waits; one between
// instructions with no point between them, which is for the sweep of test/target; a
// tick in a tick, which the contract forbids; a third level. Level 2 does not come at
// the begin of a call of level 1, nor at the end of a run: that is one interrupt
// after the other at the point below, and is enumerated as such. A call
// that is one locked stretch has no other points; that it is one is checked.
//
// Judged: the model takes each step when the wheel has taken it. At every point and
// when all is over, what is pending, every expiry and timer_jiffies must be as
// the model has them. Every call must return what the model says, next_expiry
// the exact tick as of its last look. The runner must take the timer that is the next by
// tick and by order of arming, call it once, and not end while one is due. The
// wheel must pass the walk of check_wheel.hpp. In the end all timers are run out.
// States are wheels, told apart also by the calls under way.
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#include "../../unit/check_wheel.hpp"
#include "model.hpp"
#include "scenarios.hpp"
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

namespace interleavings
{

/// A call under way.
struct frame {
    operation what;
    /// 0 the main one's, 1 and 2 an interrupt's; a callback's is its runner's.
    unsigned level;
    frame *below;
    jiffies_t expires;
    unsigned points = 0;
    /// How often it has closed the lock.
    unsigned locks = 0;
    /// A tick: it has been counted. A run: it was not refused, and its callbacks.
    bool counted = false;
    bool runs = false;
    unsigned ran = 0;
    /// What it must return.
    int expected = 0;
    int64_t expected_tick = 0;
};

// The run that is played.
timer_list timers[timer_count];
model contract;
const scenario *played;
const menu *offered;
frame outermost = {{}, 0, nullptr, 0};
frame *top = &outermost;
unsigned level;
constexpr unsigned levels = 2;
unsigned interrupts_left;
unsigned interrupts_unused;
unsigned ticks_under_way;
unsigned callbacks_left;
/// Whether a word of the wheel has been touched with the lock open since the last point.
bool touched;
bool running_out;
unsigned points_passed;

// The list of choices: the first `given` of them are prescribed.
struct choice {
    unsigned taken;
    unsigned of;
    unsigned level;
    unsigned point;
    operation interrupted;
};
constexpr unsigned most_points = 4000;
choice choices[most_points];
unsigned given;
unsigned made;

// What has been seen.
unsigned long choice_points;
unsigned most_interrupts;
unsigned passed;
bool verbose;

[[noreturn]] void fail(const std::string &what);
void point();

std::string name_of(const operation &is)
{
    std::string text = call_names[static_cast<unsigned>(is.what)];
    const char *const of = is.timer == timer_a ? " of A" : " of B";
    switch (is.what) {
    case call::mod_timer:
    case call::add_timer:
    case call::mod_timer_pending:
    case call::timer_reduce:
        return text + of + " to " + to_names[static_cast<unsigned>(is.expires)];
    case call::advance:
    case call::advance_and_run:
        return text + " by " + std::to_string(is.amount);
    case call::run:
        return is.amount == ~0u ? text : text + " with budget " + std::to_string(is.amount);
    case call::nothing:
    case call::next_expiry:
    case call::get_jiffies_64:
        return text;
    default:
        return text + of;
    }
}

__attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    if (verbose) {
        printf("%*s", static_cast<int>(4 * level), "");
        va_list values;
        va_start(values, format);
        vprintf(format, values);
        va_end(values);
        printf("\n");
    }
}

// --- The wheel, watched ---

/// timer_jiffies, by its definition.
int64_t timer_jiffies()
{
    const int32_t owed = static_cast<int32_t>(tickwheel_clock.next_event - (tickwheel_clock.jiffies + 1));
    return contract.now + 1 + (owed < 0 ? owed : 0);
}

/// The lock has just been closed: what the call under way does before it is opened next is one step.
void step()
{
    frame &is = *top;
    const unsigned timer = is.what.timer;
    ++is.locks;
    if (is.what.what == call::next_expiry) {
        // It answers for the last time that it looked.
        is.expected = contract.next_expiry(is.expected_tick);
        return;
    }
    if (is.locks != 1) {
        if (is.runs && contract.taken != no_timer) {
            if (!contract.called) {
                fail("a timer is taken and not called");
            }
            contract.taken = no_timer;
        }
        return;
    }
    switch (is.what.what) {
    case call::mod_timer:
        is.expected = contract.mod_timer(timer, is.expires, timer_jiffies());
        break;
    case call::add_timer:
        contract.add_timer(timer, timer_jiffies());
        break;
    case call::mod_timer_pending:
        is.expected = contract.mod_timer_pending(timer, is.expires, timer_jiffies());
        break;
    case call::timer_reduce:
        is.expected = contract.timer_reduce(timer, is.expires, timer_jiffies());
        break;
    case call::timer_delete:
    case call::timer_shutdown:
        is.expected = contract.timer_delete(timer);
        break;
    case call::try_to_del_timer_sync:
    case call::timer_delete_sync:
    case call::timer_shutdown_sync:
        is.expected = contract.try_to_delete(timer);
        break;
    case call::run:
        is.runs = !contract.running;
        contract.running = true;
        break;
    default:
        break;
    }
}

struct watched_lock {
    static uint32_t irq_save()
    {
        if (tickwheel::interrupts.depth == 0) {
            point();
        }
        const uint32_t state = tickwheel::port_lock::irq_save();
        if (state == 0) {
            step();
        }
        return state;
    }
    static void irq_restore(uint32_t state)
    {
        // Calls point().
        tickwheel::port_lock::irq_restore(state);
    }
    static void preemption_point(uint32_t state)
    {
        tickwheel::port_lock::preemption_point(state);
        if (state == 0) {
            step();
        }
    }
};

/// A word of the wheel is about to be touched. A run only takes addresses before it has closed the lock.
void touch()
{
    if (tickwheel::interrupts.depth == 0 && !(top->what.what == call::run && top->locks == 0)) {
        if (touched) {
            point();
        }
        touched = true;
    }
}

struct watched_storage {
    static tickwheel::wheel_clock &clock()
    {
        touch();
        return tickwheel_clock;
    }
    static tickwheel::wheel_slots<tickwheel::default_geometry> &lists()
    {
        touch();
        return tickwheel_slots;
    }
};

tickwheel::wheel<watched_lock, tickwheel::default_geometry, watched_storage> wheel;

/// Takes the steps that the call under way has made since its last point and that show only in the wheel.
void follow()
{
    frame &is = *top;
    const jiffies_t counted = tickwheel_clock.jiffies;
    if (counted != static_cast<jiffies_t>(contract.now)) {
        if (is.what.what != call::advance || is.counted ||
            counted != static_cast<jiffies_t>(contract.now + is.what.amount)) {
            fail("jiffies is wrong");
        }
        is.counted = true;
        contract.now += is.what.amount;
    }
    if (!is.runs || !contract.running) {
        return;
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        if (contract.timer[i].pending && !wheel.timer_pending(&timers[i])) {
            if (!contract.take(i)) {
                fail("the runner takes a timer that is not the next");
            }
            ++is.ran;
        }
    }
    if (tickwheel_slots.running == nullptr && !contract.stop_running(is.ran == is.what.amount)) {
        fail("the run ends and work is left");
    }
}

// --- States ---

/// A set of hashes.
class states {
public:
    /// Whether it is a new one.
    bool add(uint64_t hash)
    {
        hash += hash == 0;
        if (2 * count >= table.size()) {
            grow();
        }
        if (!place(hash)) {
            return false;
        }
        ++count;
        return true;
    }
    unsigned long size() const
    {
        return count;
    }
    void clear()
    {
        table.assign(table.size(), 0);
        count = 0;
    }

private:
    bool place(uint64_t hash)
    {
        size_t at = hash & (table.size() - 1);
        while (table[at] != 0) {
            if (table[at] == hash) {
                return false;
            }
            at = (at + 1) & (table.size() - 1);
        }
        table[at] = hash;
        return true;
    }
    void grow()
    {
        std::vector<uint64_t> old(2 * table.size(), 0);
        old.swap(table);
        for (const uint64_t hash : old) {
            if (hash != 0) {
                (void)place(hash);
            }
        }
    }
    std::vector<uint64_t> table = std::vector<uint64_t>(1 << 12, 0);
    unsigned long count = 0;
};

states visited;
/// Of one scenario: how its runs ended.
states endings;

class hasher {
public:
    /// The words are mixed each by itself, so that they do not wait for each other.
    void add(uint64_t value)
    {
        place += 0x9E3779B97F4A7C15u;
        uint64_t mixed = (value ^ place) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 31) * 0x94D049BB133111EBu;
        hash += mixed ^ mixed >> 29;
    }
    uint64_t hash = 0;

private:
    uint64_t place = 0;
};

/// Whose address this is: 0 nobody's, 1 to 3 a timer's, 4 something else's.
uint64_t link(const void *address)
{
    const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(timers);
    if (address == nullptr) {
        return 0;
    }
    return offset < sizeof timers ? offset / sizeof timers[0] + 1 : timer_count + 1;
}

hasher wheel_state()
{
    hasher state;
    state.add(uint64_t{tickwheel_clock.jiffies} << 32 | tickwheel_clock.next_event);
    state.add(uint64_t{tickwheel_clock.block} << 32 | tickwheel_clock.half_wraps);
    state.add(link(tickwheel_slots.changed_by) << 32 | link(tickwheel_slots.running));
    uint64_t odd = 0;
    for (unsigned word = 0; word < unit::geometry::map_words; ++word) {
        odd = odd << 32 | tickwheel_slots.marks.words[word];
        if (word % 2 != 0) {
            state.add(odd);
        }
    }
    state.add(odd);
    for (const timer_list &timer : timers) {
        const uint64_t head = timer.slot < unit::geometry::slot_count ? link(tickwheel_slots.first[timer.slot]) : 0;
        state.add(uint64_t{timer.expires} << 32 | uint64_t{timer.slot} << 16 | link(timer.next) << 12 |
                  link(timer.prev) << 8 | head << 4 | timer.enabled);
    }
    return state;
}

/// Compares the wheel with the contract, at a point or at the end.
void compare()
{
    if (tickwheel::interrupts.depth != 0) {
        fail("the lock is held");
    }
    for (unsigned i = 0; i < timer_count; ++i) {
        const model::entry &is = contract.timer[i];
        if ((wheel.timer_pending(&timers[i]) != 0) != is.pending) {
            fail(is.pending ? "a timer is lost" : "a timer is pending that is not");
        }
        if (timers[i].expires != is.expires || (timers[i].enabled != 0) == is.shut_down) {
            fail("a timer has another expiry, or is shut down or is not");
        }
    }
    if ((tickwheel_slots.running != nullptr) != contract.running) {
        fail("a run is under way, or is not");
    }
    if (!contract.may_stand_at(timer_jiffies())) {
        fail("timer_jiffies is wrong");
    }
}

void walk()
{
    const unit::walk seen = unit::walk_wheel(tickwheel_slots.running == nullptr);
    unsigned pending = 0;
    for (const model::entry &each : contract.timer) {
        pending += each.pending;
    }
    if (seen.found != unit::no_fault) {
        fail("the wheel is broken, fault " + std::to_string(seen.found));
    }
    if (seen.timers != pending) {
        fail("the wheel has more timers than are pending, or less");
    }
}

// --- Points, and what may come there ---

void perform(const operation &what);

unsigned choose(unsigned of)
{
    if (made == most_points) {
        fail("too many choices");
    }
    choice &is = choices[made];
    if (made >= given) {
        is.taken = 0;
        ++choice_points;
    }
    is.of = of;
    is.level = level;
    is.point = top->points;
    is.interrupted = top->what;
    ++made;
    return is.taken;
}

void look()
{
    compare();
    hasher state = wheel_state();
    for (const frame *each = top; each != nullptr; each = each->below) {
        state.add(static_cast<uint64_t>(each->what.what));
    }
    // A wheel in a state that has been seen is what it was then.
    if (running_out || visited.add(state.hash)) {
        walk();
    }
}

bool is_one_stretch(call what)
{
    return what != call::run && what != call::next_expiry && what != call::get_jiffies_64 && what != call::advance;
}

/// Whether an interrupt here would not be the same as one before or after the call under way.
bool inside()
{
    const frame &is = *top;
    if (is.level == 0 || is.level == is.below->level) {
        return true;
    }
    if (is.what.what == call::run && !(is.runs && contract.running)) {
        return false;
    }
    return is.points != 1 && !is_one_stretch(is.what.what);
}

/// Here an interrupt may come, one after another.
void point()
{
    follow();
    ++top->points;
    if (++points_passed == most_points) {
        fail("it does not end");
    }
    // All up to the last choice that is prescribed has been looked at in an earlier run.
    if (made >= given) {
        look();
    }
    while (interrupts_left != 0 && level < levels && inside()) {
        const unsigned count = static_cast<unsigned>(offered->choices.size());
        const unsigned taken = choose(1 + count - (ticks_under_way != 0 ? offered->ticking : 0));
        if (taken == 0) {
            break;
        }
        --interrupts_left;
        ++level;
        perform(offered->choices[taken - 1]);
        --level;
    }
    touched = false;
}

jiffies_t expiry_of(const operation &what)
{
    const jiffies_t now = static_cast<jiffies_t>(contract.now);
    switch (what.expires) {
    case to::overdue:
        return now - 7;
    case to::this_tick:
        return now;
    case to::next_tick:
        return now + 1;
    case to::soon:
        return now + 5;
    case to::next_block:
        return tickwheel_clock.block + block_ticks;
    case to::others:
        return contract.timer[what.timer == timer_a ? timer_b : timer_a].expires;
    case to::far:
        return now + turn_ticks + 3;
    case to::same:
        break;
    }
    return contract.timer[what.timer].expires;
}

int tick(frame &is)
{
    point();
    ++ticks_under_way;
    const int said = wheel.advance(is.what.amount);
    --ticks_under_way;
    follow();
    if (!is.counted) {
        fail("the ticks are not counted");
    }
    if (said == 0 && !contract.found_nothing()) {
        fail("advance says 0 and work is due");
    }
    point();
    is.expected = said;
    return said;
}

int shut_down(frame &is)
{
    point();
    contract.timer[is.what.timer].shut_down = true;
    timer_list *const timer = &timers[is.what.timer];
    return is.what.what == call::timer_shutdown ? wheel.timer_shutdown(timer) : wheel.timer_shutdown_sync(timer);
}

int ask_next_expiry(frame &is)
{
    constexpr jiffies_t untouched = 0x5EED;
    jiffies_t tick = untouched;
    const int found = wheel.next_expiry(&tick);
    if (!found && tick != untouched) {
        fail("next_expiry touches its argument");
    }
    if (found && is.expected && tick != static_cast<jiffies_t>(is.expected_tick)) {
        fail("next_expiry says " + std::to_string(tick - static_cast<jiffies_t>(is.expected_tick)) + " too many");
    }
    return found;
}

/// Any count between its begin and its end will do; a torn one is 2^31 or more away.
int ask_jiffies_64()
{
    const int64_t begin = contract.now;
    point();
    const int64_t count = static_cast<int64_t>(wheel.get_jiffies_64());
    follow();
    return count >= begin && count <= contract.now ? 0 : -1;
}

/// What is idle may have been freed: who still follows its link is led in a circle.
void spoil(unsigned timer)
{
    static timer_list circle = {&circle, &circle, 0, nullptr, 0, 0, 0};
    if (!contract.timer[timer].pending) {
        timers[timer].next = &circle;
    }
}

int call_wheel(frame &is)
{
    timer_list *const timer = &timers[is.what.timer];
    switch (is.what.what) {
    case call::mod_timer:
        return wheel.mod_timer(timer, is.expires);
    case call::add_timer:
        timer->expires = contract.timer[is.what.timer].expires = is.expires;
        wheel.add_timer(timer);
        return 0;
    case call::mod_timer_pending:
        return wheel.mod_timer_pending(timer, is.expires);
    case call::timer_reduce:
        return wheel.timer_reduce(timer, is.expires);
    case call::timer_delete:
        return wheel.timer_delete(timer);
    case call::try_to_del_timer_sync:
        return wheel.try_to_del_timer_sync(timer);
    case call::timer_delete_sync:
        return wheel.timer_delete_sync(timer);
    case call::timer_shutdown:
    case call::timer_shutdown_sync:
        return shut_down(is);
    case call::next_expiry:
        return ask_next_expiry(is);
    case call::get_jiffies_64:
        return ask_jiffies_64();
    case call::run: {
        const int ran = static_cast<int>(wheel.run_budget(is.what.amount));
        is.expected = static_cast<int>(is.ran);
        return ran;
    }
    case call::advance:
        return tick(is);
    default:
        return 0;
    }
}

/// One call, whole.
int perform_one(const operation &what)
{
    frame is = {what, level, top, expiry_of(what)};
    top = &is;
    touched = false;
    if (verbose) {
        say("%s", name_of(what).c_str());
    }
    const int returned = call_wheel(is);
    follow();
    if (verbose) {
        say("%s: %d", name_of(what).c_str(), returned);
    }
    if (is_one_stretch(what.what) && is.locks != 1) {
        fail(name_of(what) + " is not one locked stretch");
    }
    if (returned != is.expected) {
        fail(name_of(what) + " returns " + std::to_string(returned) + ", not " + std::to_string(is.expected));
    }
    if (is.runs && contract.running) {
        fail("the run has returned and goes on");
    }
    spoil(what.timer);
    top = is.below;
    return returned;
}

void perform(const operation &what)
{
    if (what.what != call::advance_and_run) {
        (void)perform_one(what);
    } else if (perform_one(advance(what.amount)) != 0) {
        (void)perform_one(run());
    }
}

void callback(timer_list *timer)
{
    const unsigned i = static_cast<unsigned>(timer - timers);
    say("%c fires", "ABC"[i]);
    if (!top->runs || contract.taken != i || contract.called || tickwheel::interrupts.depth != 0) {
        fail("a callback that is not to be called now");
    }
    contract.called = true;
    spoil(i);
    if (i < 2 && played->callback[i].what != call::nothing && callbacks_left != 0) {
        --callbacks_left;
        perform(played->callback[i]);
    }
}

// --- Runs ---

std::string title(const scenario &is)
{
    return name_of(is.main) + ", " + is.name;
}

[[noreturn]] void fail(const std::string &what)
{
    printf("FAIL %s: %s\n", title(*played).c_str(), what.c_str());
    std::string replay;
    std::string zeros;
    for (unsigned i = 0; i < made; ++i) {
        const choice &is = choices[i];
        if (is.taken == 0) {
            zeros += " 0";
            continue;
        }
        printf("  level %u, at point %u of %s: %s\n", is.level + 1, is.point, name_of(is.interrupted).c_str(),
               name_of(offered->choices[is.taken - 1]).c_str());
        replay += zeros + " " + std::to_string(is.taken);
        zeros.clear();
    }
    printf("  interleavings --replay \"%s\" %s%s\n", title(*played).c_str(), offered->name, replay.c_str());
    printf("%u passed, 1 failed\n", passed);
    exit(1);
}

struct snapshot {
    tickwheel::wheel_clock clock;
    tickwheel::wheel_slots<tickwheel::default_geometry> slots;
    timer_list timer[timer_count];
    model contract_then;

    snapshot() : clock(tickwheel_clock), slots(tickwheel_slots), contract_then(contract)
    {
        memcpy(timer, timers, sizeof timers);
    }
    void restore() const
    {
        tickwheel_clock = clock;
        tickwheel_slots = slots;
        memcpy(timers, timer, sizeof timers);
        contract = contract_then;
    }
};

void pass(uint32_t ticks, bool and_run)
{
    if (perform_one(advance(ticks)) != 0 && and_run) {
        (void)perform_one(run());
    }
}

/// The wheel as the scenario's operation finds it.
void prepare(const scenario &is)
{
    interrupts_left = 0;
    callbacks_left = 0;
    given = made = points_passed = 0;
    uint32_t before = is.owed;
    for (const armed &each : is.timer) {
        before = each.before > before ? each.before : before;
    }
    contract.start(is.now - before);
    tickwheel_init(is.now - before);
    for (unsigned i = 0; i < timer_count; ++i) {
        const bool deferrable = i == timer_a && is.a_is_deferrable;
        tickwheel_timer_setup(&timers[i], callback, deferrable * TICKWHEEL_TIMER_DEFERRABLE);
        contract.timer[i].deferrable = deferrable;
    }
    for (;;) {
        uint32_t later = 0;
        for (unsigned i = 0; i < timer_count; ++i) {
            const armed &each = is.timer[i];
            if (each.before == before && each.expires != never) {
                // An absolute expiry, by way of add_timer.
                operation arm = {call::add_timer, static_cast<timer_name>(i), to::same};
                contract.timer[i].expires = is.now + static_cast<jiffies_t>(each.expires);
                (void)perform_one(arm);
            }
            later = each.before < before && each.before > later ? each.before : later;
        }
        if (before == 0) {
            return;
        }
        later = is.owed < before && is.owed > later ? is.owed : later;
        pass(before - later, before > is.owed);
        before = later;
    }
}

/// Runs all timers out. What comes of it hangs on the state alone, so each state is run out once.
void run_out()
{
    hasher state = wheel_state();
    state.add(static_cast<uint64_t>(contract.floor));
    for (const model::entry &each : contract.timer) {
        state.add(static_cast<uint64_t>(each.tick));
        for (const model::entry &other : contract.timer) {
            state.add(each.order < other.order);
        }
    }
    if (!endings.add(state.hash) && !verbose) {
        return;
    }
    callbacks_left = 0;
    running_out = true;
    if (contract.due()) {
        (void)perform_one(run());
    }
    for (unsigned first = contract.earliest(); first != no_timer; first = contract.earliest()) {
        const uint32_t ahead = static_cast<uint32_t>(contract.timer[first].tick - contract.now);
        if (ahead > 1) {
            pass(ahead - 1, true);
        }
        pass(1, true);
        if (contract.due()) {
            fail("a timer is late");
        }
    }
    compare();
    walk();
    running_out = false;
}

void run_once(const snapshot &begin, unsigned depth)
{
    begin.restore();
    made = points_passed = 0;
    interrupts_left = depth;
    callbacks_left = 2;
    perform(played->main);
    interrupts_unused = interrupts_left;
    interrupts_left = 0;
    compare();
    run_out();
}

/// Prescribes the next list of choices: the last one that has a next.
bool next_choices()
{
    while (made != 0 && choices[made - 1].taken + 1 == choices[made - 1].of) {
        --made;
    }
    if (made == 0) {
        return false;
    }
    ++choices[made - 1].taken;
    given = made;
    return true;
}

/// All runs of a scenario. Returns how many.
unsigned long play(const scenario &is, unsigned depth)
{
    played = &is;
    endings.clear();
    prepare(is);
    const snapshot begin;
    unsigned long runs = 0;
    do {
        run_once(begin, depth);
        most_interrupts = depth - interrupts_unused > most_interrupts ? depth - interrupts_unused : most_interrupts;
        ++runs;
    } while (next_choices());
    ++passed;
    return runs;
}

// --- What is printed ---

/// 1234567 as 1 234 567.
std::string grouped(unsigned long value)
{
    std::string digits = std::to_string(value);
    for (size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, " ");
    }
    return digits;
}

struct tally {
    unsigned scenarios = 0;
    unsigned long points = 0;
    unsigned long runs = 0;
    unsigned long wheels = 0;

    void print(const char *name) const
    {
        printf("  %-22s%9u%15s%15s%12s\n", name, scenarios, grouped(points).c_str(), grouped(runs).c_str(),
               grouped(wheels).c_str());
    }
};

void play_all(const menu &with, unsigned depth)
{
    offered = &with;
    most_interrupts = 0;
    visited.clear();
    printf("up to %u interrupts, each one of %zu\n", depth, with.choices.size());
    printf("  %-22s%9s%15s%15s%12s\n", "", "scenarios", "choice points", "interleavings", "states");
    tally all;
    tally group;
    call under_way = scenarios[0].main.what;
    for (const scenario &each : scenarios) {
        if (each.main.what != under_way) {
            group.print(call_names[static_cast<unsigned>(under_way)]);
            group = tally();
            under_way = each.main.what;
        }
        const unsigned long points_before = choice_points;
        const unsigned long visited_before = visited.size();
        const unsigned long runs = play(each, depth);
        for (tally *const counted : {&all, &group}) {
            counted->scenarios += 1;
            counted->points += choice_points - points_before;
            counted->runs += runs;
            counted->wheels += visited.size() - visited_before;
        }
    }
    group.print(call_names[static_cast<unsigned>(under_way)]);
    all.print("all");
    printf("depth %u: %s interleavings, %s states\n", most_interrupts, grouped(all.runs).c_str(),
           grouped(all.wheels).c_str());
}

int replay(const menu &with, const char *name, char *const *numbers, unsigned count)
{
    for (const scenario &each : scenarios) {
        if (title(each) != name) {
            continue;
        }
        offered = &with;
        played = &each;
        prepare(each);
        const snapshot begin;
        given = count < most_points ? count : most_points;
        for (unsigned i = 0; i < given; ++i) {
            choices[i].taken = static_cast<unsigned>(atoi(numbers[i]));
        }
        verbose = true;
        run_once(begin, most_points);
        printf("1 passed, 0 failed\n");
        return 0;
    }
    printf("no scenario \"%s\"\n", name);
    return 2;
}

int main(int count, char **arguments)
{
    tickwheel::interrupts.on_open = point;
    // A wheel that is broken may also follow a null pointer; the list of choices is wanted all the same.
    (void)signal(SIGSEGV, [](int) { fail("a memory fault"); });
    const menu full = full_menu();
    const menu few = short_menu();
    if (count > 3 && strcmp(arguments[1], "--replay") == 0) {
        const menu &with = strcmp(arguments[3], few.name) == 0 ? few : full;
        return replay(with, arguments[2], arguments + 4, static_cast<unsigned>(count - 4));
    }
    const int depth = count == 2 ? atoi(arguments[1]) : 2;
    if (count > 2 || depth < 1) {
        printf("interleavings [depth]\ninterleavings --replay \"<scenario>\" <menu> <choice>...\n");
        return 2;
    }
    printf("geometry %d-%d\n", TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS);
    play_all(full, static_cast<unsigned>(depth));
    play_all(few, static_cast<unsigned>(depth) + 1);
    printf("%u passed, 0 failed\n", passed);
    return 0;
}

} // namespace interleavings

int main(int count, char **arguments)
{
    return interleavings::main(count, arguments);
}
