// SPDX-License-Identifier: MIT
// An announce opens the lock between two timeouts, and while it moves timeouts. An interrupt there finds the kernel's
// time where the wheel is, so what it adds fires in its tick and in order.
#include "../support/random.hpp"
#include "timeouts.hpp"

namespace
{

constexpr unsigned timeouts_of_all = 40;
const kernel &tested = stand_in::with_wheel;

struct checked : _timeout {
    // When it must fire, and how many were added before it.
    k_ticks_t due;
    uint32_t added;
    // Added by an interrupt with a delay of 0. It fires in the current tick in the function of a timeout, and in the
    // next one between two.
    bool at_once;
    // From the add to the abort or to the begin of its function, which needs the values above.
    bool pending;
};
checked timeouts[timeouts_of_all];

random_numbers numbers;
uint32_t adds;
k_ticks_t real_end;
// The last call.
k_ticks_t last_due;
uint32_t last_added;
unsigned fired;
unsigned wrong_tick;
unsigned wrong_order;
unsigned wrong_time;
unsigned interrupts;

void add_one(unsigned most_bits, bool in_interrupt);

void call(_timeout *timeout)
{
    void (*const on_open)() = stand_in::on_open;
    stand_in::on_open = nullptr;
    checked &self = *static_cast<checked *>(timeout);
    const k_ticks_t now = tested.tick();
    ++fired;
    self.pending = false;
    if (self.at_once) {
        wrong_tick += now != self.due && now != self.due + 1;
    } else {
        wrong_tick += now != self.due;
        wrong_order += self.due < last_due || (self.due == last_due && self.added < last_added);
        last_due = self.due;
        last_added = self.added;
    }
    if (numbers.below(3) == 0) {
        add_one(10, false);
    }
    stand_in::on_open = on_open;
}

void add_one(unsigned most_bits, bool in_interrupt)
{
    checked &timeout = timeouts[numbers.below(timeouts_of_all)];
    const k_ticks_t delay = static_cast<k_ticks_t>(numbers.next() >> (31 - numbers.below(most_bits)));
    const bool absolute = numbers.below(2) == 0;
    if (numbers.below(4) == 0) {
        timeout.pending = tested.abort(&timeout) != 0 && timeout.pending;
    }
    if (timeout.pending) {
        return;
    }
    const k_ticks_t now = tested.tick();
    const k_ticks_t answer = tested.add(&timeout, call, absolute ? at_tick(now + delay) : in_ticks(delay));
    timeout.due = absolute ? now + (delay < 1 ? 1 : delay) : answer;
    timeout.added = ++adds;
    timeout.pending = true;
    timeout.at_once = in_interrupt && timeout.due == now;
}

// stand_in does not call it inside of itself.
void interrupt()
{
    stand_in_cpu = 1;
    wrong_time += tested.tick() != real_end;
    stand_in_cpu = 0;
    ++interrupts;
    if (numbers.below(8) == 0) {
        add_one(numbers.below(4) == 0 ? 31 : 12, true);
    }
}

} // namespace

TEST_CASE("what interrupts add at every opening of the lock fires in its tick and in order")
{
    numbers = {5};
    for (unsigned round = 0; round < 3000; ++round) {
        const uint32_t ticks = numbers.next() >> numbers.below(32);
        last_due = 0;
        last_added = 0;
        add_one(31, false);
        tested.driver->elapsed = 0;
        real_end = tested.tick() + ticks;
        stand_in::on_open = interrupt;
        tested.announce(ticks);
        stand_in::on_open = nullptr;
        CHECK_EQ(tested.tick(), real_end);
    }
    CHECK_EQ(wrong_tick, 0u);
    CHECK_EQ(wrong_order, 0u);
    CHECK_EQ(wrong_time, 0u);
    CHECK(fired > 20000);
    // Most of them are between two timeouts.
    CHECK(interrupts > 3 * fired);
    for (checked &timeout : timeouts) {
        (void)tested.abort(&timeout);
    }
    CHECK_EQ(stand_in::lock_faults, 0u);
}

TEST_CASE("what is parked moves to the wheel in order, while interrupts add and abort")
{
    // Enough for many openings of the lock in one look.
    static noted *parked[60];
    static unsigned opened;
    struct far : noted {
        far() : noted(tested, 'f')
        {
        }
    };
    static unsigned out_of_order;
    static noted *last;
    far many[60];
    for (unsigned i = 0; i < 60; ++i) {
        parked[i] = &many[i];
        many[i].then = [](noted &self) {
            out_of_order += last != nullptr && last > &self;
            last = &self;
        };
    }
    opened = 0;
    out_of_order = 0;
    last = nullptr;
    const k_ticks_t due = tested.tick() + (k_ticks_t{1} << 31);
    for (unsigned i = 0; i < 50; ++i) {
        (void)many[i].add(at_tick(due));
    }
    real_end = due - 1;
    stand_in::on_open = [] {
        // A few in each look, of which each opens the lock at least fifty times: some disappear, and others come
        // behind them.
        ++opened;
        if (opened % 10 == 0 && opened <= 100) {
            (void)tested.abort(parked[opened / 10 * 4]);
            (void)parked[49 + opened / 10]->add(at_tick(real_end + 1));
        }
    };
    for (unsigned i = 0; i < 3; ++i) {
        tested.announce(1u << 29);
    }
    stand_in::on_open = nullptr;
    tested.announce((1u << 29) - 1);
    calls = 0;
    tested.announce(1);
    CHECK_EQ(out_of_order, 0u);
    CHECK(opened > 100);
    CHECK_EQ(calls, 50u);
}
