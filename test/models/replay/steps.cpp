// SPDX-License-Identifier: MIT
// ThreadSanitizer makes the compiler call a function before each access to memory. The
// linker puts the functions below in its place, so each access of the code may be a step.
// ThreadSanitizer does not see this file. It would take a change of the thread for an
// order that the code has made.
#include "steps.hpp"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thread>

namespace replay
{

bool without_release;

namespace
{

struct step {
    unsigned core;
    char name[32];
    int index;
    bool stores;
    unsigned value;
    /// Null: it comes by done().
    const word *place;
};

constexpr unsigned most_steps = 200;
constexpr unsigned nobody = 2;
// A core that has waited so often waits for ever: the other one does not run meanwhile.
constexpr unsigned for_ever = 100;

step steps[most_steps];
unsigned step_count;
unsigned next_step;
bool followed = true;
bool ended[2];
unsigned waits;
const char *failure;
unsigned reports;

/// The core that runs.
unsigned turn = nobody;
thread_local unsigned self = nobody;
/// The access that begins when its function is called. It has ended when this core calls the next function.
thread_local const volatile void *accessed;
thread_local bool stored;

void give_turn(unsigned core)
{
    __atomic_store_n(&turn, core, __ATOMIC_RELEASE);
    while (!ended[self] && __atomic_load_n(&turn, __ATOMIC_ACQUIRE) != self) {
        sched_yield();
    }
}

void step_is_done()
{
    ++next_step;
    waits = 0;
    if (next_step == step_count) {
        followed = false;
        printf("all %u steps", step_count);
    }
}

void leave_the_trail(const char *why)
{
    const step &missed = steps[next_step];
    printf("%s at step %u of %u, %s on core %u", why, next_step + 1, step_count, missed.name, missed.core);
    followed = false;
    waits = 0;
}

unsigned meaning_of(const word &it, uint64_t value)
{
    switch (it.written) {
    case written_as::is_set:
        return value != 0;
    case written_as::is_zero:
        return value == 0;
    case written_as::is_timer:
        return value == reinterpret_cast<uintptr_t>(it.timer);
    case written_as::other_core:
        return value == 0 ? 2 : 1 - static_cast<unsigned>(it.index);
    default:
        return static_cast<unsigned>(value);
    }
}

/// This core is between two accesses.
void between()
{
    const volatile void *const last = accessed;
    accessed = nullptr;
    if (followed && last != nullptr) {
        const step &it = steps[next_step];
        uint64_t value = 0;
        if (it.core == self && it.place != nullptr && it.place->address == last && it.stores == stored) {
            memcpy(&value, const_cast<const void *>(last), it.place->size);
            if (!it.stores || meaning_of(*it.place, value) == it.value) {
                step_is_done();
            }
        }
    }
    if (followed && steps[next_step].core != self) {
        give_turn(steps[next_step].core);
    }
}

void begins(const volatile void *address, bool stores)
{
    if (self != nobody) {
        between();
        accessed = address;
        stored = stores;
    }
}

[[noreturn]] void stop(const char *why)
{
    printf("; %s\n", why != nullptr ? why : reports != 0 ? "ThreadSanitizer reports it" : "holds");
    fflush(stdout);
    _exit(why != nullptr || reports != 0);
}

} // namespace

void read(const word *words, unsigned word_count, const char *const *marks, unsigned mark_count)
{
    for (char line[100]; fgets(line, sizeof line, stdin) != nullptr;) {
        step it = {};
        char name[64];
        char index[32] = "";
        it.stores = sscanf(line, "STEP %u %63s = %u", &it.core, name, &it.value) == 3;
        (void)sscanf(name, "%31[a-z_][%31[a-z]", it.name, index);
        it.index = index[0] == '\0'              ? any
                   : strcmp(index, "here") == 0  ? static_cast<int>(it.core)
                   : strcmp(index, "other") == 0 ? 1 - static_cast<int>(it.core)
                                                 : 2;
        bool known = false;
        for (unsigned i = 0; i < word_count; ++i) {
            if (strcmp(words[i].name, it.name) == 0 && words[i].index == it.index) {
                it.place = &words[i];
                known = true;
            }
        }
        for (unsigned i = 0; i < mark_count; ++i) {
            known |= strcmp(marks[i], it.name) == 0;
        }
        if (!known || it.core > 1 || step_count == most_steps) {
            printf("the code has no step %s", line);
            exit(2);
        }
        steps[step_count++] = it;
    }
    if (step_count == 0) {
        printf("no steps\n");
        exit(2);
    }
}

[[noreturn]] void run(void (*core)(unsigned here))
{
    const auto all = [core](unsigned number) {
        self = number;
        while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != self) {
            sched_yield();
        }
        core(number);
        between();
        if (followed) {
            leave_the_trail("ends");
        }
        ended[number] = true;
        give_turn(1 - number);
    };
    std::thread first(all, 0);
    std::thread second(all, 1);
    __atomic_store_n(&turn, steps[0].core, __ATOMIC_RELEASE);
    first.join();
    second.join();
    stop(failure);
}

