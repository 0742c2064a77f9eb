// SPDX-License-Identifier: MIT
// The storm. Five contexts work on the same timers as hard as they can: the main
// loop, PendSV, SysTick, which ticks, and two interrupts that a timer of the board
// lets in after any number of instructions; and the callbacks, in whichever of
// them runs the wheel. Nobody is held off but by the wheel's own lock.
//
// What must hold is told by what the calls return, for that is exact however they
// are interrupted: a timer has been armed as often as it was cancelled or has
// fired, and once more while it is pending. Some timers are watched (see
// watched.hpp): of those each answer and the order of firing are foretold.
// Every few thousand operations the main loop lets all of it stand still, walks
// the wheel and adds up.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../../boards/board.hpp"
#include "../../unit/check_wheel.hpp"
#include "../../support/command_line.hpp"
#include "machine.hpp"
#include "watched.hpp"

namespace stress
{

/// From the least urgent on.
enum context : unsigned { main_loop, in_pendsv, in_low, in_systick, in_high, context_count };
constexpr const char *context_names[] = {"main loop", "PendSV", "interrupt below SysTick", "SysTick",
                                         "interrupt above SysTick"};

// Timers by number: those of everybody, the watched ones, and one that is each context's own.
constexpr unsigned common_count = 40;
constexpr unsigned watched_count = 19;
constexpr unsigned first_own = common_count + watched_count;
constexpr unsigned timer_count = first_own + context_count;

timer_list timers[timer_count];
watched watches[watched_count];

/// What a context writes and no other: interrupts need not be masked for it.
struct state {
    uint32_t random;
    uint32_t checksum;
    uint32_t operations;
    uint32_t armed;
    uint32_t cancelled;
    uint32_t fired;
    uint32_t refused;
    /// How often this context came upon an operation of another one that was under way.
    uint32_t interrupted;
    /// At most so many operations of others were under way below this context, and so many contexts with itself.
    unsigned most_operations;
    unsigned most_contexts;
    /// jiffies as this context last saw them.
    uint64_t seen;
    /// An operation that is not masked is under way.
    volatile bool inside;
    volatile bool active;
    bool own_shut;
    /// Of each timer, how often it was armed here less how often it was cancelled or fired here. The sum over all
    /// contexts is 1 while it is pending, else 0; modulo 2^16, for it may run away in one of them.
    uint16_t balance[timer_count];
};
state states[context_count];

/// No storm: callbacks only count.
bool calm;
/// And each of them must come in the tick that its timer names.
bool draining;
/// The storm's own mask is set: not the wheel's lock.
volatile bool masked_here;
/// A tick has said that there is work, and since then nobody has asked the wheel to do all of it.
volatile bool owed;
/// Armed while the runner held it, perhaps before its callback began: what its `expires` says is of another arming.
timer_list *volatile disturbed;
/// Half of all operations are done to the few timers from here on.
volatile unsigned hot;
/// The counter as SysTick, which alone writes it, knows it.
uint64_t counted;

uint32_t watcher_came;
uint32_t watcher_in_lock;

uint32_t passed;
uint32_t failed;
volatile bool stretch_failed;
constexpr unsigned enough_failures = 8;

void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

void print(uint32_t value, unsigned width = 0)
{
    char digits[12];
    unsigned count = 0;
    do {
        digits[count++] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (unsigned i = count; i < width; ++i) {
        board::console_put(' ');
    }
    while (count != 0) {
        board::console_put(digits[--count]);
    }
}

uint32_t all_operations()
{
    uint32_t sum = 0;
    for (const state &each : states) {
        sum += each.operations;
    }
    return sum;
}

context here()
{
    switch (exception_number()) {
    case 0:
        return main_loop;
    case 14:
        return in_pendsv;
    case 15:
        return in_systick;
    case 16 + first_interrupt + low:
        return in_low;
    default:
        return in_high;
    }
}

/// Keeps every other context out.
class alone {
public:
    alone() : was_masked(masked_now()), was_here(masked_here)
    {
        // Around the mask, so that the watcher never takes it for the wheel's.
        masked_here = true;
        set_mask(true);
    }
    ~alone()
    {
        check(masked_now(), "the lock has opened a mask that was not its own", no_number);
        set_mask(was_masked);
        masked_here = was_here;
    }
    alone(const alone &) = delete;
    alone &operator=(const alone &) = delete;

private:
    bool was_masked;
    bool was_here;
};

void finish()
{
    print("stretches ");
    print(passed);
    print(" ");
    print(failed);
    print("\n");
    board::exit(failed != 0);
}

void check(bool good, const char *what, unsigned number)
{
    if (good) {
        return;
    }
    const bool was_masked = masked_now();
    set_mask(true);
    stretch_failed = true;
    static unsigned failures;
    print("FAIL after ");
    print(all_operations());
    print(" operations, ");
    print(context_names[here()]);
    print(": ");
    print(what);
    if (number != no_number) {
        print(" (");
        print(number);
        print(")");
    }
    print("\n");
    // What is broken stays broken.
    if (++failures == enough_failures) {
        ++failed;
        finish();
    }
    set_mask(was_masked);
}

uint32_t next_random(state &self)
{
    uint32_t x = self.random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    self.random = x;
    return x;
}

/// 0 to limit - 1; limit is at most 2^16.
uint32_t below(state &self, uint32_t limit)
{
    return (next_random(self) >> 16) * limit >> 16;
}

void remember(state &self, uint32_t what)
{
    self.checksum = (self.checksum << 5 | self.checksum >> 27) ^ what;
}

/// An operation that may be interrupted anywhere.
class under_way {
public:
    explicit under_way(state &who) : self(who), was_masked(masked_now())
    {
        self.inside = true;
        barrier();
    }
    ~under_way()
    {
        barrier();
        self.inside = false;
        check(masked_now() == was_masked, "the mask is not what it was before", no_number);
    }
    under_way(const under_way &) = delete;
    under_way &operator=(const under_way &) = delete;

private:
    state &self;
    bool was_masked;
};

void count_armed(state &self, unsigned number, int returned)
{
    check(returned == 0 || returned == 1, "an arm returned neither 0 nor 1", number);
    if (returned == 0) {
        ++self.armed;
        ++self.balance[number];
    }
}

void count_cancelled(state &self, unsigned number, int returned)
{
    check(returned >= -1 && returned <= 1, "a cancel returned neither -1 nor 0 nor 1", number);
    if (returned == 1) {
        ++self.cancelled;
        --self.balance[number];
    }
}

jiffies_t random_expiry(state &self, const timer_list &timer)
{
    const uint32_t bits = next_random(self);
    const uint32_t any = bits >> 4;
    const jiffies_t now = jiffies;
    switch (bits % 16) {
    case 0:
    case 1:
        return now - any % 64;
    case 2:
    case 3:
    case 4:
    case 5:
        return now + any % 4;
    case 6:
    case 7:
    case 8:
        // Where many meet.
        return (now | 7) + 1;
    case 9:
        return now + any % 64;
    case 10:
        return (now | 255) + 1;
    case 11:
        return (now | 255) + 1 + any % 256;
    case 12:
        return timer.expires;
    case 13:
        return now + any % 0x8000;
    case 14:
        return now + any % 0x200000;
    default:
        return now + (any % 8 == 0 ? 0x7FFFFFFF - any % 512 : any & 0x7FFFFFF);
    }
}

unsigned random_timer(state &self)
{
    const uint32_t bits = next_random(self);
    return bits % 2 != 0 ? hot + bits / 2 % 4 : (bits >> 16) * first_own >> 16;
}

/// Has an interrupt come at once, or at some instruction of what this context does next.
void provoke(state &self, uint32_t within)
{
    const uint32_t which = below(self, 8);
    if (which == 0) {
        pend_pendsv();
    } else if (which < 3) {
        pend(which == 1 ? low : high);
    } else {
        const line aimed = which == 3 ? low : high;
        timer_stop(aimed);
        timer_start(aimed, 1 + below(self, within));
    }
}

bool runner_holds(const timer_list &timer)
{
    return tickwheel_slots.running == &timer;
}

/// To be told before a timer is armed without a mask. Whoever interrupts the runner leaves before it goes on.
void disturb(timer_list &timer)
{
    if (runner_holds(timer)) {
        disturbed = &timer;
        barrier();
    }
}

int arm_common(state &self, timer_list &timer, unsigned number)
{
    const jiffies_t expires = random_expiry(self, timer);
    disturb(timer);
    int returned = 0;
    switch (below(self, 8)) {
    case 0: {
        const under_way now(self);
        returned = tickwheel_mod_timer_pending(&timer, expires);
        check(returned == 0 || returned == 1, "mod_timer_pending returned neither 0 nor 1", number);
        return returned;
    }
    case 1:
    case 2: {
        const under_way now(self);
        returned = tickwheel_timer_reduce(&timer, expires);
        break;
    }
    case 3: {
        // Only a mask can prove that it is idle.
        const alone now;
        if (tickwheel_timer_pending(&timer)) {
            return 1;
        }
        timer.expires = expires;
        tickwheel_add_timer(&timer);
        check(tickwheel_timer_pending(&timer) == 1, "add_timer did not arm", number);
        break;
    }
    default: {
        const under_way now(self);
        returned = tickwheel_mod_timer(&timer, expires);
        break;
    }
    }
    count_armed(self, number, returned);
    return returned;
}

int cancel_common(state &self, timer_list &timer, unsigned number)
{
    // The same until this context has ended: it has interrupted that runner, or all that run meanwhile end before it.
    const bool running = runner_holds(timer);
    const uint32_t which = below(self, 4);
    int returned = 0;
    if (which == 0) {
        const under_way now(self);
        returned = tickwheel_try_to_del_timer_sync(&timer);
        check((returned == -1) == running, "try_to_del_timer_sync does not say who runs", number);
    } else if (which == 1 && !running) {
        const under_way now(self);
        returned = tickwheel_timer_delete_sync(&timer);
        check(returned >= 0, "timer_delete_sync refused", number);
    } else {
        const under_way now(self);
        returned = tickwheel_timer_delete(&timer);
        check(returned >= 0, "timer_delete refused", number);
    }
    count_cancelled(self, number, returned);
    return returned;
}

/// One on a timer of everybody.
int work_on_common(state &self, unsigned number)
{
    timer_list &timer = timers[number];
    if (below(self, 8) < 5) {
        return arm_common(self, timer, number);
    }
    return cancel_common(self, timer, number);
}

int arm_watched(state &self, timer_list &timer, watched &is, unsigned number)
{
    const jiffies_t expires = random_expiry(self, timer);
    const bool was_armed = is.armed;
    int told = 0;
    int returned = 0;
    switch (below(self, 8)) {
    case 0:
        told = is.mod_pending(expires);
        returned = tickwheel_mod_timer_pending(&timer, expires);
        break;
    case 1:
    case 2:
        told = is.reduce(expires);
        returned = tickwheel_timer_reduce(&timer, expires);
        break;
    case 3:
        if (!is.armed) {
            (void)is.mod(expires);
            timer.expires = expires;
            tickwheel_add_timer(&timer);
        }
        break;
    default:
        told = is.mod(expires);
        returned = tickwheel_mod_timer(&timer, expires);
        break;
    }
    check(returned == told, "an arm did not return what it must", number);
    check(!is.armed || timer.expires == is.expires, "expires is not what was asked for", number);
    if (is.armed && !was_armed) {
        count_armed(self, number, 0);
    }
    return returned;
}

int cancel_watched(state &self, timer_list &timer, watched &is, unsigned number)
{
    const bool running = runner_holds(timer);
    int told = 0;
    int returned = 0;
    switch (below(self, 8)) {
    case 0:
    case 1:
        told = running ? -1 : is.remove();
        returned = tickwheel_try_to_del_timer_sync(&timer);
        break;
    case 2:
        told = is.shut_down();
        returned = tickwheel_timer_shutdown(&timer);
        break;
    case 3:
        if (!running) {
            told = is.shut_down();
            returned = tickwheel_timer_shutdown_sync(&timer);
        }
        break;
    default:
        told = is.remove();
        returned = tickwheel_timer_delete(&timer);
        break;
    }
    check(returned == told, "a cancel did not return what it must", number);
    count_cancelled(self, number, returned);
    return returned;
}

void fire(timer_list *timer);

/// Some end no sleep.
unsigned flags_of(unsigned number)
{
    return number % 8 == 0 ? unsigned{TICKWHEEL_TIMER_DEFERRABLE} : 0;
}

/// One on a watched timer, and all that is known of it.
int work_on_watched(state &self, unsigned number)
{
    const alone now;
    timer_list &timer = timers[number];
    watched &is = watches[number - common_count];
    is.agree(timer, number);
    int returned = 0;
    if (is.shut && below(self, 4) == 0) {
        // Nobody else can arm it now; that it may be running does not matter.
        tickwheel_timer_setup(&timer, fire, flags_of(number));
        is.shut = false;
    } else if (below(self, 8) < 5) {
        returned = arm_watched(self, timer, is, number);
    } else {
        returned = cancel_watched(self, timer, is, number);
    }
    is.agree(timer, number);
    return returned;
}

/// Without a mask, on the timer that no other context touches but by running it.
int work_on_own(state &self, unsigned number)
{
    timer_list &timer = timers[number];
    const jiffies_t expires = random_expiry(self, timer);
    disturb(timer);
    int returned = 0;
    const uint32_t which = below(self, 8);
    if (self.own_shut && which < 4) {
        tickwheel_timer_setup(&timer, fire, flags_of(number));
        self.own_shut = false;
    } else if (which < 5) {
        {
            const under_way now(self);
            returned = tickwheel_mod_timer(&timer, expires);
        }
        if (self.own_shut) {
            check(returned == 0 && !tickwheel_timer_pending(&timer), "a timer that is shut down was armed", number);
        } else {
            count_armed(self, number, returned);
        }
    } else {
        {
            const under_way now(self);
            returned = which < 7 ? tickwheel_timer_shutdown(&timer) : tickwheel_timer_delete(&timer);
        }
        self.own_shut = self.own_shut || which < 7;
        check(!tickwheel_timer_pending(&timer), "pending after a cancel", number);
        count_cancelled(self, number, returned);
    }
    return returned;
}

/// No later than a timer that nobody else can have moved.
int ask_next_expiry(state &self, unsigned own)
{
    timer_list &timer = timers[own];
    jiffies_t earliest = 0;
    int found = 0;
    provoke(self, 400);
    {
        const under_way now(self);
        found = tickwheel_next_expiry(&earliest);
    }
    // Pending now, it was so all the time; what was armed too late fires in the tick after.
    if (tickwheel_timer_pending(&timer) && !timer.deferrable) {
        const jiffies_t now = jiffies;
        const bool soon = !before(now + 1, earliest);
        check(found == 1 && (soon || earliest - now <= timer.expires - now), "next_expiry is later than a timer",
              own);
    }
    return found;
}

/// Never back, whole, and between two readings of its lower half.
int look_at_clock(state &self)
{
    const jiffies_t first = jiffies;
    uint64_t now = 0;
    {
        const under_way reading(self);
        now = tickwheel_get_jiffies_64();
    }
    const jiffies_t last = jiffies;
    check(static_cast<jiffies_t>(now) - first <= last - first, "get_jiffies_64 is not jiffies", no_number);
    check(now >= self.seen, "get_jiffies_64 went back", no_number);
    check(now - self.seen < 0x80000000u, "get_jiffies_64 leapt", no_number);
    self.seen = now;
    return 0;
}

/// All that is due, or some of it.
int run_wheel(state &self, bool all)
{
    // As in cancel_common(): a run that is under way below cannot end before this one does.
    const bool refused = tickwheel_slots.running != nullptr;
    const unsigned budget = below(self, 4);
    const uint32_t fired = self.fired;
    unsigned ran = 0;
    if (all) {
        owed = false;
        barrier();
    }
    if (below(self, 2) != 0) {
        provoke(self, 500);
    }
    {
        const under_way now(self);
        ran = all ? tickwheel_run() : tickwheel_run_budget(budget);
    }
    check(ran == self.fired - fired, "a run did not return how many callbacks it called", no_number);
    if (refused) {
        ++self.refused;
        check(ran == 0, "a nested run was not refused", no_number);
    } else if (!all) {
        check(ran <= budget, "a run exceeded its budget", no_number);
        if (ran == budget) {
            owed = true;
        }
    }
    return static_cast<int>(ran);
}

/// One operation of whatever kind.
void work(state &self)
{
    const unsigned own = first_own + static_cast<unsigned>(&self - states);
    ++self.operations;
    const uint32_t which = below(self, 32);
    if (which % 4 == 0) {
        provoke(self, 200);
    }
    unsigned number = own;
    int returned = 0;
    if (which == 0) {
        returned = look_at_clock(self);
    } else if (which == 1) {
        returned = ask_next_expiry(self, own);
    } else if (which == 2) {
        returned = run_wheel(self, below(self, 2) != 0);
    } else if (which < 5) {
        returned = work_on_own(self, own);
    } else {
        number = random_timer(self);
        returned = number < common_count ? work_on_common(self, number) : work_on_watched(self, number);
    }
    remember(self, number << 8 ^ static_cast<uint32_t>(returned) ^ jiffies);
}

/// What a callback does besides being counted.
void work_in_callback(state &self, unsigned number)
{
    const uint32_t which = below(self, 8);
    if (which < 3 && number < first_own) {
        // Itself.
        ++self.operations;
        (void)(number < common_count ? work_on_common(self, number) : work_on_watched(self, number));
    }
    for (uint32_t more = which % 3; more != 0; --more) {
        work(self);
    }
}

void fire(timer_list *timer)
{
    state &self = states[here()];
    self.inside = false;
    const unsigned number = static_cast<unsigned>(timer - timers);
    check(calm || !masked_now(), "a callback was called with interrupts masked", number);
    ++self.fired;
    --self.balance[number];
    if (number >= common_count && number < first_own) {
        const alone now;
        watches[number - common_count].fired(*timer, number);
    } else {
        const jiffies_t expires = timer->expires;
        barrier();
        if (disturbed != timer) {
            check(!before(jiffies, expires), "fired early", number);
            check(!draining || jiffies == expires, "fired late", number);
        }
    }
    remember(self, number ^ jiffies);
    if (!calm) {
        work_in_callback(self, number);
    }
    disturbed = nullptr;
    barrier();
    self.inside = true;
}

/// An interrupt, from its entry to its end.
class visit {
public:
    explicit visit(context who) : self(states[who])
    {
        unsigned operations = 0;
        unsigned contexts = 1;
        for (unsigned i = 0; i < who; ++i) {
            operations += states[i].inside;
            contexts += states[i].active;
        }
        self.interrupted += operations != 0;
        self.active = true;
        self.most_operations = operations > self.most_operations ? operations : self.most_operations;
        self.most_contexts = contexts > self.most_contexts ? contexts : self.most_contexts;
    }
    ~visit()
    {
        self.active = false;
    }
    visit(const visit &) = delete;
    visit &operator=(const visit &) = delete;
    state &self;
};

/// How many ticks have passed: one, but sometimes a sleep is over. Ticks owed must stay below 2^31.
uint32_t ticks_passed(state &self)
{
    const uint32_t which = below(self, 256);
    if (which >= 16) {
        return 1;
    }
    if (which >= 4) {
        return 1 + below(self, 16);
    }
    const bool nothing_owed = tickwheel_slots.running == nullptr && before(jiffies, tickwheel_clock.next_event);
    if (which >= 1 || !nothing_owed) {
        return 1 + below(self, 2000);
    }
    return next_random(self) >> (6 + below(self, 16));
}

/// Counts, and has the wheel run below, or here.
void tick(state &self)
{
    const uint32_t ticks = ticks_passed(self);
    counted += ticks;
    if (below(self, 4) == 0) {
        provoke(self, 60);
    }
    if (ticks == 1 && below(self, 8) == 0) {
        const bool refused = tickwheel_slots.running != nullptr;
        const uint32_t fired = self.fired;
        owed = false;
        barrier();
        unsigned ran = 0;
        {
            const under_way now(self);
            ran = tickwheel_interrupt();
        }
        check(ran == self.fired - fired, "tickwheel_interrupt did not return how many it called", no_number);
        check(!refused || ran == 0, "a nested run was not refused", no_number);
    } else {
        int said = 0;
        {
            const under_way now(self);
            said = ticks == 1 ? tickwheel_tick() : tickwheel_advance(ticks);
        }
        // Nothing becomes due but by a tick, so this holds however late it is looked at.
        check(said != 0 || tickwheel_slots.running != nullptr || before(jiffies, tickwheel_clock.next_event),
              "a tick said 0 with work due", no_number);
        if (said != 0) {
            owed = true;
            barrier();
            pend_pendsv();
        }
    }
    check(tickwheel_get_jiffies_64() == counted, "get_jiffies_64 is not what was counted", no_number);
}

/// After how many instructions to come again, an odd number: soon, but not so that the main loop gets nowhere.
uint32_t pause(state &self, uint32_t shortest, uint32_t longest)
{
    const uint32_t more = self.operations > states[main_loop].operations ? 8000 : 0;
    return shortest + 2 * below(self, (longest + more - shortest) / 2);
}

extern "C" void SysTick_Handler()
{
    systick_stop();
    visit now(in_systick);
    tick(now.self);
    work(now.self);
    systick_start(pause(now.self, 97, 401));
}

extern "C" void PendSV_Handler()
{
    visit now(in_pendsv);
    // Half of what is due is left to the main loop, which can be interrupted by all others.
    if (below(now.self, 2) != 0) {
        (void)run_wheel(now.self, true);
    }
    work(now.self);
}

extern "C" void STRESS_LOW_HANDLER()
{
    timer_stop(low);
    visit now(in_low);
    work(now.self);
    timer_start(low, pause(now.self, 151, 1001));
}

extern "C" void STRESS_HIGH_HANDLER()
{
    timer_stop(high);
    visit now(in_high);
    work(now.self);
    timer_start(high, pause(now.self, 101, 801));
}

/// Above a lock by BASEPRI: it comes at any time, so it never calls the wheel. It may read jiffies.
extern "C" void STRESS_WATCHER_HANDLER()
{
    static jiffies_t last = jiffies;
    timer_stop(watcher);
    ++watcher_came;
    watcher_in_lock += masked_now() && !masked_here;
    const jiffies_t now = jiffies;
    check(!before(now, last), "jiffies went back", no_number);
    last = now;
    timer_start(watcher, 301 + 8 * (watcher_came % 509));
}

/// What holds whenever nobody is in the wheel: its lists, and the sums.
void add_up()
{
    const unit::walk seen = unit::walk_wheel(true);
    check(seen.found == unit::no_fault, "the wheel is broken, by the fault of this number",
          static_cast<unsigned>(seen.found));
    uint32_t pending = 0;
    for (unsigned i = 0; i < timer_count; ++i) {
        uint16_t balance = 0;
        for (const state &each : states) {
            balance = static_cast<uint16_t>(balance + each.balance[i]);
        }
        const unsigned is_pending = static_cast<unsigned>(tickwheel_timer_pending(&timers[i]));
        check(balance == is_pending, "armed is not cancelled + fired + pending", i);
        pending += is_pending;
    }
    for (unsigned i = 0; i < watched_count; ++i) {
        watches[i].agree(timers[common_count + i], common_count + i);
        check(!watches[i].popped, "was never called", common_count + i);
    }
    uint32_t sum = pending;
    for (const state &each : states) {
        sum += each.fired + each.cancelled - each.armed;
    }
    check(sum == 0, "armed is not cancelled + fired + pending in all", no_number);
    check(seen.timers == pending, "the wheel does not hold what is pending", no_number);
}

/// The distance to the earliest tick that a timer asks for, ~0 when there is none; those not asked about are left
/// out.
uint32_t distance_to_earliest(bool deferrable_too)
{
    uint32_t nearest = ~0u;
    for (const timer_list &timer : timers) {
        if (tickwheel_timer_pending(&timer) && (deferrable_too || !timer.deferrable)) {
            const uint32_t distance = timer.expires - jiffies;
            nearest = distance < nearest ? distance : nearest;
        }
    }
    return nearest;
}

void pass(uint32_t ticks)
{
    counted += ticks;
    (void)tickwheel_advance(ticks);
    (void)run_wheel(states[main_loop], true);
}

/// Brings the wheel up to date: what was overdue has fired one tick later.
void settle()
{
    calm = true;
    (void)run_wheel(states[main_loop], true);
    pass(1);
    for (unsigned i = 0; i < timer_count; ++i) {
        check(!tickwheel_timer_pending(&timers[i]) || before(jiffies, timers[i].expires), "did not fire in its tick",
              i);
    }
    jiffies_t earliest = 0;
    const int found = tickwheel_next_expiry(&earliest);
    const uint32_t distance = distance_to_earliest(false);
    check(found == (distance != ~0u) && (found == 0 || earliest - jiffies == distance), "next_expiry is wrong",
          no_number);
    calm = false;
}

void end_stretch()
{
    ++*(stretch_failed ? &failed : &passed);
    stretch_failed = false;
}

/// No storm, and nobody but the main loop.
void stand_still()
{
    const alone now;
    add_up();
    settle();
    add_up();
    // A jump may have been so long that later ticks look earlier than the last one that fired.
    watched::last = {jiffies, watched::armings};
    end_stretch();
}

/// All that is left, in the order of its ticks.
void drain()
{
    settle();
    calm = true;
    draining = true;
    for (uint32_t distance = distance_to_earliest(true); distance != ~0u; distance = distance_to_earliest(true)) {
        pass(distance);
        const uint32_t left = distance_to_earliest(true);
        check(left != 0 && (left == ~0u || left < 0x80000000u), "did not fire in its tick", no_number);
        if (stretch_failed) {
            break;
        }
    }
    add_up();
    check(unit::walk_wheel(true).timers == 0, "not empty at the end", no_number);
    end_stretch();
}

/// Between two operations of the main loop.
void check_nothing_is_lost()
{
    const alone now;
    if (!owed) {
        check(before(jiffies, tickwheel_clock.next_event), "work is due, and nobody will do it", no_number);
    }
}

void start()
{
    for (unsigned i = 0; i < context_count; ++i) {
        states[i].random = 0x9E3779B9u * (i + 1);
        states[i].seen = tickwheel_get_jiffies_64();
    }
    states[main_loop].active = true;
    counted = tickwheel_get_jiffies_64();
    watched::last = {jiffies, 0};
    for (unsigned i = 0; i < timer_count; ++i) {
        tickwheel_timer_setup(&timers[i], fire, flags_of(i));
    }
    interrupts_init();
    systick_start(97);
    timer_start(low, 331);
    timer_start(high, 217);
    timer_start(watcher, 401);
}

void report()
{
    uint32_t checksum = 0;
    unsigned operations = 0;
    unsigned contexts = 0;
    print("    operations      armed  cancelled      fired    refused  "
          "interrupted another's\n");
    for (unsigned i = 0; i < context_count; ++i) {
        const state &is = states[i];
        checksum = checksum * 31 + is.checksum;
        operations = is.most_operations > operations ? is.most_operations : operations;
        contexts = is.most_contexts > contexts ? is.most_contexts : contexts;
        print("    ");
        print(is.operations, 10);
        const uint32_t numbers[] = {is.armed, is.cancelled, is.fired, is.refused, is.interrupted};
        for (const uint32_t number : numbers) {
            print(number, 11);
        }
        print("  ");
        print(context_names[i]);
        print("\n");
    }
    print("    nested at most: contexts ");
    print(contexts);
    print(", interrupted operations ");
    print(operations);
    print("; above the lock ");
    print(watcher_came);
    print(", of these while it was held ");
    print(watcher_in_lock);
    print("; checksum ");
    print(checksum);
    print("\n");
    check(contexts == context_count && operations > 1, "no storm", no_number);
}

int main()
{
    (void)board::init();
    const uint32_t wanted = number_from_command_line();
    constexpr uint32_t stretch = 4000;
    uint32_t next_stand = stretch;
    start();
    state &self = states[main_loop];
    for (uint32_t done = 0; done < wanted; done = all_operations()) {
        work(self);
        if (owed) {
            (void)run_wheel(self, true);
        }
        check_nothing_is_lost();
        if (self.operations % 64 == 0) {
            hot = below(self, first_own - 4);
        }
        if (static_cast<int32_t>(done - next_stand) >= 0) {
            next_stand += stretch;
            stand_still();
        }
    }
    set_mask(true);
    add_up();
    drain();
    report();
#if defined(TICKWHEEL_LOCK_BASEPRI)
    check(watcher_in_lock != 0, "the lock held off an interrupt above it", no_number);
#else
    check(watcher_in_lock == 0, "an interrupt came while they were masked", no_number);
#endif
    end_stretch();
    finish();
    return 1;
}

} // namespace stress

int main()
{
    return stress::main();
}
