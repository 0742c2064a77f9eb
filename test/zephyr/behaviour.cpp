// SPDX-License-Identifier: MIT
// What a kernel expects of its timeout queue, on the list and on the wheel alike.
#include "timeouts.hpp"

namespace
{

// Around each level of the wheel, and around the ticks from which on a timeout may be parked.
constexpr k_ticks_t delays[] = {1,
                                2,
                                127,
                                128,
                                255,
                                256,
                                257,
                                384,
                                (1 << 14) - 1,
                                1 << 14,
                                1 << 20,
                                (1 << 26) + 1,
                                1 << 29,
                                (1 << 30) - 1,
                                1 << 30,
                                (1 << 30) + 1,
                                (3ll << 29) - 1,
                                3ll << 29,
                                (3ll << 29) + 1,
                                (1ll << 31) - 1,
                                1ll << 31,
                                (1ll << 32) - 1,
                                1ll << 32,
                                (1ll << 33) + 5};

noted *other;
noted *third;
k_ticks_t added;

} // namespace

TEST_CASE("a delay of n ticks from a thread ends with one tick more, and fires in that tick")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : delays) {
            noted timeout(*of);
            of->driver->elapsed = 3;
            const k_ticks_t now = of->tick();
            CHECK_EQ(timeout.add(in_ticks(delay)), now + delay + 1);
            CHECK_EQ(timeout.remaining(), delay + 1);
            of->driver->elapsed = 0;
            announce(*of, 3 + static_cast<uint64_t>(delay));
            CHECK_EQ(timeout.count, 0u);
            CHECK_EQ(timeout.remaining(), 1);
            of->announce(1);
            CHECK_EQ(timeout.count, 1u);
            CHECK_EQ(timeout.tick, now + delay + 1);
            CHECK_EQ(of->tick(), now + delay + 1);
        }
    }
}

TEST_CASE("an absolute tick is exact, and one that is over means the next tick")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : {-1000000, -1, 0, 1, 2, 300}) {
            of->set_tick(5000000);
            noted timeout(*of);
            (void)timeout.add(at_tick(5000000 + delay));
            const k_ticks_t expected = delay < 1 ? 1 : delay;
            CHECK_EQ(timeout.remaining(), expected);
            announce(*of, 400);
            CHECK_EQ(timeout.tick, 5000000 + expected);
        }
    }
}

TEST_CASE("timeouts of one tick fire as they were added, near and far and on both sides of 2^30 ticks")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : delays) {
            for (const k_ticks_t step : {1ll, 100ll, 1ll << 13, 1ll << 28, 1ll << 29, 1ll << 30}) {
                noted timeouts[] = {{*of, 'a'}, {*of, 'b'}, {*of, 'c'}, {*of, 'd'}, {*of, 'e'}};
                const k_ticks_t due = of->tick() + delay;
                calls = 0;
                char expected[6] = {};
                unsigned pending = 0;
                // The same tick from nearer and nearer.
                for (noted &timeout : timeouts) {
                    if (of->tick() < due) {
                        (void)timeout.add(at_tick(due));
                        expected[pending++] = timeout.name;
                        announce(*of, static_cast<uint64_t>(step < due - of->tick() ? step : 0));
                    }
                }
                CHECK_EQ(calls, 0u);
                announce(*of, static_cast<uint64_t>(due - of->tick()));
                CHECK(called_in_order(expected));
                CHECK_EQ(timeouts[0].tick, due);
            }
        }
    }
}

TEST_CASE("the order holds at the first tick that is parked, before and after the wheel looks for what is near")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t off : {-1, 0, 1}) {
            // Up to the next look.
            of->announce((1u << 29) - (jiffies - TICKWHEEL_INITIAL_JIFFIES) % (1u << 29));
            noted timeouts[] = {{*of, 'a'}, {*of, 'b'}, {*of, 'c'}, {*of, 'd'}};
            const k_ticks_t due = of->tick() + (1 << 29) + (1 << 29) + (1ll << 30) + off;
            (void)timeouts[0].add(at_tick(due));
            of->announce((1u << 29) - 1);
            (void)timeouts[1].add(at_tick(due));
            of->announce(2);
            (void)timeouts[2].add(at_tick(due));
            of->announce(1u << 29);
            (void)timeouts[3].add(at_tick(due));
            calls = 0;
            announce(*of, static_cast<uint64_t>(due - of->tick()));
            CHECK(called_in_order("abcd"));
            CHECK_EQ(timeouts[0].tick, due);
        }
    }
}

