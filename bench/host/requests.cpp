// SPDX-License-Identifier: MIT
// The time-outs of a request server on a PC, for the wheel and four other systems, by Google Benchmark.
//   requests N ROUNDS [random] [options of Google Benchmark]
//
// Each request arms a time-out of 1001 to 5000 ticks. One of ten gets no answer, so its time-out fires. The answers
// to the others come 1000 ticks later on average, either in the order of the requests or, with "random", in any
// order. An answer cancels the time-out, and the next request takes over its memory. About N time-outs are pending: N
// / 1200 requests come in a tick.
//
// A server that reads its answers in batches knows the next ones. "Ahead" means that it prefetches the time-out of
// the 256th answer from now, and what the cancel of the 128th reads through its time-out.
//
// The program fails unless every system fires the same time-outs in the same ticks.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "../peers/heaps.hpp"
#include "../peers/red_black_tree.hpp"
#include "../peers/skip_list.hpp"
#include "../peers/tickwheel_wheel.hpp"

namespace
{

constexpr jiffies_t ticks_to_answer = 1000;
size_t requests_a_tick;
bool in_order = true;

/// The last step of the generator splitmix64: every bit of the input changes half of the bits.
uint64_t mix(uint64_t bits)
{
    bits += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
}

/// A number below `limit`, always the same for the same seed.
uint32_t draw(uint64_t seed, size_t limit)
{
    return static_cast<uint32_t>((mix(seed) >> 32) * limit >> 32);
}

struct lazy_timer {
    jiffies_t expires;
    bool armed;
    void (*function)(lazy_timer *);
};

/// A queue that cannot remove from its middle. The entry of a cancelled timer stays until its tick. The clock starts
/// at 0 and never wraps.
class lazy_queue : public peers::peer<lazy_queue, lazy_timer> {
    friend peer;

public:
    static constexpr const char *name = "std::priority_queue";
    void clear()
    {
        entries = {};
    }
    static bool pending(const lazy_timer *timer)
    {
        return timer->armed;
    }
    void advance(jiffies_t ticks)
    {
        peers::locked lock;
        now_ += ticks;
        while (!entries.empty() && entries.top().first <= now_) {
            const auto [expires, timer] = entries.top();
            entries.pop();
            if (timer->armed && timer->expires == expires) {
                timer->armed = false;
                lock.call(timer);
            }
        }
    }

private:
    using entry = std::pair<jiffies_t, lazy_timer *>;
    void insert(lazy_timer *timer)
    {
        timer->armed = true;
        entries.push({timer->expires, timer});
    }
    static void remove(lazy_timer *timer)
    {
        timer->armed = false;
    }
    std::priority_queue<entry, std::vector<entry>, std::greater<>> entries;
};

/// Prefetches what a cancel reads through the timer. A lazy queue reads nothing else, and a skip list searches.
template <class System, class Timer>
void prefetch_links(const System &system, const Timer *timer)
{
    if constexpr (std::is_same_v<System, peers::tickwheel_wheel>) {
        __builtin_prefetch(timer->prev, 1);
        __builtin_prefetch(timer->next, 1);
    } else if constexpr (std::is_same_v<System, peers::red_black_tree>) {
        __builtin_prefetch(timer->parent, 1);
        __builtin_prefetch(timer->child[0], 1);
        __builtin_prefetch(timer->child[1], 1);
    } else if constexpr (std::is_same_v<System, peers::binary_heap>) {
        system.prefetch(timer);
    }
}

/// A server whose time-outs are in one system. It goes on from one benchmark to the next.
template <class System>
class server {
    using timer_type = typename System::timer_type;
    /// One cache line for most systems.
    struct alignas(64) request : timer_type {};

    // From the heap, so that an option of malloc() puts all memory into huge pages.
    static inline System &system = *new System;
    /// First those that get an answer. The place of one that gets none is used again after 5000 ticks.
    static inline std::vector<request> requests;
    static inline size_t answered_places;
    static inline size_t next_place;
    static inline uint64_t started;
    static inline uint64_t digest;

    template <bool Ahead>
    static void serve(benchmark::State &state)
    {
        if (requests.empty()) {
            fill();
        }
        const uint64_t before = started;
        for (auto each : state) {
            (void)each;
            pass_tick<Ahead>();
        }
        state.SetItemsProcessed(static_cast<int64_t>(started - before));
    }

public:
    static void add()
    {
        const std::string name = System::name;
        benchmark::RegisterBenchmark(name.c_str(), serve<false>)->Iterations(ticks_to_answer);
        benchmark::RegisterBenchmark((name + ", ahead").c_str(), serve<true>)->Iterations(ticks_to_answer);
    }