unsigned here()
{
    return self == nobody ? 0 : self;
}

void done(const char *name, int index)
{
    if (self == nobody) {
        return;
    }
    between();
    const step &it = steps[next_step];
    if (followed && it.core == self && it.place == nullptr && (it.index == any || it.index == index) &&
        strcmp(it.name, name) == 0) {
        step_is_done();
    }
}

void wait()
{
    between();
    ++waits;
    if (followed && waits == for_ever) {
        leave_the_trail("blocked");
    }
    if (!followed) {
        if (waits == 10 * for_ever) {
            stop("both cores wait for ever");
        }
        if (!ended[1 - self]) {
            give_turn(1 - self);
        }
    }
}

void fail(const char *why)
{
    if (failure == nullptr) {
        failure = why;
    }
}

} // namespace replay

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's.
#define TICKWHEEL_ACCESS(name, stores)                                                                               \
    void __real___tsan_##name(void *address);                                                                        \
    void __wrap___tsan_##name(void *address)                                                                         \
    {                                                                                                                \
        replay::begins(address, stores);                                                                             \
        __real___tsan_##name(address);                                                                               \
    }
TICKWHEEL_ACCESS(read1, false)
TICKWHEEL_ACCESS(read2, false)
TICKWHEEL_ACCESS(read4, false)
TICKWHEEL_ACCESS(read8, false)
TICKWHEEL_ACCESS(write1, true)
TICKWHEEL_ACCESS(write2, true)
TICKWHEEL_ACCESS(write4, true)
TICKWHEEL_ACCESS(write8, true)

// ThreadSanitizer itself has none of these. Here a volatile access is no data race.
#define TICKWHEEL_VOLATILE_ACCESS(name, stores)                                                                      \
    void __tsan_volatile_##name(void *address)                                                                       \
    {                                                                                                                \
        replay::begins(address, stores);                                                                             \
    }
TICKWHEEL_VOLATILE_ACCESS(read1, false)
TICKWHEEL_VOLATILE_ACCESS(read2, false)
TICKWHEEL_VOLATILE_ACCESS(read4, false)
TICKWHEEL_VOLATILE_ACCESS(read8, false)
TICKWHEEL_VOLATILE_ACCESS(write1, true)
TICKWHEEL_VOLATILE_ACCESS(write2, true)
TICKWHEEL_VOLATILE_ACCESS(write4, true)
TICKWHEEL_VOLATILE_ACCESS(write8, true)

void __real___tsan_atomic32_store(volatile uint32_t *address, uint32_t value, int order);
void __wrap___tsan_atomic32_store(volatile uint32_t *address, uint32_t value, int order)
{
    replay::begins(nullptr, true);
    __real___tsan_atomic32_store(address, value, replay::without_release ? __ATOMIC_RELAXED : order);
}

void __tsan_on_report(void * /*report*/)
{
    ++replay::reports;
}
// NOLINTEND(bugprone-reserved-identifier)
}
