// SPDX-License-Identifier: MIT
// Random operations, compared with a table that has the tick in which each timeout is due: every answer, every call
// and its order, the next expiry, and when the driver would wake a core that sleeps. An announce opens the lock
// between two timeouts, and while it moves timeouts. An interrupt there finds the kernel's time where the wheel is,
// so what it adds fires in its tick and in order.
#include <initializer_list>

#include "../support/random.hpp"
#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

namespace
{

using namespace stand_in;

struct checked : _timeout {
    // The tick in which it must fire, and how many timeouts were added before it.
    k_ticks_t due;
    uint32_t added;
    // True from the add to the abort or the start of its function, which needs the values above.
    bool pending;
    // Aborted after it was taken, and before its function has begun.
    bool aborted_late;
};
constexpr unsigned max_timeouts = 120;
checked timeouts[max_timeouts];
unsigned timeouts_of_all;

random_numbers numbers;
uint32_t adds;
// A delay may be 0, so functions do not add without end.
unsigned adds_left;
// A kernel counts what it announces in 32 bits.
bool may_announce;
// The kernel's tick after the announce.
k_ticks_t end_of_announce;
// The timeout whose function is called, and whether it has been aborted since.
const checked *running;
bool superseded;
// The last call.
k_ticks_t last_due;
uint32_t last_added;

unsigned fired;
unsigned interrupts;
// How often the wheel said that it might have to wake before the next expiry.
unsigned early;
unsigned wrong_answer;
unsigned wrong_tick;
unsigned wrong_order;
unsigned wrong_time;
unsigned wrong_wake;

checked &any_timeout()
{
    return timeouts[numbers.below(timeouts_of_all)];
}

k_ticks_t random_delay()
{
    static constexpr unsigned char bits[] = {0, 2, 4, 7, 8, 9, 12, 14, 17, 20, 26, 29, 30, 31, 33, 40, 56, 62};
    // Mostly near, and often around a power of two.
    const unsigned max = numbers.below(4) == 0 ? sizeof bits : 8;
    const uint64_t around = uint64_t{1} << bits[numbers.below(max)];
    if (numbers.below(3) == 0) {
        return static_cast<k_ticks_t>(around) - 1 + static_cast<k_ticks_t>(numbers.below(3));
    }
    return static_cast<k_ticks_t>((uint64_t{numbers.next()} << 32 | numbers.next()) % around);
}

void call(_timeout *timeout);

void add(checked &timeout, bool in_interrupt)
{
    if (timeout.pending) {
        return;
    }
    // A kernel initialises no more than the node. In its function a timeout has what the kernel left there.
    if (&timeout != running) {
        timeout.dticks = -1;
    }
    superseded = superseded || (with_list && &timeout == running);
    const k_ticks_t now = sys_clock_tick_get();
    // For a timeout that is not active, this is the tick that the kernel has counted.
    const k_ticks_t counted = z_timeout_expires(&timeout);
    const k_ticks_t delay = random_delay();
    if (numbers.below(4) == 0) {
        // This is often the tick of another one, near or far, which was added first.
        const checked &other = any_timeout();
        const k_ticks_t tick = other.pending && numbers.below(2) == 0 ? other.due : now + delay - 2;
        const k_ticks_t asked = tick < 0 ? 0 : tick;
        (void)z_add_timeout(&timeout, call, at_tick(asked));
        timeout.due = asked <= counted ? counted + 1 : asked;
    } else {
        timeout.due = z_add_timeout(&timeout, call, in_ticks(delay));
        const k_ticks_t more = timeout.due - now - delay;
        if (with_list) {
            wrong_answer += more != 1;
        } else if (in_interrupt) {
            // It comes at the start of a tick, or behind the announce, whose end opens the lock too.
            wrong_answer += more != 0 && more != 1;
        } else {
            wrong_answer += more != (running != nullptr && stand_in_cpu == 0 ? 0 : 1);
        }
        if (in_interrupt && timeout.due == now) {
            // Between two functions the current tick is over, so it fires in the next one.
            timeout.due = z_timeout_expires(&timeout);
            wrong_answer += timeout.due > now + 1;
        }
    }
    timeout.added = ++adds;
    timeout.pending = true;
}

void abort(checked &timeout)
{
    const bool elsewhere = &timeout == running && stand_in_cpu != 0 && !with_list;
    const int expected = timeout.pending ? 0 : elsewhere ? -EAGAIN : -EINVAL;
    wrong_answer += z_try_abort_timeout(&timeout) != expected;
    timeout.pending = false;
    superseded = superseded || &timeout == running;
    wrong_answer += z_timeout_inflight_superseded(&timeout) != (with_list || &timeout == running);
}

void ask(const checked &timeout)
{
    const k_ticks_t now = sys_clock_tick_get();
    wrong_answer += z_timeout_remaining(&timeout) != (timeout.pending ? timeout.due - now : 0);
    wrong_answer += timeout.pending && z_timeout_expires(&timeout) != timeout.due;
}

void check_call(const checked &timeout)
{
    const k_ticks_t now = sys_clock_tick_get();
    wrong_time += locks_held != 0;
    wrong_tick += now != timeout.due;
    wrong_order += timeout.due < last_due || (timeout.due == last_due && timeout.added < last_added);
    last_due = timeout.due;
    last_added = timeout.added;
}

void call(_timeout *timeout)
{
    void (*const interrupted)() = on_open;
    on_open = nullptr;
    checked &self = *static_cast<checked *>(timeout);
    check_call(self);
    ++fired;
    self.pending = false;
    running = &self;
    superseded = self.aborted_late;
    self.aborted_late = false;
    wrong_answer += z_timeout_inflight_superseded(&self) != superseded;
    // Some of the functions run on another CPU.
    stand_in_cpu = numbers.below(4) == 0;
    switch (numbers.below(8)) {
    case 0:
        abort(any_timeout());
        break;
    case 1:
        abort(self);
        break;
    case 2:
    case 3:
    case 4:
        if (adds_left != 0) {
            --adds_left;
            add(numbers.below(2) == 0 ? self : any_timeout(), false);
        }
        break;
    case 5:
        if (stand_in_cpu != 0 && may_announce) {
            const uint32_t more = numbers.below(300);
            end_of_announce += more;
            sys_clock_announce(more);
        }
        break;
    default:
        ask(any_timeout());
        break;
    }
    wrong_answer += z_timeout_inflight_superseded(&self) != superseded;
    stand_in_cpu = 0;
    running = nullptr;
    on_open = interrupted;
}

// stand_in does not call it inside of itself.
void interrupt()
{
    stand_in_cpu = 1;
    const k_ticks_t now = sys_clock_tick_get();
    wrong_time += now > end_of_announce || (with_list ? now < last_due : now != end_of_announce);
    stand_in_cpu = 0;
    ++interrupts;
    if (adds_left != 0 && numbers.below(8) == 0) {
        --adds_left;
        checked &timeout = any_timeout();
        if (numbers.below(4) == 0) {
            // The wheel may have taken it already. Then its function still begins.
            timeout.pending = z_try_abort_timeout(&timeout) != 0 && timeout.pending;
            timeout.aborted_late = timeout.pending;
        }
        add(timeout, true);
    }
}

uint32_t random_ticks()
{
    const uint32_t next = next_expiry();
    const unsigned choice = numbers.below(32);
    const uint32_t far[] = {numbers.next(), numbers.next() >> numbers.below(31), UINT32_MAX - numbers.below(2),
                            (1u << 30) - 1 + numbers.below(3)};
    if (choice < 4) {
        return far[choice];
    }
    if (choice < 8) {
        return numbers.below(2000);
    }
    if (choice < 13) {
        return 1;
    }
    return next == UINT32_MAX ? numbers.below(100) : next;
}

void announce()
{
    // A kernel with a list announces a signed number.
    const uint32_t ticks = with_list ? random_ticks() & INT32_MAX : random_ticks();
    adds_left = 12;
    may_announce = ticks < 1u << 31;
    end_of_announce = sys_clock_tick_get() - driver.elapsed + ticks;
    driver.elapsed = 0;
    on_open = interrupt;
    sys_clock_announce(ticks);
    on_open = nullptr;
    wrong_time += sys_clock_tick_get() != end_of_announce;
}

// The wheel does not look at what is parked, so beyond 2^30 ticks it may say too little.
k_ticks_t limited(k_ticks_t ticks)
{
    constexpr k_ticks_t max = 1 << 29;
    return ticks < 0 ? 0 : ticks < max ? ticks : max;
}

// Nothing is overdue, a core that asks sleeps until the next expiry, and so does one that was told.
void check_wake()
{
    const k_ticks_t announced = sys_clock_tick_get() - driver.elapsed;
    k_ticks_t next = INT64_MAX;
    for (unsigned i = 0; i < timeouts_of_all; ++i) {
        const checked &timeout = timeouts[i];
        wrong_tick += z_is_inactive_timeout(&timeout) == timeout.pending;
        if (timeout.pending && timeout.due - announced < next) {
            next = timeout.due - announced;
        }
    }
    const uint32_t wait = next_expiry();
    wrong_tick += next <= 0;
    wrong_wake +=
        (wait == UINT32_MAX) != (next == INT64_MAX) || (driver.wake_at == UINT32_MAX) != (next == INT64_MAX);
    wrong_wake += limited(wait) > limited(next - driver.elapsed);
    wrong_wake += limited(driver.wake_at) > limited(next < driver.elapsed ? driver.elapsed : next);
    early += limited(wait) < limited(next - driver.elapsed);
    early += limited(driver.wake_at) < limited(next);
}

void operate()
{
    const unsigned operation = numbers.below(16);
    if (operation < 7) {
        add(any_timeout(), false);
    } else if (operation < 10) {
        abort(any_timeout());
    } else if (operation == 10) {
        ask(any_timeout());
    } else if (operation == 11) {
        // Time passes, and the driver has not announced it.
        const uint32_t wait = next_expiry();
        driver.elapsed += wait > 1000 && driver.elapsed < 1u << 20 ? numbers.below(1000) : 0;
    } else {
        announce();
    }
    check_wake();
}

// Rarely: a kernel of 2^63 ticks is none.
void set_tick()
{
    const k_ticks_t tick = numbers.next();
    const k_ticks_t more = tick - (sys_clock_tick_get() - driver.elapsed);
    sys_clock_tick_set(static_cast<uint64_t>(tick));
    for (checked &timeout : timeouts) {
        timeout.due += more;
    }
    last_due = 0;
}

} // namespace

TEST_CASE("random operations: every answer, call and wake is that of a table")
{
#ifdef TICKWHEEL_TEST_HOST
    constexpr unsigned operations = 340000;
#else
    constexpr unsigned operations = 60000;
#endif
    for (const unsigned count : {16u, 40u, max_timeouts}) {
        timeouts_of_all = count;
        numbers = {60 + count};
        early = 0;
        set_tick();
        for (unsigned done = 1; done <= operations; ++done) {
            operate();
            REQUIRE(wrong_answer + wrong_tick + wrong_order + wrong_time + wrong_wake + lock_faults == 0);
            if (numbers.below(0x4000) == 0) {
                set_tick();
            }
        }
        // The search for the next expiry looks at 16 timeouts. With more it may stop at the start of a slot.
        CHECK(early <= (count <= 16 ? 0 : operations / 100));
        for (checked &timeout : timeouts) {
            abort(timeout);
        }
    }
    CHECK(fired > 60000);
    // Most of them are at the interrupt windows of the wheel.
    CHECK(interrupts > 7 * fired);
}