TEST_CASE("a delay of 0 in a function of a timeout ends in the same tick, behind the others")
{
    for (const kernel *const of : kernels) {
        noted first(*of, '1');
        noted second(*of, '2');
        noted zero(*of, '0');
        other = &zero;
        zero.then = nullptr;
        first.then = [](noted &self) {
            CHECK_EQ(other->add(in_ticks(0)), self.tick);
            CHECK_EQ(other->remaining(), 0);
        };
        zero.then = [](noted &self) {
            // Itself, twice more; and after it was aborted.
            if (self.count == 1) {
                (void)self.add(in_ticks(0));
            } else if (self.count == 2) {
                CHECK_EQ(self.of.abort(&self), -EINVAL);
                (void)self.add(in_ticks(0));
            }
        };
        calls = 0;
        const k_ticks_t now = of->tick();
        (void)first.add(in_ticks(4));
        (void)second.add(in_ticks(4));
        of->announce(100);
        CHECK(called_in_order("12000"));
        CHECK_EQ(zero.tick, now + 5);
    }
}

TEST_CASE("in its function a timeout is inactive: an abort of it says so and is remembered")
{
    for (const kernel *const of : kernels) {
        noted timeout(*of);
        timeout.then = [](noted &self) {
            CHECK_EQ(self.remaining(), 0);
            CHECK_EQ(self.of.expires(&self), self.tick);
            CHECK(!self.of.superseded(&self));
            CHECK_EQ(self.of.abort(&self), -EINVAL);
            CHECK(self.of.superseded(&self));
            // Another CPU may wait for the end of the function.
            stand_in_cpu = 1;
            CHECK_EQ(self.of.abort(&self), -EAGAIN);
            stand_in_cpu = 0;
        };
        (void)timeout.add(in_ticks(9));
        of->announce(100);
        CHECK_EQ(timeout.count, 1u);
        CHECK(!of->superseded(&timeout));
        CHECK_EQ(of->abort(&timeout), -EINVAL);
    }
}

TEST_CASE("an abort of another timeout of the same tick, of a later one and of one that is parked")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : delays) {
            noted timeout(*of, '1');
            noted aborted(*of, '2');
            noted last(*of, '3');
            other = &aborted;
            timeout.then = [](noted &self) {
                CHECK_EQ(self.of.abort(other), 0);
                CHECK(z_is_inactive_timeout(other));
                CHECK_EQ(self.of.abort(other), -EINVAL);
            };
            calls = 0;
            const k_ticks_t due = timeout.add(in_ticks(1));
            (void)aborted.add(at_tick(due + delay - 1));
            (void)last.add(at_tick(due + delay - 1));
            announce(*of, 400 + static_cast<uint64_t>(delay));
            CHECK(called_in_order("13"));
            CHECK_EQ(last.tick, due + delay - 1);
        }
    }
}

TEST_CASE("an aborted timeout does not fire, and may be added again")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : delays) {
            noted timeout(*of);
            (void)timeout.add(in_ticks(delay));
            CHECK_EQ(of->abort(&timeout), 0);
            CHECK_EQ(of->abort(&timeout), -EINVAL);
            CHECK_EQ(timeout.remaining(), 0);
            (void)timeout.add(in_ticks(7));
            announce(*of, static_cast<uint64_t>(delay) + 8);
            CHECK_EQ(timeout.count, 1u);
        }
    }
}

TEST_CASE("a timeout that adds itself again in its function keeps its period, in announces of any length")
{
    for (const kernel *const of : kernels) {
        for (const uint32_t length : {1u, 7u, 128u, 5000u, 1u << 30}) {
            noted timeout(*of);
            timeout.then = [](noted &self) {
                if (self.count < 20) {
                    (void)self.add(in_ticks(250));
                }
            };
            const k_ticks_t due = timeout.add(in_ticks(249));
            for (uint32_t passed = 0; passed < 5000; passed += length) {
                of->announce(length);
            }
            CHECK_EQ(timeout.count, 20u);
            CHECK_EQ(timeout.tick, due + 19 * 250);
        }
    }
}

