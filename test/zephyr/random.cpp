// SPDX-License-Identifier: MIT
// Random operations on both kernels: every answer, every call and its order, the next expiry, and when the driver
// would wake a core that sleeps are the same.
#include "../support/random.hpp"
#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

namespace
{

using namespace stand_in;

constexpr unsigned most_timeouts = 120;

struct both;

// Of one kernel. Its function does the same as that of the other kernel, if it is called at the same time.
struct followed : _timeout {
    const kernel *of;
    both *owner;
    unsigned number;
};

struct side {
    const kernel *of;
    followed timeouts[most_timeouts];
    uint32_t hash = 1;
    // What is done in functions, again and again the same until the next announce.
    random_numbers numbers;
    unsigned adds_left = 0;
    // A kernel counts what it announces in 32 bits.
    bool may_announce = false;

    void note(uint64_t value)
    {
        // FNV-1a with words.
        hash = (hash ^ static_cast<uint32_t>(value)) * 16777619u;
        hash = (hash ^ static_cast<uint32_t>(value >> 32)) * 16777619u;
    }
    void note(k_ticks_t value)
    {
        note(static_cast<uint64_t>(value));
    }
};

struct both {
    side sides[2];
    random_numbers numbers;
    /// How many timeouts each side has.
    unsigned timeouts;
    /// How often the wheel said that it might have to wake earlier than the list.
    unsigned early = 0;

    both(uint32_t seed, unsigned count) : sides(), numbers{seed}, timeouts(count)
    {
        for (unsigned s = 0; s < 2; ++s) {
            sides[s].of = kernels[s];
            sides[s].of->set_tick(seed);
            sides[s].of->driver->elapsed = 0;
            for (unsigned i = 0; i < most_timeouts; ++i) {
                sides[s].timeouts[i].of = kernels[s];
                sides[s].timeouts[i].owner = this;
                sides[s].timeouts[i].number = i;
            }
        }
    }
    ~both()
    {
        for (side &one : sides) {
            for (followed &timeout : one.timeouts) {
                (void)one.of->abort(&timeout);
            }
        }
        CHECK_EQ(lock_faults, 0u);
    }
    both(const both &) = delete;
    both &operator=(const both &) = delete;

