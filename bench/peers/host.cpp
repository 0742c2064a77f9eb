// SPDX-License-Identifier: MIT
// The wheel and its peers on a PC, by Google Benchmark. Three workloads, each for N timers:
//
//   timeouts  A request arms a time-out. Nine of ten are cancelled when the answer comes, N requests later. The
//             others expire. A tick passes with each request, or with each N / 1000. Kafka's figures are of this.
//   single    W1 and W2: a timer is armed while N others are pending, then one of them is cancelled.
//   ticks     W4: a tick with N periodic timers.
#include <cstdlib>
#include <optional>
#include <stdint.h>
#include <string>

#include <benchmark/benchmark.h>

#include "../wheel/random.hpp"
#include "all.hpp"

namespace
{

constexpr unsigned most_timers = 1000000;
/// More would take hours where a peer's time grows with N.
constexpr unsigned most_linear = 10000;

using bench::random;

template <class System>
class timing {
    using timer_type = typename System::timer_type;

    struct periodic : timer_type {
        jiffies_t period;
    };

    static inline System system;
    static inline periodic timers[most_timers + 1];
    static inline periodic kept[most_timers / 2 + 1];
    static inline void (*last_run)(benchmark::State &);
    static inline int64_t last_count;

    static void do_nothing(timer_type * /*timer*/)
    {
    }

    static void arm_again(timer_type *timer)
    {
        system.arm(timer, timer->expires + static_cast<periodic *>(timer)->period);
    }

    static void start_afresh(void (*function)(timer_type *))
    {
        bench::random_state = 2463534242;
        system.init(TICKWHEEL_INITIAL_JIFFIES);
        for (periodic &each : timers) {
            system.setup(&each, function);
        }
        for (periodic &each : kept) {
            system.setup(&each, function);
        }
    }

    class requests {
    public:
        explicit requests(unsigned n)
            : count(n), requests_a_tick(n < 1000 ? 1 : n / 1000), shortest(n / requests_a_tick)
        {
            start_afresh(do_nothing);
            // From here on as many expire as are armed.
            for (unsigned i = 0; i < 6 * count; ++i) {
                next();
            }
        }

        void next()
        {
            timer_type &timer = timers[position];
            const jiffies_t expires = system.now() + random(shortest, 5 * shortest);
            if (position % 10 == 0) {
                system.arm(&kept[kept_position], expires);
                kept_position = kept_position + 1 < count / 2 + 1 ? kept_position + 1 : 0;
            } else {
                system.cancel(&timer);
                system.arm(&timer, expires);
            }
            if (++in_this_tick == requests_a_tick) {
                in_this_tick = 0;
                system.tick();
            }
            position = position + 1 < count ? position + 1 : 0;
        }

    private:
        const unsigned count;
        const unsigned requests_a_tick;
        /// How many ticks an answer takes.
        const jiffies_t shortest;
        unsigned in_this_tick = 0;
        unsigned position = 0;
        unsigned kept_position = 0;
    };

    /// The library calls a benchmark several times, until it has run for long enough. The set-up happens once.
    static bool begins(void (*run)(benchmark::State &), const benchmark::State &state)
    {
        const bool same = run == last_run && state.range(0) == last_count;
        last_run = run;
        last_count = state.range(0);
        return !same;
    }

    static void run_timeouts(benchmark::State &state)
    {
        static std::optional<requests> request;
        if (begins(run_timeouts, state)) {
            request.emplace(static_cast<unsigned>(state.range(0)));
        }
        for (auto _ : state) {
            request->next();
        }
    }

    static void run_single(benchmark::State &state)
    {
        const auto count = static_cast<unsigned>(state.range(0));
        static periodic *idle;
        if (begins(run_single, state)) {
            start_afresh(do_nothing);
            for (unsigned i = 0; i < count; ++i) {
                system.arm(&timers[i], system.now() + random(1, 0xFFFF));
            }
            idle = &timers[count];
        }
        for (auto _ : state) {
            system.arm(idle, system.now() + random(1, 0xFFFF));
            idle = &timers[random(0, count)];
            system.cancel(idle);
        }
    }

    static void run_ticks(benchmark::State &state)
    {
        const auto count = static_cast<unsigned>(state.range(0));
        if (begins(run_ticks, state)) {
            start_afresh(arm_again);
            for (unsigned i = 0; i < count; ++i) {
                timers[i].period = random(1, (1u << 14) - 1);
                system.arm(&timers[i], system.now() + timers[i].period);
            }
            // A peer may have deferred work of the arms until now. It does not count.
            system.tick();
        }
        for (auto _ : state) {
            system.tick();
        }
    }

public:
    static void add()
    {
        if (System::longest_delay < 0xFFFF) {
            return; // it takes none of these delays
        }
        const auto add_one = [](const char *workload, void (*run)(benchmark::State &)) {
            const std::string name = std::string(workload) + "/" + System::name;
            benchmark::internal::Benchmark *const added = benchmark::RegisterBenchmark(name.c_str(), run);
            added->RangeMultiplier(10)->Range(10, System::linear ? most_linear : most_timers);
            added->Unit(benchmark::kNanosecond)->MinTime(0.05);
        };
        add_one("timeouts", run_timeouts);
        add_one("single", run_single);
        add_one("ticks", run_ticks);
        benchmark::AddCustomContext(System::name, std::to_string(sizeof(timer_type) + System::bytes_beside));
    }
};

} // namespace

int main(int count, char **arguments)
{
    benchmark::Initialize(&count, arguments);
#define SYSTEM(name) timing<peers::name>::add();
#define SYSTEM_ON_PC SYSTEM
#include "systems.def"
    benchmark::RunSpecifiedBenchmarks();
    // Skips the destructors of timers that are still pending.
    std::quick_exit(0);
}