TEST_CASE("announces of 2^30, 2^31 - 1 and 2^32 - 1 ticks call everything in its tick")
{
    for (const kernel *const of : kernels) {
        for (const uint32_t length : {uint32_t{1} << 30, (uint32_t{1} << 31) - 1, uint32_t{UINT32_MAX}}) {
            noted timeouts[] = {{*of, 'a'}, {*of, 'b'}, {*of, 'c'}, {*of, 'd'}, {*of, 'e'}, {*of, 'f'}};
            const k_ticks_t now = of->tick();
            const k_ticks_t dues[] = {1, 1000, length / 2, length - 1ll, length, length + 1ll};
            // The latest first.
            for (unsigned i = 6; i-- > 0;) {
                (void)timeouts[i].add(at_tick(now + dues[i]));
            }
            // A second timeout that one of them adds falls into the same announce.
            noted nearer(*of, '+');
            other = &nearer;
            timeouts[1].then = [](noted &) { added = other->add(in_ticks(1000)); };
            calls = 0;
            of->announce(length);
            CHECK(called_in_order("ab+cde"));
            for (unsigned i = 0; i < 5; ++i) {
                CHECK_EQ(timeouts[i].tick, now + dues[i]);
            }
            CHECK_EQ(nearer.tick, now + 2000);
            CHECK_EQ(added, now + 2000);
            CHECK_EQ(timeouts[5].remaining(), 1);
            CHECK_EQ(of->tick(), now + length);
        }
    }
}

TEST_CASE("another CPU sees the real time in an announce, and what it announces is added")
{
    for (const kernel *const of : kernels) {
        noted timeouts[] = {{*of, 'a'}, {*of, 'b'}, {*of, 'c'}, {*of, 'd'}};
        static k_ticks_t real;
        const k_ticks_t now = of->tick();
        real = now + 500;
        const k_ticks_t dues[] = {1, 300, 500, 620};
        for (unsigned i = 0; i < 4; ++i) {
            (void)timeouts[i].add(at_tick(now + dues[i]));
            timeouts[i].then = [](noted &self) {
                stand_in_cpu = 1;
                CHECK_EQ(self.of.tick(), real);
                CHECK((&self == other || other->remaining() == self.of.expires(other) - real));
                stand_in_cpu = 0;
            };
        }
        noted by_other_cpu(*of, '+');
        other = &timeouts[3];
        third = &by_other_cpu;
        timeouts[1].then = [](noted &self) {
            stand_in_cpu = 1;
            CHECK_EQ(self.of.tick(), real);
            // It is not at the start of a tick, so its delay ends with one tick more.
            CHECK_EQ(third->add(in_ticks(50)), real + 51);
            self.of.announce(130);
            real += 130;
            CHECK_EQ(self.of.tick(), real);
            stand_in_cpu = 0;
            CHECK_EQ(self.of.tick(), self.tick);
        };
        calls = 0;
        of->announce(500);
        CHECK(called_in_order("abc+d"));
        for (unsigned i = 0; i < 4; ++i) {
            CHECK_EQ(timeouts[i].tick, now + dues[i]);
        }
        CHECK_EQ(of->tick(), now + 630);
    }
}

TEST_CASE("delays of up to 2^62 ticks are kept and can be aborted")
{
    for (const kernel *const of : kernels) {
        for (const unsigned bits : {40u, 55u, 56u, 57u, 62u}) {
            noted timeout(*of);
            const k_ticks_t delay = k_ticks_t{1} << bits;
            (void)timeout.add(in_ticks(delay));
            for (unsigned i = 0; i < 5; ++i) {
                CHECK_EQ(timeout.remaining(), delay + 1 - i * k_ticks_t{UINT32_MAX});
                of->announce(UINT32_MAX);
            }
            CHECK_EQ(timeout.count, 0u);
            CHECK_EQ(of->abort(&timeout), 0);
            CHECK_EQ(of->driver->wait, UINT32_MAX);
        }
    }
}

TEST_CASE("a test that sets the kernel's tick moves no timeout")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t moved : {k_ticks_t{0}, k_ticks_t{1} << 33, k_ticks_t{1} << 50}) {
            noted near(*of, 'n');
            noted far(*of, 'f');
            of->set_tick(9000000);
            (void)near.add(in_ticks(99));
            (void)far.add(in_ticks(k_ticks_t{1} << 31));
            of->set_tick(static_cast<uint64_t>(moved));
            CHECK_EQ(near.remaining(), 100);
            CHECK_EQ(of->expires(&near), moved + 100);
            CHECK_EQ(of->expires(&far), moved + (k_ticks_t{1} << 31) + 1);
            of->announce(99);
            CHECK_EQ(near.count, 0u);
            of->announce(1);
            CHECK_EQ(near.count, 1u);
            CHECK_EQ(near.tick, moved + 100);
            of->announce(1u << 31);
            CHECK_EQ(far.tick, moved + (k_ticks_t{1} << 31) + 1);
        }
    }
}

