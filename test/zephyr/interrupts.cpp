// SPDX-License-Identifier: MIT
// An announce opens the lock between two timeouts, and while it moves timeouts. An interrupt there finds the kernel's
// time where the wheel is, so what it adds fires in its tick and in order.
#include "../support/random.hpp"
#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

namespace
{

using namespace stand_in;

constexpr unsigned timeouts_of_all = 40;
const kernel &tested = with_wheel;

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
    void (*const interrupted)() = on_open;
    on_open = nullptr;
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
    on_open = interrupted;
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
    // Often the tick of another one, near or far, which was added first.
    const checked &other = timeouts[numbers.below(timeouts_of_all)];
    const k_ticks_t tick = other.pending && numbers.below(2) == 0 ? other.due : now + delay;
    const k_ticks_t answer = tested.add(&timeout, call, absolute ? at_tick(tick) : in_ticks(delay));
    timeout.due = !absolute ? answer : tick <= now ? now + 1 : tick;
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
    for (unsigned round = 0; round < 10000; ++round) {
        const uint32_t ticks = numbers.next() >> numbers.below(32);
        last_due = 0;
        last_added = 0;
        add_one(31, false);
        tested.driver->elapsed = 0;
        real_end = tested.tick() + ticks;
        on_open = interrupt;
        tested.announce(ticks);
        on_open = nullptr;
        CHECK_EQ(tested.tick(), real_end);
    }
    CHECK_EQ(wrong_tick, 0u);
    CHECK_EQ(wrong_order, 0u);
    CHECK_EQ(wrong_time, 0u);
    CHECK(fired > 60000);
    // Most of them are between two timeouts.
    CHECK(interrupts > 3 * fired);
    for (checked &timeout : timeouts) {
        (void)tested.abort(&timeout);
    }
    CHECK_EQ(lock_faults, 0u);
}