    /// Returns a sum over the time-outs that fired, of their places and ticks. Their order in a tick does not change
    /// it.
    static uint64_t print()
    {
        const auto pending = std::count_if(requests.begin(), requests.end(),
                                           [](const request &each) { return system.pending(&each); });
        std::printf("%-26s %td pending, digest %016" PRIx64 "\n", System::name, pending, digest);
        return digest;
    }

private:
    static void fill()
    {
        answered_places = ticks_to_answer * requests_a_tick;
        requests.resize(answered_places + answered_places / 2);
        system.init(0);
        for (request &each : requests) {
            system.setup(&each, expire);
        }
        // From then on as many end in a tick as begin.
        for (unsigned ticks = 0; ticks < 6 * ticks_to_answer; ++ticks) {
            pass_tick<false>();
        }
    }

    static void expire(timer_type *timer)
    {
        const auto place = static_cast<uint64_t>(static_cast<request *>(timer) - requests.data());
        digest += mix(place << 32 | system.now());
    }

    /// The request whose answer comes so many answers later.
    static request &answer(unsigned later)
    {
        if (in_order) {
            const size_t place = next_place + later;
            return requests[place < answered_places ? place : place - answered_places];
        }
        return requests[draw(~(started + later), answered_places)];
    }

    template <bool Ahead>
    static void pass_tick()
    {
        system.tick();
        for (size_t count = requests_a_tick; count != 0; --count) {
            if (Ahead) {
                __builtin_prefetch(&answer(256), 1);
                prefetch_links(system, &answer(128));
            }
            request *next = &answer(0);
            if (started % 10 == 0) {
                next = &requests[answered_places + started / 10 % (answered_places / 2)];
            } else {
                system.cancel(next);
            }
            system.arm(next, system.now() + ticks_to_answer + 1 + draw(started, 4 * ticks_to_answer));
            next_place = next_place + 1 < answered_places ? next_place + 1 : 0;
            ++started;
        }
    }
};

/// Keeps the requests a second of each run instead of printing them.
struct collector : benchmark::BenchmarkReporter {
    std::map<std::string, std::vector<double>> rates;
    bool ReportContext(const Context & /*context*/) override
    {
        return true;
    }
    void ReportRuns(const std::vector<Run> &runs) override
    {
        rates[runs[0].run_name.function_name].push_back(runs[0].counters.at("items_per_second"));
    }
};

/// Prints how many times as fast the wheel is, in each round: the median, the least and the most.
void print_ratios(const std::string &what, const std::vector<double> &of_wheel, std::vector<double> rates)
{
    // An option of Google Benchmark may select only some of the systems.
    if (rates.empty() || of_wheel.empty()) {
        return;
    }
    std::vector<double> ratios(rates.size());
    std::transform(of_wheel.begin(), of_wheel.end(), rates.begin(), ratios.begin(), std::divides<>());
    std::sort(rates.begin(), rates.end());
    std::sort(ratios.begin(), ratios.end());
    const size_t middle = rates.size() / 2;
    std::printf("%-26s %9.0f requests/s, wheel %.2f times as fast (%.2f to %.2f)\n", what.c_str(), rates[middle],
                ratios[middle], ratios.front(), ratios.back());
}

template <class... Systems>
int compare(long rounds)
{
    (server<Systems>::add(), ...);
    collector all;
    benchmark::RunSpecifiedBenchmarks(&all);
    // The first round fills the systems and does not count.
    all.rates.clear();
    for (long round = 0; round < rounds; ++round) {
        benchmark::RunSpecifiedBenchmarks(&all);
    }
    std::set<uint64_t> digests = {server<Systems>::print()...};
    auto &rates = all.rates;
    for (const std::string ahead : {"", ", ahead"}) {
        for (const std::string name : {Systems::name...}) {
            print_ratios(name + ahead, rates["tickwheel" + ahead], rates[name + ahead]);
        }
    }
    print_ratios("heap, the wheel ahead", rates["tickwheel, ahead"], rates["binary heap"]);
    // Of a system that did not run.
    digests.erase(0);
    if (digests.size() != 1) {
        std::printf("FAIL: not all systems fired the same time-outs in the same ticks\n");
        return 1;
    }
    return 0;
}

} // namespace

int main(int count, char **arguments)
{
    benchmark::Initialize(&count, arguments);
    const long n = count < 3 ? 0 : std::atol(arguments[1]);
    if (n < 1200 || n > 1000000) {
        std::fprintf(stderr, "usage: requests N ROUNDS [random], N from 1200 to 1000000\n");
        return 2;
    }
    requests_a_tick = static_cast<size_t>(n / 1200);
    in_order = count == 3;
    return compare<peers::tickwheel_wheel, peers::binary_heap, lazy_queue, peers::red_black_tree, peers::skip_list>(
        std::atol(arguments[2]));
}