TEST_CASE("a timeout needs no more than its node to be initialised")
{
    for (const kernel *const of : kernels) {
        for (const k_ticks_t delay : delays) {
            noted timeout(*of);
            auto *const bytes = reinterpret_cast<unsigned char *>(static_cast<_timeout *>(&timeout));
            for (unsigned i = sizeof timeout.node; i < sizeof(_timeout); ++i) {
                bytes[i] = 0xFF;
            }
            (void)timeout.add(in_ticks(delay));
            CHECK_EQ(timeout.remaining(), delay + 1);
            announce(*of, static_cast<uint64_t>(delay) + 1);
            CHECK_EQ(timeout.count, 1u);
        }
    }
}

TEST_CASE("the driver is told when the earliest timeout changes, and never of a later one")
{
    for (const kernel *const of : kernels) {
        const stand_in::timer_driver &driver = *of->driver;
        noted near(*of);
        noted middle(*of);
        noted far(*of);
        of->announce(1);
        CHECK_EQ(driver.wait, UINT32_MAX);
        (void)middle.add(in_ticks(5000));
        CHECK_EQ(driver.wait, 5001u);
        (void)near.add(in_ticks(70));
        CHECK_EQ(driver.wait, 71u);
        const unsigned told = driver.told;
        (void)far.add(in_ticks(100000));
        CHECK_EQ(of->abort(&far), 0);
        (void)far.add(in_ticks(100000));
        CHECK_EQ(driver.told, told);
        CHECK_EQ(of->abort(&near), 0);
        CHECK_EQ(driver.wait, 5001u);
        of->announce(5001);
        CHECK_EQ(middle.count, 1u);
        CHECK_EQ(driver.wait, 95000u);
        // Without a search, and without the parked ones.
        (void)middle.add(in_ticks(k_ticks_t{1} << 40));
        CHECK_EQ(driver.wait, 95000u);
        CHECK_EQ(of->abort(&far), 0);
        // The wheel says only that it will not be before 2^30 ticks.
        CHECK(driver.wait >= 1u << 30);
        CHECK(driver.wait <= SYS_CLOCK_MAX_WAIT);
        CHECK_EQ(of->abort(&middle), 0);
        CHECK_EQ(driver.wait, UINT32_MAX);
        CHECK_EQ(of->next(), UINT32_MAX);
        (void)middle.add(in_ticks(k_ticks_t{1} << 40));
        CHECK(driver.wait >= 1u << 30);
        CHECK(driver.wait <= SYS_CLOCK_MAX_WAIT);
    }
}

TEST_CASE("the next expiry is exact with 16 timeouts in a far slot, and may be early with 17")
{
    const kernel &of = stand_in::with_wheel;
    unsigned early = 0;
    // Of two neighbours no more than one is the first tick of a slot.
    for (const k_ticks_t delay : {20000, 20001}) {
        const k_ticks_t due = of.tick() + delay;
        noted first(of);
        const auto searched_for = [&] {
            // The earliest timeout is not known when it has been aborted.
            (void)first.add(in_ticks(1));
            CHECK_EQ(of.abort(&first), 0);
            return static_cast<k_ticks_t>(of.next());
        };
        _timeout same[17] = {};
        for (unsigned i = 0; i < 16; ++i) {
            (void)of.add(
                &same[i], [](_timeout *) {}, at_tick(due));
        }
        CHECK_EQ(searched_for(), delay);
        (void)of.add(
            &same[16], [](_timeout *) {}, at_tick(due));
        early += searched_for() < delay;
        for (_timeout &timeout : same) {
            CHECK_EQ(of.abort(&timeout), 0);
        }
        // The early answer costs a wake, of which the driver has been told.
        of.announce(static_cast<uint32_t>(delay));
        CHECK_EQ(of.driver->wait, UINT32_MAX);
    }
    CHECK(early != 0);
}