    side &side_of(const followed &timeout)
    {
        return sides[timeout.of == kernels[1]];
    }
};

k_ticks_t random_delay(random_numbers &numbers)
{
    static constexpr unsigned char bits[] = {0, 2, 4, 7, 8, 9, 12, 14, 17, 20, 26, 29, 30, 31, 33, 40, 56, 62};
    // Mostly near, and often around a power of two.
    const unsigned most = numbers.below(4) == 0 ? sizeof bits : 8;
    const uint64_t around = uint64_t{1} << bits[numbers.below(most)];
    if (numbers.below(3) == 0) {
        return static_cast<k_ticks_t>(around) - 1 + static_cast<k_ticks_t>(numbers.below(3));
    }
    return static_cast<k_ticks_t>((uint64_t{numbers.next()} << 32 | numbers.next()) % around);
}

void called(_timeout *timeout);

k_timeout_t random_timeout(side &one, random_numbers &numbers)
{
    const k_ticks_t delay = random_delay(numbers);
    const k_ticks_t absolute = one.of->tick() + delay - 2;
    switch (numbers.below(8)) {
    case 0:
        return at_tick(absolute < 0 ? 0 : absolute);
    case 1:
        // The tick of another one, which was added first.
        return at_tick(one.of->expires(&one.timeouts[numbers.below(one.timeouts[0].owner->timeouts)]));
    default:
        return in_ticks(delay);
    }
}

void add(side &one, unsigned number, random_numbers &numbers)
{
    followed &timeout = one.timeouts[number];
    const k_timeout_t delay = random_timeout(one, numbers);
    if (z_is_inactive_timeout(&timeout)) {
        // A kernel initialises no more than the node.
        timeout.dticks = -1;
        one.note(one.of->add(&timeout, called, delay));
    }
}

void abort(side &one, followed &timeout)
{
    one.note(k_ticks_t{one.of->abort(&timeout)});
}

void called(_timeout *timeout)
{
    auto &self = *static_cast<followed *>(timeout);
    side &one = self.owner->side_of(self);
    const kernel &of = *one.of;
    random_numbers &numbers = one.numbers;
    CHECK_EQ(locks_held, 0u);
    one.note(uint64_t{self.number});
    one.note(of.tick());
    const unsigned which = numbers.below(self.owner->timeouts);
    // Some of it on another CPU.
    stand_in_cpu = numbers.below(4) == 0;
    switch (numbers.below(8)) {
    case 0:
        abort(one, one.timeouts[which]);
        break;
    case 1:
        abort(one, self);
        one.note(uint64_t{of.superseded(&self)});
        break;
    case 2:
    case 3:
    case 4:
        // Not without end, since a delay may be 0.
        if (one.adds_left != 0) {
            --one.adds_left;
            add(one, numbers.below(2) == 0 ? self.number : which, numbers);
        }
        break;
    case 5:
        one.note(of.tick());
        of.announce(stand_in_cpu != 0 && one.may_announce ? numbers.below(300) : 0);
        break;
    default:
        one.note(of.remaining(&one.timeouts[which]));
        break;
    }
    stand_in_cpu = 0;
}

uint32_t random_ticks(both &kernels_of, uint32_t next)
{
    random_numbers &numbers = kernels_of.numbers;
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

// The wheel does not look at what is parked, so beyond 2^30 ticks it may say too little.
uint32_t limited(uint32_t next)
{
    return next != UINT32_MAX && next > 1u << 29 ? 1u << 29 : next;
}

void compare(both &kernels_of, uint32_t of_list, uint32_t of_wheel)
{
    CHECK_EQ(of_wheel == UINT32_MAX, of_list == UINT32_MAX);
    CHECK(limited(of_wheel) <= limited(of_list));
    kernels_of.early += limited(of_wheel) < limited(of_list);
}

void operate(both &kernels_of)
{
    random_numbers &numbers = kernels_of.numbers;
    const uint32_t operation = numbers.below(16);
    const unsigned which = numbers.below(kernels_of.timeouts);
    const random_numbers same = {numbers.next()};
    const uint32_t next = kernels_of.sides[0].of->next();
    const uint32_t ticks = random_ticks(kernels_of, next);
    for (side &one : kernels_of.sides) {
        const kernel &of = *one.of;
        one.numbers = same;
        if (operation < 7) {
            one.numbers.next();
            add(one, which, one.numbers);
        } else if (operation < 10) {
            abort(one, one.timeouts[which]);
            one.note(uint64_t{of.superseded(&one.timeouts[which])});
        } else if (operation == 10) {
            one.note(of.remaining(&one.timeouts[which]));
            one.note(of.expires(&one.timeouts[which]));
        } else if (operation == 11) {
            // Time passes, and the driver has not announced it.
            of.driver->elapsed = next > 1000 ? same.state % 1000 : of.driver->elapsed;
        } else {
            one.adds_left = 12;
            one.may_announce = ticks < 1u << 31;
            of.driver->elapsed = 0;
            of.announce(ticks);
        }
    }
    compare(kernels_of, kernels_of.sides[0].of->driver->wake_at, kernels_of.sides[1].of->driver->wake_at);
    compare(kernels_of, kernels_of.sides[0].of->next(), kernels_of.sides[1].of->next());
    // Rarely: a kernel of 2^63 ticks is none.
    if ((same.state & 0x3FFF) == 0) {
        for (const kernel *const of : kernels) {
            of->set_tick(same.state);
        }
    }
}

} // namespace

TEST_CASE("random operations: the list and the wheel agree in everything")
{
    struct {
        uint32_t seed;
        unsigned timeouts;
    } const runs[] = {{77, 16}, {78, 40}, {79, most_timeouts}};
#ifdef TICKWHEEL_TEST_HOST
    constexpr unsigned operations = 340000;
#else
    constexpr unsigned operations = 60000;
#endif
    for (const auto &run : runs) {
        both kernels_of(run.seed, run.timeouts);
        for (unsigned done = 1; done <= operations; ++done) {
            operate(kernels_of);
            REQUIRE(kernels_of.sides[0].hash == kernels_of.sides[1].hash);
        }
        // The search for the next expiry looks at 16 timeouts. With more it may stop at the start of a slot.
        CHECK(kernels_of.early <= (run.timeouts <= 16 ? 0 : operations / 100));
    }
}
